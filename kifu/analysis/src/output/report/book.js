// The page of an opening book: the moves of a position, and the board after those that were chosen.
import { describe, drawHand, drawPosition, parse, play } from "./board.js";
import { spelled } from "./notation.js";
import { addWords, at, chooseLanguage, language, make, translate, w } from "./page.js";
import { BOOK_WORDS } from "./words.js";

/** @import { Arrow, BookMove, Position } from "./types.d.ts" */

addWords(BOOK_WORDS);

/** @type {{ name: string, start: string, positions: { moves: BookMove[] }[] }} */
const data = JSON.parse(at("data").textContent);
/** The chosen moves.
 *  @type {{ found: BookMove }[]} */
const path = [];
/** Those taken back, the last one first.
 *  @type {{ found: BookMove }[]} */
let undone = [];
let flipped = false;

/** The position of the book after the chosen moves; undefined if there is none. */
function here() {
  if (!path.length) return data.positions[0];
  return data.positions[path[path.length - 1].found.next ?? -1];
}

function current() {
  const position = parse(data.start);
  path.forEach(({ found }) => play(position, found.usi));
  return position;
}

/** @param {BookMove} found */
function choose(found) {
  path.push({ found });
  undone = [];
  draw(true);
}

/** Goes back to the position after this many moves, or forward again.
 *  @param {number} length
 */
function goTo(length) {
  while (path.length > length) undone.push(/** @type {{ found: BookMove }} */ (path.pop()));
  while (path.length < length && undone.length) path.push(/** @type {{ found: BookMove }} */ (undone.pop()));
  draw(false);
}

/** @param {number} value */
const signed = (value) => (value > 0 ? "+" : "") + value;

/**
 * @param {Position} position
 * @param {BookMove} found
 */
function row(position, found) {
  const name = make(
    "button",
    { type: "button", class: "move", "data-usi": found.usi, onclick: () => choose(found) },
    spelled(position, found.usi, found.name),
  );
  const cells = [name, signed(found.value), found.depth, found.count, found.results ? found.results.join("-") : ""];
  return make("tr", {}, ...cells.map((cell) => make("td", {}, cell instanceof Node ? cell : String(cell))));
}

/**
 * @param {any} side
 * @param {number} color
 * @param {Position} position
 */
function drawSide(side, color, position) {
  if (!side.children.length) side.append(make("span", { class: "name" }), make("span", { class: "pieces" }));
  side.className = Number(position.white) === color ? "side turn" : "side";
  side.firstChild.textContent = "▲△"[color] + w.names[color];
  drawHand(side.lastChild, position.held[color], { color, flipped, mine: false });
}

function drawPath() {
  const position = parse(data.start);
  const steps = path.map(({ found }, index) => {
    const name = spelled(position, found.usi, found.name);
    play(position, found.usi);
    return make(
      "button",
      { type: "button", class: index + 1 === path.length ? "move now" : "move", onclick: () => goTo(index + 1) },
      name,
    );
  });
  at("path").replaceChildren(
    make("button", { type: "button", class: path.length ? "move" : "move now", onclick: () => goTo(0) }, w.start),
    ...steps,
  );
}

/** @param {boolean} moved */
function draw(moved) {
  const position = current();
  /** @type {BookMove[]} */
  const moves = here()?.moves ?? [];
  const arrows = moves
    .slice(0, 2)
    .map((found, index) => /** @type {Arrow} */ ([found.usi, index ? "second" : "best"]))
    .reverse();
  drawPosition(at("board"), position, { flipped, arrows, moved });
  at("board").setAttribute("aria-label", describe(position, w));
  ["side-top", "side-bottom"].forEach((id, index) => drawSide(at(id), (index === 0) === flipped ? 0 : 1, position));
  at("title").textContent = data.name;
  at("where").textContent = path.length ? w.ply(path.length) : w.start;
  at("flip").setAttribute("aria-pressed", flipped);
  drawPath();
  document.querySelector("#book tbody")?.replaceChildren(...moves.map((found) => row(position, found)));
  const last = path[path.length - 1]?.found;
  at("note").textContent = here() ? "" : last.cut ? w.bookCut : w.bookEnd;
}

/** @type {Record<string, () => void>} */
const GO = {
  first: () => goTo(0),
  previous: () => goTo(path.length - 1),
  next: forward,
  last: () => goTo(path.length + undone.length),
};

/** The move that was taken back, else the best one. */
function forward() {
  const best = here()?.moves[0];
  if (undone.length) goTo(path.length + 1);
  else if (best) choose(best);
}

/** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-go]")).forEach((button) =>
  button.addEventListener("click", GO[button.dataset.go ?? ""]),
);
at("flip").addEventListener("click", () => {
  flipped = !flipped;
  draw(false);
});
at("language").addEventListener("click", () => {
  chooseLanguage(language === "ja" ? "en" : "ja");
  translate();
  draw(false);
});
document.addEventListener("keydown", (event) => {
  /** @type {Record<string, string>} */
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
  const go = keys[event.key];
  if (go && !event.altKey && !event.ctrlKey && !event.metaKey) GO[go]();
});
translate();
draw(false);
