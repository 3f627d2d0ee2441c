// Tests of Engine and WorkerEngine where things go wrong or happen at the same time: node web/tests/engines.mjs PACKAGE
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { passed, test } from "./steps.mjs";

const [folder] = process.argv.slice(2);
const { Engine, WorkerEngine, analyzeTogether } = await import(pathToFileURL(resolve(folder, "index.js")));
const wasm = await WebAssembly.compile(readFileSync(resolve(folder, "monomi.wasm")));
const unhandled = [];
process.on("unhandledRejection", (error) => unhandled.push(String(error)));

const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const GAME = "position startpos moves 7g7f 3c3d 2g2f 8c8d";
const hasKana = (text) => /[\u3040-\u30ff]/.test(text);
/** The error of a promise; its value is none. */
const errorOf = (promise) =>
  promise.then(
    (value) => assert.fail(`no error but ${JSON.stringify(value)}`),
    (error) => error,
  );

/** Workers as the package makes them, which can be told to hear no `stop`, and their messages. */
const made = [];
let deaf = false;
function worker() {
  const thread = new Worker(resolve(folder, "worker.js"));
  const adapted = {
    sent: [],
    onmessage: null,
    onerror: null,
    postMessage(message) {
      if (deaf && message.stop !== undefined) return;
      adapted.sent.push(message);
      thread.postMessage(message);
    },
    terminate: () => thread.terminate(),
  };
  thread.on("message", (data) => adapted.onmessage?.({ data }));
  thread.on("error", (error) => adapted.onerror?.(error));
  made.push(adapted);
  return adapted;
}
const create = () => WorkerEngine.create({ wasm, worker });

await test("functions of the caller may throw, and ask for the rules", async () => {
  const engine = await Engine.create({ wasm });
  const wrong = new Error("mine");
  let calls = 0;
  const search = () =>
    engine.search("startpos", { nodes: 200000 }, () => {
      calls++;
      throw wrong;
    });
  assert.throws(search, (error) => error === wrong);
  assert.equal(calls, 1);
  engine.setLanguage("ja");
  const names = [];
  const found = engine.search("startpos", { nodes: 20000 }, (info) => {
    names.push(engine.names("startpos", info.pv.slice(0, 1))[0]);
    assert.throws(
      () => engine.position("nonsense"),
      (error) => hasKana(error.message),
    );
  });
  assert.ok(found.nodes >= 20000 && names.length > 3 && names.every((name) => name.startsWith("▲")), names.join());
  assert.throws(() => engine.search("startpos", { nodes: 5000 }, () => engine.newGame()), /at work.*names/);
  assert.match(engine.search("startpos", { nodes: 5000 }).move, /^\d[a-i]\d[a-i]/);
});

await test("quit ends the engine, and limits may be undefined", async () => {
  const engine = await Engine.create({ wasm });
  const { depth } = engine.search("startpos", { nodes: undefined, depth: 3, level: undefined });
  assert.equal(depth, 3);
  assert.equal(engine.send("quit"), "quit");
  assert.throws(() => engine.search("startpos", { depth: 3 }), /ended by quit/);
  const other = await create();
  assert.equal(await other.usi("quit"), "quit");
  assert.match((await errorOf(other.position("startpos"))).message, /ended/);
});

await test("signals end work in this thread", async () => {
  const reason = new Error("enough");
  const signal = AbortSignal.abort(reason);
  assert.equal(await errorOf(Engine.create({ wasm, signal })), reason);
  const engine = await Engine.create({ wasm });
  assert.throws(
    () => engine.search("startpos", { nodes: 1000, signal }),
    (error) => error === reason,
  );
  const controller = new AbortController();
  let last = 0;
  const stops = (info) => {
    last = info.nodes;
    if (info.depth === 3) controller.abort(reason);
  };
  assert.throws(
    () => engine.search("startpos", { nodes: 50000000, signal: controller.signal }, stops),
    (error) => error === reason,
  );
  assert.ok(last < 1000000, `${last} nodes`);
  engine.openRecords(GAME);
  assert.throws(
    () => engine.analyze({ nodes: 100, signal }),
    (error) => error === reason,
  );
  assert.ok(engine.analyze({ nodes: 100 }).html.includes("<!DOCTYPE html>"));
});

await test("what is not WebAssembly is named", async () => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<!DOCTYPE html><p>Not found</p>");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${server.address().port}/deps/monomi.wasm`;
  const { message } = await errorOf(Engine.create({ wasm: address }));
  server.close();
  assert.equal(message, `${address} is not WebAssembly, it is text/html`);
});

await test("a thread of Node.js is made without options", async () => {
  const engine = await WorkerEngine.create();
  assert.equal((await engine.position("startpos")).legal.length, 30);
  const second = await WorkerEngine.create({ wasm: engine.module });
  assert.equal((await second.search("startpos", { depth: 2 })).depth, 2);
  engine.terminate();
  second.terminate();
});

await test("errors of searches without an end are ordinary errors", async () => {
  const engine = await create();
  const workers = made.length;
  await engine.setLanguage("ja");
  await engine.openRecords(GAME);
  for (const [position, limits, problem] of [
    ["sfen nonsense", {}, /position/],
    ["startpos moves 1a1b", {}, /1a1b/],
    ["startpos", { multipv: 0 }, /MultiPV/],
  ]) {
    const queued = engine.recordKif(0);
    const { message } = await errorOf(engine.search(position, limits));
    assert.match(message, problem);
    assert.match(await queued, /７六歩/);
  }
  assert.match((await errorOf(engine.search("startpos", { nonsense: 1 }))).message, /nonsense/);
  assert.equal(made.length, workers);
  engine.terminate();
});

await test("questions about the rules are answered during a search", async () => {
  const engine = await create();
  await engine.setLanguage("ja");
  let ended = false;
  const search = engine.search("startpos");
  search.then(() => (ended = true));
  assert.deepEqual(await engine.names("startpos", ["7g7f"]), ["▲７六歩"]);
  assert.equal((await engine.position("startpos")).legal.length, 30);
  assert.equal(typeof (await engine.evaluate("startpos")), "number");
  assert.ok(hasKana((await errorOf(engine.position("nonsense"))).message));
  const language = engine.setLanguage("en");
  assert.ok(!hasKana((await errorOf(engine.position("nonsense"))).message));
  assert.equal(ended, false);
  search.stop();
  await search;
  await language;
  engine.terminate();
});

await test("a stopped search keeps options, language, network and records", async () => {
  const engine = await create();
  await engine.setOption("USI_Hash", 32);
  await engine.usi("setoption name ResignValue value 2000");
  await engine.setLanguage("ja");
  await engine.openRecords(new TextEncoder().encode(GAME));
  deaf = true;
  for (let time = 0; time < 3; time++) {
    const workers = made.length;
    let infos = 0;
    const search = engine.search("startpos", { multipv: 2 }, () => infos++);
    while (infos < 4) await sleep(10);
    const queued = engine.recordKif(0);
    search.stop();
    const { move, lines } = await search;
    assert.ok(/^\d[a-i]\d[a-i]/.test(move) && lines.length === 2, move);
    assert.match(await queued, /７六歩/);
    assert.equal(made.length, workers + 1, "the worker was replaced");
    const told = made.at(-1).sent.map(({ method, args }) => (method === "usi" ? args[0] : method));
    assert.deepEqual(told.slice(0, 5), [
      "create",
      "setoption name USI_Hash value 32",
      "setoption name ResignValue value 2000",
      "setLanguage",
      "openRecords",
    ]);
    assert.ok(hasKana((await errorOf(engine.position("nonsense"))).message));
  }
  // A search with limits ends, too.
  const search = engine.search("startpos", { nodes: 2 ** 31 });
  await sleep(1000);
  search.stop();
  assert.match((await search).move, /^\d[a-i]\d[a-i]/);
  deaf = false;
  engine.terminate();
});

await test("after a crash the calls that wait are carried out", async () => {
  const engine = await create();
  await engine.setLanguage("ja");
  const workers = made.length;
  const before = made.at(-1);
  const call = engine.mate("startpos", 60000);
  const queued = engine.search("startpos", { depth: 2 });
  before.onmessage({
    data: { id: before.sent.at(-2).id, error: "the engine has crashed: unreachable", crashed: true },
  });
  assert.match((await errorOf(call)).message, /crashed/);
  assert.equal((await queued).depth, 2);
  assert.equal(made.length, workers + 1);
  assert.ok(hasKana((await errorOf(engine.position("nonsense"))).message));
  engine.terminate();
});

await test("everything is settled when the engine ends", async () => {
  // As in README.md: stopped, and ended at once.
  const engine = await create();
  let infos = 0;
  const search = engine.search("startpos", {}, () => infos++);
  while (!infos) await sleep(10);
  search.stop();
  const queued = errorOf(engine.mate("startpos", 60000));
  engine.terminate();
  assert.match((await search).move, /^\d[a-i]\d[a-i]/);
  assert.match((await queued).message, /ended/);
  for (const call of [
    engine.names("startpos", []),
    engine.search("startpos"),
    engine.setLanguage("ja"),
    engine.restart(),
  ])
    assert.match((await errorOf(call)).message, /ended/);
  engine.terminate();
});

await test("exceptions and signals end the work of the worker", async () => {
  const engine = await create();
  const wrong = new Error("mine");
  const thrown = engine.search("startpos", {}, () => {
    throw wrong;
  });
  assert.equal(await errorOf(thrown), wrong);
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = engine.search("startpos", { signal }, () => controller.abort(wrong));
  assert.equal(await errorOf(aborted), wrong);
  assert.equal(await errorOf(engine.search("startpos", { signal })), wrong);
  await engine.openRecords(GAME);
  assert.equal(await errorOf(engine.analyze({ nodes: 100, signal })), wrong);
  assert.equal(await errorOf(analyzeTogether(engine, { worker }, GAME, { nodes: 100, signal })), wrong);
  assert.equal(await errorOf(WorkerEngine.create({ wasm, worker, signal })), wrong);
  const second = new AbortController();
  const analysis = engine.analyze({ nodes: 1000000, signal: second.signal });
  await sleep(300);
  second.abort(wrong);
  assert.equal(await errorOf(analysis), wrong);
  assert.equal((await engine.search("startpos", { depth: 2 })).depth, 2);
  engine.terminate();
});

await test("a team of threads shares one module", async () => {
  const engine = await create();
  const { length } = made;
  const alone = await engine.openRecords(GAME).then(() => engine.analyze({ nodes: 200 }));
  const { html } = await analyzeTogether(engine, { worker }, GAME, { nodes: 200, workers: 2 });
  assert.ok(html.includes("<!DOCTYPE html>") && alone.html.length > 0);
  const modules = made.slice(length).map(({ sent }) => sent[0].args[0]);
  assert.ok(modules.length > 0 && modules.every((module) => module === engine.module));
  engine.terminate();
});

await sleep(100);
assert.deepEqual(unhandled, []);
console.log(JSON.stringify({ passed }));
process.exit(0);
