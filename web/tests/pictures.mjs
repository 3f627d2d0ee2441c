// Makes the pictures of docs/images that show a report: report.png, report.ja.png, moves.gif and moves.ja.gif.
//     MONOMI_NODE_MODULES=... node web/tests/pictures.mjs [MONOMI] [TARGET_WEB] [DOCS_IMAGES]
// The game is docs/images/game.kif, in which Monomi plays itself at level 8. CHROMIUM names the browser; pngquant makes
// the pictures smaller, and Python with Pillow joins the animation: without them, this says what is left out.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { join, resolve } from "node:path";

const here = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const [monomi = here("target/release/monomi"), web = here("target/web"), images = here("docs/images")] = process.argv
  .slice(2)
  .map((path) => resolve(path));
const scratch = mkdtempSync(join(tmpdir(), "monomi-pictures-"));
const kif = readFileSync(`${images}/game.kif`, "utf8");
const NAMES = { en: ["You", "Monomi Level 8 (about 1 kyu)"], ja: ["あなた", "Monomi レベル 8（1級前後）"] };
const record = (language) =>
  kif.replace(/^先手：.*$/m, `先手：${NAMES[language][0]}`).replace(/^後手：.*$/m, `後手：${NAMES[language][1]}`);
// The files that the server and the browser of the tests are made with.
process.argv.splice(2, process.argv.length, web, `${images}/game.kif`, "unused", scratch);
const { browser, home, open, ready, server } = await import("./harness.mjs");

/** At most 256 colours, as the pictures in the repository have. */
function keep(file, target) {
  if (spawnSync("pngquant", ["--force", "--output", target, "256", file]).status !== 0) {
    console.error(`${target}: pngquant is not there; the picture has all colours`);
    writeFileSync(target, readFileSync(file));
  }
}

/** The move that the headline names, else the one that cost most of the turning points. */
const named = (page) => page.evaluate(() => (data.story?.ply ?? data.turning[0]) + 1);

async function report(language) {
  const name = language === "ja" ? "report.ja" : "report";
  writeFileSync(`${scratch}/${name}.kifu`, record(language));
  execFileSync(monomi, [
    "analyze",
    "-q",
    "--nodes",
    "20000",
    "--multipv",
    "2",
    "-f",
    "html",
    "-o",
    scratch,
    `${scratch}/${name}.kifu`,
  ]);
  const page = await open(`file://${scratch}/${name}.monomi.html`, { width: 1920, height: 1080 });
  if ((await page.evaluate(() => language)) !== language) await page.click("#language");
  await page.evaluate((ply) => show(ply), await named(page));
  await page.screenshot({ path: `${scratch}/${name}.png` });
  keep(`${scratch}/${name}.png`, `${images}/${name}.png`);
  console.log(`${name}.png: ${await page.$eval("#story", (element) => element.textContent)}`);
  await page.close();
}

/** The last moves of the game in the app on a phone, its analysis, the better line of the decisive move, and the
 *  exercise. */
async function animation(language) {
  const name = language === "ja" ? "moves.ja" : "moves";
  const page = await open(`${home}/app/`, { width: 390, height: 844, isMobile: true, hasTouch: true });
  await ready(page);
  if ((await page.evaluate(() => language)) !== language) await page.click("#language");
  const frames = [];
  const take = async (milliseconds) => {
    const file = `${scratch}/${name}-${frames.length}.png`;
    // Pieces move for 150 ms.
    await new Promise((done) => setTimeout(done, 250));
    await page.screenshot({ path: file });
    frames.push([file, milliseconds]);
  };
  const all = await page.evaluate((text) => rules.openRecords(text)[0].moves, kif);
  const begin = all.length - 11;
  // The opponent plays as in the game.
  await page.evaluate(
    (all, begin) => {
      pace.answer = 0;
      globalThis.ownSearch = engine.search;
      engine.search = async () => ({ move: all[game.moves.length] });
      game.human = 0;
      game.level = 8;
      game.setUp("startpos", all.slice(0, begin));
      game.begin();
      at("settings-fold").open = false;
      shown = begin;
      changed();
    },
    all,
    begin,
  );
  await take(900);
  for (let plies = begin; plies < all.length; plies += 2) {
    await page.evaluate((move) => {
      input.selected = move[1] === "*" ? move[0] : square(move);
      drawBoard();
    }, all[plies]);
    await take(450);
    await page.evaluate((move) => {
      playMove(move);
    }, all[plies]);
    await page.waitForFunction((plies) => game.result || game.moves.length === plies, {}, plies + 2);
    await take(700);
  }
  await page.evaluate(() => {
    engine.search = ownSearch;
  });
  await page.waitForFunction(() => at("end-verdict")?.textContent);
  await take(1800);
  await page.tap("#end-card .primary");
  await take(900);
  await page.evaluate(() => {
    at("nodes").selectedIndex = 0;
  });
  await page.tap("#analyse-start");
  for (const part of [0.3, 0.6, 0.9]) {
    await page.waitForFunction(
      (part) => !at("report").hidden || at("progress").value >= part * at("progress").max,
      { timeout: 0 },
      part,
    );
    if (await page.$eval("#report", (report) => report.hidden)) await take(350);
  }
  await page.waitForFunction(() => !at("report").hidden, { timeout: 0 });
  const frame = await (await page.$("#report-frame")).contentFrame();
  await frame.waitForSelector("#try:not([hidden])");
  await take(2200);
  // The decisive move, and its better line.
  const ply = await named(frame);
  await frame.evaluate((ply) => {
    show(ply);
    at("board").scrollIntoView();
  }, ply);
  await take(1600);
  await frame.evaluate(() => at("verdict").scrollIntoView({ block: "center" }));
  await take(1400);
  await frame.tap("#verdict .better .word");
  await frame.evaluate(() => at("side-top").scrollIntoView());
  await take(1000);
  for (let press = 0; press < 3; press++) {
    await frame.tap("nav [data-go=next]");
    await take(700);
  }
  await frame.evaluate(() => {
    show(line?.back ?? ply);
    at("graph").scrollIntoView({ block: "center" });
  });
  await take(2000);
  // The exercise about the same move.
  await frame.evaluate((asked) => {
    startExercise();
    if (exercise.list.includes(asked)) ask(exercise.list, exercise.list.indexOf(asked));
    at("exercise").scrollIntoView({ block: "end" });
  }, ply - 1);
  await take(1800);
  await frame.evaluate(() => {
    exercise.question.answer(exercise.question.answers.right[0].moves[0]);
    draw();
    at("exercise").scrollIntoView({ block: "end" });
  });
  await take(2400);
  await page.evaluate(() => localStorage.clear());
  await page.close();
  // The same colours for all frames, so that only what changes is stored.
  const join = `import json, sys
from PIL import Image
frames, target = json.loads(sys.argv[1]), sys.argv[2]
pictures = [Image.open(file).convert("RGB") for file, _ in frames]
width, height = pictures[0].size
all = Image.new("RGB", (width * len(pictures), height))
for index, picture in enumerate(pictures):
    all.paste(picture, (width * index, 0))
palette = all.quantize(128, method=Image.Quantize.MAXCOVERAGE)
pictures = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
durations = [time for _, time in frames]
pictures[0].save(target, save_all=True, append_images=pictures[1:], duration=durations, loop=0, optimize=True)`;
  const joined = spawnSync("python3", ["-c", join, JSON.stringify(frames), `${images}/${name}.gif`], {
    encoding: "utf8",
  });
  console.log(
    joined.status === 0 ? `${name}.gif: ${frames.length} frames` : `${name}.gif was not made: ${joined.stderr}`,
  );
}

for (const language of ["en", "ja"]) {
  await report(language);
  await animation(language);
}
await browser.close();
server.close();
