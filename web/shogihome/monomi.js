// Monomi for ShogiHome's web version: the interface shogihome-wasm-engine/1.
//
// The search runs in one piece and is suspended where it calls `pause`: the module has been transformed by
// `wasm-opt --asyncify`, which can save the stack and continue from there. So `poll` never begins a search again.
const SLICE = 8; // milliseconds of work in one call, of the 10 that `poll` may take
const STACK = 4 << 20; // bytes for the saved stack
const UNWINDING = 1;
const REWINDING = 2;

/** @param {string} address */
async function compile(address) {
  if (address.startsWith("file:")) {
    const { readFile } = await import("node:fs/promises");
    return WebAssembly.compile(await readFile(new URL(address)));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`cannot load ${address}: status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Commands that end a search at once. All others wait for its end. */
const ENDS_SEARCH = /^(stop|quit|gameover|ponderhit|go)\b/;

class Monomi {
  /** The functions of the module, and those that `wasm-opt --asyncify` adds.
   *  @type {any} */
  #exports;
  #handle = 0;
  #saved = 0; // address of the saved stack
  #deadline = 0;
  #paused = 0; // when `pause` was called last
  #gap = 0; // the longest time between two calls of `pause`, less for those long ago
  /** The call to be continued.
   *  @type {(() => number) | null} */
  #suspended = null;
  #interrupt = false;
  #endless = false; // the search goes on by `monomi_step`
  #terminated = false;
  /** @type {string[]} */
  #waiting = [];
  /** @type {Set<(line: string) => void>} */
  #listeners = new Set();
  #printErr;
  /** The answer to a file.
   *  @type {any} */
  #answer = null;

  /** @param {(text: string) => void} printErr */
  constructor(printErr) {
    this.#printErr = printErr;
  }

  /** @param {WebAssembly.Module} module */
  async start(module) {
    const instance = await WebAssembly.instantiate(module, { monomi: this.#imports() });
    this.#exports = instance.exports;
    this.#handle = this.#exports.monomi_new();
    if (!this.#handle) throw new Error("there is not enough memory");
    this.#saved = (this.#exports.memory.grow(STACK >> 16) << 16) >>> 0;
  }

  #imports() {
    return {
      now: () => performance.now(),
      random: () => Math.random(),
      decode: () => 0, // game records are not read here
      output: (/** @type {number} */ kind, /** @type {number} */ start, /** @type {number} */ length) => {
        const text = new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, start, length));
        if (kind === 0) this.#tell(text);
        else if (kind === 1) this.#answer = JSON.parse(text);
        else if (kind === 3) this.#printErr(text);
      },
      pause: () => {
        if (this.#exports.asyncify_get_state() === REWINDING) {
          this.#exports.asyncify_stop_rewind();
          return this.#interrupt ? 1 : 0;
        }
        if (this.#interrupt) return 1;
        const now = performance.now();
        this.#gap = Math.min(Math.max(now - this.#paused, this.#gap * 0.98), SLICE / 2);
        this.#paused = now;
        if (now + this.#gap < this.#deadline) return 0;
        new Uint32Array(this.#exports.memory.buffer, this.#saved, 2).set([this.#saved + 8, this.#saved + STACK]);
        this.#exports.asyncify_start_unwind(this.#saved);
        return 0;
      },
    };
  }

  /** @param {string} line */
  #tell(line) {
    if (this.#terminated) return;
    for (const listener of this.#listeners) listener(line);
  }

  /** Calls a function of the module, or continues it, for one slice.
   *  @param {() => number} call
   */
  #work(call) {
    this.#paused = performance.now();
    this.#deadline = this.#paused + SLICE;
    let next;
    try {
      next = call();
    } catch (error) {
      // After a trap the state of the module is unknown.
      this.#printErr(`the engine has crashed: ${error}`);
      this.terminate();
      return;
    }
    if (this.#exports.asyncify_get_state() === UNWINDING) {
      this.#exports.asyncify_stop_unwind();
      this.#suspended = call;
    } else {
      this.#suspended = null;
      this.#endless = next === 1;
      if (next === 2) this.terminate();
    }
  }

  #resume() {
    this.#exports.asyncify_start_rewind(this.#saved);
    this.#work(/** @type {() => number} */ (this.#suspended));
  }

  /** @param {string} line */
  #send(line) {
    const bytes = new TextEncoder().encode(line);
    const start = this.#exports.monomi_buffer(this.#handle, bytes.length);
    new Uint8Array(this.#exports.memory.buffer, start, bytes.length).set(bytes);
    this.#work(() => this.#exports.monomi_line(this.#handle));
  }

  /** Executes the commands that need not wait. */
  #advance() {
    while (this.#waiting.length > 0 && !this.#terminated) {
      if (this.#suspended) {
        if (!this.#waiting.some((line) => ENDS_SEARCH.test(line))) return;
        this.#interrupt = true;
        while (this.#suspended) this.#resume();
        this.#interrupt = false;
      }
      this.#send(/** @type {string} */ (this.#waiting.shift()));
    }
  }

  /** @param {string} command */
  postMessage(command) {
    if (this.#terminated) return;
    if (/^\s*quit\b/.test(command)) {
      this.terminate();
      return;
    }
    this.#waiting.push(command.trim());
    this.#advance();
  }

  /** Continues the search for a slice. Returns whether there is more to do. */
  poll() {
    if (this.#terminated) return false;
    if (this.#suspended) this.#resume();
    else if (this.#endless) this.#work(() => this.#exports.monomi_step(this.#handle, 2 ** 30));
    if (!this.#suspended) this.#advance();
    return Boolean(this.#suspended) || this.#endless;
  }

  /** @param {(line: string) => void} listener */
  addMessageListener(listener) {
    this.#listeners.add(listener);
  }

  /** @param {(line: string) => void} listener */
  removeMessageListener(listener) {
    this.#listeners.delete(listener);
  }

  terminate() {
    this.#terminated = true;
    this.#listeners.clear();
    this.#waiting = [];
    this.#suspended = null;
  }

  /** Data files of the manifest: a network (`.bin`, `.nnue`) replaces the one built in. */
  get FS() {
    return {
      mkdirTree: () => {},
      writeFile: (/** @type {string} */ path, /** @type {Uint8Array} */ bytes) => {
        if (!/\.(bin|nnue)$/.test(path)) throw new Error(`${path}: expected a network (.bin or .nnue)`);
        const start = this.#exports.monomi_buffer(this.#handle, bytes.length);
        new Uint8Array(this.#exports.memory.buffer, start, bytes.length).set(bytes);
        this.#exports.monomi_load(this.#handle, 1);
        if (this.#answer?.error !== undefined) throw new Error(`${path}: ${this.#answer.error}`);
      },
    };
  }
}

/**
 * Creates an engine: `locateFile` finds the module unless `wasmBinary` has its bytes, `printErr` receives diagnoses.
 * @param {{ printErr?: (text: string) => void, locateFile?: (name: string) => string,
 *   wasmBinary?: BufferSource }} [options]
 */
export default async function createMonomi({ printErr = () => {}, locateFile, wasmBinary } = {}) {
  const address = locateFile ? locateFile("monomi.wasm") : new URL("monomi.wasm", import.meta.url).href;
  const engine = new Monomi(printErr);
  await engine.start(await (wasmBinary ? WebAssembly.compile(wasmBinary) : compile(String(address))));
  return engine;
}
