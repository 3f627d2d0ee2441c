// Tests the package for ShogiHome's web version in Node.js: node web/tests/shogihome.mjs FOLDER [INDEX]
// FOLDER is target/web/shogihome/monomi-shogi. The steps are those that its specification demands of an engine
// (`shogihome-wasm-engine/1`), and what a suspended search must do besides. With INDEX, the module index.js of the npm
// package, searches must visit the same nodes as there, where they run in one piece.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { passed, test } from "./steps.mjs";

const [folder, index] = process.argv.slice(2);
const file = (name) => resolve(folder, name);
const manifest = JSON.parse(readFileSync(file("engine.json"), "utf8"));
const create = (await import(pathToFileURL(file(manifest.module)))).default;

const pause = () => new Promise((done) => setTimeout(done, 0));

/** An engine with the lines it has written. */
async function launch() {
  const lines = [];
  const engine = await create({
    printErr: (text) => lines.push(`ERR ${text}`),
    locateFile: (name) => pathToFileURL(file(name)).href,
  });
  for (const method of ["postMessage", "addMessageListener", "removeMessageListener", "terminate", "poll"]) {
    assert.equal(typeof engine[method], "function", method);
  }
  engine.addMessageListener((line) => lines.push(line));
  let slowest = 0;
  const poll = () => {
    const start = performance.now();
    engine.poll();
    slowest = Math.max(slowest, performance.now() - start);
  };
  /** Polls until a line begins with one of the words; at most so many times. */
  const until = async (words, polls = 20_000) => {
    for (let i = 0; i < polls; i++) {
      const found = lines.find((line) => words.some((word) => line.startsWith(word)));
      if (found !== undefined) return found;
      poll();
      if (i % 16 === 0) await pause();
    }
    throw new Error(`no ${words}: ${lines.join(" / ")}`);
  };
  const ask = (command, ...words) => {
    lines.length = 0;
    engine.postMessage(command);
    return until(words);
  };
  return { engine, lines, poll, until, ask, slowest: () => slowest };
}

async function ready() {
  const launched = await launch();
  await launched.ask("usi", "usiok");
  await launched.ask("isready", "readyok");
  launched.lines.length = 0;
  return launched;
}

await test("the manifest and the files are complete", () => {
  assert.equal(manifest.abi, "shogihome-wasm-engine/1");
  assert.ok(existsSync(file(manifest.module.replace(/\.js$/, ".wasm"))));
  for (const preset of manifest.presets) assert.match(preset.id, /^[A-Za-z0-9._-]+$/);
  assert.equal(new Set(manifest.presets.map((preset) => preset.id)).size, manifest.presets.length);
  const size = readdirSync(folder).reduce((sum, name) => sum + statSync(file(name)).size, 0);
  assert.ok(size < 8 << 20, `${size} bytes`);
});

await test("usi and isready are answered, and the options are those of the manifest", async () => {
  const { engine, lines, ask } = await launch();
  await ask("usi", "usiok");
  assert.ok(lines.includes(`id name ${manifest.name}`) && lines.includes(`id author ${manifest.author}`));
  assert.equal(lines.at(-1), "usiok");
  const declared = lines.filter((line) => line.startsWith("option name "));
  assert.equal(declared.length, manifest.options.length);
  for (const { name, type } of manifest.options) {
    assert.ok(
      declared.some((line) => line.startsWith(`option name ${name} type ${type} `)),
      name,
    );
  }
  await ask("isready", "readyok");
  engine.terminate();
});

await test("the values of the presets are accepted", async () => {
  for (const preset of manifest.presets) {
    const { engine, lines, ask } = await ready();
    for (const [name, value] of Object.entries(preset.values ?? {})) {
      engine.postMessage(`setoption name ${name} value ${value}`);
    }
    assert.deepEqual(
      lines.filter((line) => line.includes("Error!")),
      [],
    );
    await ask("isready", "readyok");
    engine.postMessage("position startpos");
    assert.match(await ask("go btime 0 wtime 0 byoyomi 300", "bestmove"), /^bestmove \d[a-i]\d[a-i]/);
    engine.terminate();
  }
});

await test("stop is answered at once, and nothing comes after quit and terminate", async () => {
  const { engine, lines } = await ready();
  engine.postMessage("position startpos");
  engine.postMessage("go btime 600000 wtime 600000 byoyomi 300000");
  engine.postMessage("stop");
  assert.match(lines.at(-1), /^bestmove \d[a-i]\d[a-i]/);
  for (const end of [(other) => other.terminate(), (other) => other.postMessage("quit")]) {
    const other = await ready();
    other.engine.postMessage("position startpos");
    other.engine.postMessage("go btime 600000 wtime 600000 byoyomi 300000");
    other.lines.length = 0;
    end(other.engine);
    for (let i = 0; i < 20; i++) other.poll();
    other.engine.postMessage("go depth 1");
    assert.deepEqual(other.lines, []);
  }
  engine.terminate();
});

/** Each depth with its nodes, of the lines of one search. */
function depths(lines) {
  const exact = lines.filter((line) => / score /.test(line) && !/bound/.test(line));
  return exact.map((line) => / depth (\d+) .* nodes (\d+) /.exec(line).slice(1).map(Number));
}

await test("polls continue the search: each depth is reached once, in order", async () => {
  const { engine, lines, poll, slowest } = await ready();
  engine.postMessage("position startpos moves 7g7f 3c3d");
  engine.postMessage("go infinite");
  for (let i = 0; i < 200; i++) poll();
  engine.postMessage("stop");
  assert.match(lines.at(-1), /^bestmove /);
  const seen = depths(lines).map(([depth]) => depth);
  assert.ok(seen.length > 5, `${seen}`);
  // A search that is stopped may print the depth that it has begun once more.
  const once = seen.at(-1) === seen.at(-2) ? seen.slice(0, -1) : seen;
  assert.deepEqual(
    once,
    [...new Set(once)].sort((a, b) => a - b),
  );
  // The last line agrees with the answer.
  const last = lines.findLast((line) => line.includes(" pv "));
  assert.equal(/ pv (\S+)/.exec(last)[1], /^bestmove (\S+)/.exec(lines.at(-1))[1]);
  console.log(`depth ${seen.at(-1)} after 200 polls, slowest poll ${slowest().toFixed(1)} ms`);
  engine.terminate();
});

if (index) {
  await test("a suspended search visits the nodes of one in one piece", async () => {
    const { Engine } = await import(pathToFileURL(resolve(index)));
    const whole = await Engine.create();
    const position = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
    const expected = [];
    for (const line of ["isready", `position sfen ${position}`, "go nodes 60000"]) {
      whole.send(line, (out) => expected.push(out));
    }
    const { engine, lines, ask } = await ready();
    engine.postMessage(`position sfen ${position}`);
    const answer = await ask("go nodes 60000", "bestmove");
    assert.equal(answer, expected.at(-1));
    assert.deepEqual(depths(lines), depths(expected));
    engine.terminate();
  });
}

await test("other commands wait for the end of a search; go, ponderhit and stop do not", async () => {
  const { engine, lines, until, poll } = await ready();
  engine.postMessage("position startpos");
  engine.postMessage("go nodes 30000");
  engine.postMessage("setoption name NoSuch value 1");
  engine.postMessage("isready");
  await until(["readyok"]);
  const order = ["bestmove", "info string Error! there is no option", "readyok"];
  const places = order.map((word) => lines.findIndex((line) => line.startsWith(word)));
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
    lines.join("\n"),
  );
  lines.length = 0;
  engine.postMessage("position startpos moves 7g7f");
  engine.postMessage("go ponder btime 0 wtime 0 byoyomi 200");
  for (let i = 0; i < 20; i++) poll();
  assert.ok(
    lines.every((line) => !line.startsWith("bestmove")),
    lines.join("\n"),
  );
  engine.postMessage("ponderhit");
  await until(["bestmove"]);
  lines.length = 0;
  engine.postMessage("go ponder");
  for (let i = 0; i < 5; i++) poll();
  engine.postMessage("stop");
  await until(["bestmove"]);
  assert.equal(lines.filter((line) => line.startsWith("bestmove")).length, 1);
  engine.terminate();
});

await test("mates are searched in slices, too", async () => {
  const { engine, ask } = await ready();
  engine.postMessage("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
  assert.equal(await ask("go mate infinite", "checkmate"), "checkmate G*5b");
  engine.postMessage("position sfen 7nl/6k2/6ppp/5s3/9/9/9/9/9 b RGSN 1");
  assert.equal(await ask("go mate infinite", "checkmate"), "checkmate nomate");
  engine.terminate();
});

await test("networks come from data files, and others are refused", async () => {
  const { engine } = await ready();
  engine.FS.mkdirTree("/eval");
  assert.throws(() => engine.FS.writeFile("/eval/nn.bin", new Uint8Array(100)), /nn\.bin/);
  assert.throws(() => engine.FS.writeFile("/book.db", new Uint8Array(1)), /book\.db/);
  engine.terminate();
});

console.log(JSON.stringify({ passed }));
