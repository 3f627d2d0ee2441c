// Opens the page of a running game in Chromium and prints what is seen after a number of moves as JSON.
import { load } from "./modules.mjs";

const puppeteer = (await load("puppeteer-core")).default;
const [address, moves] = process.argv.slice(2);
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--lang=en-GB"],
});
const page = await browser.newPage();
const seen = { errors: [] };
page.on("console", (message) => {
  if (["error", "warn"].includes(message.type())) seen.errors.push(message.text());
});
page.on("pageerror", (error) => seen.errors.push(String(error)));
await page.goto(address);
await page.waitForFunction(
  (count) => document.querySelectorAll("#moves tr").length === count && document.querySelector("#board svg"),
  { timeout: 20_000 },
  Number(moves),
);
Object.assign(
  seen,
  await page.evaluate(() => ({
    rows: [...document.querySelectorAll("#moves tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
    upper: document.querySelector("#upper").textContent,
    lower: document.querySelector("#lower").textContent,
    pieces: document.querySelectorAll("#board .piece").length,
    status: document.querySelector("#status").textContent,
    curve: document.querySelector("#curve").getAttribute("d"),
    lost: !document.querySelector("#lost").hidden,
  })),
);
await browser.close();
console.log(JSON.stringify(seen));
