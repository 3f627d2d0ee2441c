// The board as a table of text: a screen reader goes through it square by square, and each square says what is on it.
import { RANKS } from "../../kifu/analysis/src/output/report/board.js";
import { notation } from "../../kifu/analysis/src/output/report/notation.js";
import { at, language, make, w } from "../../kifu/analysis/src/output/report/page.js";
import { KANJI } from "../../kifu/analysis/src/output/report/words.js";
import { flipped, input, shownPosition, shownText } from "./app.js";
import { handsInWords, squareInWords, squareTyped, tellChoice, typesSquare } from "./commands.js";
import { setText } from "./view.js";

let here = { x: 4, y: 4 }; // the square that has the keyboard

const toScreen = (n) => (flipped ? 8 - n : n);
const cellOf = ({ x, y }) => at("text-board").rows[toScreen(y) + 1].cells[toScreen(x) + 1];
const pointOf = (cell) => ({ x: toScreen(cell.cellIndex - 1), y: toScreen(cell.parentElement.rowIndex - 1) });
const isOpen = () => at("text-fold").open && !at("text-fold").hidden;
const same = (a, b) => a !== null && typeof a === "object" && a.x === b.x && a.y === b.y;

/** The square of an element of the table; null elsewhere. */
export const textPoint = (element) => {
  const cell = element.closest?.("#text-board td");
  return cell ? pointOf(cell) : null;
};

function create() {
  const square = () =>
    make(
      "td",
      { role: "gridcell", tabindex: "-1" },
      make("span", { "aria-hidden": "true" }),
      make("span", { class: "offscreen" }),
    );
  const nine = [...Array(9).keys()];
  at("text-board").replaceChildren(
    make("thead", {}, make("tr", {}, make("td", {}), ...nine.map(() => make("th", { scope: "col" })))),
    make(
      "tbody",
      {},
      ...nine.map(() => make("tr", {}, make("th", { scope: "row" }), ...nine.map(square))),
    ),
  );
}

/** Shows the position as text, if the table is open. */
export function drawTextBoard() {
  if (!isOpen()) return;
  const table = at("text-board");
  if (!table.rows.length) create();
  const position = shownPosition();
  const targets = input.targets();
  const ranks = notation() === "ja" ? RANKS : "abcdefghi";
  for (let n = 0; n < 9; n++) {
    setText(table.rows[0].cells[n + 1], String(9 - toScreen(n)));
    setText(table.rows[n + 1].cells[0], ranks[toScreen(n)]);
  }
  position.board.forEach((row, y) =>
    row.forEach((piece, x) => {
      const point = { x, y };
      const cell = cellOf(point);
      const letter = piece && (language === "ja" ? KANJI[piece.kind] : piece.kind);
      setText(cell.firstChild, piece ? "▲△"[Number(piece.white)] + letter : "・");
      const states = [
        same(position.to, point) ? w.lastMoveHere : "",
        same(input.selected, point) ? w.isChosen : "",
        targets.some((target) => same(target, point)) ? w.isTarget : "",
      ];
      setText(cell.lastChild, [squareInWords(point, position), ...states].filter(Boolean).join(", "));
      cell.setAttribute("aria-selected", String(same(input.selected, point)));
      cell.tabIndex = same(here, point) ? 0 : -1;
      cell.classList.toggle("to", same(position.to, point));
    }),
  );
  setText(at("text-hands"), handsInWords(position));
}

/** Gives the keyboard to a square of the table; false if the table is closed. */
export function focusText(point = here) {
  if (!isOpen()) return false;
  here = point;
  drawTextBoard();
  cellOf(point).focus();
  return true;
}

function key(event) {
  const point = textPoint(event.target);
  if (!point || event.ctrlKey || event.altKey || event.metaKey) return;
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const sign = flipped ? -1 : 1;
  const typed = typesSquare(event.key);
  const goal = squareTyped(event.key);
  if (step) {
    const [x, y] = [point.x + sign * step[0], point.y + sign * step[1]];
    if (x >= 0 && x < 9 && y >= 0 && y < 9) focusText({ x, y });
  } else if (goal) focusText(goal);
  else if (event.key === "Enter" || event.key === " ") {
    const before = shownText();
    input.choose(point);
    tellChoice(point, before);
  } else if (event.key === "Escape") {
    input.clear();
    drawTextBoard();
  } else if (!typed) return;
  event.preventDefault();
  event.stopPropagation();
}

export function startTextBoard() {
  at("text-board").addEventListener("keydown", key);
  at("text-board").addEventListener("focusin", (event) => {
    const point = textPoint(event.target);
    if (point) here = point;
  });
  // A click, or what a screen reader does instead of Enter.
  at("text-board").addEventListener("click", (event) => {
    const point = textPoint(event.target);
    if (!point) return;
    const before = shownText();
    input.choose(point);
    tellChoice(point, before);
  });
  at("text-fold").addEventListener("toggle", drawTextBoard);
}
