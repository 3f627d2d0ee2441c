// Lines of USI: limits become a command, and lines become objects.

/** @import * as Types from "../index.d.ts" */

/** `{ cp }` or `{ mate }` with the plies to the mate, negative for the side that is mated.
 *  @param {string} kind
 *  @param {string} number
 *  @returns {Types.Score}
 */
function parseScore(kind, number) {
  if (kind === "cp") return { cp: Number(number) };
  return { mate: number === "-0" ? 0 : Number(number) };
}

/** Reads an info line of USI; null if it has no score.
 *  @param {string} line
 *  @returns {Types.Info | null}
 */
function parseInfo(line) {
  const words = line.split(" ");
  /** @type {Record<string, any>} */
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
  return info.score ? /** @type {Types.Info} */ (info) : null;
}

const GO_NUMBERS = ["nodes", "depth", "movetime", "btime", "wtime", "binc", "winc", "byoyomi"];

/** What belongs to a search but not to its `go` command. */
const NOT_IN_GO = ["level", "multipv", "searchmoves", "signal"];

/** The `go` command of limits.
 *  @param {Types.Limits} limits
 */
export function goCommand(limits) {
  const words = ["go"];
  for (const [key, value] of Object.entries(limits)) {
    if (value === undefined) continue;
    if (GO_NUMBERS.includes(key)) {
      if (!Number.isFinite(value) || value < 0)
        throw new TypeError(`${key}: expected a number from 0 on, got ${value}`);
      words.push(key, String(Math.floor(value)));
    } else if (key === "infinite") {
      if (value) words.push("infinite");
    } else if (!NOT_IN_GO.includes(key)) throw new TypeError(`there is no limit "${key}"`);
  }
  if (limits.searchmoves?.length) words.push("searchmoves", ...limits.searchmoves);
  return words.join(" ");
}

/** Whether only `stop` ends a search with these limits.
 *  @param {Types.Limits} limits
 */
export const isEndless = (limits) =>
  Boolean(limits.infinite) || !GO_NUMBERS.some((key) => limits[/** @type {keyof Types.Limits} */ (key)] !== undefined);

/** The lines that ask for a mate.
 *  @param {string} position
 *  @param {number} milliseconds
 */
export const mateCommands = (position, milliseconds) => [
  `position ${position}`,
  `go mate ${Math.max(1, Math.floor(milliseconds))}`,
];

/** Reads a line of the answer to them.
 *  @param {string} line
 *  @param {Types.MateResult} result
 */
export function readMate(line, result) {
  const words = line.split(" ");
  if (words[0] === "info" && words.includes("nodes")) result.nodes = Number(words[words.indexOf("nodes") + 1]);
  if (words[0] !== "checkmate") return;
  if (words[1] === "nomate") result.mate = false;
  else if (words[1] !== "timeout") Object.assign(result, { mate: true, moves: words.slice(1) });
}

/** Collects what lines of USI report as an error, and gives on the others.
 *  @param {(line: string) => void} onLine
 */
export function strictly(onLine) {
  const prefix = "info string Error! ";
  const reader = {
    /** @type {string | null} */
    problem: null,
    /** @param {string} line */
    line(line) {
      if (line.startsWith(prefix)) reader.problem ??= line.slice(prefix.length);
      else onLine(line);
    },
    check() {
      if (reader.problem !== null) throw new Error(reader.problem);
    },
  };
  return reader;
}

/** Collects the lines of a search. */
export class ResultOfSearch {
  /** @type {Types.SearchResult} */
  value = { move: "", ponder: null, lines: [], depth: 0, nodes: 0 };
  #onInfo;

  /** @param {(info: Types.Info) => void} onInfo */
  constructor(onInfo) {
    this.#onInfo = onInfo;
  }

  /** Takes a line; true for the last one.
   *  @param {string} line
   */
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

  /** Takes what has been read from a line.
   *  @param {Types.Info} info
   */
  info(info) {
    if (info.bound === "exact") {
      this.value.lines[info.multipv - 1] = { score: info.score, pv: info.pv };
      this.value.depth = info.depth;
    }
    this.value.nodes = Math.max(this.value.nodes, info.nodes);
    this.#onInfo(info);
  }
}
