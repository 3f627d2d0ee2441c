// Tests the npm package in Node.js: node web/tests/package.mjs PACKAGE [PROGRAM RECORD]
// PACKAGE is its folder; PROGRAM is `monomi` for this machine, whose results must be the same.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { passed, test } from "./steps.mjs";

const [folder, program, record] = process.argv.slice(2);
const { Engine, Position, WorkerEngine } = await import(pathToFileURL(resolve(folder, "index.js")));
const wasm = await WebAssembly.compile(readFileSync(resolve(folder, "monomi.wasm")));

const create = () => Engine.create({ wasm });
const text = (engine, line) => {
  const lines = [];
  engine.send(line, (out) => lines.push(out));
  return lines;
};
const timeless = (line) => line.replace(/ (nps|time) \d+/g, "");
const PROBLEM = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
const MIDDLE = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";

await test("the default module is found", async () => {
  const engine = await Engine.create();
  assert.equal(engine.position("startpos").legal.length, 30);
});

await test("rules", async () => {
  const engine = await create();
  assert.equal(text(engine, "go perft 4").at(-1), "Total: 719731");
  const game = new Position(engine).play("7g7f").play("3c3d");
  assert.deepEqual(game.moves, ["7g7f", "3c3d"]);
  assert.deepEqual(engine.names(String(game), ["8h2b+", "3a2b"]), ["▲２二角成", "△同銀"]);
  assert.equal(game.info().turn, "b");
  assert.throws(() => game.play("7f7g"), /illegal/);
  assert.equal(game.undo(), "3c3d");
  assert.equal(String(game), "startpos moves 7g7f");
  assert.equal(engine.position(`sfen ${PROBLEM} moves G*5b`).over, "mate");
  const cycle = " 2h1h 8b9b 1h2h 9b8b".repeat(3);
  assert.equal(engine.position(`startpos moves${cycle}`).over, "repetition");
});

await test("errors name the problem and leave the engine usable", async () => {
  const engine = await create();
  for (const wrong of [
    "",
    "nonsense",
    "sfen 9/9",
    "startpos moves 7g7e",
    "sfen lnsgkgsnl/1r5b1/pppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "\u0000\uD800",
  ]) {
    assert.throws(() => engine.position(wrong), /./, wrong);
    assert.throws(() => engine.search(wrong, { nodes: 10 }), /position/, wrong);
  }
  assert.throws(() => engine.search("startpos", {}), /WorkerEngine/);
  assert.throws(() => engine.search("startpos", { nodes: -1 }), /nodes/);
  assert.throws(() => engine.search("startpos", { node: 1 }), /node/);
  assert.throws(() => engine.setOption("EvalFile", "nn.bin"), /not available/);
  assert.throws(() => engine.openRecords("no record"), /not a game record/);
  assert.throws(() => engine.openRecords(new Uint8Array(1000).fill(255)), /./);
  assert.throws(() => engine.loadNetwork(new Uint8Array(1000)), /./);
  assert.throws(() => engine.report(), /no analysis/);
  engine.setLanguage("ja");
  assert.throws(() => engine.position("startpos moves 7g7e"), /指せません/);
  assert.throws(() => engine.setLanguage("fr"), /fr/);
  engine.setLanguage("en");
  assert.throws(() => engine.position("startpos moves 7g7e"), /illegal/);
  const kif = engine.kif("startpos moves 7g7f", ["A", ""], "TORYO", {
    headers: [["開始日時", "2026/11/25 12:00:00"]],
    seconds: [65],
  });
  for (const part of ["先手：A", "開始日時：2026/11/25 12:00:00", "1:05/", "投了"]) assert.ok(kif.includes(part), kif);
  // Variations are written last one first, and read again.
  const branches = [
    { before: 0, moves: ["2g2f", "8c8d"], comments: [["a", "b"], []], seconds: [5, null] },
    { before: 1, moves: ["3c3d"], cp: -30 },
    { before: 2, moves: ["6g6f"] },
  ];
  const varied = engine.kif("startpos moves 7g7f 8c8d", ["", ""], null, { branches: branches.slice(0, 1) });
  const more = engine.withBranches(varied, branches.slice(1));
  assert.deepEqual(more.match(/変化：\d+手/g), ["変化：3手", "変化：2手", "変化：1手"], more);
  assert.match(more, /３四歩\(33\)\n\*#評価値=-30\n/);
  assert.deepEqual(
    engine.openRecords(more)[0].branches.map(({ before, moves }) => ({ before, moves })),
    branches.toReversed().map(({ before, moves }) => ({ before, moves })),
  );
  const { comments, seconds } = engine.openRecords(more)[0].branches.at(-1);
  assert.deepEqual([comments, seconds], [[["a", "b"], []], [5, null]]);
  // A record as KIF loses nothing that it says.
  engine.openRecords("V2.2\nN+A\nN-B\n$EVENT:Final\nPI\n+\n'*opening\n+7776FU\nT12\n'*pawn\n-3334FU\nT5\n%TORYO\n");
  const said = engine.recordKif();
  for (const part of ["先手：A", "後手：B", "棋戦：Final", "*opening", "*pawn", "0:12/", "投了"])
    assert.ok(said.includes(part), `${part}: ${said}`);
  assert.throws(() => engine.recordKif(1), /no such game/);
  assert.throws(() => engine.withBranches(varied, [{ before: 0, moves: ["7g7e"] }]), /7g7e/);
  assert.throws(() => engine.withBranches(varied, [{ before: 3, moves: ["7g7f"] }]), /after move 3/);
  assert.equal(engine.failure, "");
  assert.equal(engine.search("startpos", { nodes: 100 }).lines.length, 1);
  await assert.rejects(Engine.create({ wasm: 5 }), /wasm/);
  await assert.rejects(WorkerEngine.create({ wasm: 5 }), /wasm/);
});

await test("mates", async () => {
  const engine = await create();
  assert.deepEqual(engine.mate(`sfen ${PROBLEM}`, 1000).moves, ["G*5b"]);
  assert.equal(engine.mate("sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1", 1000).mate, false);
});

await test("limits, lines and levels", async () => {
  const engine = await create();
  const depths = [];
  const result = engine.search("startpos", { depth: 5, multipv: 3 }, (info) => {
    depths.push(info.depth);
    assert.ok(info.win > 0 && info.win < 1 && (info.win >= 0.5 || info.score.cp < 0), JSON.stringify(info));
  });
  assert.equal(result.depth, 5);
  assert.equal(result.lines.length, 3);
  assert.ok(depths.includes(1) && depths.includes(5));
  const since = performance.now();
  engine.search("startpos", { movetime: 300 });
  const took = performance.now() - since;
  assert.ok(took > 250 && took < 1500, `${took} ms`);
  const wins = new Set();
  engine.search(`sfen ${PROBLEM}`, { depth: 3 }, (info) => {
    if (info.score.mate > 0) wins.add(info.win);
  });
  assert.deepEqual([...wins], [1]);
  // The weakest level plays different moves.
  const moves = new Set();
  for (let i = 0; i < 12; i++) moves.add(engine.search("startpos", { movetime: 1000, level: 0 }).move);
  assert.ok(moves.size > 1, [...moves].join());
});

await test("deep searches do not run out of stack", async () => {
  const engine = await create();
  let deepest = 0;
  for (const sfen of ["4k4/9/4p4/9/4P4/9/9/9/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K4 b Rr 1"]) {
    engine.search(`sfen ${sfen}`, { depth: 240, nodes: 300000 }, (info) => {
      deepest = Math.max(deepest, info.seldepth);
    });
  }
  assert.ok(deepest >= 25, `${deepest} plies`);
});

await test("records in the encodings of the browser", async () => {
  const engine = await create();
  const records = {
    Shift_JIS: "kOaO6IFGiUiQtgqO6I2HioSBRpW9jugKICAgMSCCVphaleAoNzcpCg==",
    "EUC-JP": "wOi86qGnsanAuAq86rnns+Shp8q/vOoKICAgMSCjt8+7yuIoNzcpCg==",
    "ISO-2022-JP": "GyRCQGg8aiEnMSlAOBsoQgobJEI8ajlnM2QhJ0o/PGobKEIKICAgMSAbJEIjN087SmIbKEIoNzcpCg==",
  };
  for (const [encoding, bytes] of Object.entries(records)) {
    const [game] = engine.openRecords(Buffer.from(bytes, "base64"));
    assert.deepEqual([game.players, game.moves], [["羽生", ""], ["7g7f"]], encoding);
  }
});

await test("lines of USI", async () => {
  const engine = await create();
  assert.equal(text(engine, "usi").at(-1), "usiok");
  assert.deepEqual(text(engine, "isready"), ["readyok"]);
  assert.equal(engine.send("go infinite"), "step");
  const lines = [];
  for (let i = 0; i < 5; i++)
    assert.equal(
      engine.step(30, (line) => lines.push(line)),
      "step",
    );
  const [best] = text(engine, "stop");
  assert.match(best, /^bestmove /);
  assert.equal(best.split(" ")[1], lines.at(-1).split(" pv ")[1].split(" ")[0]);
});

if (program) {
  await test("the same search as on this machine", async () => {
    const engine = await create();
    for (const position of ["startpos", `sfen ${MIDDLE}`]) {
      const commands = ["setoption name USI_Hash value 16", "isready", `position ${position}`, "go nodes 30000"];
      const native = execFileSync(program, { input: commands.join("\n") + "\n", encoding: "utf8" })
        .trim()
        .split("\n");
      const here = commands.flatMap((line) => text(engine, line));
      assert.deepEqual(here.map(timeless), native.map(timeless));
      assert.match(here.at(-1), /^bestmove/);
    }
  });

  await test("the same report as on this machine", async () => {
    const engine = await create();
    const [game] = engine.openRecords(readFileSync(record));
    assert.ok(game.moves.length > 0);
    const { html, kif } = engine.analyze({ nodes: 2000, lines: 2, name: record });
    const native = execFileSync(
      program,
      ["analyze", "-q", "--nodes", "2000", "--multipv", "2", "-o", "-", "-f", "html", record],
      { encoding: "utf8", maxBuffer: 1 << 26 },
    );
    // The network's description names the vector instructions.
    const data = (page) => {
      const { network, ...rest } = JSON.parse(page.match(/id="data">(.*)<\/script>/)[1]);
      assert.match(network, /^network SFNN K\+P 512-15-32/);
      return rest;
    };
    assert.deepEqual(data(html), data(native));
    assert.match(kif, /評価値/);
  });
}

console.log(JSON.stringify({ passed }));
