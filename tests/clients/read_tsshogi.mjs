// Records as tsshogi (ShogiHome's library) reads them, a line of JSON each: moves in USI, comments
// behind them.
import { readFileSync } from "node:fs";
import { load } from "./modules.mjs";

const tsshogi = await load("tsshogi");
for (const file of process.argv.slice(2)) {
  const bytes = readFileSync(file);
  const text = new TextDecoder(file.endsWith(".kif") ? "shift_jis" : "utf-8").decode(bytes);
  const record = (file.endsWith(".csa") ? tsshogi.importCSA : tsshogi.importKIF)(text);
  if (record instanceof Error) throw record;
  const nodes = record.moves.filter((node) => node.ply > 0 && node.move.usi);
  const moves = nodes.map((node) => node.move.usi);
  const comments = nodes.map((node) => node.comment);
  console.log(JSON.stringify({ file, moves, comments, scores: null }));
}
