// The package: the engine in this thread and in a worker, with the module beside this file.
import { WorkerEngine } from "./client.js";
import { Engine } from "./engine.js";

Engine.defaultModule = new URL("./monomi.wasm", import.meta.url);
WorkerEngine.defaultModule = new URL("./monomi.wasm", import.meta.url);
WorkerEngine.defaultWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

export { WorkerEngine } from "./client.js";
export { Engine, Position } from "./engine.js";
export { analyzeTogether } from "./team.js";
