// Analyses the first position until the button is pressed, with the moves in Japanese.
import { WorkerEngine } from "monomi-shogi";

const POSITION = "startpos";
const list = document.getElementById("lines");
const engine = await WorkerEngine.create();
const search = engine.search(POSITION, { multipv: 3 }, async ({ multipv, depth, score, pv }) => {
  const names = await engine.names(POSITION, pv.slice(0, 8));
  while (list.children.length < multipv) list.append(document.createElement("li"));
  list.children[multipv - 1].textContent = `${depth}: ${score.cp ?? `mate ${score.mate}`} ${names.join(" ")}`;
});
document.getElementById("stop").addEventListener("click", () => search.stop());

const { move } = await search;
const [name] = await engine.names(POSITION, [move]);
document.getElementById("best").textContent = name;
engine.terminate();
