// Positions, moves and their drawing.
import { notation } from "./notation.js";
import { make, shape } from "./page.js";
import { koma, look } from "./pieces.js";
import { KANJI } from "./words.js";

/** @import { Arrow, BoardOptions, Drawn, Hand, HandOptions, Point, Position, Piece, Target } from "./types.d.ts" */
/** @import { Words } from "./words.js" */

export const HAND = ["R", "B", "G", "S", "N", "L", "P"];
export const RANKS = "一二三四五六七八九";
const SQUARE = { width: 96, height: 104 };
const EDGE = { left: 18, top: 40 };
export const BOARD_HEIGHT = 994;

/**
 * @param {string} sfen
 * @returns {Position}
 */
export function parse(sfen) {
  const [rows, turn, hands] = sfen.split(" ");
  const board = rows.split("/").map((row) => {
    /** @type {(Piece | null)[]} */
    const squares = [];
    for (const [, plus, c] of row.matchAll(/(\+?)([A-Za-z]|\d)/g)) {
      if (/\d/.test(c)) for (let i = 0; i < Number(c); i++) squares.push(null);
      else squares.push({ kind: plus + c.toUpperCase(), white: c !== c.toUpperCase() });
    }
    return squares;
  });
  /** @type {Hand[]} */
  const held = [{}, {}];
  for (const [, n, c] of hands === "-" ? [] : hands.matchAll(/(\d*)([A-Za-z])/g)) {
    held[c === c.toUpperCase() ? 0 : 1][c.toUpperCase()] = Number(n || 1);
  }
  return { board, held, white: turn === "w", from: null, to: null };
}

/**
 * @param {Position} position
 * @param {number} ply
 */
export function toSfen(position, ply) {
  /** @param {Piece} piece */
  const letter = (piece) => (piece.white ? piece.kind.toLowerCase() : piece.kind);
  const rows = position.board.map((row) =>
    row
      .map((piece) => (piece ? letter(piece) : "1"))
      .join("")
      .replace(/1+/g, (run) => String(run.length)),
  );
  const hands = [0, 1]
    .map((color) =>
      HAND.filter((kind) => position.held[color][kind] > 0)
        .map(
          (kind) =>
            (position.held[color][kind] > 1 ? position.held[color][kind] : "") + (color ? kind.toLowerCase() : kind),
        )
        .join(""),
    )
    .join("");
  return `${rows.join("/")} ${position.white ? "w" : "b"} ${hands || "-"} ${ply}`;
}

/** @param {string} text */
export function square(text) {
  return { x: 9 - Number(text[0]), y: text.charCodeAt(1) - 97 };
}

/** @param {Point} point */
export function squareName(point) {
  return `${9 - point.x}${"abcdefghi"[point.y]}`;
}

// The moves that a click on a square means after a click on a piece (a point, or a kind in hand):
// one, or two where the promotion is a choice.
/**
 * @param {Position} position
 * @param {Target} selected
 * @param {Point} target
 */
export function movesTo(position, selected, target) {
  if (typeof selected === "string") return [`${selected}*${squareName(target)}`];
  const piece = position.board[selected.y][selected.x];
  const move = squareName(selected) + squareName(target);
  /** @param {Point} point */
  const zone = (point) => (position.white ? point.y >= 6 : point.y <= 2);
  return (zone(selected) || zone(target)) && piece && "PLNSBR".includes(piece.kind) ? [move + "+", move] : [move];
}

// Whether the side to move has a piece there.
/**
 * @param {Position} position
 * @param {Point} point
 */
export function isOwn(position, point) {
  const piece = position.board[point.y][point.x];
  return piece !== null && piece.white === position.white;
}

/**
 * @param {Position} position
 * @param {string} move
 */
export function mark(position, move) {
  position.to = square(move.slice(2));
  position.from = move[1] === "*" ? null : square(move);
}

/**
 * @param {Position} position
 * @param {string} move
 */
export function play(position, move) {
  const to = square(move.slice(2));
  const own = position.held[position.white ? 1 : 0];
  let piece;
  if (move[1] === "*") {
    own[move[0]]--;
    piece = { kind: move[0], white: position.white };
  } else {
    const from = square(move);
    piece = { .../** @type {Piece} */ (position.board[from.y][from.x]) };
    position.board[from.y][from.x] = null;
    const taken = position.board[to.y][to.x];
    if (taken) {
      const kind = taken.kind.replace("+", "");
      own[kind] = (own[kind] || 0) + 1;
    }
    if (move.endsWith("+")) piece.kind = "+" + piece.kind;
  }
  position.board[to.y][to.x] = piece;
  position.white = !position.white;
  mark(position, move);
}

/**
 * @param {number} x
 * @param {number} y
 * @param {boolean} flipped
 */
export function centre(x, y, flipped) {
  const [column, row] = flipped ? [8 - x, 8 - y] : [x, y];
  return [EDGE.left + (column + 0.5) * SQUARE.width, EDGE.top + (row + 0.5) * SQUARE.height];
}

// An arrow for a move; for a drop a ring with the piece.
/**
 * @param {string} move
 * @param {string} className
 * @param {boolean} flipped
 * @param {boolean} white
 */
function arrow(move, className, flipped, white) {
  const to = square(move.slice(2));
  const [x, y] = centre(to.x, to.y, flipped);
  if (move[1] === "*") {
    return shape(
      "g",
      { class: `arrow ${className}`, transform: `translate(${x} ${y})` },
      shape("circle", { r: 43 }),
      shape("g", { transform: "scale(.6)", opacity: ".85" }, koma(move[0], white, white !== flipped)),
    );
  }
  const from = square(move);
  const [a, b] = centre(from.x, from.y, flipped);
  const length = Math.hypot(x - a, y - b);
  const [u, v] = [(x - a) / length, (y - b) / length];
  const wide = className === "second" ? 7 : 11;
  const head = wide * 3.4;
  const [p, q] = [x - u * head, y - v * head];
  /**
   * @param {number} s
   * @param {number} t
   * @param {number} k
   */
  const at = (s, t, k) => `${(s - v * k).toFixed(1)} ${(t + u * k).toFixed(1)}`;
  return shape("path", {
    class: `arrow ${className}`,
    d: `M${[
      at(a, b, wide),
      at(p, q, wide),
      at(p, q, wide * 2.2),
      `${x.toFixed(1)} ${y.toFixed(1)}`,
      at(p, q, -wide * 2.2),
      at(p, q, -wide),
      at(a, b, -wide),
    ].join("L")}Z`,
  });
}

// What is drawn on each board now, so that only what has changed is drawn again.
/** @type {WeakMap<SVGElement, Drawn>} */
const drawn = new WeakMap();

/**
 * @param {SVGElement} svg
 * @returns {Drawn}
 */
function emptyBoard(svg) {
  /** @param {string} className */
  const layer = (className) => shape("g", { class: className });
  const state = {
    marks: layer("marked"),
    pieces: layer("komas"),
    top: layer("top"),
    coordinates: layer("coordinates"),
    at: new Map(),
    flipped: null,
  };
  let grid = "";
  for (let i = 0; i <= 9; i++) grid += `M${EDGE.left + i * 96} ${EDGE.top}v936M${EDGE.left} ${EDGE.top + i * 104}h864`;
  const stars = [3, 6].flatMap((x) =>
    [3, 6].map((y) => shape("circle", { class: "star", cx: EDGE.left + x * 96, cy: EDGE.top + y * 104, r: 6 })),
  );
  svg.replaceChildren(
    shape("rect", { class: "wood", width: 936, height: BOARD_HEIGHT, rx: 8 }),
    state.marks,
    shape("path", { class: "grid", d: grid }),
    ...stars,
    state.coordinates,
    state.pieces,
    state.top,
  );
  svg.setAttribute("viewBox", `0 0 936 ${BOARD_HEIGHT}`);
  drawn.set(svg, state);
  return state;
}

/**
 * @param {Drawn} state
 * @param {boolean} flipped
 */
function drawCoordinates(state, flipped) {
  const letters = notation() !== "ja";
  const key = `${flipped}${letters}`;
  if (state.flipped === key) return;
  state.flipped = key;
  /**
   * @param {number} x
   * @param {number} y
   * @param {string} text
   */
  const label = (x, y, text) => shape("text", { class: "coordinate", x, y, "text-anchor": "middle" }, text);
  const ranks = letters ? "abcdefghi" : RANKS;
  state.coordinates.replaceChildren(
    ...[...Array(9).keys()].flatMap((i) => [
      label(EDGE.left + (i + 0.5) * 96, 30, String(flipped ? i + 1 : 9 - i)),
      label(909, EDGE.top + (i + 0.5) * 104 + 10, ranks[flipped ? 8 - i : i]),
    ]),
  );
}

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Draws the pieces that have changed; with `moved`, the last move is shown as a movement.
 *  @param {Drawn} state
 *  @param {Position} position
 *  @param {boolean} flipped
 *  @param {boolean} moved
 */
function drawPieces(state, position, flipped, moved) {
  const before = state.at;
  state.at = new Map();
  position.board.forEach((row, y) =>
    row.forEach((piece, x) => {
      if (!piece) return;
      const [a, b] = centre(x, y, flipped);
      const key = `${piece.kind}${piece.white}${a},${b}${flipped}${look.pieces}`;
      const place = y * 9 + x;
      const known = before.get(place);
      const same = known?.key === key ? known.element : null;
      if (same) before.delete(place);
      const element =
        same ??
        shape("g", { transform: `translate(${a} ${b})` }, koma(piece.kind, piece.white, piece.white !== flipped));
      if (!same) state.pieces.append(element);
      state.at.set(place, { key, element });
    }),
  );
  before.forEach(({ element }) => element.remove());
  if (!moved || !position.to || calm()) return;
  const { element } = state.at.get(position.to.y * 9 + position.to.x) ?? {};
  if (!element?.animate) return;
  const [x, y] = centre(position.to.x, position.to.y, flipped);
  const [a, b] = position.from ? centre(position.from.x, position.from.y, flipped) : [x, y];
  state.pieces.append(element);
  element.animate(
    [
      { transform: `translate(${a}px, ${b}px) scale(${position.from ? 1 : 1.5})` },
      { transform: `translate(${x}px, ${y}px)` },
    ],
    { duration: 150, easing: "ease-out" },
  );
}

// Draws a position into an SVG element. Squares can be `selected`, legal `targets` of it, `told` by a reason, or under
// the `cursor` of the keyboard. `moved`: the position shown before was that before the last move.
/**
 * @param {SVGElement} svg
 * @param {Position} position
 * @param {BoardOptions} options
 */
export function drawPosition(svg, position, options) {
  const { flipped, arrows = [], targets = [], told = [], moved = false } = options;
  const { selected = null, cursor = null, lifted = null } = options;
  const state = drawn.get(svg) ?? emptyBoard(svg);
  /**
   * @param {Point} point
   * @param {string} className
   */
  const cell = (point, className) => {
    const [x, y] = centre(point.x, point.y, flipped);
    return shape("rect", { class: className, x: x - 48, y: y - 52, width: 96, height: 104 });
  };
  /** @type {[Point | null, string][]} */
  const marks = [
    [position.from, "from"],
    [position.to, "to"],
    [selected, "selected"],
    ...told.map((point) => /** @type {[Point, string]} */ ([point, "told"])),
  ];
  state.marks.replaceChildren(...marks.flatMap(([point, className]) => (point ? [cell(point, className)] : [])));
  drawCoordinates(state, flipped);
  drawPieces(state, position, flipped, moved);
  state.at.forEach(({ element }, place) =>
    element.classList.toggle("lifted", lifted !== null && place === lifted.y * 9 + lifted.x),
  );
  const dots = targets.map((point) => {
    const [x, y] = centre(point.x, point.y, flipped);
    const taken = position.board[point.y][point.x];
    return shape(
      "circle",
      taken ? { class: "legal taken", cx: x, cy: y, r: 44 } : { class: "legal", cx: x, cy: y, r: 15 },
    );
  });
  state.top.replaceChildren(
    ...arrows.map(([move, className, white = position.white]) => arrow(move, className, flipped, white)),
    ...dots,
    ...(cursor ? [cell(cursor, "cursor")] : []),
  );
}

/** The square of a board under a pointer; null beside the squares.
 *  @param {SVGElement} svg
 *  @param {{ clientX: number, clientY: number }} event
 *  @param {boolean} flipped
 */
export function squareUnder(svg, event, flipped) {
  const box = svg.getBoundingClientRect();
  const x = Math.floor((((event.clientX - box.left) / box.width) * 936 - EDGE.left) / SQUARE.width);
  const y = Math.floor((((event.clientY - box.top) / box.height) * BOARD_HEIGHT - EDGE.top) / SQUARE.height);
  if (x < 0 || x > 8 || y < 0 || y > 8) return null;
  return flipped ? { x: 8 - x, y: 8 - y } : { x, y };
}

// A piece in hand with its number.
/**
 * @param {string} kind
 * @param {number} number
 * @param {boolean} white
 * @param {boolean} turned
 */
function heldPiece(kind, number, white, turned) {
  const width = number > 9 ? 160 : number > 1 ? 134 : 96;
  const svg = shape(
    "svg",
    { viewBox: `-48 -52 ${width} 104`, class: "held", "aria-hidden": "true" },
    koma(kind, white, turned),
  );
  if (number > 1) svg.append(shape("text", { class: "count", x: 44, y: 40, "font-size": 46 }, String(number)));
  return svg;
}

/** Shows the pieces in hand as buttons with `data-kind`, and leaves buttons alone that stay as they are: a click
 *  on them may be half made. `options`: color, flipped, mine (they can be chosen), selected (a kind),
 *  label(kind, number).
 *  @param {HTMLElement} element
 *  @param {Hand} held
 *  @param {HandOptions} options
 */
export function drawHand(element, held, { color, flipped, mine, selected = null, label = (kind) => KANJI[kind] }) {
  const kinds = HAND.filter((kind) => held[kind] > 0);
  const buttons = /** @type {HTMLButtonElement[]} */ ([...element.children]);
  const before = new Map(buttons.map((button) => [button.dataset.kind, button]));
  const turned = (color === 1) !== flipped;
  kinds.forEach((kind, index) => {
    const key = `${held[kind]}${color}${turned}${look.pieces}`;
    const button = before.get(kind) ?? make("button", { type: "button", "data-kind": kind });
    before.delete(kind);
    if (button.dataset.key !== key) {
      button.dataset.key = key;
      button.replaceChildren(heldPiece(kind, held[kind], color === 1, turned));
    }
    button.setAttribute("aria-label", label(kind, held[kind]));
    button.classList.toggle("chosen", mine && selected === kind);
    button.disabled = !mine;
    if (element.children[index] !== button) element.insertBefore(button, element.children[index] ?? null);
  });
  before.forEach((button) => button.remove());
}

// The position in words, for screen readers.
/**
 * @param {Position} position
 * @param {Words} w
 */
export function describe(position, w) {
  // Japanese writes neither blanks nor Latin letters there.
  const gap = w.pieces.P === KANJI.P ? "" : " ";
  /** @param {number} index */
  const hand = (index) =>
    HAND.filter((kind) => position.held[index][kind] > 0)
      .map((kind) =>
        `${w.pieces[kind]}${gap}${position.held[index][kind] > 1 ? position.held[index][kind] : ""}`.trim(),
      )
      .join(gap && ", ") || w.empty;
  /** @type {string[][]} */
  const pieces = [[], []];
  position.board.forEach((row, y) =>
    row.forEach((piece, x) => {
      const place = gap ? `${squareName({ x, y })} ` : `${9 - x}${RANKS[y]}`;
      if (piece) pieces[piece.white ? 1 : 0].push(place + w.pieces[piece.kind]);
    }),
  );
  return w.names
    .map((name, index) => `${name}: ${pieces[index].join(gap ? ", " : " ")}, ${w.hand} ${hand(index)}`)
    .join(". ");
}
