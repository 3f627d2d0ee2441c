// The games that are kept: list, search, open, continue, analyse, delete, statistics and practice, with both drivers.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { begin, downloaded, myTurn, open, play, ready, shots, test, text } from "./harness.mjs";

const rows = (page) => page.$$eval("#games li", (items) => items.map((item) => item.textContent));
const names = (page) => page.$$eval("#games li", (items) => items.map((item) => item.dataset.name));
const idle = (page) => page.evaluate(() => archiveIdle());

async function showGames(page, count) {
  await idle(page);
  await page.click("#tab-games");
  await page.waitForFunction((count) => document.querySelectorAll("#games li").length === count, {}, count);
}

/** Presses a button of the game with this name. */
const press = (page, name, word) =>
  page.evaluate(
    (name, word) => {
      const buttons = [...document.querySelectorAll(`#games li[data-name="${name}"] button`)];
      buttons.find((button) => button.textContent === word).click();
    },
    name,
    word,
  );

/** `folder`: where the program keeps games; empty for the browser's database. */
export async function testArchive(address, folder = "") {
  const kind = folder ? "in a folder" : "in the browser";
  let page;
  const fresh = async () => {
    page = await open(address);
    await ready(page);
    await page.evaluate(async () => {
      for (const { name, own } of await listGames()) if (own) await removeGame(name);
      game.setUp("startpos");
      pace.answer = 0;
      show(0);
    });
  };

  await test(`games are kept ${kind}, the newest first`, async () => {
    await fresh();
    await page.click("#tab-games");
    await page.waitForFunction(() => !at("games-none").hidden);
    assert.match(await text(page, "#games-none"), /No games yet/);
    assert.match(await text(page, "#games-folder"), folder ? /Folder of the games: .*games/ : /in this browser/);
    await page.click("#tab-play");
    await page.select("#human", "0");
    await page.select("#level", "0");
    // One move of one side is no game.
    await begin(page);
    await page.evaluate(() => {
      game.began = new Date(2026, 10, 20, 9, 8, 7);
    });
    await play(page, "7g7f");
    await myTurn(page, 2);
    await idle(page);
    const first = "monomi-20261120-090807-open.kifu";
    assert.deepEqual(await page.evaluate(async () => (await listGames()).map(({ name }) => name)), [first]);
    // It is given up: the file has another name.
    await page.click("#resign");
    await page.click("#ask .primary");
    await page.waitForFunction(() => game.result);
    // Another one is interrupted by a third.
    await begin(page);
    await page.evaluate(() => {
      game.began = new Date(2026, 10, 21, 9, 8, 7);
    });
    await play(page, "2g2f");
    await myTurn(page, 2);
    await begin(page);
    await showGames(page, 2);
    assert.deepEqual(await names(page), ["monomi-20261121-090807-open.kifu", "monomi-20261120-090807-lost.kifu"]);
    const [open_, lost] = await rows(page);
    assert.match(open_, /^Unfinished 2026-11-21 09:08Level 0 \(beginner\) · .*2 moves/);
    assert.match(lost, /^Lost 2026-11-20 09:08Level 0/);
    if (!folder) return;
    // Files that other programs read: those on the disk are those in the list.
    assert.deepEqual((await readdir(folder)).sort(), (await names(page)).sort());
    const kif = await readFile(`${folder}/monomi-20261120-090807-lost.kifu`, "utf8");
    assert.match(kif, /^#KIF version=2\.0 encoding=UTF-8\n/);
    assert.match(kif, /開始日時：2026\/11\/20 09:08:07\n先手：You\n後手：Monomi Level 0 \(beginner\)\n/);
    assert.match(kif, /\n\*#Monomi level 0\n\*#Monomi side black\n\*#Monomi result lost resignEnd\n/);
    // What other programs put there is listed and opened, but not removed.
    await writeFile(
      `${folder}/club.csa`,
      "V2.2\nN+Kimura\nN-Oyama\n$START_TIME:2026/11/01 10:00:00\nPI\n+\n'*Monomi level 4\n+7776FU\n-3334FU\n%TORYO\n",
    );
    await page.click("#tab-play");
    await showGames(page, 3);
    const club = (await rows(page))[2];
    assert.match(club, /▲Kimura △Oyama/);
    assert.match(club, /OpenAnalyse$/);
    await press(page, "club.csa", "Open");
    await page.waitForFunction(() => tab === "play" && game.moves.join() === "7g7f,3c3d");
    // What looks like a note of the app is a comment there.
    assert.equal(await page.evaluate(() => game.comments[0]), "Monomi level 4");
  });

  await test(`games are searched, opened, continued and deleted, ${kind}`, async () => {
    await page.evaluate(() => {
      game.setUp("startpos");
      show(0);
    });
    await page.click("#tab-games");
    await page.waitForFunction(() => document.querySelectorAll("#games li").length >= 2);
    for (const [words, found] of [
      ["lost level", 1],
      ["unfinished", 1],
      ["2026-11-2", 2],
      ["nothing like this", 0],
    ]) {
      await page.$eval(
        "#games-search",
        (field, words) => {
          field.value = words;
          field.dispatchEvent(new Event("input"));
        },
        words,
      );
      assert.equal((await rows(page)).length, found, words);
    }
    await page.$eval("#games-search", (field) => {
      field.value = "";
      field.dispatchEvent(new Event("input"));
    });
    // Opened, with a comment and a bookmark that are kept.
    const lost = "monomi-20261120-090807-lost.kifu";
    await press(page, lost, "Open");
    await page.waitForFunction(() => tab === "play" && game.moves.length === 2);
    assert.deepEqual(await page.evaluate(() => [shown, game.active, game.result.how]), [0, false, "resignEnd"]);
    await page.evaluate(() => show(1));
    await page.$eval("#remarks", (fold) => {
      fold.open = true;
    });
    assert.equal(await text(page, "#comment-label"), "Comment on move 1");
    await page.type("#comment", "opens the diagonal\nof the bishop");
    await page.click("#bookmark");
    assert.equal(await page.$eval("#moves .row", (row) => row.dataset.marks), "★✎");
    await idle(page);
    const kif = await page.evaluate(async (name) => new TextDecoder().decode(await readGame(name)), lost);
    assert.match(kif, /\n {3}1 ７六歩\(77\)[^\n]*\n&しおり\n\*opens the diagonal\n\*of the bishop\n/);
    assert.match(kif, /\*#Monomi result lost resignEnd\n/);
    await page.evaluate(() => {
      game.setUp("startpos");
      show(0);
    });
    await showGames(page, (await rows(page)).length);
    await press(page, lost, "Open");
    await page.waitForFunction(() => tab === "play" && game.moves.length === 2);
    assert.deepEqual(await page.evaluate(() => [game.comments[1], game.bookmarks]), [
      "opens the diagonal\nof the bishop",
      [1],
    ]);
    // The unfinished one goes on, in the same file.
    await page.click("#tab-games");
    const unfinished = "monomi-20261121-090807-open.kifu";
    await press(page, unfinished, "Continue");
    await page.waitForFunction(() => tab === "play" && game.active);
    assert.deepEqual(await page.evaluate(() => [game.human, game.level, game.moves[0]]), [0, 0, "2g2f"]);
    await play(page, "7g7f");
    await myTurn(page, 4);
    await idle(page);
    const all = await page.evaluate(async () => (await listGames()).map(({ name, account }) => [name, account.moves]));
    assert.ok(
      all.some(([name, moves]) => name === unfinished && moves === 4),
      JSON.stringify(all),
    );
    // Deleted, if the user agrees.
    await page.evaluate(() => {
      game.setUp("startpos");
      show(0);
    });
    const count = all.length;
    await showGames(page, count);
    for (const agreed of [false, true]) {
      await press(page, unfinished, "Delete");
      await page.waitForSelector("#ask", { visible: true });
      await page.click(agreed ? "#ask .primary" : "#ask button:not(.primary)");
      await page.waitForFunction(
        (count) => !at("ask").open && document.querySelectorAll("#games li").length === count,
        {},
        agreed ? count - 1 : count,
      );
    }
    if (folder) assert.ok(!existsSync(`${folder}/${unfinished}`));
    assert.equal(await text(page, "#games-status"), "Deleted");
  });

  if (!folder)
    await test("all games are saved in an archive that other programs open", async () => {
      await idle(page);
      const path = await downloaded(page, "#games-export");
      const listed = execFileSync("python3", ["-m", "zipfile", "-l", path], { encoding: "utf8" });
      execFileSync("python3", ["-m", "zipfile", "-t", path]);
      for (const name of await names(page)) assert.ok(listed.includes(name), listed);
      const read = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.read(z.namelist()[0]).decode())";
      assert.match(execFileSync("python3", ["-c", read, path], { encoding: "utf8" }), /手数----指手/);
    });

  await test(`a game is analysed from the list, its mistakes are practised, ${kind}`, async () => {
    // Black gives its bishop for a pawn.
    const name = "monomi-20261122-100000-won.kifu";
    await page.evaluate(async (name) => {
      const moves = "7g7f 3c3d 8h3c+ 2a3c 2g2f 8c8d 2f2e 8d8e".split(" ");
      game.setUp("startpos", moves);
      Object.assign(game, { began: begunAt(name), human: 0, level: 3, seconds: moves.map(() => 1), active: false });
      game.finish(0, "resignEnd");
      game.result.seen = true;
      keep();
      await archiveIdle();
      show(0);
      at("nodes").options[0].value = "2000";
      at("nodes").value = "2000";
    }, name);
    await page.click("#tab-games");
    await page.waitForSelector(`#games li[data-name="${name}"]`);
    await press(page, name, "Analyse");
    await page.waitForFunction(() => !at("report").hidden, { timeout: 120000 });
    await page.click("#report-back");
    await page.click("#tab-games");
    await page.waitForFunction(
      (name) => /Accuracy \d+%/.test(document.querySelector(`#games li[data-name="${name}"]`)?.textContent),
      {},
      name,
    );
    const kif = await page.evaluate(async (name) => new TextDecoder().decode(await readGame(name)), name);
    assert.match(kif, /\n\*#Monomi nodes 2000\n/);
    assert.match(kif, /\n\*#Monomi mistake 2 0\.\d{3} \S+ [012] 0 \d{4}-\d\d-\d\d \w+/);
    const waiting = async () => Number((await text(page, "#practise")).match(/\((\d+)\)/)[1]);
    const before = await waiting();
    assert.ok(before >= 1);
    // A wrong answer, then the right one: it comes again today.
    await page.click("#practise");
    await page.waitForFunction(() => practice.task !== null);
    const ply = await page.evaluate(() => practice.task.mistake.ply);
    assert.match(await text(page, "#practice-task"), new RegExp(`^Move ${ply + 1} .* lost \\d+% winning chances`));
    await page.screenshot({ path: `${shots}/practice${folder ? "-native" : ""}.png` });
    const answer = (right) =>
      page.evaluate((right) => {
        const { legal, task, played } = practice;
        playMove(
          right ? task.mistake.right[0] : legal.find((move) => !task.mistake.right.includes(move) && move !== played),
        );
      }, right);
    await answer(false);
    assert.equal(await text(page, "#status"), "There is a better move.");
    await answer(true);
    await page.waitForFunction(() => practice.done);
    assert.match(await text(page, "#status"), /comes again/);
    await idle(page);
    await page.waitForFunction((n) => at("practise").textContent.includes(`(${n})`), {}, before);
    // Without a wrong answer it comes again tomorrow.
    await page.click("#practice-next");
    await page.waitForFunction(() => practice.task !== null && !practice.done);
    await answer(true);
    await page.waitForFunction((n) => at("practise").textContent.includes(`(${n})`), {}, before - 1);
    assert.equal(await text(page, "#status"), "Correct!");
    await idle(page);
    const after = await page.evaluate(async (name) => notesOf(new TextDecoder().decode(await readGame(name))), name);
    const solved = after.mistakes.find(({ step }) => step === 1);
    assert.equal(solved.due, await page.evaluate(() => dayAfter(new Date(), 1)));
    await page.click("#practice-leave");
    // Statistics.
    await page.click("#statistics-fold summary");
    await page.waitForFunction(() => at("statistics").textContent.length > 0);
    const statistics = await text(page, "#statistics");
    assert.match(statistics, /Too few games for an estimate/);
    assert.match(statistics, /Level 3/);
    assert.match(statistics, /Typical mistakes/);
    await page.click("#language");
    assert.match(await text(page, "#statistics"), /推定段級.*対局が少なすぎて/s);
    await page.click("#language");
    await page.screenshot({ path: `${shots}/games${folder ? "-native" : ""}.png` });
  });

  await test(`a card at the end of a game adds its accuracy, ${kind}`, async () => {
    const name = await page.evaluate(async () => {
      openTab("play");
      const moves = "7g7f 3c3d 2g2f 8c8d".split(" ");
      game.setUp("startpos", moves);
      Object.assign(game, { began: new Date(2026, 10, 23), human: 1, level: 5, seconds: moves.map(() => 2) });
      game.finish(1, "resignEnd");
      keep();
      changed();
      return game.file.name;
    });
    assert.equal(name, "monomi-20261123-000000-won.kifu");
    await page.waitForFunction(() => /Accuracy/.test(at("end-verdict").textContent));
    await idle(page);
    const notes = await page.evaluate(async (name) => notesOf(new TextDecoder().decode(await readGame(name))), name);
    assert.equal(notes.accuracy.length, 2);
    assert.deepEqual([notes.side, notes.level, notes.mistakes.length], [1, 5, 0]);
  });

  await test(`a game is replayed at its own times, ${kind}`, async () => {
    await page.evaluate(() => {
      game.setUp("startpos", ["7g7f", "3c3d", "2g2f"]);
      game.seconds = [1, 2, 1];
      show(0);
      at("remarks").open = true;
    });
    const since = performance.now();
    await page.click("#replay");
    assert.equal(await page.$eval("#replay", (button) => button.getAttribute("aria-pressed")), "true");
    await page.waitForFunction(() => shown === 1);
    assert.ok(performance.now() - since > 900);
    await page.waitForFunction(() => shown === 3);
    assert.ok(performance.now() - since > 3900);
    await page.waitForFunction(() => at("replay").ariaPressed === "false");
    // Going elsewhere stops it.
    await page.select("#replay-speed", "2");
    await page.click("#replay");
    await page.evaluate(() => show(2));
    await page.waitForFunction(() => at("replay").ariaPressed === "false");
  });

  await test(`the threat of the other side, ${kind}`, async () => {
    // White threatens to take the bishop on 5e.
    await page.evaluate(() => {
      game.setUp("sfen 4k4/9/9/4r4/4B4/9/9/9/4K4 b - 1");
      show(0);
      at("hint").checked = false;
    });
    await page.click("#hint");
    await page.click("#threat");
    await page.waitForFunction(() => lines[0]?.threat && lines[0].depth >= 3);
    assert.equal(await page.evaluate(() => lines[0].pv[0].slice(0, 4)), "5d5e");
    assert.equal(await page.$$eval("#board .arrow.reason", (arrows) => arrows.length > 0), true);
    assert.ok(await page.$eval("#lines .step", (step) => step.disabled));
    // In check there is no move to pass.
    await page.evaluate(() => {
      game.setUp("sfen 4k4/9/9/4r4/9/9/9/9/4K4 b - 1");
      show(0);
    });
    await page.waitForFunction(() => /In check/.test(at("status").textContent));
    await page.click("#threat");
    await page.click("#hint");
  });

  await page.evaluate(async () => {
    for (const { name, own } of await listGames()) if (own) await removeGame(name);
    localStorage.clear();
  });
  await page.close();
}
