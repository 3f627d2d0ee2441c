// The engine in this thread: loads the WebAssembly module and passes texts in and out.
import { ResultOfSearch, goCommand, isEndless, mateCommands, readMate, strictly } from "./lines.js";
import { bytesOf, compileModule } from "./load.js";

const OUTPUT = { line: 0, answer: 1, progress: 2, panic: 3 };

/** @import * as Types from "../index.d.ts" */
/**
 * The functions of the module.
 * @typedef {{
 *   memory: WebAssembly.Memory,
 *   monomi_new: () => number,
 *   monomi_buffer: (handle: number, length: number) => number,
 *   monomi_line: (handle: number) => number,
 *   monomi_step: (handle: number, milliseconds: number) => number,
 *   monomi_request: (handle: number) => void,
 *   monomi_load: (handle: number, kind: number) => void,
 * }} Exports
 */
/**
 * An engine elsewhere.
 * @typedef {{
 *   request: (request: object, onProgress: (progress: Types.Progress) => void) => any,
 *   load: (bytes: Uint8Array) => any,
 * }} Remote
 */

/** An engine in the calling thread: each method does its work before it returns. */
export class Engine {
  /** The address of the module, set by the package; null where it is not known.
   *  @type {(() => URL) | null}
   */
  static defaultModule = null;
  /** @type {Exports} */
  #exports = /** @type {any} */ (null);
  #handle = 0;
  /** @type {(kind: number, text: string) => void} */
  #listener = () => {};
  #failure = "";
  #ended = false; // by `quit`
  #busy = false;
  /** What a function of the caller has thrown, to be thrown again when the module has returned.
   *  @type {{ error: unknown } | null}
   */
  #thrown = null;
  /** Ends the search at work.
   *  @type {AbortSignal | undefined}
   */
  #signal;
  /** What other instances are made of.
   *  @type {WebAssembly.Module}
   */
  #module = /** @type {any} */ (null);
  /** Another instance, which answers questions about the rules while this one is at work.
   *  @type {Engine | null}
   */
  #other = null;
  /** What answers requests in place of the module.
   *  @type {Remote | null} */
  #remote = null;
  /** @type {"en" | "ja"} */
  #language = "en";
  /** @type {Uint8Array<ArrayBuffer> | null} */
  #network = null;

  /** Loads the engine. `options.wasm`: a compiled module, its bytes, a response or its address.
   *  @param {{ wasm?: Types.Wasm, signal?: AbortSignal }} [options]
   */
  static async create(options = {}) {
    const wasm = options.wasm ?? Engine.defaultModule?.();
    if (!wasm) throw new TypeError("Engine.create: the option wasm is missing");
    const module = await compileModule(wasm, options.signal);
    const engine = new Engine();
    engine.#start(module, await WebAssembly.instantiate(module, engine.#imports()));
    options.signal?.throwIfAborted();
    return engine;
  }

  /** Positions and records of an engine elsewhere: `remote` answers a `request`, and `load`s a file of records.
   *  @param {Remote} remote
   */
  static over(remote) {
    const engine = new Engine();
    engine.#remote = remote;
    return engine;
  }

  /** @returns {WebAssembly.Imports} */
  #imports() {
    const memory = () => this.#exports.memory.buffer;
    return {
      monomi: {
        now: () => performance.now(),
        random: () => Math.random(),
        // Here nothing else happens before the work is done; only functions of the caller can want its end.
        pause: () => (this.#thrown || this.#signal?.aborted ? 1 : 0),
        // UTF-8 at `to`, where there is room for three bytes for each one read.
        decode: (
          /** @type {number} */ encoding,
          /** @type {number} */ from,
          /** @type {number} */ length,
          /** @type {number} */ to,
        ) => {
          const decoder = new TextDecoder(["shift_jis", "euc-jp", "iso-2022-jp"][encoding]);
          const text = decoder.decode(new Uint8Array(memory(), from, length));
          return new TextEncoder().encodeInto(text, new Uint8Array(memory(), to, 3 * length)).written;
        },
        output: (/** @type {number} */ kind, /** @type {number} */ start, /** @type {number} */ length) => {
          const text = new TextDecoder().decode(new Uint8Array(memory(), start, length));
          if (kind === OUTPUT.panic) this.#failure = text;
          else if (!this.#thrown) this.#tell(kind, text);
        },
      },
    };
  }

  /** Nothing that is thrown may pass through the module, whose state would be unknown then.
   *  @param {number} kind
   *  @param {string} text
   */
  #tell(kind, text) {
    try {
      this.#listener(kind, text);
    } catch (error) {
      this.#thrown = { error };
    }
  }

  /**
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Instance} instance
   */
  #start(module, instance) {
    this.#module = module;
    this.#exports = /** @type {any} */ (instance.exports);
    this.#handle = this.#exports.monomi_new();
    if (!this.#handle) throw new Error(this.#failure || "there is not enough memory");
  }

  /** Why the engine cannot be used any more; empty while it can. */
  get failure() {
    return this.#failure;
  }

  #mustBeReady() {
    if (this.#failure) throw new Error(`the engine has crashed: ${this.#failure}`);
    if (this.#ended) throw new Error("the engine was ended by quit");
    if (!this.#busy) return;
    const allowed = "position, names, evaluate, kif, withBranches and handicaps";
    throw new Error(`the engine is at work: functions that it calls can use ${allowed} only`);
  }

  /**
   * @template Answer
   * @param {Uint8Array | null} input
   * @param {(kind: number, text: string) => void} listener
   * @param {(module: Exports, handle: number) => Answer} run
   * @returns {Answer}
   */
  #call(input, listener, run) {
    this.#mustBeReady();
    this.#listener = listener;
    this.#busy = true;
    let answer;
    try {
      if (input) {
        const start = this.#exports.monomi_buffer(this.#handle, input.length);
        new Uint8Array(this.#exports.memory.buffer, start, input.length).set(input);
      }
      answer = run(this.#exports, this.#handle);
    } catch (error) {
      // After a trap the module's state is unknown.
      this.#failure ||= String(error);
      throw new Error(`the engine has crashed: ${this.#failure}`, { cause: error });
    } finally {
      this.#listener = () => {};
      this.#busy = false;
    }
    const thrown = this.#thrown;
    this.#thrown = null;
    if (thrown) throw thrown.error;
    return answer;
  }

  /** Executes a line of USI. Returns "wait", "step" (call `step`) or "quit"; the output goes to `onLine`.
   *  @param {string} line
   *  @param {(line: string) => void} [onLine]
   */
  send(line, onLine = () => {}) {
    const text = new TextEncoder().encode(line);
    return this.#next(text, onLine, (module, handle) => module.monomi_line(handle));
  }

  /** Continues `go infinite` or `go ponder` for about so many milliseconds.
   *  @param {number} milliseconds
   *  @param {(line: string) => void} [onLine]
   */
  step(milliseconds, onLine = () => {}) {
    return this.#next(null, onLine, (module, handle) => module.monomi_step(handle, milliseconds));
  }

  /**
   * @param {Uint8Array | null} input
   * @param {(line: string) => void} onLine
   * @param {(module: Exports, handle: number) => number} run
   */
  #next(input, onLine, run) {
    /** @type {("wait" | "step" | "quit")[]} */
    const states = ["wait", "step", "quit"];
    const state = states[this.#call(input, (_, out) => onLine(out), run)];
    this.#ended ||= state === "quit";
    return state;
  }

  /** The instance for questions about the rules. */
  #forRules() {
    if (!this.#busy) return this;
    if (!this.#other) {
      const other = new Engine();
      other.#start(this.#module, new WebAssembly.Instance(this.#module, other.#imports()));
      other.setLanguage(this.#language);
      if (this.#network) other.loadNetwork(this.#network);
      this.#other = other;
    }
    return this.#other;
  }

  /**
   * @param {Uint8Array} input
   * @param {(progress: Types.Progress) => void} onProgress
   * @param {(module: Exports, handle: number) => void} run
   * @returns {any}
   */
  #answered(input, onProgress, run) {
    /** @type {any} */
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

  /**
   * @param {object} request
   * @param {(progress: Types.Progress) => void} [onProgress]
   */
  #request(request, onProgress = () => {}) {
    if (this.#remote) return this.#remote.request(request, onProgress);
    const text = new TextEncoder().encode(JSON.stringify(request));
    return this.#answered(text, onProgress, (module, handle) => module.monomi_request(handle));
  }

  /** A question that can be asked at any time.
   *  @param {object} request
   */
  #rules(request) {
    return this.#forRules().#request(request);
  }

  /**
   * @param {string | BufferSource} file
   * @param {number} kind
   */
  #load(file, kind) {
    if (this.#remote) return this.#remote.load(bytesOf(file));
    return this.#answered(
      bytesOf(file),
      () => {},
      (module, handle) => module.monomi_load(handle, kind),
    );
  }

  /** Executes lines of USI and throws the first error that they report.
   *  @param {string[]} lines
   *  @param {(line: string) => void} onLine
   */
  #strictly(lines, onLine) {
    const reader = strictly(onLine);
    for (const line of lines) {
      this.send(line, reader.line);
      reader.check();
    }
  }

  /** A new game: forgets what the last one has left. */
  newGame() {
    this.#strictly(["isready", "usinewgame"], () => {});
  }

  /** Sets an option of USI.
   *  @param {string} name
   *  @param {string | number | boolean} value
   */
  setOption(name, value) {
    this.#strictly([`setoption name ${name} value ${value}`], () => {});
  }

  /** The lines that prepare a search.
   *  @param {string} position
   *  @param {Types.Limits} limits
   */
  static prepare(position, limits) {
    return [
      `setoption name MultiPV value ${limits.multipv ?? 1}`,
      `setoption name SkillLevel value ${limits.level ?? 20}`,
      "setoption name USI_ShowWDL value true",
      `position ${position}`,
    ];
  }

  /** Searches within limits; `onInfo` is called for each line. If it throws, the search ends with its exception.
   *  @param {string} position
   *  @param {Types.Limits} limits
   *  @param {(info: Types.Info) => void} [onInfo]
   *  @returns {Types.SearchResult}
   */
  search(position, limits, onInfo = () => {}) {
    const go = goCommand(limits);
    if (isEndless(limits)) throw new TypeError("search: a search without an end needs WorkerEngine");
    limits.signal?.throwIfAborted();
    this.#mustBeReady();
    const result = new ResultOfSearch(onInfo);
    this.#signal = limits.signal;
    try {
      this.#strictly([...Engine.prepare(position, limits), go], (line) => result.line(line));
    } finally {
      this.#signal = undefined;
    }
    limits.signal?.throwIfAborted();
    return result.value;
  }

  /** Searches for a mate by continuous checks, at most so many milliseconds.
   *  @param {string} position
   *  @param {number} milliseconds
   */
  mate(position, milliseconds) {
    /** @type {Types.MateResult} */
    const result = { mate: null, moves: [], nodes: 0 };
    this.#strictly(mateCommands(position, milliseconds), (line) => readMate(line, result));
    return result;
  }

  /** Legal moves and more of a position.
   *  @param {string} position
   *  @returns {Types.PositionInfo}
   */
  position(position) {
    return this.#rules({ type: "position", position });
  }

  /** Japanese names of moves from a position on.
   *  @param {string} position
   *  @param {string[]} moves
   *  @returns {string[]}
   */
  names(position, moves) {
    return this.#rules({ type: "names", position, moves });
  }

  /** The static evaluation for the side to move, in centipawns.
   *  @param {string} position
   *  @returns {number | { mate: number }}
   */
  evaluate(position) {
    return this.#rules({ type: "evaluate", position });
  }

  /** A game as KIF. `more.headers`: pairs of KIF's keys and values; `more.seconds`: the time used for each move;
   *  `more.branches`: variations `{ before, moves, seconds, comments, ending, cp, mate }`, each from where it leaves
   *  the game; `more.comments`: lines of comments on the start and on each move.
   *  @param {string} position
   *  @param {[string, string]} [players]
   *  @param {string | null} [ending]
   *  @param {Types.KifHeaders} [more]
   *  @returns {string}
   */
  kif(position, players = ["", ""], ending = null, { headers = [], seconds = [], branches = [], comments = [] } = {}) {
    return this.#rules({ type: "kif", position, players, ending, headers, seconds, branches, comments });
  }

  /** What a list of games says of a record: players, date, opening, result and the app's notes.
   *  @param {string} record
   *  @returns {any}
   */
  account(record) {
    return this.#rules({ type: "account", record });
  }

  /** The kinds of mistakes that reports name by numbers, in Japanese and English.
   *  @returns {string[]}
   */
  kinds() {
    return this.#rules({ type: "kinds" });
  }

  /** The estimated ratings of some levels: pairs of level and rating, lowest first.
   *  @returns {[number, number][]}
   */
  ratings() {
    return this.#rules({ type: "ratings" });
  }

  /** A record in KIF with further variations, as for `kif`.
   *  @param {string} kif
   *  @param {Types.Branch[]} branches
   *  @returns {string}
   */
  withBranches(kif, branches) {
    return this.#rules({ type: "branches", kif, branches });
  }

  /** Errors are in this language from now on: "en" (the default) or "ja".
   *  @param {"en" | "ja"} language
   */
  setLanguage(language) {
    this.#other?.setLanguage(language);
    this.#language = language;
    return this.#request({ type: "language", language });
  }

  /** The handicaps with their positions.
   *  @returns {[string, string][]}
   */
  handicaps() {
    return this.#rules({ type: "handicaps" });
  }

  /** Reads game records (KIF, KI2, CSA, JKF, USI; text or bytes in any encoding).
   *  @param {string | BufferSource} file
   *  @returns {Types.Game[]}
   */
  openRecords(file) {
    return this.#load(file, 0);
  }

  /** One of the games opened last as KIF, with its headers, comments, times and variations.
   *  @returns {string}
   */
  recordKif(game = 0) {
    return this.#request({ type: "recordkif", game });
  }

  /** Replaces the network.
   *  @param {BufferSource} bytes
   *  @returns {string}
   */
  loadNetwork(bytes) {
    const description = this.#load(bytes, 1);
    this.#network = bytesOf(bytes).slice();
    this.#other?.loadNetwork(this.#network);
    return description;
  }

  /** Begins the analysis of one of the games opened last.
   *  @param {Types.AnalysisOptions} [options]
   *  @returns {{ positions: number, stretches: [number, number][], table: number }}
   */
  beginAnalysis({ game = 0, nodes = 50000, lines = 1, name = "" } = {}) {
    return this.#request({ type: "analyze", game, nodes, lines, name });
  }

  /** Analyses some more positions; false when all are done.
   *  @param {(progress: Types.Progress) => void} [onProgress]
   *  @returns {boolean}
   */
  advanceAnalysis(onProgress = () => {}) {
    return this.#request({ type: "advance" }, onProgress).more;
  }

  /** Begins a stretch of the game, from one position up to another one that is not part of it.
   *  @param {number} from
   *  @param {number} to
   */
  beginStretch(from, to) {
    return this.#request({ type: "stretch", from, to });
  }

  /** Judges the move played in a position again, the result after it being known; `first`: with an empty table.
   *  Whether that makes a difference for the position before.
   *  @param {number} ply
   *  @param {boolean} first
   *  @returns {boolean}
   */
  join(ply, first) {
    return this.#request({ type: "join", ply, first }).more;
  }

  /** Results of positions, for `takeResults` of another engine; null where there are none.
   *  @param {number} from
   *  @param {number} to
   *  @returns {unknown[]}
   */
  results(from, to) {
    return this.#request({ type: "results", from, to });
  }

  /** Takes results for the game begun.
   *  @param {number} from
   *  @param {unknown[]} results
   */
  takeResults(from, results) {
    return this.#request({ type: "take", from, results });
  }

  /** The report of the analysis: `{ html, kif }`. `hosted`: the app shows it and lends it the engine.
   *  @returns {Types.Report}
   */
  report(hosted = false) {
    return this.#request({ type: "report", hosted });
  }

  /** Analyses one of the games opened last: `{ html, kif }`.
   *  @param {Types.AnalysisOptions} [options]
   *  @param {(progress: Types.Progress) => void} [onProgress]
   */
  analyze(options = {}, onProgress = () => {}) {
    const { signal } = options;
    signal?.throwIfAborted();
    this.beginAnalysis(options);
    while (this.advanceAnalysis(onProgress)) signal?.throwIfAborted();
    return this.report();
  }
}
