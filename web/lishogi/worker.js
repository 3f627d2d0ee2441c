// The worker for lishogi: calls `poll` of the engine as long as there is something to do.
// web/build copies shogihome/monomi.js there.
// @ts-ignore
import create from "./monomi.engine.js";

// Between two polls, messages of the page are handled.
const { port1, port2 } = new MessageChannel();
/** @type {any} */
let engine = null;
let polling = false;

function poll() {
  polling = engine.poll();
  if (polling) port2.postMessage(null);
}
port1.onmessage = poll;

/** @param {{ wasmBinary?: BufferSource, address: string }} options */
async function start({ wasmBinary, address }) {
  engine = await create({
    wasmBinary,
    locateFile: () => address,
    printErr: (/** @type {string} */ text) => postMessage({ line: `info string Error! ${text}` }),
  });
  engine.addMessageListener((/** @type {string} */ line) => postMessage({ line }));
}

self.onmessage = ({ data }) => {
  if (data.line === undefined) {
    start(data).then(
      () => postMessage({}),
      (error) => postMessage({ error: String(error) }),
    );
    return;
  }
  engine.postMessage(data.line);
  if (!polling) poll();
};
