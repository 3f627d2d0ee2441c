// The board and the pieces in hand as an input: mouse, touch and keyboard.
import { isOwn, movesTo, square, squareName, squareUnder } from "../../kifu/analysis/src/output/report/board.js";
import { shape } from "../../kifu/analysis/src/output/report/page.js";
import { koma } from "../../kifu/analysis/src/output/report/pieces.js";

const DRAG_STARTS = 6; // pixels

/** For elements that act when they are pressed: the touch would become a click on what has come to be under the finger,
 *  such as the question of promotion or the card at the end of a game. */
export function noClickAfterTouch(element) {
  element.addEventListener("touchend", (event) => event.cancelable && event.preventDefault(), { passive: false });
}

export class BoardInput {
  selected = null; // a point, or a kind in hand
  cursor = null;
  choice = null; // moves to choose from: with and without promotion
  lifted = null; // what is being dragged: a point or a kind
  #down = null; // where the pointer went down: { target, x, y, again }
  #ghost = null;

  /** `options.position()` is the position shown, `options.text()` its text, `options.legal()` the moves allowed,
   *  `options.play(move, dragged)` plays, `options.refused(move)` is told of a move that is not legal. For the
   *  keyboard: `options.announce(point)` tells what is on a square, `options.chosen(point, before)` what is chosen now,
   *  `options.focusBoard(point)` goes to a square, and so does `options.square(key)` when its name has been typed; true
   *  if the key was a part of one. */
  constructor(svg, options) {
    this.svg = svg;
    this.options = options;
    svg.addEventListener("pointerdown", (event) => {
      const point = squareUnder(svg, event, options.flipped());
      if (point) this.#press(event, point);
    });
    noClickAfterTouch(svg);
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("blur", () => {
      if (!this.cursor) return;
      this.cursor = null;
      options.draw();
    });
    document.addEventListener("pointermove", (event) => this.#move(event));
    document.addEventListener("pointerup", (event) => this.#release(event));
    document.addEventListener("pointercancel", () => this.#drop());
  }

  /** Lets pieces be chosen in an element with buttons that have `data-kind`. */
  addHand(element) {
    const kindOf = (event) => {
      const button = event.target.closest("[data-kind]");
      return button && !button.disabled ? button.dataset.kind : null;
    };
    element.addEventListener("pointerdown", (event) => {
      const kind = kindOf(event);
      if (kind) this.#press(event, kind);
    });
    // A click without a pointer comes from the keyboard or from assistive technology.
    element.addEventListener("click", (event) => {
      const kind = kindOf(event);
      if (!kind || event.detail > 0) return;
      this.choose(kind);
      if (this.selected === kind) {
        this.options.focusBoard(this.targets()[0] ?? { x: 4, y: 4 });
        this.options.draw();
      }
    });
  }

  clear() {
    this.selected = this.choice = null;
    this.#drop();
  }

  #same(target) {
    return JSON.stringify(this.selected) === JSON.stringify(target);
  }

  #press(event, target) {
    if (event.button > 0 || !event.isPrimary) return;
    this.cursor = null;
    const again = this.#same(target);
    // What was chosen already may be dragged now, or be put down when the pointer goes up.
    if (!again) this.choose(target);
    this.#down = this.#same(target) ? { target, x: event.clientX, y: event.clientY, again } : null;
  }

  #move(event) {
    if (!this.#down) return;
    if (!this.#ghost) {
      if (Math.hypot(event.clientX - this.#down.x, event.clientY - this.#down.y) < DRAG_STARTS) return;
      this.#lift();
    }
    this.#ghost.style.left = `${event.clientX}px`;
    this.#ghost.style.top = `${event.clientY}px`;
  }

  /** The piece follows the pointer from now on. */
  #lift() {
    const { target } = this.#down;
    const position = this.options.position();
    const kind = typeof target === "string" ? target : position.board[target.y][target.x].kind;
    const size = this.svg.getBoundingClientRect().width / 936;
    this.#ghost = shape(
      "svg",
      { class: "ghost", viewBox: "-48 -52 96 104", "aria-hidden": "true", width: 106 * size, height: 115 * size },
      koma(kind, position.white, position.white !== this.options.flipped()),
    );
    document.body.append(this.#ghost);
    this.lifted = target;
    this.options.draw();
  }

  #drop() {
    this.#ghost?.remove();
    this.#ghost = this.#down = this.lifted = null;
  }

  #release(event) {
    if (!this.#down) return;
    const { target, again } = this.#down;
    const dragged = this.#ghost !== null;
    this.#drop();
    if (!dragged) {
      if (again) this.choose(target);
      return;
    }
    const point = squareUnder(this.svg, event, this.options.flipped());
    if (point && JSON.stringify(point) !== JSON.stringify(target)) this.choose(point, true);
    else this.options.draw();
  }

  /** A square or a piece in hand was chosen. */
  choose(target, dragged = false) {
    const edited = this.options.edit?.(target, this.selected);
    if (edited !== undefined) {
      this.selected = edited;
      this.choice = null;
      return this.options.draw();
    }
    const position = this.options.position();
    const legal = this.options.legal();
    const from = this.selected;
    this.choice = null;
    if (!legal.length || this.#same(target)) this.selected = null;
    else if (typeof target === "string" || isOwn(position, target)) this.selected = target;
    else if (from !== null) {
      const moves = movesTo(position, from, target);
      const allowed = moves.filter((move) => legal.includes(move));
      if (allowed.length === 2) this.choice = { moves: allowed, target, dragged };
      else {
        this.selected = null;
        if (allowed.length) return this.options.play(allowed[0], dragged);
        this.options.refused(moves[0]);
      }
    }
    return this.options.draw();
  }

  /** Squares that the selected piece can go to. */
  targets() {
    if (this.selected === null) return [];
    const from = typeof this.selected === "string" ? `${this.selected}*` : squareName(this.selected);
    const squares = this.options
      .legal()
      .filter((move) => move.startsWith(from))
      .map((move) => move.slice(2, 4));
    return [...new Set(squares)].map(square);
  }

  key(event) {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (step) {
      const sign = this.options.flipped() ? -1 : 1;
      const { x, y } = this.cursor ?? { x: 4, y: 4 };
      const limit = (n) => Math.max(0, Math.min(8, n));
      this.cursor = this.cursor ? { x: limit(x + sign * step[0]), y: limit(y + sign * step[1]) } : { x, y };
      this.options.announce(this.cursor);
      this.options.draw();
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      const point = { ...this.cursor };
      const before = this.options.text();
      this.choose(point);
      this.options.chosen(point, before);
    } else if (this.options.square(event.key)) {
      this.options.draw();
    } else if (event.key === "Escape") {
      this.clear();
      this.options.draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
