// The engine in a worker: the methods of Engine, each returning a promise.
import { Engine } from "./engine.js";
import { ResultOfSearch } from "./lines.js";
import { bytesOf, compileModule, isNode, nodeModule } from "./load.js";

/** @import * as Types from "../index.d.ts" */
/**
 * What both kinds of workers have, those of browsers and those of Node.js.
 * @typedef {{
 *   postMessage: (message: unknown) => void,
 *   terminate: () => unknown,
 *   onmessage: ((event: { data: any }) => void) | null,
 *   onerror: ((event: { message: string }) => void) | null,
 * }} AnyWorker
 */
/**
 * A call that has not been answered. `known`: what it may be answered with once it has been stopped.
 * @typedef {{
 *   resolve: (value: any) => void,
 *   reject: (error: unknown) => void,
 *   listener: (part: any) => void,
 *   message: { id: number, method: string, args: unknown[] },
 *   known: () => unknown,
 *   stopped: boolean,
 * }} Call
 */

const PATIENCE_MS = 300;
/** Questions about the rules, which need not wait for a search. */
const RULES = ["position", "names", "evaluate", "kif", "withBranches", "handicaps"];

/** A worker of Node.js with the functions of those of browsers.
 *  @param {URL} address
 *  @returns {AnyWorker}
 */
export function nodeWorker(address) {
  const worker = new (nodeModule("node:worker_threads").Worker)(address);
  /** @type {AnyWorker} */
  const adapted = {
    postMessage: (message) => worker.postMessage(message),
    terminate: () => worker.terminate(),
    onmessage: null,
    onerror: null,
  };
  worker.on("message", (/** @type {unknown} */ data) => adapted.onmessage?.({ data }));
  worker.on("error", (/** @type {Error} */ error) => adapted.onerror?.(error));
  return adapted;
}

export class WorkerEngine {
  /** Where the module is, and what creates a worker; set by the package.
   *  @type {(() => URL) | null} */
  static defaultModule = null;
  /** @type {(() => any) | null} */
  static defaultWorker = null;
  /** @type {AnyWorker | null} */
  #worker = null;
  /** Null for native engines.
   *  @type {WebAssembly.Module} */
  #module = /** @type {any} */ (null);
  /** @type {() => any} */
  #createWorker = () => {};
  /** @type {Map<number, Call>} */
  #calls = new Map();
  #last = 0;
  #ended = "";
  /** What a new worker is told, so that it is like the one before: lines of USI by option, the language, the network
   *  and the records.
   *  @type {{ options: Map<string, string>, language: "en" | "ja" | null, network: Uint8Array<ArrayBuffer> | null,
   *    records: string | Uint8Array | null }}
   */
  #state = { options: new Map(), language: null, network: null, records: null };
  /** Answers questions about the rules while the worker is at work.
   *  @type {Promise<Engine> | null}
   */
  #rules = null;

  /** Loads the engine. `options.wasm` as for Engine.create; `options.worker` creates the worker. With
   *  `options.native` the worker needs no module.
   *  @param {{ wasm?: Types.Wasm, worker?: () => any, signal?: AbortSignal, native?: boolean }} [options]
   */
  static async create(options = {}) {
    const { signal } = options;
    const engine = new WorkerEngine();
    const createWorker = options.worker ?? WorkerEngine.defaultWorker;
    if (!createWorker || (typeof Worker === "undefined" && !options.worker && !isNode())) {
      throw new Error("there are no web workers here; use Engine");
    }
    engine.#createWorker = createWorker;
    if (!options.native) {
      const wasm = options.wasm ?? WorkerEngine.defaultModule?.();
      if (!wasm) throw new TypeError("WorkerEngine.create: the option wasm is missing");
      engine.#module = await compileModule(wasm, signal);
    }
    const abort = () => engine.#end(signal?.reason);
    signal?.addEventListener("abort", abort);
    try {
      await engine.#start();
    } catch (error) {
      engine.#worker?.terminate();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
    signal?.throwIfAborted();
    return engine;
  }

  /** The compiled module, for further engines. */
  get module() {
    return this.#module;
  }

  /** A new worker in the state of the last one. */
  #start() {
    const worker = this.#createWorker();
    this.#worker = worker;
    worker.onmessage = (/** @type {{ data: any }} */ { data }) => {
      if (this.#worker === worker) this.#handleMessage(data);
    };
    worker.onerror = (/** @type {{ message: string }} */ event) => {
      if (this.#worker === worker) this.#fail(new Error(event.message || "the worker cannot be started"));
    };
    const { options, language, network, records } = this.#state;
    const created = this.#post("create", [this.#module]).promise;
    /** @type {[string, unknown[]][]} */
    const before = [];
    if (network) before.push(["loadNetwork", [network]]);
    for (const line of options.values()) before.push(["usi", [line]]);
    if (language) before.push(["setLanguage", [language]]);
    if (records) before.push(["openRecords", [records]]);
    for (const [method, args] of before) this.#post(method, args).promise.catch(() => {});
    return created;
  }

  /** Another worker takes the place of this one, and does what is still to be done. */
  #replace() {
    const open = [...this.#calls.values()];
    this.#calls.clear();
    this.#worker?.terminate();
    // If it cannot be started, the calls fail.
    this.#start().catch((error) => this.#fail(error));
    for (const call of open) {
      this.#calls.set(call.message.id, call);
      this.#worker?.postMessage(call.message);
    }
  }

  /** Nothing that is open can be done.
   *  @param {unknown} error
   */
  #fail(error) {
    const open = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of open) reject(error);
  }

  /** @param {any} message */
  #handleMessage({ id, info, line, progress, result, error, crashed }) {
    const call = this.#calls.get(id);
    if (!call) return;
    if (info !== undefined || line !== undefined || progress !== undefined) {
      try {
        call.listener(info ?? line ?? progress);
      } catch (thrown) {
        // The search ends with the exception of the caller.
        this.#settle(id, () => call.reject(thrown));
      }
      return;
    }
    this.#calls.delete(id);
    if (error === undefined) call.resolve(result);
    else call.reject(new Error(error));
    if (crashed) this.#replace();
  }

  /** Answers a call before its work has ended: the worker stops it, or is replaced if it cannot in a short time.
   *  @param {number} id
   *  @param {() => void} answer
   */
  #settle(id, answer) {
    const call = this.#calls.get(id);
    if (!call) return;
    answer();
    call.listener = () => {};
    this.#stop(id);
  }

  /** @param {number} id */
  #stop(id) {
    const call = this.#calls.get(id);
    if (!call) return;
    call.stopped = true;
    this.#worker?.postMessage({ stop: id });
    setTimeout(() => this.#giveUp(id), PATIENCE_MS);
  }

  /** A call that was stopped is still at work: it is answered with what is known, and the worker is replaced.
   *  @param {number} id
   */
  #giveUp(id) {
    const call = this.#calls.get(id);
    const value = call?.known();
    if (!call || value === undefined) return;
    this.#calls.delete(id);
    call.resolve(value);
    this.#replace();
  }

  /**
   * @param {string} method
   * @param {unknown[]} args
   * @param {(part: any) => void} [listener]
   * @param {() => unknown} [known] what a call that was stopped may be answered with; undefined: it must be waited for
   */
  #post(method, args, listener = () => {}, known = () => undefined) {
    const id = ++this.#last;
    const message = { id, method, args };
    /** @type {Promise<any>} */
    const promise = new Promise((resolve, reject) => {
      if (this.#ended) return reject(new Error(this.#ended));
      this.#calls.set(id, { resolve, reject, listener, message, known, stopped: false });
      try {
        this.#worker?.postMessage(message);
      } catch (error) {
        // What cannot be copied to another thread.
        this.#calls.delete(id);
        reject(error);
      }
    });
    return { id, promise };
  }

  /** A call to be answered at once if it is a question about the rules.
   *  @param {string} method
   *  @param {unknown[]} args
   *  @returns {Promise<any>}
   */
  async #call(method, args) {
    const open = [...this.#calls.values()];
    const waits = method === "evaluate" && open.some(({ message }) => message.method === "loadNetwork");
    if (!RULES.includes(method) || !open.length || waits || !this.#module || this.#ended)
      return this.#post(method, args).promise;
    const { language, network } = this.#state;
    this.#rules ??= Engine.create({ wasm: this.#module }).then((engine) => {
      if (network) engine.loadNetwork(network);
      if (language) engine.setLanguage(language);
      return engine;
    });
    const rules = await this.#rules;
    return /** @type {any} */ (rules)[method](...args);
  }

  /** A promise that can be stopped, by `stop` or a signal.
   *  @template {Promise<any>} Kind
   *  @param {{ id: number, promise: Kind }} call
   *  @param {AbortSignal | undefined} signal
   */
  #stoppable({ id, promise }, signal) {
    if (signal) {
      const abort = () => this.#settle(id, () => this.#calls.get(id)?.reject(signal.reason));
      if (signal.aborted) abort();
      signal.addEventListener("abort", abort, { once: true });
      promise.catch(() => {}).then(() => signal.removeEventListener("abort", abort));
    }
    return Object.assign(promise, { stop: () => this.#stop(id) });
  }

  /** Searches until the limits or `stop()` of the promise returned. Without limits only `stop()` ends it.
   *  @param {string} position
   *  @param {Types.Limits} [limits]
   *  @param {(info: Types.Info) => void} [onInfo]
   *  @returns {Types.Stoppable<Types.SearchResult>}
   */
  search(position, { signal, ...limits } = {}, onInfo = () => {}) {
    const result = new ResultOfSearch(onInfo);
    const known = () => {
      const { value } = result;
      if (!value.lines.length) return undefined;
      const [move, ponder = null] = value.lines[0].pv;
      return { ...value, move, ponder };
    };
    const call = this.#post("search", [position, limits], (info) => result.info(info), known);
    return this.#stoppable(call, signal);
  }

  /** Executes a line of USI; its output goes to `onLine`. `go infinite` runs until the next line.
   *  @param {string} line
   *  @param {(line: string) => void} [onLine]
   *  @returns {Promise<"wait" | "step" | "quit">}
   */
  async usi(line, onLine = () => {}) {
    const next = await this.#post("usi", [line], onLine).promise;
    const option = /^\s*setoption\s+name\s+(\S+)/.exec(line);
    if (option) this.#state.options.set(option[1].toLowerCase(), line);
    if (next === "quit") this.#end(new Error("the engine was ended by quit"));
    return next;
  }

  /** Analyses one of the games opened last: `{ html, kif }`. `stop()` ends it early.
   *  @param {Types.AnalysisOptions} [options]
   *  @param {(progress: Types.Progress) => void} [onProgress]
   *  @returns {Types.Stoppable<Types.Report>}
   */
  analyze({ signal, ...options } = {}, onProgress = () => {}) {
    return this.#stoppable(this.#post("analyze", [options], onProgress), signal);
  }

  /** Searches a stretch of the game begun; resolves to its results, null where `stop()` came first.
   *  @param {number} from
   *  @param {number} to
   *  @param {(progress: Types.Progress) => void} [onProgress]
   *  @returns {Types.Stoppable<unknown[]>}
   */
  stretch(from, to, onProgress = () => {}) {
    return this.#stoppable(this.#post("stretch", [from, to], onProgress), undefined);
  }

  /** Judges the last moves of a stretch again; `results` are its own and the first one of the next stretch. Resolves
   *  to its own.
   *  @param {number} from
   *  @param {number} to
   *  @param {unknown[]} results
   *  @returns {Types.Stoppable<unknown[]>}
   */
  join(from, to, results) {
    return this.#stoppable(this.#post("join", [from, to, results]), undefined);
  }

  /** @param {Types.AnalysisOptions} [options] */
  beginAnalysis(options) {
    return this.#call("beginAnalysis", [options]);
  }
  /**
   * @param {number} from
   * @param {unknown[]} results
   */
  takeResults(from, results) {
    return this.#call("takeResults", [from, results]);
  }
  /** @param {boolean} [hosted] */
  report(hosted) {
    return this.#call("report", [hosted]);
  }
  /**
   * @param {string} position
   * @param {number} milliseconds
   */
  mate(position, milliseconds) {
    return this.#call("mate", [position, milliseconds]);
  }
  /** @param {string} position */
  position(position) {
    return this.#call("position", [position]);
  }
  /**
   * @param {string} position
   * @param {string[]} moves
   */
  names(position, moves) {
    return this.#call("names", [position, moves]);
  }
  /** @param {string} position */
  evaluate(position) {
    return this.#call("evaluate", [position]);
  }
  /**
   * @param {string} position
   * @param {[string, string]} [players]
   * @param {string | null} [ending]
   * @param {Types.KifHeaders} [more]
   */
  kif(position, players, ending, more) {
    return this.#call("kif", [position, players, ending, more]);
  }
  /**
   * @param {string} kif
   * @param {Types.Branch[]} branches
   */
  withBranches(kif, branches) {
    return this.#call("withBranches", [kif, branches]);
  }
  /** @param {"en" | "ja"} language */
  async setLanguage(language) {
    if (!["en", "ja"].includes(language)) throw new TypeError(`language: expected "en" or "ja", got ${language}`);
    this.#state.language = language;
    (await this.#rules)?.setLanguage(language);
    await this.#call("setLanguage", [language]);
  }
  handicaps() {
    return this.#call("handicaps", []);
  }
  /** @param {string | BufferSource} file */
  async openRecords(file) {
    // The caller may change the bytes later.
    const records = typeof file === "string" ? file : bytesOf(file).slice();
    const games = await this.#call("openRecords", [records]);
    this.#state.records = records;
    return games;
  }
  /** @param {number} [game] */
  recordKif(game) {
    return this.#call("recordKif", [game]);
  }
  /** @param {BufferSource} bytes */
  async loadNetwork(bytes) {
    const network = bytesOf(bytes).slice();
    const description = await this.#call("loadNetwork", [network]);
    this.#state.network = network;
    (await this.#rules)?.loadNetwork(network);
    return description;
  }
  newGame() {
    return this.#call("newGame", []);
  }
  /** Native engines only: the options of USI. */
  options() {
    return this.#call("options", []);
  }
  /**
   * @param {string} name
   * @param {string | number | boolean} value
   */
  async setOption(name, value) {
    await this.#call("setOption", [name, value]);
    this.#state.options.set(name.toLowerCase(), `setoption name ${name} value ${value}`);
  }

  /** Ends everything in progress at once and starts a new worker, which has the options, the language, the network and
   *  the records of this one.
   */
  async restart() {
    if (this.#ended) throw new Error(this.#ended);
    this.#worker?.terminate();
    this.#fail(new Error("the engine was restarted"));
    await this.#start();
  }

  /** Ends the worker. What has been stopped already is answered with what it has found, all else is an error. */
  terminate() {
    this.#end(new Error("the engine was ended"));
  }

  /** @param {unknown} reason */
  #end(reason) {
    this.#ended ||= "the engine was ended";
    this.#worker?.terminate();
    this.#worker = null;
    this.#rules = null;
    for (const [id, { stopped, known, resolve }] of this.#calls) {
      const value = stopped ? known() : undefined;
      if (value === undefined) continue;
      this.#calls.delete(id);
      resolve(value);
    }
    this.#fail(reason);
  }
}
