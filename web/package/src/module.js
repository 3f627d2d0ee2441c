Engine.defaultModule = new URL("./monomi.wasm", import.meta.url);
WorkerEngine.defaultModule = new URL("./monomi.wasm", import.meta.url);
WorkerEngine.defaultWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
export { Engine, Position, WorkerEngine, analyzeTogether };
