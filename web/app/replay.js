// A game shown again at the speed at which it was played.
import { at, w } from "../../kifu/analysis/src/output/report/page.js";
import { game, show, shown, tab } from "./app.js";

const SHORTEST = 300; // milliseconds for a move
const UNKNOWN = 1; // seconds for a move whose time is not known
let timer = null;

/** Stops, if the game is being shown. */
export function stopReplay() {
  clearTimeout(timer);
  timer = null;
  drawReplay();
}

export function drawReplay() {
  at("replay").textContent = timer === null ? w.replay : w.stopButton;
  at("replay").setAttribute("aria-pressed", String(timer !== null));
  at("replay").disabled = !game.moves.length || game.active;
}

/** Waits as long as the next move took, then shows it. */
function next() {
  if (tab !== "play" || game.active || shown >= game.moves.length) return stopReplay();
  const speed = Number(at("replay-speed").value);
  const { moves } = game;
  const place = shown;
  const wait = Math.max(SHORTEST, ((game.seconds[shown] ?? UNKNOWN) * 1000) / speed);
  timer = setTimeout(() => {
    // Meanwhile the user may have gone elsewhere.
    if (shown !== place || game.moves !== moves) return stopReplay();
    show(place + 1);
    return next();
  }, wait);
  return drawReplay();
}

export function startReplay() {
  at("replay").addEventListener("click", () => {
    if (timer !== null) return stopReplay();
    if (shown === game.moves.length) show(0);
    return next();
  });
}
