// Tests `monomi app` in Chromium: the program with its native engine, from the command to an answered move. Prints what
// was seen as JSON:
//     MONOMI_NODE_MODULES=... node web/tests/native.mjs PROGRAM RECORD - SCREENSHOTS
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import {
  begin,
  browser,
  folder as program,
  myTurn,
  moves,
  open,
  play,
  ready,
  record,
  seen,
  server,
  shots,
  test,
  text,
} from "./harness.mjs";
import { testAccessibility } from "./accessibility.mjs";
import { testArchive } from "./archive.mjs";
import { testPhones } from "./phones.mjs";

server.close();

/** A port that nothing uses: the usual one is that of users. */
async function freePort() {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  listener.close();
  return port;
}

const since = performance.now();
const games = join(await mkdtemp(join(tmpdir(), "monomi-")), "games");
const monomi = spawn(program, ["app", "--no-open", "--games", games, "--port", String(await freePort())], {
  stdio: ["ignore", "pipe", "inherit"],
  env: { ...process.env, LC_ALL: "C" },
});
process.on("exit", () => monomi.kill());
let address = "";
for await (const line of createInterface({ input: monomi.stdout })) {
  address = line.match(/http:\S+/)?.[0] ?? "";
  if (address) break;
}
const home = address.replace(/\?.*/, "");
let app;

await test("from the command to an answered move", async () => {
  app = await open(address);
  await ready(app);
  seen.figures.ready_ms = Math.round(performance.now() - since);
  assert.equal(app.url(), home);
  await begin(app);
  await play(app, "7g7f");
  await myTurn(app, 2);
  seen.figures.answered_ms = Math.round(performance.now() - since);
  await app.screenshot({ path: `${shots}/native.png` });
});

await test("moves, take back, and a search that is interrupted", async () => {
  await play(app, "2g2f");
  await myTurn(app, 4);
  await app.click("#undo");
  await app.waitForFunction(() => game.moves.length === 2 && !thinking);
  await play(app, "2g2f");
  // While it thinks.
  await app.click("#undo");
  await app.waitForFunction(() => !thinking);
  assert.ok((await moves(app)) <= 3);
  await app.click("#resign");
  await app.click("#ask .primary");
  await app.waitForFunction(() => game.result?.how === "resignEnd");
});

await test("lines of a position, changed while it is searched", async () => {
  await app.evaluate(() => {
    game.setUp("startpos");
    show(0);
  });
  await app.click("#hint");
  await app.waitForFunction(() => lines.length >= 3 && lines[0].depth >= 8);
  await app.evaluate(() => {
    game.setUp("startpos", ["7g7f"]);
    show(1);
  });
  await app.waitForFunction(() => lines[0]?.text === shownText() && lines[0].turn === "w" && lines[0].depth >= 8);
  await app.click("#hint");
});

await test("a mate", async () => {
  const answer = await app.evaluate(() => engine.mate("sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", 5000));
  assert.deepEqual([answer.mate, answer.moves], [true, ["G*5b"]]);
});

await test("the analysis of a game, in stretches", async () => {
  await app.click("#tab-analyse");
  const kif = await readFile(record, "utf8");
  await app.$eval(
    "#record-text",
    (area, kif) => {
      area.value = kif;
    },
    kif,
  );
  await app.$eval("#nodes", (select) => {
    select.add(new Option("few", "500", true, true));
  });
  await app.click("#analyse-start");
  await app.waitForFunction(() => !at("report").hidden, { timeout: 120000 });
  const frame = await (await app.$("#report-frame")).contentFrame();
  await frame.waitForFunction(() => document.querySelectorAll("#board *").length > 40);
  await app.click("#report-back");
});

await test("a second page is told that there is one", async () => {
  const second = await open(home);
  await second.waitForFunction(() => /another tab/.test(document.getElementById("status").textContent));
  await second.close();
  // The first one goes on, and a reload of it is let in.
  await app.reload();
  await ready(app);
});

// One page at a time.
await app.close();
await testPhones(home);
await testArchive(home, games);
await testAccessibility(home);
app = await open(home);
await ready(app);

await test("the program ends", async () => {
  monomi.kill("SIGINT");
  const [code] = await once(monomi, "exit");
  assert.equal(code, 0);
  await app.waitForFunction(() => /has ended/.test(document.getElementById("status").textContent));
  assert.match(await text(app, "#status"), /monomi app/);
});

await browser.close();
await rm(dirname(games), { recursive: true });
assert.deepEqual(seen.errors, []);
const own = [home, home.replace("http", "ws")];
assert.deepEqual(
  seen.foreign.filter((url) => !own.some((start) => url.startsWith(start))),
  [],
);
console.log(JSON.stringify({ passed: seen.passed, figures: seen.figures }));
