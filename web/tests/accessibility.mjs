// axe-core finds nothing in any tab at any size, in both languages, light and dark.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { open, ready, test } from "./harness.mjs";
import { SCREENS } from "./phones.mjs";

const TABS = ["play", "analyse", "setup", "mate", "games"];

/** The source of axe-core from the folder of modules; null if it is not there. */
function axe() {
  const folder = process.env.MONOMI_NODE_MODULES || `${process.cwd()}/node_modules`;
  try {
    return createRequire(`${folder}/of.js`).resolve("axe-core", { paths: [folder] });
  } catch {
    return null;
  }
}

const faults = (page) =>
  page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"], iframes: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });

/** The fixed state that all tabs are looked at in: a game that is over, games in the list, and statistics. */
async function prepare(page) {
  await page.evaluate(async () => {
    for (let day = 1; day <= 9; day++) {
      const moves = ["7g7f", "3c3d", "2g2f", "8c8d"];
      game.setUp("startpos", moves);
      Object.assign(game, { began: new Date(2026, 9, day), human: 0, level: 4, seconds: moves.map(() => 1) });
      game.finish(day % 2, "resignEnd");
      game.result.seen = true;
      const mistakes = [{ ply: 2, loss: 0.2, right: ["6g6f"], phase: 0, step: 0, due: "2026-10-01", kind: "Other" }];
      game.judged = { text: game.text(), accuracy: [60 + day, 70], nodes: 1000, mistakes };
      game.comments[1] = "a comment";
      game.bookmarks = [1];
      keep();
    }
    await archiveIdle();
    game.setUp("sfen lnsgkgsnl/9/9/9/9/9/9/9/LNSGKGSNL b RB3Prb3p 1", ["5i5h", "5a5b"]);
    for (const fold of document.querySelectorAll("#panel details")) fold.open = true;
    show(2);
  });
}

export async function testAccessibility(address) {
  const script = axe();
  await test("axe-core finds no fault in any tab, size and language", async () => {
    if (!script) return console.error("skipped: axe-core is not in MONOMI_NODE_MODULES");
    for (const [size, viewport] of Object.entries(SCREENS)) {
      const page = await open(address, viewport);
      await ready(page);
      await page.evaluateOnNewDocument(() => self === top && localStorage.clear());
      await page.reload();
      await ready(page);
      await prepare(page);
      // The policy of the page allows no script of others; a test may.
      const session = await page.createCDPSession();
      await session.send("Page.enable");
      const source = await import("node:fs/promises").then(({ readFile }) => readFile(script, "utf8"));
      await session.send("Runtime.evaluate", { expression: source });
      for (const scheme of ["light", "dark"]) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        for (const language of ["en", "ja"]) {
          await page.evaluate((language) => speak(language), language);
          for (const tab of TABS) {
            await page.evaluate((tab) => openTab(tab), tab);
            if (tab === "games") await page.waitForFunction(() => document.querySelectorAll("#games li").length >= 9);
            const where = `${size}, ${scheme}, ${language}, ${tab}`;
            assert.deepEqual(await faults(page), [], where);
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert.ok(wide <= 0, `${where}: ${wide} wider than the screen`);
          }
          await page.evaluate(() => at("practise").click());
          await page.waitForFunction(() => practice.task !== null);
          assert.deepEqual(await faults(page), [], `${size}, ${scheme}, ${language}, practice`);
        }
      }
      await page.evaluate(async () => {
        openTab("play");
        // The language is kept.
        speak("en");
        for (const { name, own } of await listGames()) if (own) await removeGame(name);
        game.setUp("startpos");
      });
      await page.close();
    }
    return undefined;
  });
}
