// Opens the page of a book in Chromium, plays moves and prints what was seen as JSON.
import { load } from "./modules.mjs";

const puppeteer = (await load("puppeteer-core")).default;
const [file] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--lang=en-GB"],
});
const page = await browser.newPage();
const seen = { errors: [], requests: [] };
page.on("console", (message) => {
  if (["error", "warn"].includes(message.type())) seen.errors.push(message.text());
});
page.on("pageerror", (error) => seen.errors.push(String(error)));
page.on("request", (request) => {
  if (!/^(file|data):/.test(request.url())) seen.requests.push(request.url());
});
const note = async (name) => {
  seen[name] = await page.evaluate(() => {
    const text = (id) => document.querySelector(id).textContent;
    const moves = [...document.querySelectorAll("#book tbody tr")].map((row) =>
      [...row.cells]
        .map((cell) => cell.textContent)
        .join(" ")
        .trim(),
    );
    return { where: text("#where"), path: text("#path"), note: text("#note"), moves };
  });
};

await page.goto(`file://${file}`);
await note("start");
await page.click("#book tbody tr:nth-child(2) button");
await note("outside");
await page.keyboard.press("ArrowLeft");
await page.keyboard.press("Home");
await page.click("#book tbody tr:nth-child(1) button");
await note("played");
await page.keyboard.press("ArrowRight");
await page.keyboard.press("ArrowLeft");
await page.click("#language");
await note("japanese");
await page.keyboard.press("Home");
await page.keyboard.press("End");
await note("again");
await browser.close();
console.log(JSON.stringify(seen));
