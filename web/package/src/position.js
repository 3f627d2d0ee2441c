// A game in progress.

/** @import { Engine } from "./engine.js" */

/** A game in progress: a starting position and moves, checked by an engine in this thread. */
export class Position {
  #engine;
  /** @type {string} */
  #start;
  /** @type {string[]} */
  #moves;

  /** `text` is as after `position` in USI.
   *  @param {Engine} engine
   */
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

  /** Plays a move; throws if it is illegal.
   *  @param {string} move
   */
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
