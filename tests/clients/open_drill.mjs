// Opens a page of exercises and a report in Chromium, answers exercises with mouse and keyboard, and
// prints what was seen as JSON: node open_drill.mjs DRILL REPORT FOLDER. CHROMIUM names the browser.
import { load } from "./modules.mjs";

const puppeteer = (await load("puppeteer-core")).default;
const [drill, report, folder] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--lang=en-GB"],
});
const page = await browser.newPage();
const seen = { errors: [], requests: [], answers: [] };
page.on("console", (message) => {
  if (["error", "warn"].includes(message.type())) seen.errors.push(message.text());
});
page.on("pageerror", (error) => seen.errors.push(String(error)));
page.on("request", (request) => {
  if (!/^(file|data):/.test(request.url())) seen.requests.push(request.url());
});
const text = (selector) => page.$eval(selector, (element) => element.textContent);
const button = (word) =>
  page.evaluate(
    (word) => [...document.querySelectorAll("#exercise button")].find((item) => item.textContent === w[word]).click(),
    word,
  );
const type = async (move) => {
  await page.$eval("#answer", (field) => {
    field.value = "";
  });
  await page.type("#answer", move);
  await page.keyboard.press("Enter");
};
/** Moves a piece with the mouse; a choice of promotion as the move says. */
const play = async (move, flipped) => {
  const place = async (name) => {
    const box = await (await page.$("#board")).boundingBox();
    let [x, y] = [9 - Number(name[0]), name.charCodeAt(1) - 97];
    if (flipped) [x, y] = [8 - x, 8 - y];
    return [box.x + ((18 + (x + 0.5) * 96) / 936) * box.width, box.y + ((40 + (y + 0.5) * 104) / 994) * box.height];
  };
  if (move[1] === "*") await page.click(`.side.turn [data-kind="${move[0]}"]`);
  else await page.mouse.click(...(await place(move.slice(0, 2))));
  await page.mouse.click(...(await place(move.slice(2))));
  const choice = await page.evaluate(() =>
    [...document.querySelectorAll("#exercise button")].some((item) => item.textContent === w.promote),
  );
  if (choice) await button(move.endsWith("+") ? "promote" : "stay");
};

await page.setViewport({ width: 1280, height: 900 });
await page.goto(`file://${drill}`);
const exercises = await page.evaluate(() =>
  exercises.map(({ sfen, turn, played, answers }) => ({
    sfen,
    turn,
    played,
    right: answers.right.map((found) => found.moves[0]),
    wrong: answers.wrong.map((found) => found.moves),
  })),
);
seen.exercises = exercises.length;
for (const [index, exercise] of exercises.entries()) {
  await page.evaluate((index) => open(index), index);
  const found = { hidden: (await text("#lines")) + (await text("#source")) };
  await play(exercise.played, exercise.turn === "w");
  found.played = await text(".message");
  found.refutation = await text("#exercise .refutation");
  // A look at the refutation, and back.
  await page.click("#exercise .refutation .move");
  found.followed = await text("#where");
  await page.keyboard.press("Escape");
  await type("9z9z");
  found.nonsense = await text(".message");
  const answer = exercise.right.at(-1);
  if (index % 2) await type(answer);
  else await play(answer, exercise.turn === "w");
  found.answered = await text(".message");
  found.lines = await page.$$eval("#lines li", (items) => items.length);
  found.source = await text("#source");
  seen.answers.push(found);
}
seen.score = await text("#score");
seen.words = await page.evaluate(() => ({
  right: w.right,
  close: w.close,
  wrongAgain: w.wrongAgain,
  unknown: w.unknown,
  score: w.score(exercises.length, exercises.length),
}));
await page.screenshot({ path: `${folder}/drill.png`, fullPage: true });
await page.click("#language");
seen.japanese = (await text("#exercise")) + (await text("#score"));
await page.setViewport({ width: 390, height: 844, isMobile: true });
seen.overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
await page.screenshot({ path: `${folder}/drill-narrow.png`, fullPage: true });

// The same questions in the report.
await page.setViewport({ width: 1280, height: 900 });
await page.goto(`file://${report}`);
await page.click("#practice");
seen.report = [];
for (let asked = await page.evaluate(() => exercise.list.length); asked > 0; asked--) {
  const step = await page.evaluate(() => ({
    played: steps[ply].played,
    right: steps[ply].exercise.right.map((found) => found.moves[0]),
  }));
  await type(step.played);
  const wrong = await text(".message");
  await type(step.right.at(-1));
  seen.report.push({ wrong, right: await text(".message") });
  await button("nextTask");
}
console.log(JSON.stringify(seen));
await browser.close();
