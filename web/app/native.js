// The engine of `monomi app`, in place of the WebAssembly module: native sessions behind a WebSocket, each with the
// interface of the worker that WorkerEngine talks to, and rules by requests whose answer is waited for.
import { Engine } from "../package/src/engine.js";
import { ResultOfSearch, goCommand, isEndless, mateCommands, readMate } from "../package/src/lines.js";

/** Why the server closes the WebSocket, as in web/src/server/page.rs. */
const ANOTHER_PAGE = 4001;
/** A page that is loaded again may come before the server has seen that it went. */
const REOPENED_MS = 3000;
const PAUSE_MS = 200;

/** Positions, records and names of moves. The page waits for each answer, which takes about a millisecond. */
export const nativeRules = () =>
  Engine.over({
    request: (request) => asked("/rules", JSON.stringify(request)),
    load: (bytes) => asked("/records", bytes),
  });

function asked(address, body) {
  const http = new XMLHttpRequest();
  http.open("POST", address, false);
  http.send(body);
  if (http.status !== 200) throw new Error(`status ${http.status}`);
  const answer = JSON.parse(http.responseText);
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.ok;
}

/** The connection to the program. */
export class NativeHost {
  /** Called when the program has ended. */
  onended = () => {};
  #socket;
  #engines = new Map();
  #free = [];
  #last = 0;
  #ended = false;

  /** Connects. `anotherPage` is what the error says if another page is connected. */
  static async connect(anotherPage) {
    const since = performance.now();
    for (;;) {
      try {
        const host = new NativeHost();
        await host.#open();
        return host;
      } catch (error) {
        if (error.code !== ANOTHER_PAGE) throw error;
        if (performance.now() - since > REOPENED_MS) throw new Error(anotherPage, { cause: error });
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }

  #open() {
    this.#socket = new WebSocket(`ws://${location.host}/session`);
    this.#socket.binaryType = "arraybuffer";
    return new Promise((resolve, reject) => {
      this.#socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.hello) resolve();
        else this.#engines.get(message.engine)?.handleMessage(message);
      };
      this.#socket.onclose = ({ code, reason }) => {
        reject(Object.assign(new Error(reason || "no connection"), { code }));
        this.#end(reason);
      };
    });
  }

  #end(reason) {
    this.#ended = true;
    for (const engine of this.#engines.values()) engine.fail(reason || "the program has ended");
    this.onended();
  }

  /** What takes the place of a worker. A session that was left is used again: it keeps its options. */
  worker() {
    const session = this.#free.pop() ?? this.#create();
    return new NativeWorker(session, (worker) => {
      // One that only analysed has nothing to keep.
      if (session.plays) this.#free.push(session);
      else this.#remove(session.number);
      worker.ended = true;
    });
  }

  #create() {
    const session = new NativeSession(++this.#last, (data) => {
      if (this.#ended) throw new Error("the program has ended");
      this.#socket.send(data instanceof Uint8Array ? data : JSON.stringify(data));
    });
    this.#engines.set(session.number, session);
    return session;
  }

  #remove(number) {
    this.#engines.delete(number);
    if (!this.#ended) this.#socket.send(JSON.stringify({ engine: number, end: true }));
  }
}

/** A session of USI, and requests, as promises. */
class NativeSession {
  /** Whether it has got lines. */
  plays = false;
  #send;
  #calls = new Map();
  #last = 0;
  #listener = () => false;
  #idle = Promise.resolve();
  #busy = false;
  #reject = () => {};

  constructor(number, send) {
    this.number = number;
    this.#send = send;
  }

  handleMessage({ line, id, progress, answer }) {
    if (line !== undefined) return this.#listener(line);
    const call = this.#calls.get(id);
    if (!call) return undefined;
    if (progress !== undefined) return call.onProgress(progress);
    this.#calls.delete(id);
    if (answer.error !== undefined) call.reject(new Error(answer.error));
    else call.resolve(answer.ok);
    return undefined;
  }

  /** Ends all that is in progress. */
  fail(message) {
    for (const { reject } of this.#calls.values()) reject(new Error(message));
    this.#calls.clear();
    this.#reject(new Error(message));
  }

  #called(onProgress, send) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject, onProgress });
      send(id);
    });
  }

  request(request, onProgress = () => {}) {
    return this.#called(onProgress, (id) => this.#send({ engine: this.number, id, request }));
  }

  load(bytes) {
    const send = (id) => {
      const message = new Uint8Array(8 + bytes.length);
      const head = new DataView(message.buffer);
      head.setUint32(0, this.number, true);
      head.setUint32(4, id, true);
      message.set(bytes, 8);
      this.#send(message);
    };
    return this.#called(() => {}, send);
  }

  /** Tells the session to answer soon. */
  stop() {
    if (this.#busy) this.#send({ engine: this.number, line: "stop" });
  }

  /** Executes lines. Resolves when a line that begins with one of `last` comes, which must come; throws the first
   *  error that the session reports. */
  async execute(lines, last, onLine = () => {}, isStopped = () => false) {
    while (this.#busy) await this.#idle.catch(() => {});
    this.plays = true;
    this.#busy = true;
    let problem = null;
    this.#idle = new Promise((resolve, reject) => {
      this.#reject = reject;
      this.#listener = (line) => {
        if (line.startsWith("info string Error! ")) problem ??= line.slice("info string Error! ".length);
        else onLine(line);
        if (last.some((word) => line === word || line.startsWith(`${word} `))) resolve();
      };
    }).finally(() => {
      this.#busy = false;
      this.#listener = () => {};
    });
    for (const line of lines) this.#send({ engine: this.number, line });
    // The stop may have come before the search.
    if (isStopped()) this.stop();
    await this.#idle;
    if (problem !== null) throw new Error(problem);
  }
}

/** Executes the calls of a WorkerEngine one after the other, as web/package/src/worker.js does. */
class NativeWorker {
  onmessage = () => {};
  onerror = () => {};
  ended = false;
  #session;
  #engine;
  #leave;
  #queue = [];
  #busy = false;
  #stopped = new Set();
  #at = null; // the call at work

  constructor(session, leave) {
    this.#session = session;
    this.#engine = Engine.over(session);
    this.#leave = leave;
  }

  postMessage(data) {
    if (data.stop !== undefined) {
      this.#stopped.add(data.stop);
      if (data.stop === this.#at) this.#session.stop();
    } else {
      this.#queue.push(data);
      this.#work();
    }
  }

  terminate() {
    if (this.ended) return;
    this.#queue = [];
    this.#session.stop();
    this.#leave(this);
  }

  async #work() {
    if (this.#busy) return;
    this.#busy = true;
    while (this.#queue.length) {
      const call = this.#queue.shift();
      this.#at = call.id;
      try {
        this.#tell({ id: call.id, result: await this.#execute(call) });
      } catch (error) {
        this.#tell({ id: call.id, error: error.message });
      }
      this.#at = null;
      this.#stopped.delete(call.id);
    }
    this.#busy = false;
  }

  #tell(data) {
    if (!this.ended) this.onmessage({ data });
  }

  async #execute({ id, method, args }) {
    const session = this.#session;
    const tell = (message) => this.#tell({ id, ...message });
    const isStopped = () => this.ended || this.#stopped.has(id);
    switch (method) {
      case "create":
        return null;
      case "search":
        return this.#search(...args, isStopped, tell);
      case "mate":
        return this.#mate(...args, isStopped);
      case "newGame":
        await session.execute(["isready", "usinewgame"], ["readyok"]);
        return null;
      case "setOption":
        await session.execute([`setoption name ${args[0]} value ${args[1]}`, "isready"], ["readyok"]);
        return null;
      case "options":
        return this.#options();
      case "analyze":
        await this.#engine.beginAnalysis(args[0]);
        await this.#advance(isStopped, tell);
        return this.#engine.report();
      case "stretch":
        await this.#engine.beginStretch(...args);
        await this.#advance(isStopped, tell);
        return this.#engine.results(...args);
      case "join":
        return this.#join(...args, isStopped);
      case "usi":
      case "loadNetwork":
        throw new Error(`${method}: not with native sessions`);
      default:
        return this.#engine[method](...args);
    }
  }

  /** The options of USI by name: `{ value, min, max }`, the default and the limits of numbers. */
  async #options() {
    const options = {};
    await this.#session.execute(["usi"], ["usiok"], (line) => {
      const [, name, rest] = line.match(/^option name (\S+) type \S+ (.*)/) ?? [];
      const value = (word) => rest.match(new RegExp(`(?:^| )${word} (\\S+)`))?.[1];
      if (name) options[name] = { value: value("default") ?? "", min: value("min"), max: value("max") };
    });
    return options;
  }

  async #advance(isStopped, tell) {
    const progress = (progress) => tell({ progress });
    while (!isStopped() && (await this.#session.request({ type: "advance" }, progress)).more);
  }

  async #join(from, to, results, isStopped) {
    await this.#engine.takeResults(from, results);
    let more = true;
    for (let ply = to - 1; more && ply >= from && !isStopped(); ply--)
      ({ more } = await this.#session.request({ type: "join", ply, first: ply === to - 1 }));
    return this.#engine.results(from, to);
  }

  async #search(position, limits, isStopped, tell) {
    const result = new ResultOfSearch((info) => tell({ info }));
    const go = goCommand(isEndless(limits) ? { ...limits, infinite: true } : limits);
    const lines = [...Engine.prepare(position, limits), go];
    await this.#session.execute(lines, ["bestmove"], (line) => result.line(line), isStopped);
    return result.value;
  }

  async #mate(position, milliseconds, isStopped) {
    const result = { mate: null, moves: [], nodes: 0 };
    const lines = mateCommands(position, milliseconds);
    await this.#session.execute(lines, ["checkmate"], (line) => readMate(line, result), isStopped);
    return result;
  }
}
