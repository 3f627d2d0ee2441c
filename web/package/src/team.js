// Several workers that analyse one game together. Their number changes nothing in the results: the game is always
// divided into the same stretches.
import { WorkerEngine } from "./client.js";

/** @import * as Types from "../index.d.ts" */

const WORKER_MIB = 200; // without its table, as measured in Chromium
const LARGEST_TEAM_MIB = 2048;

/** How many workers with tables of so many MiB fit into a quarter of the memory (4 GiB where the browser does not tell
 *  it).
 *  @param {number} table
 */
const fitting = (table) => {
  const machine = /** @type {{ deviceMemory?: number } | undefined} */ (globalThis.navigator);
  return Math.floor(Math.min(LARGEST_TEAM_MIB, (machine?.deviceMemory ?? 4) * 256) / (WORKER_MIB + table));
};

/** The work on one game: stretches to search, and stretches to join to the next one. */
class SharedGame {
  stopped = false;
  /** Numbers of stretches that nobody has begun, first one first.
   *  @type {number[]} */
  #open;
  /** Of each stretch, once it has been searched.
   *  @type {(unknown[] | null)[]} */
  #results;
  #joined; // all stretches from this number on are complete
  #joining = false;
  /** @type {Set<Types.Stoppable<unknown[]>>} */
  #running = new Set();
  /** @type {(() => void)[]} */
  #waiting = [];
  /** Positions done, of each stretch. */
  #done;
  #tell;

  /**
   * @param {{ positions: number, stretches: [number, number][] }} begun
   * @param {(progress: Types.Progress) => void} tell
   */
  constructor({ positions, stretches }, tell) {
    this.stretches = stretches;
    this.positions = positions;
    this.#open = [...stretches.keys()];
    this.#results = stretches.map(() => null);
    this.#done = stretches.map(() => 0);
    this.#joined = stretches.length;
    this.#tell = tell;
  }

  stop() {
    this.stopped = true;
    this.#running.forEach((call) => call.stop());
    this.#wake();
  }

  #wake() {
    this.#waiting.splice(0).forEach((resolve) => resolve());
  }

  /** @param {Types.Stoppable<unknown[]>} call */
  async #run(call) {
    this.#running.add(call);
    try {
      return await call;
    } finally {
      this.#running.delete(call);
    }
  }

  /** Lets a worker do what is to be done, until nothing is left.
   *  @param {WorkerEngine} worker
   */
  async employ(worker) {
    while (!this.stopped && this.#joined > 0) {
      const last = this.#joined === this.stretches.length;
      const next = this.#joined - 1;
      if (!this.#joining && this.#results[next]) {
        if (last) this.#joined--;
        else await this.#join(worker, next);
      } else if (this.#open.length) await this.#search(worker, /** @type {number} */ (this.#open.pop()));
      else await new Promise((/** @type {(value?: undefined) => void} */ resolve) => this.#waiting.push(resolve));
    }
    this.#wake();
  }

  /**
   * @param {WorkerEngine} worker
   * @param {number} number
   */
  async #search(worker, number) {
    const [from, to] = this.stretches[number];
    try {
      this.#results[number] = await this.#run(
        worker.stretch(from, to, ({ done }) => {
          this.#done[number] = done;
          this.#tell({ done: this.#done.reduce((sum, done) => sum + done), of: this.positions });
        }),
      );
    } catch (error) {
      // Another worker may be able to do it.
      this.#open.push(number);
      throw error;
    } finally {
      this.#wake();
    }
  }

  /**
   * @param {WorkerEngine} worker
   * @param {number} number
   */
  async #join(worker, number) {
    const [from, to] = this.stretches[number];
    this.#joining = true;
    try {
      this.#results[number] = await this.#run(
        worker.join(from, to, [...(this.#results[number] ?? []), this.#results[number + 1]?.[0]]),
      );
      this.#joined = number;
    } finally {
      this.#joining = false;
      this.#wake();
    }
  }

  /** The results of the last positions, up to the first one that is missing: `{ from, results }`. */
  known() {
    /** @type {unknown[]} */
    const results = [];
    for (let number = this.stretches.length - 1; number >= 0; number--) {
      const found = this.#results[number] ?? [];
      const start = found.lastIndexOf(null) + 1;
      results.unshift(...found.slice(start));
      if (!found.length || start > 0) break;
    }
    return { from: this.positions - results.length, results };
  }
}

/**
 * Analyses one of the games of a file with several workers: a promise of `{ html, kif }` with `stop()`. `engine`, a
 * WorkerEngine, puts the results together; `source` is what the others are created with. `options.workers`: their
 * number, by default that of the cores; less where memory is short. `options.hosted`: the report is shown by the app.
 * @param {WorkerEngine} engine
 * @param {{ wasm?: Types.Wasm, worker?: () => any }} source
 * @param {string | BufferSource} file
 * @param {Types.AnalysisOptions & { workers?: number, hosted?: boolean }} [options]
 * @param {(progress: Types.Progress) => void} [onProgress]
 * @returns {Types.Stoppable<Types.Report>}
 */
export function analyzeTogether(
  engine,
  source,
  file,
  { workers = globalThis.navigator?.hardwareConcurrency || 1, hosted = false, signal, ...options } = {},
  onProgress = () => {},
) {
  /** @type {SharedGame | null} */
  let shared = null;
  let stopped = false;
  const work = async () => {
    signal?.throwIfAborted();
    await engine.openRecords(file);
    const begun = await engine.beginAnalysis(options);
    const game = new SharedGame(begun, onProgress);
    shared = game;
    if (stopped) game.stop();
    const number = Math.max(1, Math.min(workers, begun.stretches.length, fitting(begun.table)));
    /** @type {WorkerEngine[]} */
    const team = [];
    const employ = async () => {
      // Compiled once for all.
      const worker = await WorkerEngine.create({ ...source, wasm: engine.module });
      team.push(worker);
      await worker.openRecords(file);
      await worker.beginAnalysis(options);
      await game.employ(worker);
    };
    try {
      const ends = await Promise.allSettled(Array.from({ length: number }, employ));
      // One that found no memory has left its work to the others.
      if (ends[0].status === "rejected" && ends.every((end) => end.status === "rejected")) throw ends[0].reason;
    } finally {
      team.forEach((worker) => worker.terminate());
    }
    const { from, results } = game.known();
    signal?.throwIfAborted();
    await engine.takeResults(from, results);
    return engine.report(hosted);
  };
  const stop = () => {
    stopped = true;
    shared?.stop();
  };
  signal?.addEventListener("abort", stop);
  const promise = work().finally(() => signal?.removeEventListener("abort", stop));
  return Object.assign(promise, { stop });
}
