// The engine in a worker: the methods of Engine, each returning a promise.
import { ResultOfSearch, compileModule } from "./engine.js";

const PATIENCE_MS = 300;

export class WorkerEngine {
  /** Where the module is, and what creates a worker; set by the ES module. */
  static defaultModule = null;
  static defaultWorker = null;
  #worker;
  #module;
  #createWorker;
  #calls = new Map();
  #last = 0;

  /** Loads the engine. `options.wasm` as for Engine.create; `options.worker` creates the worker. With
   *  `options.native` the worker needs no module. */
  static async create(options = {}) {
    const engine = new WorkerEngine();
    engine.#createWorker = options.worker ?? WorkerEngine.defaultWorker;
    if (typeof Worker === "undefined" && !options.worker) throw new Error("there are no web workers here; use Engine");
    engine.#module = options.native ? null : await compileModule(options.wasm ?? WorkerEngine.defaultModule);
    await engine.#start();
    return engine;
  }

  async #start() {
    this.#worker = this.#createWorker();
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#fail(event.message || "the worker cannot be started");
    await this.#call("create", [this.#module]).promise;
  }

  #fail(message) {
    for (const { reject } of this.#calls.values()) reject(new Error(message));
    this.#calls.clear();
  }

  #hear({ id, info, line, progress, result, error, crashed }) {
    const call = this.#calls.get(id);
    if (!call) return;
    if (info !== undefined || line !== undefined || progress !== undefined) call.listener(info ?? line ?? progress);
    else {
      this.#calls.delete(id);
      if (error === undefined) call.resolve(result);
      else call.reject(new Error(error));
      if (crashed) this.restart();
    }
  }

  #call(method, args, listener = () => {}) {
    const id = ++this.#last;
    const message = { id, method, args };
    const promise = new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject, listener, message }));
    this.#worker.postMessage(message);
    return { id, promise };
  }

  #stoppable({ id, promise }) {
    return Object.assign(promise, { stop: () => this.#worker.postMessage({ stop: id }) });
  }

  /** Searches until the limits or `stop()` of the promise returned. Without limits only `stop()` ends it. */
  search(position, limits = {}, onInfo = () => {}) {
    const result = new ResultOfSearch(onInfo);
    const call = this.#call("search", [position, limits], (info) => result.info(info));
    const stop = () => {
      this.#worker.postMessage({ stop: call.id });
      setTimeout(() => this.#giveUp(call.id, result.value), PATIENCE_MS);
    };
    return Object.assign(call.promise, { stop });
  }

  /** A stopped search is still in a slice: resolves it with what it has found, and restarts the worker. */
  async #giveUp(id, value) {
    const call = this.#calls.get(id);
    if (!call || !value.lines.length) return;
    this.#calls.delete(id);
    [value.move, value.ponder = null] = value.lines[0].pv;
    const others = [...this.#calls];
    this.#worker.terminate();
    call.resolve(value);
    await this.#start();
    for (const [other, { message }] of others) {
      if (this.#calls.has(other)) this.#worker.postMessage(message);
    }
  }

  /** Executes a line of USI; its output goes to `onLine`. `go infinite` runs until the next line. */
  usi(line, onLine = () => {}) {
    return this.#call("usi", [line], onLine).promise;
  }

  /** Analyses one of the games opened last: `{ html, kif }`. `stop()` ends it early. */
  analyze(options = {}, onProgress = () => {}) {
    return this.#stoppable(this.#call("analyze", [options], onProgress));
  }

  /** Searches a stretch of the game begun; resolves to its results, null where `stop()` came first. */
  stretch(from, to, onProgress = () => {}) {
    return this.#stoppable(this.#call("stretch", [from, to], onProgress));
  }

  /** Judges the last moves of a stretch again; `results` are its own and the first one of the next stretch. Resolves
   *  to its own. */
  join(from, to, results) {
    return this.#stoppable(this.#call("join", [from, to, results]));
  }

  beginAnalysis(options) {
    return this.#call("beginAnalysis", [options]).promise;
  }
  takeResults(from, results) {
    return this.#call("takeResults", [from, results]).promise;
  }
  report(hosted) {
    return this.#call("report", [hosted]).promise;
  }
  mate(position, milliseconds) {
    return this.#call("mate", [position, milliseconds]).promise;
  }
  position(position) {
    return this.#call("position", [position]).promise;
  }
  names(position, moves) {
    return this.#call("names", [position, moves]).promise;
  }
  evaluate(position) {
    return this.#call("evaluate", [position]).promise;
  }
  kif(position, players, ending, more) {
    return this.#call("kif", [position, players, ending, more]).promise;
  }
  withBranches(kif, branches) {
    return this.#call("withBranches", [kif, branches]).promise;
  }
  setLanguage(language) {
    return this.#call("setLanguage", [language]).promise;
  }
  handicaps() {
    return this.#call("handicaps", []).promise;
  }
  openRecords(file) {
    return this.#call("openRecords", [file]).promise;
  }
  recordKif(game) {
    return this.#call("recordKif", [game]).promise;
  }
  loadNetwork(bytes) {
    return this.#call("loadNetwork", [bytes]).promise;
  }
  newGame() {
    return this.#call("newGame", []).promise;
  }
  /** Native engines only: the options of USI. */
  options() {
    return this.#call("options", []).promise;
  }
  setOption(name, value) {
    return this.#call("setOption", [name, value]).promise;
  }

  /** Ends everything in progress at once and starts a new worker; options and records are lost. */
  async restart() {
    this.terminate();
    await this.#start();
  }

  /** Ends the worker. */
  terminate() {
    this.#worker.terminate();
    this.#fail("the engine was ended");
  }
}
