// The board as an input: mouse, touch and keyboard.
class BoardInput {
  selected = null; // a point, or a kind in hand
  cursor = null;
  choice = null; // moves to choose from: with and without promotion

  /** `options.position()` is the position shown, `options.legal()` the moves allowed, `options.play(move)` plays. */
  constructor(svg, options) {
    this.svg = svg;
    this.options = options;
    svg.addEventListener("pointerdown", (event) => this.pointer(event, true));
    svg.addEventListener("pointerup", (event) => this.pointer(event, false));
    svg.addEventListener("keydown", (event) => this.key(event));
    svg.addEventListener("blur", () => { this.cursor = null; this.options.draw(); });
  }

  clear() {
    this.selected = this.choice = null;
  }

  /** The square under the pointer. */
  at(event) {
    const box = this.svg.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width * 936 - EDGE.left) / SQUARE.width);
    const y = Math.floor(((event.clientY - box.top) / box.height * 1010 - EDGE.top) / SQUARE.height);
    if (x < 0 || x > 8 || y < 0 || y > 8) return null;
    return this.options.flipped() ? { x: 8 - x, y: 8 - y } : { x, y };
  }

  pointer(event, down) {
    const point = this.at(event);
    if (!point || event.button > 0) return;
    this.cursor = null;
    if (down) {
      this.held = this.selected;
      this.choose(point);
      this.down = point;
    } else if (this.down && (this.down.x !== point.x || this.down.y !== point.y)) {
      // Dragged: the piece was selected when the pointer went down.
      if (typeof this.selected === "object" && this.selected) this.choose(point);
    }
  }

  /** A square or a piece in hand was chosen. */
  choose(target) {
    if (this.options.edit?.(target)) return;
    const position = this.options.position();
    const legal = this.options.legal();
    const same = JSON.stringify(this.selected) === JSON.stringify(target);
    this.choice = null;
    if (!legal.length) this.selected = null;
    else if (same) this.selected = null;
    else if (typeof target === "string" || isOwn(position, target)) this.selected = target;
    else if (this.selected !== null) {
      const moves = movesTo(position, this.selected, target).filter((move) => legal.includes(move));
      if (moves.length === 2) this.choice = moves;
      else {
        this.selected = null;
        if (moves.length) return this.options.play(moves[0]);
      }
    }
    return this.options.draw();
  }

  /** Squares that the selected piece can go to. */
  targets() {
    if (this.selected === null) return [];
    const from = typeof this.selected === "string" ? `${this.selected}*` : squareName(this.selected);
    const squares = this.options.legal().filter((move) => move.startsWith(from)).map((move) => move.slice(2, 4));
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
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) this.choose({ ...this.cursor });
    else if (event.key === "Escape") {
      this.clear();
      this.options.draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
