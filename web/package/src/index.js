// The package: the engine in this thread and in a worker, with the module beside this file.
import { WorkerEngine, nodeWorker } from "./client.js";
import { Engine } from "./engine.js";
import { isNode } from "./load.js";

/** Addresses are computed when they are needed: some bundles know none.
 *  @param {() => URL} address
 *  @param {string} file
 */
function known(address, file) {
  try {
    return address();
  } catch (error) {
    throw new Error(`the address of ${file} is not known here: give create the options wasm and worker`, {
      cause: error,
    });
  }
}

Engine.defaultModule = () => known(() => new URL("./monomi.wasm", import.meta.url), "monomi.wasm");
WorkerEngine.defaultModule = Engine.defaultModule;
WorkerEngine.defaultWorker = () => {
  if (typeof Worker === "undefined" && isNode()) {
    return nodeWorker(known(() => new URL("./worker.js", import.meta.url), "worker.js"));
  }
  return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
};

export { WorkerEngine } from "./client.js";
export { Engine } from "./engine.js";
export { Position } from "./position.js";
export { analyzeTogether } from "./team.js";
