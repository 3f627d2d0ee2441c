// A game between the user and the engine: moves, clocks, results. Draws nothing.
import { rules } from "./app.js";
import { kifDate } from "./dates.js";
import { withBookmarks } from "./notes.js";

/** What is kept of a game besides its start and its moves, as it is in a new one. */
const fresh = () => ({
  seconds: [], // used for each move
  comments: [], // on the start and on each move, as texts
  bookmarks: [], // plies
  lines: [], // from the start to moves that were taken back: { moves, names, seconds, comments, bookmarks, result }
  takebacks: 0, // moves that the user took back
  hints: 0, // whether the user looked at the engine's lines during the game: 0 or 1
  file: null, // where the game is kept, and its moves then: { name, text }
  judged: null, // what an analysis of these moves has found: { text, accuracy, nodes, mistakes }
  began: null, // when the game began, as Date
  active: false,
  result: null, // { winner: 0, 1 or null, how }
});

/** What is kept besides and stays as it is in the next game. */
const settings = () => ({
  human: 0, // 0: Black, 1: White
  level: 20,
  perMove: 1,
  clock: null, // { main, byoyomi, increment } in milliseconds
});

/** A copy of what belongs to the moves of a game or of a line. */
const copyOfMoves = ({ moves, names, seconds, comments = [], bookmarks = [], result }) => ({
  moves: [...moves],
  names: [...names],
  seconds: [...seconds],
  comments: [...comments],
  bookmarks: [...bookmarks],
  result,
});

export class Game {
  start = "startpos";
  moves = [];
  names = []; // in Japanese
  since = 0; // when the side to move began to think
  left = [0, 0];
  running = null; // { color, since }
  info = null;

  constructor() {
    Object.assign(this, settings(), fresh());
  }

  /** The text after `position`, up to a ply. */
  text(ply = this.moves.length) {
    const moves = this.moves.slice(0, ply);
    return moves.length ? `${this.start} moves ${moves.join(" ")}` : this.start;
  }

  turn() {
    return this.info.turn === "b" ? 0 : 1;
  }

  /** Reads legal moves and the end of the game from the rules. */
  refresh() {
    this.info = rules.position(this.text());
    const turn = this.turn();
    if (!this.active || !this.info.over) return;
    const over = {
      mate: [1 - turn, "mateEnd"],
      repetition: [null, "drawn"],
      "perpetual-won": [turn, "perpetual"],
      "perpetual-lost": [1 - turn, "perpetual"],
    }[this.info.over];
    this.finish(...over);
  }

  setUp(start, moves = []) {
    this.stopClock();
    const info = rules.position(moves.length ? `${start} moves ${moves.join(" ")}` : start);
    const names = moves.length ? rules.names(start, moves) : [];
    Object.assign(this, { start, info, moves: [...moves], names }, fresh());
  }

  begin() {
    this.active = true;
    this.result = null;
    this.began = new Date();
    this.since = performance.now();
    this.left = [0, 1].map(() => this.clock?.main ?? 0);
    this.refresh();
    this.startClock();
  }

  play(move) {
    if (!this.info.legal.includes(move)) throw new Error(move);
    this.names.push(rules.names(this.text(), [move])[0]);
    this.stopClock(true);
    this.moves.push(move);
    if (this.active) this.seconds[this.moves.length - 1] = Math.round((performance.now() - this.since) / 1000);
    this.since = performance.now();
    this.refresh();
    this.startClock();
  }

  /** Takes moves back. A game that has ended goes on. */
  undo(plies) {
    const ended = this.result !== null && this.began !== null;
    this.goBack(Math.max(0, this.moves.length - plies));
    this.active ||= ended;
    this.refresh();
    this.startClock();
  }

  /** Goes back to a position of the game; the moves after it stay as a line of their own. */
  goBack(ply) {
    if (this.began && (this.active || this.result)) this.takebacks++;
    this.#keepLine();
    this.#turnTo({
      moves: this.moves.slice(0, ply),
      names: this.names.slice(0, ply),
      seconds: this.seconds.slice(0, ply),
      comments: this.comments.slice(0, ply + 1),
      bookmarks: this.bookmarks.filter((marked) => marked <= ply),
      result: null,
    });
  }

  /** Makes a line the game; the moves of the game so far stay as another line. What is said of the moves that both
   *  share stays as it is in the game. */
  follow(line) {
    const { comments, bookmarks, seconds } = copyOfMoves(this);
    const { before } = this.branches().find((branch) => branch.line === line);
    const joined = (own, others, count) => {
      const all = [...Array.from({ length: count }, (_, at) => own[at]), ...others.slice(count)];
      return all.some((value) => value !== null && value !== undefined) ? all : [];
    };
    this.#keepLine();
    this.removeLine(line);
    this.#turnTo({
      ...line,
      seconds: joined(seconds, line.seconds, before),
      comments: joined(comments, line.comments ?? [], before + 1),
      bookmarks: [
        ...bookmarks.filter((ply) => ply <= before),
        ...(line.bookmarks ?? []).filter((ply) => ply > before),
      ],
    });
  }

  #turnTo(line) {
    this.stopClock();
    Object.assign(this, copyOfMoves(line), { since: performance.now() });
    this.active &&= !line.result;
    this.refresh();
    this.startClock();
  }

  /** Adds a line of moves from the start. */
  addLine(moves, more = {}) {
    this.lines.push({ moves, names: rules.names(this.start, moves), seconds: [], result: null, ...more });
  }

  /** Adds a variation of a record, from where it leaves the game. */
  addBranch({ before, moves, seconds = [], comments = [], bookmarks = [] }) {
    const after = (count, rest) => [...Array(count).fill(null), ...rest];
    this.addLine([...this.moves.slice(0, before), ...moves], {
      seconds: seconds.some(Number.isFinite) ? after(before, seconds) : [],
      comments: after(
        before + 1,
        comments.map((lines) => lines.join("\n")),
      ),
      bookmarks,
    });
  }

  removeLine(line) {
    this.lines = this.lines.filter((other) => other !== line);
  }

  /** Keeps the moves of the game, unless a line has them already; lines that are a part of them are not needed any
   *  more. */
  #keepLine() {
    const { moves, result } = this;
    const begins = (whole, part) => part.every((move, index) => whole[index] === move);
    if (!moves.length || (!result && this.lines.some((line) => begins(line.moves, moves)))) return;
    this.lines = this.lines.filter((line) => !begins(moves, line.moves));
    this.lines.push(copyOfMoves(this));
  }

  /** The lines that go another way than the game, the last ones first as in KIF: { before, line }. */
  branches() {
    const before = ({ moves }) => moves.findIndex((move, index) => move !== this.moves[index]);
    return this.lines
      .map((line) => ({ before: before(line), line }))
      .filter(({ before }) => before >= 0)
      .sort((a, b) => b.before - a.before);
  }

  finish(winner, how) {
    this.stopClock();
    this.active = false;
    this.result = { winner, how };
  }

  startClock() {
    this.running = this.clock && this.active ? { color: this.turn(), since: performance.now() } : null;
  }

  /** Milliseconds of a side's main time; negative while it uses up its byoyomi. */
  time(color) {
    const used = this.running?.color === color ? performance.now() - this.running.since : 0;
    return this.left[color] - used;
  }

  stopClock(moved = false) {
    if (!this.running) return;
    const { color } = this.running;
    const rest = this.time(color);
    this.left[color] = Math.max(0, rest) + (moved ? this.clock.increment : 0);
    this.running = null;
  }

  /** Ends the game if the time of the side to move is up. */
  checkTime() {
    if (!this.running) return false;
    const { color } = this.running;
    if (this.time(color) + this.clock.byoyomi > 0) return false;
    this.finish(1 - color, "timeEnd");
    return true;
  }

  /** Limits of the engine's search. */
  limits() {
    if (!this.clock) return { movetime: this.perMove * 1000, level: this.level };
    const [btime, wtime] = [0, 1].map((color) => Math.max(0, Math.floor(this.time(color))));
    const { byoyomi, increment } = this.clock;
    return { btime, wtime, byoyomi, binc: increment, winc: increment, level: this.level };
  }

  /** The game as KIF with the names of the players, the date, the times, comments and bookmarks. */
  kif(players, ending = Game.ending(this.result)) {
    const remarks = (comments, from = 0) =>
      Array.from(comments, (text) => (text ? text.split("\n") : [])).slice(from);
    const used = (seconds, from = 0) => Array.from(seconds, (value) => value ?? null).slice(from);
    const others = this.branches();
    const branches = others.map(({ before, line }) => ({
      before,
      moves: line.moves.slice(before),
      seconds: used(line.seconds, before),
      comments: remarks(line.comments ?? [], before + 1),
      ending: Game.ending(line.result),
    }));
    const headers = this.began ? [["開始日時", kifDate(this.began)]] : [];
    if (this.clock) {
      const { main, byoyomi, increment } = this.clock;
      headers.push([
        "持ち時間",
        [
          main ? `${main / 60000}分` : "",
          byoyomi ? `秒読み${byoyomi / 1000}秒` : "",
          increment ? `1手ごとに${increment / 1000}秒加算` : "",
        ]
          .filter(Boolean)
          .join("、"),
      ]);
    }
    const kif = rules.kif(this.text(), players, ending, {
      headers,
      seconds: used(this.seconds),
      branches,
      comments: remarks(this.comments),
    });
    // What a line shares with the game is marked there.
    const ofLine = ({ before, line }) => (line.bookmarks ?? []).filter((ply) => ply > before);
    return withBookmarks(kif, [this.bookmarks, ...others.map(ofLine)]);
  }

  /** How a game ended, as CSA's word. */
  static ending(result) {
    if (!result) return null;
    return {
      mateEnd: "TSUMI",
      resignEnd: "TORYO",
      timeEnd: "TIME_UP",
      drawn: "SENNICHITE",
      perpetual: "ILLEGAL_MOVE",
      declareEnd: "KACHI",
    }[result.how];
  }

  /** What is kept over a reload. */
  saved() {
    const fields = Object.keys({ ...settings(), ...fresh() });
    return {
      start: this.start,
      moves: this.moves,
      ...Object.fromEntries(fields.map((field) => [field, this[field]])),
      began: this.began?.getTime() ?? null,
      left: [0, 1].map((color) => Math.max(0, this.time(color))),
    };
  }

  restore(saved) {
    this.setUp(saved.start, saved.moves);
    // A game kept by an older version has fewer fields.
    for (const field of Object.keys({ ...settings(), ...fresh() }))
      if (saved[field] !== undefined) this[field] = saved[field];
    this.left = saved.left;
    this.began = saved.began ? new Date(saved.began) : null;
    this.since = performance.now();
    this.refresh();
    this.startClock();
  }
}
