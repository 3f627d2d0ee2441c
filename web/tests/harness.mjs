// What the tests in Chromium share: a server, pages, clicks, and the account of what was seen.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, resolve } from "node:path";
import { load } from "../../tests/clients/modules.mjs";

const puppeteer = (await load("puppeteer-core")).default;
export const [folder, record, liveReport, shots] = process.argv.slice(2).map((path) => resolve(path));
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};
export const server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://localhost").pathname;
  try {
    const file = `${folder}${path.endsWith("/") ? `${path}index.html` : path}`;
    const body = await readFile(file);
    response.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
export const home = `http://127.0.0.1:${server.address().port}`;
export const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--lang=en-GB",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
});
export const seen = { errors: [], foreign: [], passed: [], figures: {} };

export async function open(address, options = {}) {
  const page = await browser.newPage();
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) seen.errors.push(`${address}: ${message.text()}`);
  });
  page.on("pageerror", (error) => seen.errors.push(`${address}: ${error}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(home) && !/^(file|data|blob|about):/.test(url)) seen.foreign.push(url);
  });
  page.setDefaultTimeout(60000);
  await page.setViewport({ width: 1280, height: 900, ...options });
  await page.goto(address);
  return page;
}

export const ready = (page) => page.waitForFunction(() => performance.getEntriesByName("monomi-ready").length > 0);
export const policy = (page) => page.$eval("meta[http-equiv=Content-Security-Policy]", (element) => element.content);
export const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
export async function test(name, body) {
  try {
    await body();
  } catch (error) {
    const page = (await browser.pages()).at(-1);
    await page.screenshot({ path: `${shots}/failed.png` }).catch(() => {});
    error.message = `${name}: ${error.message}; errors so far: ${seen.errors}`;
    throw error;
  }
  seen.passed.push(name);
}

/** Clicks on a square of the board, such as "7g". */
export async function click(page, name) {
  await page.mouse.click(...(await placeOf(page, name)));
}

/** The centre of a square on the screen. The board is not turned. */
export async function placeOf(page, name) {
  const box = await (await page.$("#board")).boundingBox();
  const [x, y] = [9 - Number(name[0]), name.charCodeAt(1) - 97];
  return [box.x + ((18 + (x + 0.5) * 96) / 936) * box.width, box.y + ((40 + (y + 0.5) * 104) / 994) * box.height];
}

export const play = async (page, move) => {
  await click(page, move.slice(0, 2));
  await click(page, move.slice(2));
};
export const moves = (page) => page.evaluate(() => game.moves.length);
/** Waits until the player is to move after that many plies, or the game has ended. */
export const myTurn = (page, plies) =>
  page.waitForFunction((plies) => game.result || (game.moves.length >= plies && !thinking), {}, plies);

/** Starts a game with the settings shown, and ends the one in progress. */
export async function begin(page) {
  await page.$eval("#settings-fold", (fold) => {
    fold.open = true;
  });
  const before = await page.evaluate(() => game.began?.getTime() ?? null);
  await page.click("#start");
  if (await page.$eval("#ask", (dialog) => dialog.open)) await page.click("#ask .primary");
  // Not the game before.
  await page.waitForFunction((before) => game.active && game.began.getTime() !== before, {}, before);
}

/** Saves a file by a button; its path. The report itself may be in the folder of screenshots. */
export async function downloaded(page, button) {
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath: `${shots}/saved`,
    eventsEnabled: true,
  });
  const done = new Promise((resolve) =>
    session.on("Browser.downloadProgress", (event) => {
      if (event.state === "completed") resolve(event);
    }),
  );
  const begun = new Promise((resolve) => session.on("Browser.downloadWillBegin", resolve));
  await page.click(button);
  const { suggestedFilename } = await begun;
  await done;
  return `${shots}/saved/${suggestedFilename}`;
}
