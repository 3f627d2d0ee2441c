// A line of the engine on the board: its moves can be played through, and kept as a branch of the game.
import { at, w } from "../../kifu/analysis/src/output/report/page.js";
import { changed, game, lines, shown, shownText } from "./app.js";
import { keep } from "./kept.js";
import { say } from "./view.js";

/** The line shown, from the position `text` on, and how many of its moves are on the board; `line` is null without. */
export const preview = { line: null, text: "", count: 0 };

/** The text of the position shown, as after `position`. */
export function previewText() {
  const { line, text, count } = preview;
  if (!count) return text;
  return `${text}${text.includes(" moves ") ? " " : " moves "}${line.pv.slice(0, count).join(" ")}`;
}

/** Shows the position after so many moves of a line of the position shown, which may be one of another line. */
function showLine(line, count) {
  const { line: before, count: done } = preview;
  if (!before) Object.assign(preview, { line, text: line.text, count });
  else {
    const both = (name) => [...before[name].slice(0, done), ...line[name]];
    Object.assign(preview, { line: { ...before, pv: both("pv"), names: both("names") }, count: done + count });
  }
  changed();
}

/** Goes on or back in the line. */
export function stepLine(count) {
  preview.count = Math.max(0, Math.min(preview.line.names.length, count));
  changed();
}

/** Leaves the line; false if there is none. */
export function leaveLine() {
  const { line } = preview;
  preview.line = null;
  return line !== null;
}

function keepLine() {
  const { line } = preview;
  game.addLine([...game.moves.slice(0, shown), ...line.pv.slice(0, line.names.length)]);
  leaveLine();
  keep();
  changed();
  say(w.lineKept);
}

export function drawPreview() {
  at("preview").hidden = !preview.line;
}

export function startPreview() {
  at("preview-back").addEventListener("click", () => leaveLine() && changed());
  at("preview-keep").addEventListener("click", keepLine);
  at("lines").addEventListener("click", ({ target }) => {
    const button = target.closest("[data-move]");
    const line = button && lines[Number(button.dataset.line)];
    if (line && line.text === shownText()) showLine(line, Number(button.dataset.move));
  });
}
