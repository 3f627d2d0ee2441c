declare const MONOMI: { wasm: string; worker: string };
