// The worker: an engine that executes the calls of a WorkerEngine one after the other. A search
// without an end is done in slices; between them messages are read, so that it can be stopped.
// Each slice begins at depth 1 again, so short ones would cost depth: half of the time so far. A client
// that cannot wait for the end of a slice restarts the worker.
import { Engine, ResultOfSearch, goCommand, isEndless } from "./engine.js";

const FIRST_SLICE_MS = 50;
const LONGEST_SLICE_MS = 3000;
const longer = (slice, spent) => Math.min(Math.max(slice, spent / 2), LONGEST_SLICE_MS);
const channel = new MessageChannel();
/** Lets messages that have arrived be handled. */
const breathe = () =>
  new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });
const queue = [];
const stopped = new Set();
let engine = null;
let busy = false;

async function searchEndlessly(id, position, limits, tell) {
  const result = new ResultOfSearch((info) => tell({ info }));
  for (const line of [...Engine.prepare(position, limits), goCommand({ ...limits, infinite: true })]) {
    engine.send(line, (out) => {
      if (out.startsWith("info string Error! ")) throw new Error(out.slice("info string Error! ".length));
      result.line(out);
    });
  }
  const since = performance.now();
  let slice = FIRST_SLICE_MS;
  for (let state = "step"; !stopped.has(id);) {
    if (state === "step") state = engine.step(slice, (line) => result.line(line));
    else await new Promise((resolve) => setTimeout(resolve, 20));
    slice = longer(slice, performance.now() - since);
    await breathe();
  }
  engine.send("stop", (line) => result.line(line));
  return result.value;
}

/** USI text: lines in, lines out. */
async function converse(id, line, tell) {
  let state = engine.send(line, (out) => tell({ line: out }));
  const since = performance.now();
  let slice = FIRST_SLICE_MS;
  // Other lines interrupt the slices.
  while (state === "step" && !queue.length) {
    state = engine.step(slice, (out) => tell({ line: out }));
    slice = longer(slice, performance.now() - since);
    await breathe();
  }
  return state;
}

async function analyze(id, options, tell) {
  engine.beginAnalysis(options);
  while (!stopped.has(id) && engine.advanceAnalysis((progress) => tell({ progress }))) await breathe();
  return engine.report();
}

/** A stretch of the game begun, with an empty table. */
async function stretch(id, from, to, tell) {
  engine.beginStretch(from, to);
  while (!stopped.has(id) && engine.advanceAnalysis((progress) => tell({ progress }))) await breathe();
  return engine.results(from, to);
}

/** The last positions of a stretch again, as long as that makes a difference. */
async function join(id, from, to, results) {
  engine.takeResults(from, results);
  for (let ply = to - 1; ply >= from && !stopped.has(id) && engine.join(ply, ply === to - 1); ply--) await breathe();
  return engine.results(from, to);
}

async function execute({ id, method, args }) {
  const tell = (message) => postMessage({ id, ...message });
  if (method === "create") {
    engine = await Engine.create({ wasm: args[0] });
    return null;
  }
  if (!engine) throw new Error("the engine is not loaded");
  if (method === "search" && isEndless(args[1])) return searchEndlessly(id, ...args, tell);
  if (method === "search") return engine.search(...args, (info) => tell({ info }));
  if (method === "usi") return converse(id, args[0], tell);
  if (method === "stretch") return stretch(id, ...args, tell);
  if (method === "join") return join(id, ...args);
  if (method === "analyze") return analyze(id, args[0], tell);
  return engine[method](...args);
}

async function work() {
  if (busy) return;
  busy = true;
  while (queue.length) {
    const job = queue.shift();
    try {
      postMessage({ id: job.id, result: await execute(job) });
    } catch (error) {
      postMessage({ id: job.id, error: error.message, crashed: Boolean(engine?.failure) });
    }
    stopped.delete(job.id);
  }
  busy = false;
}

self.onmessage = ({ data }) => {
  if (data.stop !== undefined) stopped.add(data.stop);
  else {
    queue.push(data);
    work();
  }
};
