// The worker for lishogi: calls `poll` of the engine as long as there is something to do.
import create from "./monomi.engine.js";

// Between two polls, messages of the page are handled.
const { port1, port2 } = new MessageChannel();
let engine = null;
let polling = false;

function poll() {
  polling = engine.poll();
  if (polling) port2.postMessage(null);
}
port1.onmessage = poll;

async function start({ wasmBinary, address }) {
  engine = await create({
    wasmBinary,
    locateFile: () => address,
    printErr: (text) => postMessage({ line: `info string Error! ${text}` }),
  });
  engine.addMessageListener((line) => postMessage({ line }));
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
