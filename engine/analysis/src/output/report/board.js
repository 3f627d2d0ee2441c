// Positions, moves and their drawing.
const KANJI = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };
const HAND = ["R", "B", "G", "S", "N", "L", "P"];
const RANKS = "一二三四五六七八九";
const SQUARE = { width: 96, height: 104 };
const EDGE = { left: 18, top: 40 };

function parse(sfen) {
  const [rows, turn, hands] = sfen.split(" ");
  const board = rows.split("/").map((row) => {
    const squares = [];
    for (const [, plus, c] of row.matchAll(/(\+?)([A-Za-z]|\d)/g)) {
      if (/\d/.test(c)) for (let i = 0; i < Number(c); i++) squares.push(null);
      else squares.push({ kind: plus + c.toUpperCase(), white: c !== c.toUpperCase() });
    }
    return squares;
  });
  const held = [{}, {}];
  for (const [, n, c] of hands === "-" ? [] : hands.matchAll(/(\d*)([A-Za-z])/g)) {
    held[c === c.toUpperCase() ? 0 : 1][c.toUpperCase()] = Number(n || 1);
  }
  return { board, held, white: turn === "w", from: null, to: null };
}

function toSfen(position, ply) {
  const letter = (piece) => (piece.white ? piece.kind.toLowerCase() : piece.kind);
  const rows = position.board.map((row) => row.map((piece) => (piece ? letter(piece) : "1")).join("").replace(/1+/g, (run) => run.length));
  const hands = [0, 1].map((color) => HAND.filter((kind) => position.held[color][kind] > 0)
    .map((kind) => (position.held[color][kind] > 1 ? position.held[color][kind] : "") + (color ? kind.toLowerCase() : kind)).join("")).join("");
  return `${rows.join("/")} ${position.white ? "w" : "b"} ${hands || "-"} ${ply}`;
}

function square(text) {
  return { x: 9 - Number(text[0]), y: text.charCodeAt(1) - 97 };
}

function squareName(point) {
  return `${9 - point.x}${"abcdefghi"[point.y]}`;
}

// The moves that a click on a square means after a click on a piece (a point, or a kind in hand):
// one, or two where the promotion is a choice.
function movesTo(position, selected, target) {
  if (typeof selected === "string") return [`${selected}*${squareName(target)}`];
  const piece = position.board[selected.y][selected.x];
  const move = squareName(selected) + squareName(target);
  const zone = (point) => (position.white ? point.y >= 6 : point.y <= 2);
  return (zone(selected) || zone(target)) && "PLNSBR".includes(piece.kind) ? [move + "+", move] : [move];
}

// Whether the side to move has a piece there.
function isOwn(position, point) {
  const piece = position.board[point.y][point.x];
  return Boolean(piece) && piece.white === position.white;
}

function mark(position, move) {
  position.to = square(move.slice(2));
  position.from = move[1] === "*" ? null : square(move);
}

function play(position, move) {
  const to = square(move.slice(2));
  const own = position.held[position.white ? 1 : 0];
  let piece;
  if (move[1] === "*") {
    own[move[0]]--;
    piece = { kind: move[0], white: position.white };
  } else {
    const from = square(move);
    piece = { ...position.board[from.y][from.x] };
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

// A piece with the shape of a koma, centred at the origin, for a square of 96 by 104.
function koma(kind, white, turned) {
  const size = { P: 0.84, L: 0.88, N: 0.9, S: 0.94, G: 0.94, B: 0.98, R: 0.98, K: 1 }[kind.replace("+", "")];
  const name = kind === "K" && white ? "王" : KANJI[kind];
  return shape("g", { class: kind[0] === "+" ? "koma promoted" : "koma", transform: `${turned ? "rotate(180) " : ""}scale(${size})` },
    shape("path", { d: "M0-47 27-36 41 45-41 45-27-36Z" }),
    shape("text", { y: 23, "text-anchor": "middle", "font-size": 54 }, name));
}

function centre(x, y, flipped) {
  const [column, row] = flipped ? [8 - x, 8 - y] : [x, y];
  return [EDGE.left + (column + 0.5) * SQUARE.width, EDGE.top + (row + 0.5) * SQUARE.height];
}

// An arrow for a move; for a drop a ring with the piece.
function arrow(move, className, flipped, white) {
  const to = square(move.slice(2));
  const [x, y] = centre(to.x, to.y, flipped);
  if (move[1] === "*") {
    return shape("g", { class: `arrow ${className}`, transform: `translate(${x} ${y})` },
      shape("circle", { r: 43 }), shape("g", { transform: "scale(.6)", opacity: ".85" }, koma(move[0], white, white !== flipped)));
  }
  const from = square(move);
  const [a, b] = centre(from.x, from.y, flipped);
  const length = Math.hypot(x - a, y - b);
  const [u, v] = [(x - a) / length, (y - b) / length];
  const wide = className === "best" ? 11 : 7;
  const head = wide * 3.4;
  const [p, q] = [x - u * head, y - v * head];
  const at = (s, t, k) => `${(s - v * k).toFixed(1)} ${(t + u * k).toFixed(1)}`;
  return shape("path", { class: `arrow ${className}`,
    d: `M${at(a, b, wide)}L${at(p, q, wide)}L${at(p, q, wide * 2.2)}L${x.toFixed(1)} ${y.toFixed(1)}L${at(p, q, -wide * 2.2)}L${at(p, q, -wide)}L${at(a, b, -wide)}Z` });
}

// Draws a position into an SVG element with the viewBox 0 0 936 1010. Squares can be `selected`,
// legal `targets` of it, or under the `cursor` of the keyboard.
function drawPosition(svg, position, options) {
  const { flipped, arrows = [], selected = null, targets = [], cursor = null, onSquare = null } = options;
  const parts = [shape("rect", { class: "wood", width: 936, height: 1010, rx: 10 })];
  const cell = (point, className) => {
    const [x, y] = centre(point.x, point.y, flipped);
    parts.push(shape("rect", { class: className, x: x - 48, y: y - 52, width: 96, height: 104 }));
  };
  if (position.from) cell(position.from, "from");
  if (position.to) cell(position.to, "to");
  if (selected) cell(selected, "selected");
  if (cursor) cell(cursor, "cursor");
  let grid = "";
  for (let i = 0; i <= 9; i++) {
    grid += `M${EDGE.left + i * 96} ${EDGE.top}v936M${EDGE.left} ${EDGE.top + i * 104}h864`;
  }
  parts.push(shape("path", { class: "grid", d: grid }));
  for (const x of [3, 6]) for (const y of [3, 6]) {
    parts.push(shape("circle", { class: "star", cx: EDGE.left + x * 96, cy: EDGE.top + y * 104, r: 6 }));
  }
  for (let i = 0; i < 9; i++) {
    const file = flipped ? i + 1 : 9 - i;
    const rank = flipped ? 8 - i : i;
    parts.push(shape("text", { class: "coordinate", x: EDGE.left + (i + 0.5) * 96, y: 30, "text-anchor": "middle" }, String(file)));
    parts.push(shape("text", { class: "coordinate", x: 909, y: EDGE.top + (i + 0.5) * 104 + 10, "text-anchor": "middle" }, RANKS[rank]));
  }
  position.board.forEach((row, y) => row.forEach((piece, x) => {
    if (!piece) return;
    const [a, b] = centre(x, y, flipped);
    parts.push(shape("g", { transform: `translate(${a} ${b})` }, koma(piece.kind, piece.white, piece.white !== flipped)));
  }));
  arrows.forEach(([move, className]) => parts.push(arrow(move, className, flipped, position.white)));
  targets.forEach((point) => {
    const [x, y] = centre(point.x, point.y, flipped);
    parts.push(shape("circle", { class: "legal", cx: x, cy: y, r: 15 }));
  });
  if (onSquare) {
    for (let y = 0; y < 9; y++) for (let x = 0; x < 9; x++) {
      const [a, b] = centre(x, y, flipped);
      parts.push(shape("rect", { class: "target", x: a - 48, y: b - 52, width: 96, height: 104, onclick: () => onSquare({ x, y }) }));
    }
  }
  svg.replaceChildren(...parts);
}

// The pieces in hand, each with its number.
function drawHand(held, white, turned, onPiece, selected) {
  return HAND.filter((kind) => held[kind] > 0).map((kind) => {
    const svg = shape("svg", { viewBox: held[kind] > 1 ? "-48 -52 134 104" : "-48 -52 96 104", class: selected === kind ? "held chosen" : "held", "aria-hidden": "true" }, koma(kind, white, turned));
    if (held[kind] > 1) svg.append(shape("text", { class: "count", x: 44, y: 40, "font-size": 46 }, String(held[kind])));
    if (onPiece) svg.addEventListener("click", () => onPiece(kind));
    return svg;
  });
}

// The position in words, for screen readers.
function describe(position, w) {
  const hand = (index) => HAND.filter((kind) => position.held[index][kind] > 0)
    .map((kind) => KANJI[kind] + (position.held[index][kind] > 1 ? position.held[index][kind] : "")).join("") || w.empty;
  const pieces = [[], []];
  position.board.forEach((row, y) => row.forEach((piece, x) => {
    if (piece) pieces[piece.white ? 1 : 0].push(`${9 - x}${RANKS[y]}${KANJI[piece.kind]}`);
  }));
  return w.names.map((name, index) => `${name}: ${pieces[index].join(" ")}, ${w.hand} ${hand(index)}`).join(". ");
}
