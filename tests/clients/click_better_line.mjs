// Clicks and types through the better lines of a report in Chromium, on a desk and on a phone, and prints what was seen
// as JSON; screenshots go to the folder given. CHROMIUM names the browser.
import { load } from "./modules.mjs";

const puppeteer = (await load("puppeteer-core")).default;
const [report, folder, ...plies] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--lang=en-GB"],
});
const seen = { errors: [], places: [] };

// The arrows on the board as moves, from their drawing alone: a path from its middle to its tip, or a ring on a square.
const arrows = (page) =>
  page.$$eval("#board .arrow", (elements) =>
    elements.map((element) => {
      const turned = document.querySelector("#flip").getAttribute("aria-pressed") === "true";
      const square = ([x, y]) => {
        const [file, rank] = [Math.floor((x - 18) / 96), Math.floor((y - 40) / 104)].map((part) =>
          turned ? 8 - part : part,
        );
        return `${9 - file}${"abcdefghi"[rank]}`;
      };
      const numbers = (text) => text.match(/[-\d.]+/g).map(Number);
      const kind = element.classList[1];
      if (element.tagName === "g") {
        // The letters of a drop are not in the drawing.
        return [kind, `*${square(numbers(element.getAttribute("transform")))}`];
      }
      const n = numbers(element.getAttribute("d"));
      return [kind, square([(n[0] + n[12]) / 2, (n[1] + n[13]) / 2]) + square([n[6], n[7]])];
    }),
  );
const state = async (page) => ({
  where: await page.$eval("#where", (element) => element.textContent),
  address: await page.evaluate(() => location.hash),
  better: await page.$eval("#verdict", (element) => element.querySelector(".better")?.textContent ?? null),
  now: await page.$$eval("#verdict .better .now", (elements) => elements.map((element) => element.textContent)),
  arrows: await arrows(page),
  board: await page.$eval("#board", (element) => element.getAttribute("aria-label")),
});

// Whether the whole board is on the screen.
const inView = (page) =>
  page.$eval("#board", (element) => {
    const box = element.getBoundingClientRect();
    return box.top >= 0 && box.bottom <= innerHeight;
  });

const SIZES = {
  desk: { width: 1280, height: 900 },
  phone: { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
};
for (const [size, viewport] of Object.entries(SIZES)) {
  for (const ply of plies) {
    const page = await browser.newPage();
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) seen.errors.push(message.text());
    });
    page.on("pageerror", (error) => seen.errors.push(String(error)));
    await page.setViewport(viewport);
    const press = (selector) => (viewport.hasTouch ? page.tap(selector) : page.click(selector));
    await page.goto(`file://${report}#${ply}`);
    const place = { size, ply: Number(ply), seen: {} };
    place.mistake = await state(page);
    await page.screenshot({ path: `${folder}/better-${size}-${ply}.png` });
    // The word begins the line; its moves lead to any place in it.
    await press("#verdict .better .word");
    place.clicked = await state(page);
    place.seen.clicked = await inView(page);
    await page.screenshot({ path: `${folder}/better-${size}-${ply}-line.png` });
    await press("#verdict .better .move:nth-of-type(3)");
    place.second = await state(page);
    // Where the pointer lies on a verdict, the board shows the reason.
    await page.mouse.move(0, 0);
    await page.keyboard.press("ArrowRight");
    place.third = await state(page);
    await page.keyboard.press("ArrowLeft");
    place.again = await state(page);
    await page.keyboard.press("Escape");
    place.left = await state(page);
    await page.keyboard.press("b");
    place.typed = await state(page);
    place.seen.typed = await inView(page);
    await page.keyboard.press("Escape");
    place.back = await state(page);
    await page.keyboard.press("f");
    place.flipped = (await state(page)).arrows;
    await page.keyboard.press("f");
    // In the position before the move there is nothing to show, and the key does nothing.
    await page.keyboard.press("ArrowLeft");
    place.before = await state(page);
    await page.keyboard.press("b");
    place.nothing = await state(page);
    // The answer of an exercise, also where the move before the question was bad, too.
    await page.click("#practice");
    place.answers = [];
    for (const number of await page.evaluate(() => [...exercise.list.keys()])) {
      const asked = await page.evaluate((number) => {
        ask(exercise.list, number);
        exercise.question.done = true;
        draw();
        if (flipped) flip();
        return exercise.list[number];
      }, number);
      place.answers.push([asked, await arrows(page), (await state(page)).better]);
    }
    await page.keyboard.press("Escape");
    place.wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    // What a finger must hit.
    place.heights = await page.$$eval("#verdict .better button", (buttons) =>
      buttons.map((button) => button.getBoundingClientRect().height),
    );
    seen.places.push(place);
    await page.close();
  }
}
await browser.close();
console.log(JSON.stringify(seen));
