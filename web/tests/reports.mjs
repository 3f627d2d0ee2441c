// Tests of the analysis in the app: several workers, and the report, whose positions can be tried and played on.
import assert from "node:assert/strict";
import { home, open, ready, record, shots, test } from "./harness.mjs";

/** Opens the analysis of a longer game than that of the tests: 41 positions, three stretches. */
async function enter(page, nodes) {
  await page.click("#tab-analyse");
  await page.evaluate(async (nodes) => {
    const moves = [];
    for (let number = 0; number < 40; number++) {
      const { legal } = rules.position(moves.length ? `startpos moves ${moves.join(" ")}` : "startpos");
      moves.push(legal[(number * 7 + 3) % legal.length]);
    }
    at("record-text").value = `position startpos moves ${moves.join(" ")}`;
    at("nodes").options[0].value = nodes;
    at("nodes").value = nodes;
  }, String(nodes));
}

/** Analyses with so many cores; the report without what may differ. */
async function analysed(page, cores) {
  await page.evaluate(
    (cores) => Object.defineProperty(navigator, "hardwareConcurrency", { value: cores, configurable: true }),
    cores,
  );
  await page.evaluate(() => {
    globalThis.created = 0;
    const create = WorkerEngine.create;
    WorkerEngine.create = (source) => {
      created++;
      return create.call(WorkerEngine, source);
    };
  });
  await page.click("#analyse-start");
  await page.waitForFunction(() => !at("report").hidden);
  const found = await page.evaluate(() => ({ html: analysis.report.html, kif: analysis.report.kif, created }));
  await page.click("#report-back");
  return found;
}

async function workers(page) {
  await enter(page, 300);
  const one = await analysed(page, 1);
  assert.equal(one.created, 1);
  assert.equal(
    await page.evaluate(() => dataOf(analysis.report).steps.filter((step) => step.win === undefined).length),
    0,
    "every position is analysed",
  );
  for (const cores of [2, 16]) {
    await page.reload();
    await ready(page);
    await enter(page, 300);
    const other = await analysed(page, cores);
    assert.equal(other.created, Math.min(cores, 3), "a worker for each core, but not more than stretches");
    assert.equal(other.html, one.html, `the same report with ${cores} cores`);
    assert.equal(other.kif, one.kif);
  }
}

/** A stopped analysis shows the last positions, without gaps, and the app goes on. */
async function stopped(page) {
  await enter(page, 200000);
  await page.click("#analyse-start");
  await page.waitForFunction(() => at("progress").value >= 4);
  await page.click("#analyse-stop");
  await page.waitForFunction(() => !at("report").hidden);
  const known = await page.evaluate(() => dataOf(analysis.report).steps.map((step) => step.win !== undefined));
  assert.ok(known.at(-1) && !known[0], JSON.stringify(known));
  assert.ok(!known.slice(known.indexOf(true)).includes(false), "no gaps");
  await page.click("#report-back");
  assert.ok(await page.evaluate(() => !at("analyse-start").disabled && at("analyse-stop").hidden));
}

async function reportOf(page) {
  await page.click("#tab-analyse");
  await (await page.$("#record-file")).uploadFile(record);
  await page.waitForFunction(() => at("record-text").value.includes("手数"));
  await page.evaluate(() => {
    at("nodes").options[0].value = "1000";
    at("nodes").value = "1000";
  });
  await page.click("#analyse-start");
  await page.waitForFunction(() => !at("report").hidden);
  const frame = await (await page.$("#report-frame")).contentFrame();
  await frame.waitForSelector("#try:not([hidden])");
  return frame;
}

/** Where a square of the report's board is on the screen. */
async function squareOf(frame, name) {
  const box = await (await frame.$("#board")).boundingBox();
  const [x, y] = [9 - Number(name[0]), name.charCodeAt(1) - 97];
  return [box.x + ((18 + (x + 0.5) * 96) / 936) * box.width, box.y + ((40 + (y + 0.5) * 104) / 1010) * box.height];
}

/** Tries a move from the first position of the report; it becomes a branch with an evaluation of its own. */
async function tried(page, frame, choose) {
  await frame.evaluate(() => {
    show(0);
  });
  await choose("#try");
  await frame.waitForFunction(() => live.trial?.found.length > 0);
}

async function branchesByMouse(page) {
  const frame = await reportOf(page);
  const click = async (selector) => (await frame.$(selector)).click();
  await tried(page, frame, click);
  for (const square of ["1g", "1f"]) await page.mouse.click(...(await squareOf(frame, square)));
  await frame.waitForFunction(() => line?.moves.join() === "1g1f" && live.trial.found.length > 0);
  await frame.waitForFunction(() =>
    /^[-+]?\d+$|wins|mate/.test(document.querySelector("#moves [data-branch]")?.textContent),
  );
  // Monomi answers in the same branch; another move begins another one.
  await (await frame.$("#live button")).click();
  await frame.waitForFunction(() => line?.moves.length === 2);
  const evaluated = (count) =>
    frame.waitForFunction(
      (count) => ownBranches().filter(({ cp, mate }) => cp !== undefined || mate !== undefined).length === count,
      {},
      count,
    );
  await evaluated(1);
  assert.equal(await frame.evaluate(() => data.branches.filter((branch) => branch.own).length), 1);
  await page.screenshot({ path: `${shots}/branch.png` });
  await frame.evaluate(() => {
    go("previous");
  });
  await frame.waitForFunction(() => line?.index === 1 && live.trial.found.length > 0);
  await frame.type("#trial-move", "P-1d");
  await page.keyboard.press("Enter");
  await evaluated(2);
  // The branches stay when the reader leaves, and can be removed.
  await frame.evaluate(() => {
    endTrial();
    show(0);
  });
  const before = await frame.evaluate(() => data.branches.length);
  await (await frame.$("#lines .remove")).click();
  assert.equal(await frame.evaluate(() => data.branches.length), before - 1);
  await branchesKept(page, frame);
}

/** Branches are in the report that is saved, over a reload, in the KIF and on the board. */
async function branchesKept(page, frame) {
  const own = (found) => found.filter((branch) => branch.own);
  const tried = own(await frame.evaluate(() => ownBranches()));
  assert.equal(tried.length, 1);
  await page.waitForFunction((tried) => JSON.stringify(analysis.own?.branches) === tried, {}, JSON.stringify(tried));
  const saved = await page.evaluate(() => dataOf({ html: pageOfReport() }));
  assert.deepEqual(own(saved.branches), tried);
  assert.ok(Number.isInteger(tried[0].cp ?? tried[0].mate), JSON.stringify(tried));
  const [first, ...rest] = tried[0].moves.split(" ");
  const read = await page.evaluate((kif) => rules.openRecords(kif)[0], saved.exported);
  // After the variation of the record itself.
  assert.deepEqual(
    read.branches.slice(1).map(({ before, moves }) => ({ before, moves })),
    [{ before: 0, moves: [first, ...rest] }],
  );
  assert.match(read.branches[1].comments.at(-1).join(), /^#(評価値|詰み)=/);
  assert.match(saved.exported, /\n\*#(評価値|詰み)=.*\n$/);
  await page.reload();
  await ready(page);
  await page.click("#tab-analyse");
  await page.click("#report-again");
  const again = await (await page.$("#report-frame")).contentFrame();
  await again.waitForSelector("#lines .remove");
  assert.deepEqual(own(await again.evaluate(() => ownBranches())), tried);
  assert.equal(await again.evaluate(() => live.exported()), saved.exported);
  await page.click("#report-board");
  assert.deepEqual(await page.$$eval("#moves .branch", (items) => items.length), 2);
  await page.evaluate(() => game.setUp("startpos"));
  await page.click("#tab-analyse");
  await page.click("#report-again");
}

/** With the keyboard: the report again, a move typed, and a game from there. */
async function playOnByKeyboard(page) {
  await page.click("#report-back");
  await page.focus("#report-again");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !at("report").hidden);
  const frame = await (await page.$("#report-frame")).contentFrame();
  await frame.evaluate(() => {
    show(2);
  });
  await frame.focus("#try");
  await page.keyboard.press("Enter");
  await frame.waitForFunction(() => live.trial?.found.length > 0);
  await frame.focus("#trial-move");
  const move = await frame.evaluate(async () =>
    (await rules.position(positionText())).legal.find((move) => move[1] !== "*" && !move.endsWith("+")),
  );
  await page.keyboard.type(move);
  await page.keyboard.press("Enter");
  await frame.waitForFunction((move) => line?.moves.join() === move && live.trial.found.length > 0, {}, move);
  await frame.focus("#trial-move");
  await page.keyboard.type("5i5a");
  await page.keyboard.press("Enter");
  await frame.waitForFunction(() => /5i5a/.test(document.querySelector("#live p").textContent));
  await frame.focus("#play-on");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => at("report").hidden && game.active);
  const played = await page.evaluate(() => ({ moves: game.moves, human: game.human, turn: game.turn() }));
  assert.equal(played.moves.length, 3);
  assert.equal(played.moves[2], move);
  assert.equal(played.human, played.turn, "the reader has the side to move");
}

async function touched() {
  const page = await open(`${home}/app/`, { width: 390, height: 844, isMobile: true, hasTouch: true });
  await ready(page);
  // Whatever game another page has left.
  await page.evaluate(() => game.setUp("startpos"));
  const frame = await reportOf(page);
  await tried(page, frame, async (selector) => (await frame.$(selector)).tap());
  await frame.evaluate(() => at("board").scrollIntoView());
  for (const square of ["2g", "2f"]) await page.touchscreen.tap(...(await squareOf(frame, square)));
  await frame.waitForFunction(() => line?.moves.join() === "2g2f" && data.branches.some((branch) => branch.own));
  // The lines of the engine move what is below them.
  await frame.waitForFunction(() => live.trial.found.filter(Boolean).length === 2);
  await frame.evaluate(() => at("play-on").scrollIntoView({ block: "center" }));
  await (await frame.$("#play-on")).tap();
  await page.waitForFunction(() => at("report").hidden && game.active && game.moves.join() === "2g2f");
  await page.evaluate(() => localStorage.clear());
  await page.close();
}

export async function testReports() {
  const page = await open(`${home}/app/`);
  page.setDefaultTimeout(180000);
  await ready(page);
  await page.evaluate(() => {
    pace.answer = 0;
  });
  const parts = [
    ["the number of workers changes nothing", workers],
    ["an analysis is stopped", stopped],
    ["branches in the report by mouse", branchesByMouse],
    ["a game from the report by keyboard", playOnByKeyboard],
    ["branches and a game from the report by touch", touched],
  ];
  for (const [name, part] of parts) await test(name, () => part(page));
  await page.evaluate(() => localStorage.clear());
  await page.close();
}
