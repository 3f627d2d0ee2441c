// Comments and bookmarks at the moves of the game.
import { at, w } from "../../kifu/analysis/src/output/report/page.js";
import { changed, game, shown } from "./app.js";
import { keep } from "./kept.js";

export function drawRemarks() {
  const field = at("comment");
  const text = game.comments[shown] ?? "";
  // What is being typed stays.
  if (field.value !== text) field.value = text;
  at("comment-label").textContent = w.commentOn(shown);
  at("bookmark").setAttribute("aria-pressed", String(game.bookmarks.includes(shown)));
  document.querySelectorAll("#moves .row").forEach((row, index) => {
    const marks = (game.bookmarks.includes(index + 1) ? "★" : "") + (game.comments[index + 1] ? "✎" : "");
    if ((row.dataset.marks ?? "") !== marks) row.dataset.marks = marks;
  });
}

export function startRemarks() {
  at("comment").addEventListener("input", () => {
    game.comments[shown] = at("comment").value;
    drawRemarks();
  });
  at("comment").addEventListener("change", keep);
  at("bookmark").addEventListener("click", () => {
    const { bookmarks } = game;
    game.bookmarks = bookmarks.includes(shown) ? bookmarks.filter((ply) => ply !== shown) : [...bookmarks, shown];
    keep();
    changed();
  });
}
