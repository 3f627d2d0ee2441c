// The engine in this thread: loads the WebAssembly module and passes texts in and out.
const OUTPUT = { line: 0, answer: 1, progress: 2, panic: 3 };

/** Compiles what is given: a compiled module, bytes, a response, or an address. */
export async function compileModule(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) return WebAssembly.compile(wasm);
  if (typeof wasm === "string" || wasm instanceof URL) {
    const address = String(wasm);
    if (address.startsWith("file:") && typeof process === "object") {
      const { readFile } = await import("node:fs/promises");
      return WebAssembly.compile(await readFile(new URL(address)));
    }
    wasm = await fetch(address);
  }
  if (!wasm || typeof wasm.arrayBuffer !== "function")
    throw new TypeError("wasm: expected a module, bytes, a response or an address");
  if (!wasm.ok) throw new Error(`cannot load ${wasm.url}: status ${wasm.status}`);
  return WebAssembly.compile(await wasm.arrayBuffer());
}

/** `{ cp }` or `{ mate }` with the plies to the mate, negative for the side that is mated. */
function parseScore(kind, number) {
  if (kind === "cp") return { cp: Number(number) };
  return { mate: number === "-0" ? 0 : Number(number) };
}

/** Reads an info line of USI; null if it has no score. */
function parseInfo(line) {
  const words = line.split(" ");
  const info = {
    depth: 0,
    seldepth: 0,
    multipv: 1,
    score: null,
    win: 0,
    bound: "exact",
    nodes: 0,
    nps: 0,
    time: 0,
    hashfull: 0,
    pv: [],
  };
  for (let i = 1; i < words.length; i++) {
    const word = words[i];
    if (word === "string") return null;
    if (word === "pv") {
      info.pv = words.slice(i + 1);
      break;
    }
    if (word === "score") {
      info.score = parseScore(words[i + 1], words[i + 2]);
      i += 2;
    } else if (word === "wdl") {
      info.win = Number(words[i + 1]) / 1000;
      i += 3;
    } else if (word === "lowerbound" || word === "upperbound") info.bound = word.slice(0, 5);
    else if (word in info) info[word] = Number(words[++i]);
  }
  return info.score ? info : null;
}

const GO_NUMBERS = ["nodes", "depth", "movetime", "btime", "wtime", "binc", "winc", "byoyomi"];

/** The `go` command of limits. */
export function goCommand(limits) {
  const words = ["go"];
  for (const [key, value] of Object.entries(limits)) {
    if (GO_NUMBERS.includes(key)) {
      if (!Number.isFinite(value) || value < 0)
        throw new TypeError(`${key}: expected a number from 0 on, got ${value}`);
      words.push(key, String(Math.floor(value)));
    } else if (key === "infinite") {
      if (value) words.push("infinite");
    } else if (!["level", "multipv", "searchmoves"].includes(key)) throw new TypeError(`there is no limit "${key}"`);
  }
  if (limits.searchmoves?.length) words.push("searchmoves", ...limits.searchmoves);
  return words.join(" ");
}

export const isEndless = (limits) => Boolean(limits.infinite) || !GO_NUMBERS.some((key) => limits[key] !== undefined);

/** The lines that ask for a mate. */
export const mateCommands = (position, milliseconds) => [
  `position ${position}`,
  `go mate ${Math.max(1, Math.floor(milliseconds))}`,
];

/** Reads a line of the answer to them. */
export function readMate(line, result) {
  const words = line.split(" ");
  if (words[0] === "info" && words.includes("nodes")) result.nodes = Number(words[words.indexOf("nodes") + 1]);
  if (words[0] !== "checkmate") return;
  if (words[1] === "nomate") result.mate = false;
  else if (words[1] !== "timeout") Object.assign(result, { mate: true, moves: words.slice(1) });
}

/** An engine in the calling thread: each method does its work before it returns. */
export class Engine {
  /** Where the module is; set by the ES module. */
  static defaultModule = null;
  #exports;
  #handle;
  #listener = () => {};
  #failure = "";
  #remote = null;

  /** Loads the engine. `options.wasm`: a compiled module, its bytes, a response or its address. */
  static async create(options = {}) {
    const wasm = options.wasm ?? Engine.defaultModule;
    if (wasm === null) throw new TypeError("Engine.create: the option wasm is missing");
    const engine = new Engine();
    engine.#start(await WebAssembly.instantiate(await compileModule(wasm), engine.#imports()));
    return engine;
  }

  /** Positions and records of an engine elsewhere: `remote` answers a `request`, and `load`s a file of records. */
  static over(remote) {
    const engine = new Engine();
    engine.#remote = remote;
    return engine;
  }

  #imports() {
    return {
      monomi: {
        now: () => performance.now(),
        random: () => Math.random(),
        // Here nothing else happens before the work is done.
        pause: () => 0,
        // UTF-8 at `to`, where there is room for three bytes for each one read.
        decode: (encoding, from, length, to) => {
          const memory = this.#exports.memory.buffer;
          const text = new TextDecoder(["shift_jis", "euc-jp", "iso-2022-jp"][encoding]).decode(
            new Uint8Array(memory, from, length),
          );
          return new TextEncoder().encodeInto(text, new Uint8Array(memory, to, 3 * length)).written;
        },
        output: (kind, start, length) => {
          const text = new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, start, length));
          if (kind === OUTPUT.panic) this.#failure = text;
          else this.#listener(kind, text);
        },
      },
    };
  }

  #start(instance) {
    this.#exports = instance.exports;
    this.#handle = this.#exports.monomi_new();
    if (!this.#handle) throw new Error(this.#failure || "there is not enough memory");
  }

  /** Why the engine cannot be used any more; empty while it can. */
  get failure() {
    return this.#failure;
  }

  #call(input, listener, run) {
    if (this.#failure) throw new Error(`the engine has crashed: ${this.#failure}`);
    this.#listener = listener;
    try {
      if (input) {
        const start = this.#exports.monomi_buffer(this.#handle, input.length);
        new Uint8Array(this.#exports.memory.buffer, start, input.length).set(input);
      }
      return run(this.#exports, this.#handle);
    } catch (error) {
      // After a trap the module's state is unknown.
      this.#failure ||= String(error);
      throw new Error(`the engine has crashed: ${this.#failure}`, { cause: error });
    } finally {
      this.#listener = () => {};
    }
  }

  /** Executes a line of USI. Returns "wait", "step" (call `step`) or "quit"; the output goes to `onLine`. */
  send(line, onLine = () => {}) {
    const text = new TextEncoder().encode(line);
    return ["wait", "step", "quit"][
      this.#call(
        text,
        (_, out) => onLine(out),
        (module, handle) => module.monomi_line(handle),
      )
    ];
  }

  /** Continues `go infinite` or `go ponder` for about so many milliseconds. */
  step(milliseconds, onLine = () => {}) {
    return ["wait", "step", "quit"][
      this.#call(
        null,
        (_, out) => onLine(out),
        (module, handle) => module.monomi_step(handle, milliseconds),
      )
    ];
  }

  #answered(input, onProgress, run) {
    let answer = null;
    this.#call(
      input,
      (kind, text) => {
        if (kind === OUTPUT.answer) answer = JSON.parse(text);
        else if (kind === OUTPUT.progress) onProgress(JSON.parse(text));
      },
      run,
    );
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.ok;
  }

  #request(request, onProgress = () => {}) {
    if (this.#remote) return this.#remote.request(request, onProgress);
    const text = new TextEncoder().encode(JSON.stringify(request));
    return this.#answered(text, onProgress, (module, handle) => module.monomi_request(handle));
  }

  #load(file, kind) {
    const bytes =
      typeof file === "string"
        ? new TextEncoder().encode(file)
        : new Uint8Array(file.buffer ?? file, file.byteOffset ?? 0, file.byteLength);
    if (this.#remote) return this.#remote.load(bytes);
    return this.#answered(
      bytes,
      () => {},
      (module, handle) => module.monomi_load(handle, kind),
    );
  }

  /** Executes lines of USI and throws the first error that they report. */
  #strictly(lines, onLine) {
    let problem = null;
    for (const line of lines) {
      this.send(line, (out) => {
        if (out.startsWith("info string Error! ")) problem ??= out.slice("info string Error! ".length);
        else onLine(out);
      });
      if (problem !== null) throw new Error(problem);
    }
  }

  /** A new game: forgets what the last one has left. */
  newGame() {
    this.#strictly(["isready", "usinewgame"], () => {});
  }

  /** Sets an option of USI. */
  setOption(name, value) {
    this.#strictly([`setoption name ${name} value ${value}`], () => {});
  }

  /** The lines that prepare a search. */
  static prepare(position, limits) {
    return [
      `setoption name MultiPV value ${limits.multipv ?? 1}`,
      `setoption name SkillLevel value ${limits.level ?? 20}`,
      "setoption name USI_ShowWDL value true",
      `position ${position}`,
    ];
  }

  /** Searches within limits; `onInfo` is called for each line. */
  search(position, limits, onInfo = () => {}) {
    const go = goCommand(limits);
    if (isEndless(limits)) throw new TypeError("search: a search without an end needs WorkerEngine");
    const result = new ResultOfSearch(onInfo);
    this.#strictly([...Engine.prepare(position, limits), go], (line) => result.line(line));
    return result.value;
  }

  /** Searches for a mate by continuous checks, at most so many milliseconds. */
  mate(position, milliseconds) {
    const result = { mate: null, moves: [], nodes: 0 };
    this.#strictly(mateCommands(position, milliseconds), (line) => readMate(line, result));
    return result;
  }

  /** Legal moves and more of a position. */
  position(position) {
    return this.#request({ type: "position", position });
  }

  /** Japanese names of moves from a position on. */
  names(position, moves) {
    return this.#request({ type: "names", position, moves });
  }

  /** The static evaluation for the side to move, in centipawns. */
  evaluate(position) {
    return this.#request({ type: "evaluate", position });
  }

  /** A game as KIF. `more.headers`: pairs of KIF's keys and values; `more.seconds`: the time used for each move;
   *  `more.branches`: variations `{ before, moves, seconds, ending, cp, mate }`, each from where it leaves the game. */
  kif(position, players = ["", ""], ending = null, { headers = [], seconds = [], branches = [] } = {}) {
    return this.#request({ type: "kif", position, players, ending, headers, seconds, branches });
  }

  /** A record in KIF with further variations, as for `kif`. */
  withBranches(kif, branches) {
    return this.#request({ type: "branches", kif, branches });
  }

  /** Errors are in this language from now on: "en" (the default) or "ja". */
  setLanguage(language) {
    return this.#request({ type: "language", language });
  }

  /** The handicaps with their positions. */
  handicaps() {
    return this.#request({ type: "handicaps" });
  }

  /** Reads game records (KIF, KI2, CSA, JKF, USI; text or bytes in any encoding). */
  openRecords(file) {
    return this.#load(file, 0);
  }

  /** One of the games opened last as KIF, with its headers, comments, times and variations. */
  recordKif(game = 0) {
    return this.#request({ type: "recordkif", game });
  }

  /** Replaces the network. */
  loadNetwork(bytes) {
    return this.#load(bytes, 1);
  }

  /** Begins the analysis of one of the games opened last. */
  beginAnalysis({ game = 0, nodes = 50000, lines = 1, name = "" } = {}) {
    return this.#request({ type: "analyze", game, nodes, lines, name });
  }

  /** Analyses some more positions; false when all are done. */
  advanceAnalysis(onProgress = () => {}) {
    return this.#request({ type: "advance" }, onProgress).more;
  }

  /** Begins a stretch of the game, from one position up to another one that is not part of it. */
  beginStretch(from, to) {
    return this.#request({ type: "stretch", from, to });
  }

  /** Judges the move played in a position again, the result after it being known; `first`: with an empty table.
   *  Whether that makes a difference for the position before. */
  join(ply, first) {
    return this.#request({ type: "join", ply, first }).more;
  }

  /** Results of positions, for `takeResults` of another engine; null where there are none. */
  results(from, to) {
    return this.#request({ type: "results", from, to });
  }

  /** Takes results for the game begun. */
  takeResults(from, results) {
    return this.#request({ type: "take", from, results });
  }

  /** The report of the analysis: `{ html, kif }`. `hosted`: the app shows it and lends it the engine. */
  report(hosted = false) {
    return this.#request({ type: "report", hosted });
  }

  /** Analyses one of the games opened last: `{ html, kif }`. */
  analyze(options = {}, onProgress = () => {}) {
    this.beginAnalysis(options);
    while (this.advanceAnalysis(onProgress));
    return this.report();
  }
}

/** Collects the lines of a search. */
export class ResultOfSearch {
  value = { move: null, ponder: null, lines: [], depth: 0, nodes: 0 };
  #onInfo;

  constructor(onInfo) {
    this.#onInfo = onInfo;
  }

  /** Takes a line; true for the last one. */
  line(line) {
    if (line.startsWith("bestmove ")) {
      const [, move, , ponder] = line.split(" ");
      Object.assign(this.value, { move, ponder: ponder ?? null });
      return true;
    }
    const info = line.startsWith("info ") ? parseInfo(line) : null;
    if (info) this.info(info);
    return false;
  }

  /** Takes what has been read from a line. */
  info(info) {
    if (info.bound === "exact") {
      this.value.lines[info.multipv - 1] = { score: info.score, pv: info.pv };
      this.value.depth = info.depth;
    }
    this.value.nodes = Math.max(this.value.nodes, info.nodes);
    this.#onInfo(info);
  }
}

/** A game in progress: a starting position and moves, checked by an engine in this thread. */
export class Position {
  #engine;
  #start;
  #moves;

  /** `text` is as after `position` in USI. */
  constructor(engine, text = "startpos") {
    this.#engine = engine;
    const [start, moves] = text.replace(/^position /, "").split(/\s+moves\b/);
    this.#start = start.trim();
    this.#moves = moves?.trim() ? moves.trim().split(/\s+/) : [];
    engine.position(String(this));
  }

  toString() {
    return this.#moves.length ? `${this.#start} moves ${this.#moves.join(" ")}` : this.#start;
  }

  /** The moves so far, in USI. */
  get moves() {
    return [...this.#moves];
  }

  /** Side to move, legal moves and more. */
  info() {
    return this.#engine.position(String(this));
  }

  /** Plays a move; throws if it is illegal. */
  play(move) {
    this.#engine.position(`${this} ${this.#moves.length ? "" : "moves "}${move}`);
    this.#moves.push(move);
    return this;
  }

  /** Takes the last move back and returns it; undefined at the start. */
  undo() {
    return this.#moves.pop();
  }
}
