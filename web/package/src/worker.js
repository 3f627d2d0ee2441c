// The worker: an engine that executes the calls of a WorkerEngine one after the other. A search
// without an end is done in slices; between them messages are read, so that it can be stopped.
// Each slice begins at depth 1 again, so short ones would cost depth: half of the time so far. A client
// that cannot wait for the end of a slice replaces the worker.
import { Engine } from "./engine.js";
import { ResultOfSearch, goCommand, isEndless, strictly } from "./lines.js";
import { nodeModule } from "./load.js";

/** @import * as Types from "../index.d.ts" */
/** @typedef {{ id: number, method: string, args: any[] }} Job */
/** @typedef {(part: { info: Types.Info } | { line: string } | { progress: Types.Progress }) => void} Tell */

const FIRST_SLICE_MS = 50;
const LONGEST_SLICE_MS = 3000;
/**
 * @param {number} slice
 * @param {number} spent
 */
const longer = (slice, spent) => Math.min(Math.max(slice, spent / 2), LONGEST_SLICE_MS);
/** The client: this worker's page, or its parent in Node.js.
 *  @type {{ postMessage: (message: unknown) => void, onmessage: ((event: { data: any }) => void) | null }}
 */
const client = typeof globalThis.postMessage === "function" ? globalThis : nodeModule("node:worker_threads").parentPort;
/** Lets messages that have arrived be handled. Node.js handles up to 1,000 messages of a channel before those of
 *  another one, so that a channel would not do there.
 *  @type {(then: (value?: unknown) => void) => unknown}
 */
let afterMessages;
if (typeof globalThis.setImmediate === "function") afterMessages = (then) => globalThis.setImmediate(then);
else {
  const channel = new MessageChannel();
  afterMessages = (then) => {
    channel.port1.onmessage = then;
    channel.port2.postMessage(null);
  };
}
const breathe = () => new Promise(afterMessages);
/** @type {Job[]} */
const queue = [];
const stopped = new Set();
/** @type {Engine | null} */
let loaded = null;
/** @type {Job | null} */
let current = null;

/**
 * @param {Engine} engine
 * @param {number} id
 * @param {string} position
 * @param {Types.Limits} limits
 * @param {Tell} tell
 */
async function searchEndlessly(engine, id, position, limits, tell) {
  const result = new ResultOfSearch((info) => tell({ info }));
  const reader = strictly((line) => result.line(line));
  for (const line of [...Engine.prepare(position, limits), goCommand({ ...limits, infinite: true })]) {
    engine.send(line, reader.line);
    reader.check();
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

/** USI text: lines in, lines out.
 *  @param {Engine} engine
 *  @param {string} line
 *  @param {Tell} tell
 */
async function converse(engine, line, tell) {
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

/**
 * @param {Engine} engine
 * @param {number} id
 * @param {Types.AnalysisOptions} options
 * @param {Tell} tell
 */
async function analyze(engine, id, options, tell) {
  engine.beginAnalysis(options);
  while (!stopped.has(id) && engine.advanceAnalysis((progress) => tell({ progress }))) await breathe();
  return engine.report();
}

/** A stretch of the game begun, with an empty table.
 *  @param {Engine} engine
 *  @param {number} id
 *  @param {number} from
 *  @param {number} to
 *  @param {Tell} tell
 */
async function stretch(engine, id, from, to, tell) {
  engine.beginStretch(from, to);
  while (!stopped.has(id) && engine.advanceAnalysis((progress) => tell({ progress }))) await breathe();
  return engine.results(from, to);
}

/** The last positions of a stretch again, as long as that makes a difference.
 *  @param {Engine} engine
 *  @param {number} id
 *  @param {number} from
 *  @param {number} to
 *  @param {unknown[]} results
 */
async function join(engine, id, from, to, results) {
  engine.takeResults(from, results);
  for (let ply = to - 1; ply >= from && !stopped.has(id) && engine.join(ply, ply === to - 1); ply--) await breathe();
  return engine.results(from, to);
}

/** @param {Job} job */
async function execute({ id, method, args }) {
  /** @type {Tell} */
  const tell = (message) => client.postMessage({ id, ...message });
  if (method === "create") {
    loaded = await Engine.create({ wasm: args[0] });
    return null;
  }
  const engine = loaded;
  if (!engine) throw new Error("the engine is not loaded");
  const [first, second, third] = args;
  if (method === "search") {
    // What was stopped before it began is answered with the least work.
    const limits = stopped.has(id) ? { multipv: second.multipv, searchmoves: second.searchmoves, nodes: 1 } : second;
    if (isEndless(limits)) return searchEndlessly(engine, id, first, limits, tell);
    return engine.search(first, limits, (info) => tell({ info }));
  }
  if (method === "usi") return converse(engine, first, tell);
  if (method === "stretch") return stretch(engine, id, first, second, tell);
  if (method === "join") return join(engine, id, first, second, third);
  if (method === "analyze") return analyze(engine, id, first, tell);
  return /** @type {any} */ (engine)[method](...args);
}

async function work() {
  if (current) return;
  for (let job = queue.shift(); job; job = queue.shift()) {
    current = job;
    try {
      client.postMessage({ id: job.id, result: await execute(job) });
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      client.postMessage({ id: job.id, error: message, crashed: Boolean(loaded?.failure) });
    }
    stopped.delete(job.id);
    current = null;
  }
}

client.onmessage = ({ data }) => {
  if (data.stop !== undefined) {
    // What has ended already cannot be stopped.
    if (current?.id === data.stop || queue.some(({ id }) => id === data.stop)) stopped.add(data.stop);
  } else {
    queue.push(data);
    work();
  }
};
