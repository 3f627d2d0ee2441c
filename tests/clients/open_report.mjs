// Opens a report in Chromium, steps through it with the keyboard and prints what was seen as JSON;
// screenshots go to the folder given. CHROMIUM names the browser.
import { load } from "./modules.mjs";

const puppeteer = (await load("puppeteer-core")).default;
const [report, folder] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--lang=en-GB"],
});
const page = await browser.newPage();
const seen = { errors: [], requests: [], texts: {} };
page.on("console", (message) => {
  if (["error", "warn"].includes(message.type())) seen.errors.push(message.text());
});
page.on("pageerror", (error) => seen.errors.push(String(error)));
page.on("request", (request) => {
  if (!/^(file|data):/.test(request.url())) seen.requests.push(request.url());
});
const text = (id) => page.$eval(id, (element) => element.textContent);
// The board as text. Pieces that moved come last in the element, so the order of pieces is left out.
const board = () =>
  page.$eval("#board", (element) => {
    const copy = element.cloneNode(true);
    const pieces = [...copy.querySelectorAll("g[transform^=translate]")];
    for (const parent of new Set(pieces.map((piece) => piece.parentNode))) {
      parent.append(...[...parent.children].sort((a, b) => (a.outerHTML < b.outerHTML ? -1 : 1)));
    }
    return copy.innerHTML;
  });
const state = async () => ({ where: await text("#where"), board: await board() });
const note = async (name) => {
  seen[name] = await state();
};

await page.setViewport({ width: 1280, height: 900 });
await page.goto(`file://${report}`);
await note("start");
await page.keyboard.press("ArrowRight");
await note("first");
await page.keyboard.press("ArrowRight");
await note("second");
await page.keyboard.press("ArrowLeft");
await note("back");
await page.keyboard.press("End");
await note("end");
await page.keyboard.press("Home");
await note("home");
await page.keyboard.press("Enter");
await note("line");
await page.keyboard.press("ArrowRight");
await note("line_on");
await page.keyboard.press("Escape");
await note("left");
// The record's first variation.
const branch = await page.$("#moves .branch button");
if (branch) {
  await branch.click();
  await note("variation");
  await page.keyboard.press("Escape");
}
seen.moves = await page.$$eval("#moves > li", (items) => items.length);
// The mouse wheel, flipping, the address, the exercise.
await page.hover("#board");
await page.keyboard.press("Home");
await page.mouse.wheel({ deltaY: 100 });
await note("wheel");
seen.address = await page.evaluate(() => location.hash);
await page.keyboard.press("f");
await note("flipped");
await page.keyboard.press("f");
await page.click("#practice");
seen.exercise = await page.$eval("#exercise", (element) => !element.hidden);
if (seen.exercise) await page.click("#practice");
// Contrast of text with its background, also in the selected row.
const contrast = () =>
  page.evaluate(() => {
    const channels = (text) => (text.match(/[\d.]+/g) || [0, 0, 0, 0]).map(Number);
    const luminance = ([r, g, b]) =>
      [r, g, b]
        .map((c) => c / 255)
        .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (element) => {
      for (let e = element; e; e = e.parentElement) {
        const colour = channels(getComputedStyle(e).backgroundColor);
        if (colour.length === 3 || colour[3] === 1) return colour;
      }
      return [255, 255, 255];
    };
    let worst = [21, ""];
    for (const element of document.querySelectorAll("main *, header *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      if (!own || element.closest("svg") || element.tagName === "OPTION" || !element.getClientRects().length) continue;
      const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))].sort(
        (x, y) => y - x,
      );
      const ratio = (a + 0.05) / (b + 0.05);
      if (ratio < worst[0]) worst = [ratio, element.className + ": " + element.textContent.slice(0, 30)];
    }
    return worst;
  });
for (let press = 0; press < 30; press++) await page.keyboard.press("ArrowRight");
const language = async () => ({
  lang: await page.$eval("html", (e) => e.lang),
  body: (await text("header")) + (await text("main")),
});
for (const scheme of ["light", "dark"]) {
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  (seen.contrast ||= []).push(await contrast());
  for (const width of [1920, 1280, 768, 390]) {
    await page.setViewport({ width, height: width === 390 ? 844 : 900, isMobile: width === 390 });
    // Wider than the screen is what a phone cannot read.
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    (seen.overflow ||= []).push(wide);
    for (let round = 0; round < 2; round++) {
      const now = await language();
      seen.texts[now.lang] = now.body;
      await page.screenshot({ path: `${folder}/${scheme}-${width}-${now.lang}.png`, fullPage: width === 390 });
      await page.click("#language");
    }
  }
  (seen.colours ||= []).push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
}
await browser.close();
console.log(JSON.stringify(seen));
