// The sets of pieces and the boards: readable in every combination, kept, and used in pictures and reports.
import assert from "node:assert/strict";
import { open, ready, test } from "./harness.mjs";
import { SCREENS } from "./phones.mjs";

const LEAST = 4.5; // contrast of text by WCAG 2.2 (1.4.3)
const LEAST_OF_SHAPES = 3; // and of other things that must be seen (1.4.11)

/** The contrasts of the board that is shown which are too low, in words. */
const lowContrasts = (page, least, leastOfShapes) =>
  page.evaluate(
    (least, leastOfShapes) => {
      const light = (color) => {
        const parts = color.match(/[\d.]+/g).map(Number);
        const linear = parts.slice(0, 3).map((part) => {
          const value = part / 255;
          return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
      };
      const contrast = (a, b) => {
        const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
        return (high + 0.05) / (low + 0.05);
      };
      const style = (element, name) => getComputedStyle(element)[name];
      const wood = style(document.querySelector("#board .wood"), "fill");
      const to = style(document.querySelector("#board .to"), "fill");
      const low = [];
      const check = (what, value, wanted) => value < wanted && low.push(`${what}: ${value.toFixed(2)}`);
      check("coordinates", contrast(style(document.querySelector("#board .coordinate"), "fill"), wood), least);
      check("lines", contrast(style(document.querySelector("#board .grid"), "stroke"), wood), leastOfShapes);
      for (const piece of document.querySelectorAll("#board .komas .koma")) {
        const body = piece.querySelector(".body");
        const fill = style(body, "fill");
        for (const glyph of piece.querySelectorAll(".glyph"))
          check(`${piece.getAttribute("class")} glyph`, contrast(style(glyph, "stroke"), fill), least);
        for (const solid of piece.querySelectorAll(".solid, .set-moves .marks, .set-pictures .marks"))
          check(`${piece.getAttribute("class")} shape`, contrast(style(solid, "fill"), fill), least);
        // Seen against the square by its face or by its edge.
        for (const square of [wood, to])
          check(
            `${piece.getAttribute("class")} on ${square}`,
            Math.max(contrast(fill, square), contrast(style(body, "stroke"), square)),
            leastOfShapes,
          );
      }
      return [...new Set(low)];
    },
    least,
    leastOfShapes,
  );

/** Chooses pieces and board with the fields of the settings. */
async function choose(page, pieces, board) {
  await page.select("#look-pieces", pieces);
  await page.select("#look-board", board);
}

async function everyCombination(page) {
  await page.evaluate(() => {
    const board = "ln1gk2nl/1rs4s1/p1+Ppp1bpp/2p6/1p7/2P1+S4/P+p1P1P2P/1BG+R1S1+L1/L+N2KG3";
    game.setUp(`sfen ${board} b 2P 1`, ["8h7g", "3c7g+"]);
    show(2);
    at("look").open = true;
  });
  const [sets, boards] = await page.evaluate(() => [PIECE_SETS, BOARDS]);
  assert.ok(sets.length >= 6 && boards.length >= 6);
  const low = [];
  for (const scheme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    for (const pieces of sets)
      for (const board of boards) {
        await choose(page, pieces, board);
        const found = await lowContrasts(page, LEAST, LEAST_OF_SHAPES);
        low.push(...found.map((text) => `${pieces}, ${board}, ${scheme}: ${text}`));
      }
  }
  assert.deepEqual(low, []);
}

/** No two kinds of a set look the same, and the preview shows the set that is chosen. */
async function everyKind(page) {
  for (const pieces of await page.evaluate(() => PIECE_SETS)) {
    await choose(page, pieces, "wood");
    const drawings = await page.evaluate(() =>
      Object.keys(STEPS).map((kind) => {
        const paths = [...koma(kind, false, false).querySelectorAll("path:not(.body)")];
        return kind.slice(-2, -1) + paths.map((path) => path.getAttribute("d")).join(" ");
      }),
    );
    assert.equal(new Set(drawings).size, 14, pieces);
    assert.equal(await page.$$eval(`#look-sample .set-${pieces}`, (shown) => shown.length), 16, pieces);
  }
}

/** On the smallest screen no stroke of a piece is thinner than a pixel. */
async function onSmallScreens(address) {
  const page = await open(address, SCREENS["360x640"]);
  await ready(page);
  await page.evaluate(() => {
    game.setUp("startpos", ["7g7f"]);
    show(1);
  });
  for (const pieces of await page.evaluate(() => PIECE_SETS)) {
    const thin = await page.evaluate((pieces) => {
      kept.look.pieces = pieces;
      applyLook();
      draw();
      return [...document.querySelectorAll("#board .komas .glyph:not(.solid)")]
        .map((glyph) => {
          const { a, b, c, d } = glyph.getScreenCTM();
          return parseFloat(getComputedStyle(glyph).strokeWidth) * Math.min(Math.hypot(a, b), Math.hypot(c, d));
        })
        .filter((width) => width < 1);
    }, pieces);
    assert.deepEqual(thin, [], pieces);
  }
  await page.evaluate(() => {
    kept.look = {};
    game.setUp("startpos");
    applyLook();
    keep();
  });
  await page.close();
}

/** The choice is kept, and pictures and reports have it. */
async function everywhere(page) {
  const picture = () =>
    page.evaluate(async () => {
      const canvas = await positionImage();
      const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canvas.toDataURL()));
      return [...new Uint8Array(bytes)].join();
    });
  const pictures = new Set();
  for (const [pieces, board] of [
    ["kanji", "wood"],
    ["two", "wood"],
    ["pictures", "wood"],
    ["pictures", "slate"],
  ]) {
    await choose(page, pieces, board);
    pictures.add(await picture());
  }
  assert.equal(pictures.size, 4);
  await page.reload();
  await ready(page);
  const chosen = () =>
    page.evaluate(() => {
      const { board } = document.documentElement.dataset;
      return [at("look-pieces").value, at("look-board").value, board];
    });
  assert.deepEqual(await chosen(), ["pictures", "slate", "slate"]);
  assert.ok((await page.$$("#board .set-pictures")).length > 10);
  await page.click("#tab-analyse");
  await page.evaluate(() => {
    at("record-text").value = "position startpos moves 7g7f 3c3d";
    at("nodes").options[0].value = "300";
    at("nodes").value = "300";
  });
  await page.click("#analyse-start");
  await page.waitForFunction(() => !at("report").hidden);
  const frame = await (await page.$("#report-frame")).contentFrame();
  await frame.waitForSelector("#board .set-pictures");
  assert.equal(await frame.evaluate(() => document.documentElement.dataset.board), "slate");
  await page.click("#report-back");
  // What an older or newer version has kept, and this one does not know.
  await page.evaluate(() => {
    kept.look = { pieces: "unknown", board: "unknown" };
    applyLook();
  });
  assert.deepEqual(await chosen(), ["kanji", "wood", "wood"]);
  await page.evaluate(() => {
    kept.look = {};
    applyLook();
    game.setUp("startpos");
    keep();
  });
}

export async function testLooks(address) {
  const page = await open(address);
  await ready(page);
  await test("every set of pieces can be read on every board", () => everyCombination(page));
  await test("no two kinds of a set look the same", () => everyKind(page));
  await test("pieces on the smallest screen", () => onSmallScreens(address));
  await test("the look is kept, and used in pictures and reports", () => everywhere(page));
  await page.close();
}
