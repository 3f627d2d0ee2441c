// A game between the user and the engine: moves, clocks, results. Draws nothing.
class Game {
  start = "startpos";
  moves = [];
  names = [];
  human = 0; // 0: Black, 1: White
  level = 20;
  perMove = 1;
  clock = null; // { main, byoyomi, increment } in milliseconds
  left = [0, 0];
  running = null; // { color, since }
  active = false;
  result = null; // { winner: 0, 1 or null, how }
  info = null;

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
    const over = { mate: [1 - turn, "mateEnd"], repetition: [null, "drawn"], "perpetual-won": [turn, "perpetual"], "perpetual-lost": [1 - turn, "perpetual"] }[this.info.over];
    this.finish(...over);
  }

  setUp(start, moves = []) {
    this.stopClock();
    Object.assign(this, { start, moves: [], names: [], active: false, result: null });
    this.info = rules.position(start);
    if (moves.length) {
      this.info = rules.position(`${start} moves ${moves.join(" ")}`);
      this.moves = [...moves];
      this.names = rules.names(start, moves);
    }
  }

  begin() {
    this.active = true;
    this.result = null;
    this.left = [0, 1].map(() => this.clock?.main ?? 0);
    this.refresh();
    this.startClock();
  }

  play(move) {
    if (!this.info.legal.includes(move)) throw new Error(move);
    this.names.push(rules.names(this.text(), [move])[0]);
    this.stopClock(true);
    this.moves.push(move);
    this.refresh();
    this.startClock();
  }

  undo(plies) {
    this.stopClock();
    this.moves.length = this.names.length = Math.max(0, this.moves.length - plies);
    this.result = null;
    this.active = true;
    this.refresh();
    this.startClock();
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

  ending() {
    if (!this.result) return null;
    return { mateEnd: "TSUMI", resignEnd: "TORYO", timeEnd: "TIME_UP", drawn: "SENNICHITE", perpetual: "ILLEGAL_MOVE", declareEnd: "KACHI" }[this.result.how];
  }

  /** What is kept over a reload. */
  saved() {
    const { start, moves, human, level, perMove, clock, left, active, result } = this;
    return { start, moves, human, level, perMove, clock, left: [0, 1].map((color) => Math.max(0, this.time(color))), active, result };
  }

  restore(saved) {
    this.setUp(saved.start, saved.moves);
    const { human, level, perMove, clock, left, active, result } = saved;
    Object.assign(this, { human, level, perMove, clock, left, active, result });
    this.refresh();
    this.startClock();
  }
}
