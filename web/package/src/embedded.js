// The engine out of the page itself, for pages in a single file: MONOMI holds the module (gzip) and the
// worker's script in base64.
export async function embeddedEngine() {
  /** @param {string} text */
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const module = new Blob([bytes(MONOMI.wasm)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const wasm = await WebAssembly.compile(await new Response(module).arrayBuffer());
  const script = URL.createObjectURL(new Blob([bytes(MONOMI.worker)], { type: "text/javascript" }));
  return { wasm, worker: () => new Worker(script) };
}

export { WorkerEngine } from "./client.js";
export { Engine } from "./engine.js";
