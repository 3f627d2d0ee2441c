// Tests the app and reports with the engine in Chromium, and prints what was seen as JSON:
//     MONOMI_NODE_MODULES=... node web/tests/browser.mjs TARGET_WEB RECORD LIVE_REPORT SCREENSHOTS
// CHROMIUM names the browser. No argument may be missing; LIVE_REPORT is made by
// `monomi analyze --live`.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import {
  begin,
  browser,
  click,
  downloaded,
  folder,
  home,
  liveReport,
  moves,
  myTurn,
  open,
  placeOf,
  play,
  policy,
  ready,
  record,
  seen,
  server,
  shots,
  test,
  text,
} from "./harness.mjs";
import { testGames } from "./games.mjs";
import { testApp } from "./app.mjs";
import { testArchive } from "./archive.mjs";
import { testPhones } from "./phones.mjs";
import { testReports } from "./reports.mjs";

let app;
await test("the first move of the engine", async () => {
  const since = performance.now();
  app = await open(`${home}/app/`);
  await ready(app);
  seen.figures.ready_ms = Math.round(performance.now() - since);
  assert.doesNotMatch(await policy(app), /unsafe-inline/);
  await app.select("#human", "1");
  await app.select("#level", "3");
  await begin(app);
  await app.waitForFunction(() => game.moves.length > 0);
  seen.figures.first_move_ms = Math.round(performance.now() - since);
  await app.screenshot({ path: `${shots}/first-move.png` });
});

await test("ten moves with mouse and keyboard", async () => {
  await app.select("#human", "0");
  await begin(app);
  await play(app, "7g7f");
  await myTurn(app, 2);
  // By dragging.
  await app.mouse.move(...(await placeOf(app, "2g")));
  await app.mouse.down();
  await app.mouse.move(...(await placeOf(app, "2f")), { steps: 4 });
  await app.mouse.up();
  await myTurn(app, 4);
  // With the keys of the board: 5g5f.
  await app.$eval("#board", (board) => board.focus());
  for (const key of ["ArrowUp", "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "Enter"]) await app.keyboard.press(key);
  await myTurn(app, 6);
  // By the field for moves: an illegal move, then the rest.
  const illegal = await app.evaluate(() => {
    at("move-field").value = "1a1b";
    at("move-form").requestSubmit();
    return at("status").textContent;
  });
  assert.match(illegal, /1a1b/);
  await app.$eval("#move-field", (field) => {
    field.value = "";
  });
  while ((await moves(app)) < 20) {
    const before = await moves(app);
    const move = await app.evaluate(() => game.info.legal.find((move) => move[1] !== "*" && !move.endsWith("+")));
    await app.type("#move-field", move);
    await app.keyboard.press("Enter");
    await myTurn(app, before + 2);
    if (await app.evaluate(() => Boolean(game.result))) break;
  }
  assert.ok((await moves(app)) >= 20 || (await app.evaluate(() => Boolean(game.result))), "ten moves of each side");
});

await testGames();
await testApp();
await testReports();
await testPhones(`${home}/app/`);
await testArchive(`${home}/app/`);

await test("take back, resign and keep a game", async () => {
  const before = await moves(app);
  await app.click("#undo");
  await app.waitForFunction((before) => game.moves.length === before - 2 && !thinking, {}, before);
  await app.reload();
  await ready(app);
  assert.equal(await moves(app), before - 2);
  await app.click("#resign");
  await app.click("#ask .primary");
  await app.waitForFunction(() => game.result?.how === "resignEnd");
});

await test("handicap and clock", async () => {
  await app.evaluate(() => {
    at("handicap").value = [...at("handicap").options].find((option) => option.textContent === "2 pieces").value;
  });
  await app.select("#clock", "0,30,0");
  await app.select("#level", "0");
  await begin(app);
  // White, who gives the handicap, moves first.
  await myTurn(app, 1);
  assert.equal(await app.evaluate(() => game.turn()), 0);
  assert.match(await text(app, ".side[data-color='0'] .clock"), /^0:(30|29|28)$/);
  await app.evaluate(() => {
    game.running.since -= 31000;
  });
  await app.waitForFunction(() => game.result?.how === "timeEnd");
  await app.select("#clock", "");
});

await test("speed and analysis of a position", async () => {
  await app.evaluate(() => {
    game.setUp("startpos");
    shown = 0;
    draw();
  });
  await app.click("#hint");
  await app.waitForFunction(() => lines.length === 3 && lines[0].depth >= 8);
  assert.match(await text(app, "#lines"), /▲/);
  // The bar shows Black's winning probability of the first line, also when White is to move.
  for (const moves of [[], ["7g7f"]]) {
    await app.evaluate((moves) => {
      game.setUp("startpos", moves);
      shown = moves.length;
      changed();
    }, moves);
    await app.waitForFunction(
      (turn) => lines[0]?.text === shownText() && lines[0].turn === turn && lines[0].depth >= 8,
      {},
      moves.length ? "w" : "b",
    );
    const [percent, win] = await app.evaluate(() => [Number(at("evaluation").ariaValueNow), lines[0].win]);
    assert.equal(percent, Math.round((moves.length ? 1 - win : win) * 100));
  }
  await app.evaluate(() => {
    game.setUp("startpos");
    shown = 0;
    changed();
  });
  await app.click("#hint");
  const figures = await app.evaluate(async () => {
    await stopHints();
    await engine.newGame();
    const result = await engine.search("startpos", { nodes: 1000000 }, (info) => {
      globalThis.last = info;
    });
    // The same time in one piece and in slices.
    await engine.newGame();
    let whole;
    await engine.search("startpos", { movetime: 3000 }, (info) => {
      whole = info;
    });
    await engine.newGame();
    let sliced;
    const search = engine.search("startpos", {}, (info) => {
      sliced = info;
    });
    await new Promise((done) => setTimeout(done, 3000));
    const since = performance.now();
    search.stop();
    await search;
    return {
      nodes: result.nodes,
      nps: globalThis.last.nps,
      whole_depth: whole.depth,
      sliced_depth: sliced.depth,
      stop_ms: Math.round(performance.now() - since),
    };
  });
  Object.assign(seen.figures, figures);
  assert.ok(figures.stop_ms < 2000, JSON.stringify(figures));
});

await test("set up a position and solve it", async () => {
  await app.click("#tab-setup");
  await app.click("#setup-empty");
  await app.click("#palette [title='▲gold']");
  await click(app, "5c");
  assert.match(await app.$eval("#sfen-field", (field) => field.value), /^4k4\/9\/4G4/);
  await click(app, "5c");
  await app.click("#setup-play");
  assert.ok((await text(app, "#status")).length > 0);
  await app.click("#tab-setup");
  await app.$eval("#sfen-field", (field) => {
    field.value = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1";
  });
  await app.click("#sfen-form button");
  await app.click("#setup-mate");
  await app.waitForFunction(() => problem.moves.length === 1);
  assert.equal(await text(app, "#mate-line"), "▲G*5b");
  assert.match(await text(app, "#mate-answer"), /1/);
  await app.keyboard.press("End");
  await app.screenshot({ path: `${shots}/mate.png` });
});

await test("analyse a game and step through the report with the keyboard", async () => {
  await app.click("#tab-analyse");
  const input = await app.$("#record-file");
  await input.uploadFile(record);
  await app.waitForFunction(() => at("record-text").value.includes("手数"));
  await app.evaluate(() => {
    at("nodes").options[0].value = "1000";
  });
  await app.select("#nodes", "1000");
  await app.click("#analyse-start");
  await app.waitForFunction(() => !at("report").hidden);
  const frame = await (await app.$("#report-frame")).contentFrame();
  await frame.waitForSelector("#moves button");
  // The report follows the language of the app.
  await app.click("#language");
  await frame.waitForFunction(() => document.documentElement.lang === "ja" && at("language").hidden);
  await app.click("#language");
  await frame.waitForFunction(() => document.documentElement.lang === "en");
  await frame.$eval("#board", (board) => board.focus());
  const where = () => frame.$eval("#where", (element) => element.textContent);
  const start = await where();
  await app.keyboard.press("ArrowRight");
  const first = await where();
  assert.notEqual(first, start);
  await app.keyboard.press("End");
  assert.notEqual(await where(), first);
  await app.keyboard.press("Home");
  assert.equal(await where(), start);
  await app.screenshot({ path: `${shots}/report-in-app.png` });
  // The account of the game names moves as the list does.
  const told = await frame.evaluate(() => {
    data.story = {
      text: ["2手目{played}", "The game was even until move 2 ({played}, 58 % to 30 %); {better} was better."],
      ply: 1,
    };
    window.frame();
    return [document.getElementById("story").textContent, steps[1].name, steps[1].lines[0].names[0]];
  });
  assert.equal(
    told[0].replaceAll("\u00a0", " "),
    `The game was even until move 2 (${told[1]}, 58 % to 30 %); ${told[2]} was better.`,
  );
  await app.click("#report-board");
  assert.ok((await moves(app)) > 0);
});

await test("offline", async () => {
  await app.evaluate(() => navigator.serviceWorker.ready);
  await app.waitForFunction(async () => (await caches.keys()).length === 1);
  await app.reload();
  await ready(app);
  server.close();
  server.closeAllConnections();
  await app.reload();
  await ready(app);
  assert.equal(await app.evaluate(() => rules.position("startpos").legal.length), 30);
});

await test("the app in one file, without a server", async () => {
  const page = await open(`file://${folder}/monomi.html`);
  await ready(page);
  assert.doesNotMatch(await policy(page), /unsafe-inline/);
  await page.select("#level", "3");
  await begin(page);
  await play(page, "2g2f");
  await myTurn(page, 2);
  // Its workers analyse, and its engine serves the report.
  await page.click("#analyse-game");
  await page.evaluate(() => {
    at("nodes").options[0].value = "500";
    at("nodes").value = "500";
  });
  await page.click("#analyse-start");
  await page.waitForFunction(() => !at("report").hidden);
  const frame = await (await page.$("#report-frame")).contentFrame();
  await frame.waitForSelector("#try:not([hidden])");
  await (await frame.$("#try")).click();
  await frame.waitForFunction(() => live.trial?.found.length > 0);
  await page.close();
});

await test("a report with the engine: the reader's own moves", async () => {
  const page = await open(`file://${liveReport}`);
  await page.$eval("#board", (board) => board.focus());
  await page.keyboard.press("Home");
  await page.click("#try");
  await page.waitForFunction(() => live.trial?.found.length > 0);
  await click(page, "1g");
  await click(page, "1f");
  await page.waitForFunction(
    () => line?.moves.join() === "1g1f" && live.trial.found.length > 0 && live.trial.found[0].depth > 3,
  );
  await page.screenshot({ path: `${shots}/live-report.png` });
  await page.click("#live button");
  await page.waitForFunction(() => line?.moves.length === 2);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => line?.index === 1);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => live.trial), null);
  // The branch outlives a reload, and is in the record and in the report that are saved.
  const before = await page.evaluate(() => JSON.stringify(ownBranches()));
  await page.waitForFunction((before) => JSON.stringify(history.state?.branches) === before, {}, before);
  await page.reload();
  assert.equal(await page.evaluate(() => JSON.stringify(ownBranches())), before);
  const kif = await page.evaluate(() => live.exported());
  assert.match(kif, /変化：1手\n {3}1 １六歩\(17\)/);
  const path = await downloaded(page, "#save");
  assert.match(path, /\.monomi\.html$/);
  const other = await open(`file://${path}`);
  assert.equal(await other.evaluate(() => JSON.stringify(ownBranches())), before);
  assert.equal(await other.evaluate(() => live.exported()), kif);
  await other.close();
  await page.close();
});

await test("swipe, drag on the graph, copy and download in a report", async () => {
  const page = await open(`file://${liveReport}`, { width: 390, height: 844, isMobile: true, hasTouch: true });
  const where = () => text(page, "#where");
  await page.evaluate(() => go("first"));
  const start = await where();
  const board = await (await page.$("#board")).boundingBox();
  const y = board.y + board.height / 2;
  const swipe = async (from, to) => {
    const touch = await page.touchscreen.touchStart(board.x + board.width * from, y);
    await touch.move(board.x + board.width * to, y);
    await touch.end();
  };
  await swipe(0.8, 0.2);
  const first = await where();
  assert.notEqual(first, start);
  await swipe(0.2, 0.8);
  assert.equal(await where(), start);
  await page.setViewport({ width: 1280, height: 900 });
  await page.evaluate(() => document.getElementById("graph").scrollIntoView());
  const graph = await (await page.$("#graph")).boundingBox();
  await page.mouse.move(graph.x + graph.width * 0.3, graph.y + 60);
  await page.mouse.down();
  await page.mouse.move(graph.x + graph.width - 14, graph.y + 60, { steps: 5 });
  await page.mouse.up();
  assert.equal(await page.evaluate(() => ply === last), true);
  // What is copied, by the permission of the page or the old way.
  await page.evaluate(() => {
    globalThis.copied = [];
    navigator.clipboard.writeText = async (content) => {
      copied.push(content);
    };
  });
  for (const kind of ["kif", "sfen", "usi"]) await page.click(`[data-copy=${kind}]`);
  const copied = await page.evaluate(() => copied);
  assert.match(copied[0], /手数----指手/);
  assert.match(copied[1], /^[^ ]+\/[^ ]+ [bw] /);
  assert.match(copied[2], /^position sfen .* moves /);
  const name = await downloaded(page, "#download");
  assert.match(name, /\.monomi\.kifu$/);
  assert.equal(await readFile(name, "utf8"), copied[0]);
  await page.close();
});

if (process.env.MONOMI_SHOTS) {
  const page = await open(`file://${folder}/monomi.html`);
  await ready(page);
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    for (const width of [1920, 1280, 768, 390]) {
      await page.setViewport({
        width,
        height: width === 390 ? 844 : width === 1920 ? 1080 : 900,
        isMobile: width === 390,
        hasTouch: width === 390,
      });
      for (const tab of ["play", "analyse", "setup", "mate", "games"]) {
        await page.click(`#tab-${tab}`);
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          0,
          `${tab} is wider than ${width}`,
        );
        await page.screenshot({ path: `${shots}/${scheme}-${width}-${tab}.png`, fullPage: width === 390 });
      }
      await page.click("#language");
    }
  }
}

await browser.close();
server.close();
assert.deepEqual(seen.errors, []);
assert.deepEqual(seen.foreign, []);
console.log(JSON.stringify(seen));
