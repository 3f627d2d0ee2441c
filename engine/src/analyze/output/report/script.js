"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const words = {
  ja: {
    other: "English", turning: "勝負の分かれ目", players: "対局者", moves: "指し手", start: "開始局面",
    accuracy: "正確さ", loss: "一手平均の損失", agreement: "最善手一致率", inaccuracy: "緩手", dubious: "疑問手",
    mistake: "悪手", blunder: "大悪手", only: "絶対手", brilliant: "好手", missed: "逃した詰み", opening: "戦型", best: "最善", line: "読み筋",
    variation: "変化", mate: "手詰", wins: ["先手勝ち", "後手勝ち"], ply: "手目", hand: "持駒", none: "なし",
  },
  en: {
    other: "日本語", turning: "Turning points", players: "Players", moves: "Moves", start: "start",
    accuracy: "Accuracy", loss: "Loss per move", agreement: "Engine's choice", inaccuracy: "inaccuracy", dubious: "dubious",
    mistake: "mistake", blunder: "blunder", only: "only move", brilliant: "brilliant", missed: "missed mates", opening: "Opening", best: "best", line: "Line",
    variation: "Variation", mate: " plies to mate", wins: ["Black wins", "White wins"], ply: "", hand: "in hand", none: "none",
  },
};
let language = (navigator.language || "ja").startsWith("ja") ? "ja" : "en";
let ply = 0;
let side = null; // a variation: { sfen, moves, names, index }
const names = { P: "歩", L: "香", N: "桂", S: "銀", G: "金", B: "角", R: "飛", K: "玉",
  "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍" };

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "onclick") element.addEventListener("click", value);
    else if (value !== "") element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

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
  return { board, held, white: turn === "w", to: null };
}

function square(text) {
  return { x: 9 - Number(text[0]), y: text.charCodeAt(1) - 97 };
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
  position.to = to;
}

function now() {
  if (side) {
    const position = parse(side.sfen);
    side.moves.slice(0, side.index).forEach((move) => play(position, move));
    return position;
  }
  const position = parse(data.steps[ply].sfen);
  if (ply > 0) position.to = square(data.steps[ply - 1].played.slice(2));
  return position;
}

function drawBoard() {
  const position = now();
  const cells = [];
  position.board.forEach((row, y) => row.forEach((piece, x) => {
    const classes = [];
    if (position.to && position.to.x === x && position.to.y === y) classes.push("to");
    if (piece && piece.white) classes.push("white");
    if (piece && piece.kind[0] === "+") classes.push("promoted");
    cells.push(make("span", { class: classes.join(" ") }, make("i", {}, piece ? names[piece.kind] : "")));
  }));
  at("board").replaceChildren(...cells);
  at("board").setAttribute("aria-label", data.steps[ply].sfen);
  const w = words[language];
  ["black", "white"].forEach((color, index) => {
    const held = position.held[index];
    const text = ["R", "B", "G", "S", "N", "L", "P"].filter((kind) => held[kind] > 0)
      .map((kind) => names[kind] + (held[kind] > 1 ? held[kind] : "")).join(" ");
    at("hand-" + color).textContent = `${"▲△"[index]}${data.players[index]} ${w.hand} ${text || w.none}`;
  });
}

function score(step) {
  const row = step.row;
  if (!row) return "";
  const w = words[language];
  const percent = `▲${(step.win_black * 100).toFixed(0)}%`;
  if (row.mate !== null) {
    const black = row.mate > 0 === (row.side === "black");
    return `${w.wins[black ? 0 : 1]}${row.mate ? ` (${Math.abs(row.mate)}${w.mate})` : ""}`;
  }
  return `${row.cp_black > 0 ? "+" : ""}${row.cp_black}  ${percent}`;
}

function className(judged) {
  if (!judged || !judged.class) return "";
  if (["inaccuracy", "dubious", "mistake", "blunder"].includes(judged.class)) return "bad";
  return ["only", "brilliant"].includes(judged.class) ? "good" : "";
}

function judgement(row) {
  const w = words[language];
  const parts = [];
  if (className(row)) parts.push(w[row.class]);
  if (className(row) === "bad") parts.push(`-${(row.loss * 100).toFixed(1)}%`, `${w.best} ${row.best_ja}`);
  if (row && row.missed_mate) parts.push(`${w.missed} (${row.missed_mate}): ${row.pv_ja}`);
  return parts.join("  ");
}

function links(line, label) {
  const items = line.names.map((name, index) => make("a", {
    class: side && side.moves === line.moves && side.index === index + 1 ? "now" : "",
    onclick: () => { side = { ...line, index: index + 1 }; draw(); },
  }, name));
  return make("div", {}, `${label}: `, ...items);
}

function draw() {
  const w = words[language];
  const step = data.steps[ply];
  drawBoard();
  const before = ply > 0 ? data.steps[ply - 1] : null;
  at("where").textContent = side ? `${w.variation} ${side.index}/${side.moves.length}`
    : `${ply}${w.ply} ${before ? before.played_ja : w.start}`;
  at("verdict").textContent = [score(step), before && before.row ? judgement(before.row) : ""].filter(Boolean).join("  ");
  const line = step.row && step.names.length
    ? [links(lineOf(ply), w.line)] : [];
  at("line").replaceChildren(...line);
  at("comments").textContent = step.comments.join("\n");
  drawGraph();
  document.querySelectorAll("#moves a[data-ply]").forEach((link) => {
    const here = !side && Number(link.dataset.ply) === ply;
    link.classList.toggle("now", here);
    if (here) {
      const list = at("moves");
      list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  });
}

const lines = new Map();
function lineOf(index) {
  if (!lines.has(index)) {
    const step = data.steps[index];
    lines.set(index, { sfen: step.sfen, moves: step.row.pv.split(" "), names: step.names });
  }
  return lines.get(index);
}

function drawGraph() {
  const last = Math.max(data.steps.length - 1, 1);
  const points = data.steps.map((step, index) => [index, step.win_black]).filter(([, win]) => win !== null)
    .map(([index, win]) => `${(800 * index / last).toFixed(1)} ${(200 * (1 - win)).toFixed(1)}`);
  const paths = [["axis", "M0 100H800"]];
  if (points.length) {
    const line = "M" + points.join("L");
    paths.push(["area", `${line}V200H${points[0].split(" ")[0]}Z`], ["line", line]);
  }
  data.turning_points.filter((index) => data.steps[index + 1].win_black !== null).forEach((index) => {
    // A line of no length with round ends: a circle would be stretched with the picture.
    const at = `${(800 * (index + 1) / last).toFixed(1)} ${(200 * (1 - data.steps[index + 1].win_black)).toFixed(1)}`;
    paths.push(["point", `M${at}L${at}`]);
  });
  paths.push(["now", `M${800 * ply / last} 0V200`]);
  at("graph").replaceChildren(...paths.map(([kind, path]) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", "path");
    element.setAttribute("class", kind);
    element.setAttribute("d", path);
    return element;
  }));
}

function frame() {
  const w = words[language];
  document.documentElement.lang = language;
  at("language").textContent = w.other;
  document.querySelectorAll("[data-word]").forEach((element) => { element.textContent = w[element.dataset.word]; });
  const go = (target) => () => { side = null; ply = target; draw(); };
  const items = [make("li", {}, make("a", { "data-ply": 0, onclick: go(0) }, w.start))];
  data.steps.forEach((step, index) => {
    if (step.played) {
      const link = make("a", { "data-ply": index + 1, class: className(step.row), onclick: go(index + 1) },
        `${index + 1} ${step.played_ja}`);
      items.push(make("li", {}, link, " ", judgement(step.row)));
    }
    data.branches.filter((branch) => branch.before === index).forEach((branch) => {
      const show = () => { ply = index; side = { ...branch, index: 1 }; draw(); };
      items.push(make("li", { class: "branch" }, make("a", { onclick: show }, `${w.variation} ${branch.names.join("")}`)));
    });
  });
  if (data.ending) items.push(make("li", {}, data.ending));
  at("moves").replaceChildren(...items);
  at("turning").replaceChildren(...data.turning_points.map((index) => {
    const step = data.steps[index];
    const link = make("a", { class: "bad", onclick: go(index + 1) }, `${index + 1} ${step.played_ja}`);
    return make("li", {}, link, " ", judgement(step.row));
  }));
  const percent = (value) => (value * 100).toFixed(1) + "%";
  const rows = [
    ["", ...data.players.map((name, index) => "▲△"[index] + name)],
    [w.accuracy, ...data.sides.map((s) => s.accuracy.toFixed(1) + "%")],
    [w.loss, ...data.sides.map((s) => percent(s.loss))],
    [w.agreement, ...data.sides.map((s) => percent(s.best))],
    ...["inaccuracy", "dubious", "mistake", "blunder"].map((kind, i) => [w[kind], ...data.sides.map((s) => s.bad[i])]),
    [w.missed, ...data.sides.map((s) => s.missed_mates)],
  ];
  at("players").replaceChildren(...rows.map(([head, ...cells]) =>
    make("tr", {}, make("th", {}, head), ...cells.map((cell) => make("td", {}, String(cell))))));
  at("opening").textContent = data.opening ? `${w.opening}: ${data.opening[language]}` : "";
  draw();
}

function move(where) {
  const last = data.steps.length - 1;
  if (side) {
    const moves = side.moves.length;
    const index = { first: 0, back: side.index - 1, on: Math.min(side.index + 1, moves), last: moves }[where];
    if (index <= 0) side = null;
    else side.index = index;
  } else {
    ply = { first: 0, back: Math.max(ply - 1, 0), on: Math.min(ply + 1, last), last }[where];
  }
  draw();
}

document.querySelectorAll("[data-go]").forEach((button) => button.addEventListener("click", () => move(button.dataset.go)));
at("language").addEventListener("click", () => { language = language === "ja" ? "en" : "ja"; frame(); });
at("graph").addEventListener("click", (event) => {
  const box = at("graph").getBoundingClientRect();
  side = null;
  ply = Math.round((event.clientX - box.left) / box.width * (data.steps.length - 1));
  draw();
});
document.addEventListener("keydown", (event) => {
  const where = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" }[event.key];
  if (event.key === "Escape") { side = null; draw(); }
  if (event.key === "Enter" && event.target === document.body && data.steps[ply].names.length && !side) {
    side = { ...lineOf(ply), index: 1 };
    draw();
  }
  if (!where || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  move(where);
});
frame();
