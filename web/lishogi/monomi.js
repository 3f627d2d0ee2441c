// Monomi for lishogi: a module as `ui/ceval/src/worker.ts` loads it, a script that defines a function of the window.
//
// The engine runs in a worker. No memory is shared with it, so pages need not be isolated; `wasmMemory` is not used.
/** @type {any} */
(window).Monomi = async (
  /** @type {{ wasmBinary?: BufferSource, locateFile?: (name: string) => string }} */
  { wasmBinary, locateFile = (name) => name } = {},
) => {
  /** @param {string} name */
  const address = (name) => new URL(locateFile(name), document.baseURI).href;
  const worker = new Worker(address("monomi.worker.js"), { type: "module" });
  const listeners = new Set();
  await new Promise((/** @type {(value?: unknown) => void} */ ready, fail) => {
    worker.onerror = (event) => fail(new Error(event.message || "the worker of Monomi cannot be started"));
    worker.onmessage = ({ data }) => {
      if (data.line !== undefined) listeners.forEach((listener) => listener(data.line));
      else if (data.error !== undefined) fail(new Error(data.error));
      else ready();
    };
    worker.postMessage({ wasmBinary, address: address("monomi.wasm") });
  });
  return {
    postMessage: (/** @type {string} */ line) => worker.postMessage({ line }),
    addMessageListener: (/** @type {(line: string) => void} */ listener) => listeners.add(listener),
    removeMessageListener: (/** @type {(line: string) => void} */ listener) => listeners.delete(listener),
    terminate: () => worker.terminate(),
  };
};
