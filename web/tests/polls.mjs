// Measures how long the polls of the package for ShogiHome take: node web/tests/polls.mjs FOLDER [--cpu] [NETWORK]
// FOLDER is target/web/shogihome/monomi-shogi. With --cpu (Linux) the clock of the engine and of the measurement is the
// processor time of this thread, so that other programs on a busy machine do not count. With NETWORK, a network file is
// loaded, too. Prints for each kind of call the median and the largest times in milliseconds.
import { openSync, readFileSync, readSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...more] = process.argv.slice(2);
const network = more.find((word) => !word.startsWith("--"));
if (more.includes("--cpu")) {
  const file = openSync("/proc/thread-self/schedstat");
  const bytes = Buffer.alloc(64);
  // The first number: nanoseconds on a processor.
  globalThis.performance.now = () =>
    Number(bytes.toString("latin1", 0, readSync(file, bytes, 0, 64, 0)).split(" ")[0]) / 1e6;
}
const manifest = JSON.parse(readFileSync(resolve(folder, "engine.json"), "utf8"));
const create = (await import(pathToFileURL(resolve(folder, manifest.module)))).default;
const calls = new Map();

function timed(kind, call) {
  const start = performance.now();
  const value = call();
  if (!calls.has(kind)) calls.set(kind, []);
  calls.get(kind).push(performance.now() - start);
  return value;
}

async function launch() {
  const engine = await create({ locateFile: (name) => pathToFileURL(resolve(folder, name)).href });
  const lines = [];
  engine.addMessageListener((line) => lines.push(line));
  timed("postMessage: usi, isready", () => ["usi", "isready"].forEach((line) => engine.postMessage(line)));
  return { engine, lines };
}

/** Polls a search; then stops it if it has not ended. */
function search({ engine, lines }, kind, position, go, polls) {
  lines.length = 0;
  timed(`postMessage: ${kind}`, () => [`position ${position}`, go].forEach((line) => engine.postMessage(line)));
  const ended = () => lines.some((line) => /^(bestmove|checkmate)/.test(line));
  for (let i = 0; i < polls && !ended(); i++) timed(`poll: ${kind}`, () => engine.poll());
  if (!ended()) timed("postMessage: stop", () => engine.postMessage("stop"));
  if (!ended()) throw new Error(`no answer to ${go}`);
}

const MIDDLE = "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
const MATE = "sfen 7nl/6k2/6ppp/5s3/9/9/9/9/9 b RGSN 1";
for (let i = 0; i < 3; i++) {
  const launched = await launch();
  search(launched, i ? "first search of another engine" : "first search of all", "startpos", "go infinite", 300);
  search(launched, "searches with a clock", MIDDLE, "go btime 60000 wtime 60000 byoyomi 3000", 1000);
  search(launched, "searches with a clock", "startpos moves 7g7f", "go btime 0 wtime 0 byoyomi 1000", 1000);
  launched.engine.postMessage("setoption name MultiPV value 5");
  search(launched, "five lines", MIDDLE, "go infinite", 300);
  search(launched, "mates", MATE, "go mate infinite", 300);
  launched.engine.postMessage("setoption name USI_Hash value 64");
  timed("postMessage: isready after searches", () => launched.engine.postMessage("isready"));
  if (network) {
    const bytes = new Uint8Array(readFileSync(network));
    timed("FS.writeFile", () => launched.engine.FS.writeFile("/nn.bin", bytes));
    timed("postMessage: isready with the network", () => launched.engine.postMessage("isready"));
    search(launched, "searches with the network", MIDDLE, "go infinite", 300);
  }
  launched.engine.terminate();
}
for (const [kind, times] of calls) {
  times.sort((a, b) => b - a);
  const shown = (time) => time.toFixed(1);
  const long = times.filter((time) => time > 10).length;
  const largest = times.slice(0, 3).map(shown).join(" ");
  console.log(
    `${kind}: ${times.length} calls, median ${shown(times[times.length >> 1])}, over 10 ms ${long}, largest ${largest}`,
  );
}
