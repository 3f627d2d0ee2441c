// Whole games to mate against the weakest level, by mouse, by touch and by keyboard, with drops and promotions.
import assert from "node:assert/strict";
import { begin, home, open, placeOf, ready, test } from "./harness.mjs";

const held = (move) => `#side-bottom [data-kind=${move[0]}]`;
const handPlace = async (page, move) => {
  const box = await (await page.$(held(move))).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
};
/** Where a move begins on the screen: on the board or in the hand. */
const origin = (page, move) => (move[1] === "*" ? handPlace(page, move) : placeOf(page, move));

/** The question is on the square that the piece goes to. */
async function promote(page, move, choose) {
  const button = `#promotion [data-move="${move}"]`;
  await page.waitForSelector(button, { visible: true });
  const box = await (await page.$("#promotion")).boundingBox();
  const [x, y] = await placeOf(page, move.slice(2));
  assert.ok(
    x > box.x - 30 && x < box.x + box.width + 30 && y > box.y && y < box.y + box.height,
    `the question about ${move}`,
  );
  await choose(button);
}

async function byMouse(page, move, { asked, number }) {
  const [from, to] = [await origin(page, move), await placeOf(page, move.slice(2))];
  if (number % 2) {
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, { steps: 3 });
    assert.equal(await page.$$eval(".ghost", (ghosts) => ghosts.length), 1, "the piece that is dragged is shown");
    await page.mouse.move(...to);
    await page.mouse.up();
  } else {
    await page.mouse.click(...from);
    await page.mouse.click(...to);
  }
  if (asked) await promote(page, move, (button) => page.click(button));
}

async function byTouch(page, move, { asked, number }) {
  const [from, to] = [await origin(page, move), await placeOf(page, move.slice(2))];
  if (number % 2) {
    const touch = await page.touchscreen.touchStart(...from);
    await touch.move((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
    await touch.move(...to);
    await touch.end();
  } else {
    await page.touchscreen.tap(...from);
    await page.touchscreen.tap(...to);
  }
  if (!asked) return;
  await promote(page, move, async (button) => {
    await page.evaluate(() => {
      globalThis.clicked = [];
      document.addEventListener("click", ({ target }) => clicked.push(target.outerHTML), { capture: true, once: true });
    });
    await page.tap(button);
  });
  // The move is made, and the touch is no click on what the move has brought, such as the card of a mate.
  assert.deepEqual(await page.evaluate(() => clicked), []);
}

const focused = (page) => page.evaluate(() => document.activeElement.dataset.kind ?? document.activeElement.id);

/** Moves the cursor of the board to a square. */
async function walk(page, name) {
  const cursor = () => page.evaluate(() => input.cursor);
  if (!(await cursor())) await page.keyboard.press("ArrowUp");
  const { x, y } = await cursor();
  const [across, down] = [9 - Number(name[0]) - x, name.charCodeAt(1) - 97 - y];
  for (let i = 0; i < Math.abs(across); i++) await page.keyboard.press(across > 0 ? "ArrowRight" : "ArrowLeft");
  for (let i = 0; i < Math.abs(down); i++) await page.keyboard.press(down > 0 ? "ArrowDown" : "ArrowUp");
}

async function byKeyboard(page, move, { asked }) {
  if ((await focused(page)) !== "board") await page.$eval("#board", (board) => board.focus());
  if (move[1] === "*") {
    for (let i = 0; i < 8 && (await focused(page)) !== move[0]; i++) await page.keyboard.press("Tab");
    assert.equal(await focused(page), move[0], "Tab goes from the board to the pieces in hand");
  } else await walk(page, move);
  await page.keyboard.press("Enter");
  assert.equal(await focused(page), "board");
  await walk(page, move.slice(2));
  await page.keyboard.press("Enter");
  if (!asked) return;
  await promote(page, move, async (button) => {
    if (await page.evaluate((button) => document.activeElement !== document.querySelector(button), button))
      await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
  });
  assert.equal(await focused(page), "board");
}

/** The next move of the stronger side: a drop and a promotion as soon as there are any, else the engine's choice. */
const chooseMove = (page, wants) =>
  page.evaluate(async ({ drop, promotion }) => {
    const { legal } = game.info;
    const pairs = legal.filter((move) => move.endsWith("+") && legal.includes(move.slice(0, 4)));
    const drops = legal.filter((move) => move[1] === "*");
    const searchmoves = promotion && pairs.length ? pairs : drop && drops.length ? drops : [];
    const { move } = await engine.search(game.text(), { nodes: 2000, searchmoves });
    return {
      move,
      asked:
        legal.includes(move) && (move.endsWith("+") ? legal.includes(move.slice(0, 4)) : legal.includes(`${move}+`)),
    };
  }, wants);

async function wholeGame(page, makeMove) {
  await page.evaluate(() => {
    pace.answer = 0;
  });
  await page.select("#human", "0");
  await page.select("#level", "0");
  await begin(page);
  const counts = { drop: 0, promotion: 0 };
  for (let number = 0; number < 200; number++) {
    await page.waitForFunction(() => game.result || (!thinking && game.turn() === game.human));
    if (await page.evaluate(() => Boolean(game.result))) break;
    const { move, asked } = await chooseMove(page, { drop: !counts.drop, promotion: !counts.promotion });
    if (move === "win") await page.click("#declare");
    else {
      const plies = await page.evaluate(() => game.moves.length);
      await makeMove(page, move, { asked, number });
      await page.waitForFunction((plies) => game.moves.length > plies, {}, plies);
      assert.equal(await page.evaluate((plies) => game.moves[plies], plies), move);
      counts.drop += move[1] === "*";
      counts.promotion += asked && move.endsWith("+");
    }
  }
  const { winner, how } = await page.evaluate(() => game.result ?? {});
  assert.equal(winner, 0, `the stronger side wins: ${how}`);
  assert.ok(counts.drop > 0 && counts.promotion > 0, JSON.stringify(counts));
  await page.waitForSelector("#end-card", { visible: true });
}

export async function testGames(only = "") {
  const ways = [
    ["mouse", byMouse, {}],
    ["touch", byTouch, { width: 390, height: 844, isMobile: true, hasTouch: true }],
    ["keyboard", byKeyboard, {}],
  ];
  for (const [name, makeMove, viewport] of ways.filter(([name]) => name.includes(only))) {
    await test(`a whole game by ${name}`, async () => {
      const page = await open(`${home}/app/`, viewport);
      await ready(page);
      await wholeGame(page, makeMove);
      await page.evaluate(() => localStorage.clear());
      await page.close();
    });
  }
}
