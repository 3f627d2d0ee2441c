// Reads a collection of next-move problems with tsshogi (ShogiHome's library) as ShogiHome checks it, and
// prints the problems as JSON: node read_next_moves.mjs FILE
import { readFile } from "node:fs/promises";
import { load } from "./modules.mjs";

const { Position } = await load("tsshogi");
const collection = JSON.parse(await readFile(process.argv[2], "utf8"));
const faults = [];
if (collection.format !== "shogihome-next-move" || collection.version !== 1) faults.push("format");
const key = (sfen) => sfen.split(" ").slice(0, 3).join(" ");
for (const [index, problem] of collection.problems.entries()) {
  const position = Position.newBySFEN(problem.sfen);
  const valid = (usi) => {
    const move = position?.createMoveByUSI(usi);
    return Boolean(move) && position.isValidMove(move);
  };
  if (!position || !problem.sfen.endsWith(" 1")) faults.push(`${index}: ${problem.sfen}`);
  if (!problem.candidates.length || !problem.candidates[0].accepted) faults.push(`${index}: no answer`);
  for (const { usi, pv } of problem.candidates) if (!valid(usi) || pv[0] !== usi) faults.push(`${index}: ${usi}`);
  if (!valid(problem.actualMove.usi)) faults.push(`${index}: ${problem.actualMove.usi}`);
  if (problem.previousMove) {
    const before = Position.newBySFEN(problem.previousMove.sfen);
    const move = before?.createMoveByUSI(problem.previousMove.usi);
    if (!move || !before.doMove(move) || key(before.sfen) !== key(problem.sfen)) faults.push(`${index}: previous`);
  }
}
console.log(JSON.stringify({ faults, problems: collection.problems.length }));
