// What the report does with the better line of a bad move: its functions, with stubs for the page. Prints places as JSON.
import fs from "node:fs";
import vm from "node:vm";
const all = fs.readFileSync(process.argv[2], "utf8");
const cut = (from, to) => all.slice(all.indexOf(from), all.indexOf(to, all.indexOf(from)));
const code =
  `const BAD=["dubious","mistake","blunder"]; let ply=0, line=null; const last=3; const w={better:"best",showBetter:"x"};
const steps=[{class:"best",lines:[{moves:["7g7f"],names:["a"]}],played:"7g7f",turn:"b",sfen:"S0"},{class:"blunder",lines:[{moves:["3c3d","2g2f"],names:["b","c"],japanese:[]}],played:"8c8d",turn:"w",sfen:"S1"},{class:"good",lines:[],played:"2g2f",turn:"b",sfen:"S2"},{lines:[],turn:"w",sfen:"S3"}];
const history={replaceState(){}}; function draw(){} const at=()=>({}); const make=(tag,props,...kids)=>({tag,props,kids});
` +
  cut("// Where the move before a position was bad", "const isAsked") +
  cut("const isMistake", "const tone") +
  cut("function show(target", "function go(") +
  cut("// The better line, each move", "function drawVerdict") +
  `
globalThis.test=()=>{ const out=[]; show(1); out.push(better()); show(2); out.push(better().found.moves.join()); out.push(betterParts()[0].kids.length); showBetter(); out.push([ply,line.index,line.back,line.sfen,line.moves.join()].join("|")); out.push(betterParts()[0].kids[2].props.class); showBetter(2); out.push([ply,line.index,line.back].join("|")); betterParts()[0].kids[2].props.onclick(); out.push(line.index); show(line?.back ?? ply); out.push([ply,line].join("|")); show(0); showBetter(); out.push(ply+" "+line); return out; }`;
const ctx = vm.createContext({ console, Math });
vm.runInContext(code, ctx);
console.log(JSON.stringify(ctx.test()));
