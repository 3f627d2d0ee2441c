// What the report does with the better line of a bad move: its functions, with stubs for the page. Prints places as
// JSON: node better_line.mjs SCRIPT
import fs from "node:fs";
import vm from "node:vm";

const all = fs.readFileSync(process.argv[2], "utf8").replace(/^export /gm, "");
const cut = (from, to) => all.slice(all.indexOf(from), all.indexOf(to, all.indexOf(from)));
const stubs = `
const BAD = ["dubious", "mistake", "blunder"];
let ply = 0;
let line = null;
const last = 3;
const w = { better: "best", showBetter: "x" };
const betterLines = [{ moves: ["3c3d", "2g2f"], names: ["b", "c"], japanese: [] }];
const steps = [
  { class: "best", lines: [{ moves: ["7g7f"], names: ["a"] }], played: "7g7f", turn: "b", sfen: "S0" },
  { class: "blunder", lines: betterLines, played: "8c8d", turn: "w", sfen: "S1" },
  { class: "good", lines: [], played: "2g2f", turn: "b", sfen: "S2" },
  { lines: [], turn: "w", sfen: "S3" },
];
const history = { replaceState() {} };
function draw() {}
const at = () => ({});
const make = (tag, props, ...kids) => ({ tag, props, kids });
`
  .replaceAll("better = [", "betterLines = [")
  .replaceAll("lines: betterLines,", "lines: betterLines,");
const code = [
  stubs,
  cut("// Where the move before a position was bad", "const isAsked"),
  cut("const isMistake", "const tone"),
  cut("function show(target", "function go("),
  cut("// The better line, each move", "function drawVerdict"),
  `(() => {
  const out = [];
  show(1);
  out.push(better());
  show(2);
  out.push(better().found.moves.join());
  out.push(betterParts()[0].kids.length);
  showBetter();
  out.push([ply, line.index, line.back, line.sfen, line.moves.join()].join("|"));
  out.push(betterParts()[0].kids[2].props.class);
  showBetter(2);
  out.push([ply, line.index, line.back].join("|"));
  betterParts()[0].kids[2].props.onclick();
  out.push(line.index);
  show(line?.back ?? ply);
  out.push([ply, line].join("|"));
  show(0);
  showBetter();
  out.push(ply + " " + line);
  return out;
})()`,
].join("\n");
console.log(JSON.stringify(vm.runInContext(code, vm.createContext({ console, Math }))));
