// What players met on phones, tablets and computers: what belongs to the moment is on the screen.
import assert from "node:assert/strict";
import { begin, myTurn, open, ready, test, text } from "./harness.mjs";

const PHONES = {
  "390x844": { width: 390, height: 844, isMobile: true, hasTouch: true },
  "360x640": { width: 360, height: 640, isMobile: true, hasTouch: true },
};
export const SCREENS = {
  ...PHONES,
  "1024x768": { width: 1024, height: 768, isMobile: true, hasTouch: true },
  "1440x900": { width: 1440, height: 900 },
};
/** Where an element is, if a part of it is not on the screen or something lies over its centre; else "". */
const hiddenAt = (page, selector) =>
  page.evaluate((selector) => {
    // Looked up here: the engine's lines are made anew while it searches.
    const element = document.querySelector(selector);
    const { left, top, right, bottom, width } = element.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const inside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
    if (width > 0 && inside && (element.contains(over) || over?.contains(element))) return "";
    return `${[left, top, right, bottom].map(Math.round)}, below ${over?.tagName}#${over?.id}`;
  }, selector);

async function assertOnScreen(page, size, ...selectors) {
  for (const selector of selectors) assert.equal(await hiddenAt(page, selector), "", `${size}: ${selector}`);
}

/** Tests of the app at this address; */
export async function testPhones(address) {
  for (const [size, viewport] of Object.entries(SCREENS)) {
    await test(`what belongs to the moment is on the screen, ${size}`, async () => {
      const page = await open(address, viewport);
      await ready(page);
      // What another test has left.
      await page.evaluateOnNewDocument(() => self === top && localStorage.clear());
      await page.reload();
      await ready(page);
      const click = (selector) => (viewport.hasTouch ? page.tap(selector) : page.click(selector));
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll("main *")]
          .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
          .map((element) => `${element.tagName}#${element.id}.${element.className}`),
      );
      assert.deepEqual(wide, [], `${size}: wider than the screen`);
      // Before a game: its button. Nothing can be taken back.
      await assertOnScreen(page, size, "#start");
      assert.ok(await page.$eval("#undo", (button) => button.disabled), `${size}: #undo`);
      assert.ok(await page.$eval("#resign", (button) => button.disabled), `${size}: #resign`);
      // No word of the levels is cut off.
      const cut = await page.$eval("#level", (select) => {
        const pen = document.createElement("canvas").getContext("2d");
        const style = getComputedStyle(select);
        pen.font = `${style.fontSize} ${style.fontFamily}`;
        const [auto, ...levels] = [...select.options].map((option) => pen.measureText(option.textContent).width);
        const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 20;
        return auto > 0 && Math.max(...levels) > room ? `${Math.max(...levels)} of ${room}` : "";
      });
      assert.equal(cut, "", `${size}: a level is cut off`);
      await page.select("#level", "0");
      await begin(page);
      await assertOnScreen(page, size, "#board", "#side-top", "#side-bottom", "#undo", "#resign");
      // Board and answer together.
      await page.$eval("#hint", (box) => box.click());
      await page.waitForFunction(() => lines.length >= 2 && lines[0].depth >= 4);
      await assertOnScreen(page, size, "#board", "#lines li:first-child", "#evaluation");
      await page.evaluate(() => {
        lines = [{ ...lines[0], score: { mate: 17 } }];
        drawLines();
      });
      const whole = await page.$eval("#lines .score", (score) => {
        const range = document.createRange();
        range.selectNodeContents(score);
        const parts = range.getClientRects();
        return parts.length === 1 && parts[0].right <= score.nextSibling.getBoundingClientRect().left;
      });
      assert.ok(whole, `${size}: the mate wraps`);
      const split = await page.$$eval("#lines .step", (steps) =>
        steps.filter((step) => step.getClientRects().length > 1),
      );
      assert.equal(split.length, 0, `${size}: a move is broken`);
      await page.$eval("#hint", (box) => box.click());
      // The list of moves follows the game.
      await page.evaluate(() => {
        const moves = [];
        while (moves.length < 40) {
          const { legal } = rules.position(moves.length ? `startpos moves ${moves.join(" ")}` : "startpos");
          moves.push(legal[(moves.length * 5) % legal.length]);
        }
        game.setUp("startpos", moves);
        show(game.moves.length);
      });
      const inList = (page) =>
        page.$eval("#moves [aria-current]", (row) => {
          const [inner, outer] = [row, row.closest("ol")].map((element) => element.getBoundingClientRect());
          return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
        });
      assert.ok(await inList(page), `${size}: the last move is out of sight`);
      await page.evaluate(() => show(1));
      assert.ok(await inList(page), `${size}: the first move is out of sight`);
      // All pieces in hand with their numbers, where one side has nearly all.
      await click("#tab-mate");
      await page.$eval("#mate-sfen", (field) => {
        field.value = "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
      });
      await page.$eval("#mate-start", (button) => button.click());
      await page.waitForFunction(() => problem.moves.length === 1);
      const cutOff = await page.$$eval(".side .pieces button", (buttons) =>
        buttons
          .filter((button) => {
            const box = button.querySelector("svg").getBoundingClientRect();
            return box.right > innerWidth || box.left < 0 || box.height < 20;
          })
          .map(
            (button) => `${button.dataset.kind} ${JSON.stringify(button.querySelector("svg").getBoundingClientRect())}`,
          ),
      );
      assert.deepEqual(cutOff, [], `${size}: pieces in hand are cut off`);
      // The board as text is in the language of the page, and as wide as the screen allows.
      await page.$eval("#text-fold", (fold) => {
        fold.open = true;
      });
      await page.waitForSelector("#text-board td");
      const fifth = "#text-board tr:nth-child(1) td:nth-of-type(5)";
      const square = () => page.$eval(fifth, (cell) => cell.lastChild.textContent);
      assert.equal(await square(), "5a White king");
      await page.evaluate(() => speak("ja"));
      assert.equal(await square(), "5一 後手の玉");
      await page.evaluate(() => speak("en"));
      const beyond = await page.$eval("#text-board", (table) => table.getBoundingClientRect().right - innerWidth);
      assert.ok(beyond <= 0, `${size}: the board as text is ${beyond} pixels too wide`);
      await page.$eval("#text-fold", (fold) => {
        fold.open = false;
      });
      // What is wrong with a record is said where it is pasted.
      await click("#tab-analyse");
      await page.$eval("#record-text", (area) => {
        area.value = "no record at all";
      });
      await click("#analyse-start");
      await page.waitForFunction(() => document.getElementById("analyse-status").classList.contains("alarm"));
      await page.$eval("#analyse-status", (element) => element.scrollIntoView({ block: "nearest" }));
      await assertOnScreen(page, size, "#analyse-status");
      assert.ok((await text(page, "#analyse-status")).length > 5);
      await page.close();
    });
  }

  await test("a position is set up by moving pieces, with undo, redo and counts", async () => {
    const page = await open(address, PHONES["390x844"]);
    await ready(page);
    await page.tap("#tab-setup");
    await page.tap("#setup-start");
    const board = () => page.$eval("#sfen-field", (field) => field.value.split(" ")[0]);
    const tap = async (name) => {
      const box = await (await page.$("#board")).boundingBox();
      const [x, y] = [9 - Number(name[0]), name.charCodeAt(1) - 97];
      await page.touchscreen.tap(
        box.x + ((18 + (x + 0.5) * 96) / 936) * box.width,
        box.y + ((40 + (y + 0.5) * 104) / 994) * box.height,
      );
    };
    const start = await board();
    // The default tool moves and takes nothing away.
    await tap("7g");
    assert.equal(await board(), start);
    await tap("7e");
    const moved = await board();
    assert.match(moved, /^lnsgkgsnl\/1r5b1\/ppppppppp\/9\/2P6\/9\/PP1PPPPPP\//);
    await page.tap("#setup-undo");
    assert.equal(await board(), start);
    await page.tap("#setup-redo");
    assert.equal(await board(), moved);
    // A piece of the palette, and how many of it are left.
    const count = () => page.$eval('#palette [data-left="G"]', (element) => element.dataset.count);
    await page.tap("#setup-empty");
    assert.equal(await count(), "4");
    await page.$eval("#palette [title='▲gold']", (button) => button.click());
    await tap("5b");
    assert.match(await board(), /^4k4\/4G4\//);
    assert.equal(await count(), "3");
    await page.tap("#setup-undo");
    assert.equal(await count(), "4");
    // In English no text of the hands runs into the next one.
    const apart = await page.$$eval("#hands b", (all) =>
      all.every((element) => element.scrollWidth <= element.closest(".count-field").clientWidth + 1),
    );
    assert.ok(apart, "texts of the hands overlap");
    await page.close();
  });

  await test("a line of the engine on the board, and kept as a branch", async () => {
    const page = await open(address, SCREENS["1440x900"]);
    await ready(page);
    await page.evaluate(() => {
      game.setUp("startpos", ["7g7f", "3c3d"]);
      show(2);
    });
    await page.select("#line-count", "1");
    if (!(await page.$eval("#hint", (box) => box.checked))) await page.click("#hint");
    await page.waitForFunction(() => lines.length === 1 && lines[0].pv.length >= 4 && lines[0].depth >= 6);
    await page.click("#lines li:first-child [data-move='3']");
    const before = await page.evaluate(() => ({ shown: shownText(), pv: preview.line.pv }));
    assert.equal(before.shown, `startpos moves 7g7f 3c3d ${before.pv.slice(0, 3).join(" ")}`);
    await page.click("nav [data-go=previous]");
    assert.equal(await page.evaluate(() => shownText()), `startpos moves 7g7f 3c3d ${before.pv.slice(0, 2).join(" ")}`);
    assert.equal(await page.evaluate(() => game.moves.length), 2);
    await page.click("#preview-keep");
    const kept = await page.evaluate(() => ({ lines: game.lines.map((line) => line.moves), text: shownText() }));
    assert.deepEqual(kept.text, "startpos moves 7g7f 3c3d");
    assert.deepEqual(kept.lines, [["7g7f", "3c3d", ...before.pv.slice(0, kept.lines[0].length - 2)]]);
    await page.click("#hint");
    await page.close();
  });

  await test("what a player hears: the answer, hands, last move, attackers, and the engine's line", async () => {
    const page = await open(address, SCREENS["1440x900"]);
    await ready(page);
    await page.select("#level", "0");
    await begin(page);
    await page.$eval("#board", (board) => board.focus());
    // 7g7f by the keys of the board: from 5e, where they begin.
    const press = async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press("ArrowUp", "ArrowLeft", "ArrowLeft", "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "Enter");
    await myTurn(page, 2);
    const status = () => text(page, "#status");
    const answer = await page.evaluate(() => moveNames()[1]);
    assert.ok((await status()).startsWith(`${answer} · Your move`), await status());
    const heard = await page.$eval("#announcer", (log) => log.lastElementChild.textContent);
    assert.ok(heard.startsWith(`${answer.replace("△", "White ")}. Your move`), heard);
    await page.$eval("#board", (board) => board.focus());
    await press("l");
    assert.equal(await status(), `2 ${answer}`);
    await press("h");
    assert.match(await status(), /^Black in hand: .*; White in hand: /);
    // Black's bishop can take the one on 2b.
    await page.evaluate(() => {
      game.setUp("startpos", ["7g7f", "3c3d"]);
      show(2);
      input.cursor = { x: 2, y: 2 };
    });
    await press("a");
    assert.match(await status(), /^7c: /);
    await page.evaluate(() => {
      input.cursor = { x: 7, y: 1 };
    });
    await press("a");
    assert.equal(await status(), "2b: Black bishop 8h; White silver 3a, rook 8b");
    await page.$eval("#hint", (box) => box.checked || box.click());
    await page.waitForFunction(() => lines[0]?.depth >= 4 && lines[0].text === shownText());
    await page.$eval("#board", (board) => board.focus());
    await press("e");
    assert.match(await status(), /^[+-]?\d+ ▲/);
    await page.$eval("#hint", (box) => box.click());
    await page.close();
  });
}
