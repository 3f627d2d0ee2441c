// Tests the package for lishogi in Chromium: node web/tests/lishogi.mjs FOLDER
// FOLDER is target/web/lishogi/monomi-shogi. The lines are those that lishogi's `ui/ceval/src/protocol.ts` sends, on
// pages that are isolated and on pages that are not.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, resolve } from "node:path";
import { load } from "../../tests/clients/modules.mjs";
import { passed, test } from "./steps.mjs";

const folder = resolve(process.argv[2]);
const puppeteer = (await load("puppeteer-core")).default;
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };
const ISOLATION = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };
const PAGE = "<!doctype html><meta charset=utf-8><link rel=icon href=data:,><script src=monomi.js></script>";

const server = createServer(async (request, response) => {
  const [, kind, name] = new URL(request.url, "http://localhost").pathname.split("/");
  const headers = kind === "isolated" ? ISOLATION : {};
  try {
    const body = name ? await readFile(resolve(folder, name)) : PAGE;
    response.writeHead(200, { "Content-Type": name ? TYPES[extname(name)] : "text/html", ...headers });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});

/** A page with an engine, and a function that sends lines and waits for one that matches. */
async function open(kind, withBytes) {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`http://127.0.0.1:${server.address().port}/${kind}/`);
  await page.evaluate(async (withBytes) => {
    const wasmBinary = withBytes ? await (await fetch("monomi.wasm")).arrayBuffer() : undefined;
    window.lines = [];
    window.engine = await window.Monomi({ wasmBinary, locateFile: (name) => name });
    window.engine.addMessageListener((line) => window.lines.push(line));
  }, withBytes);
  const ask = async (commands, pattern) => {
    await page.evaluate((commands) => {
      window.lines.length = 0;
      for (const command of commands) window.engine.postMessage(command);
    }, commands);
    const find = (pattern) => window.lines.find((line) => new RegExp(pattern).test(line));
    return (await page.waitForFunction(find, { polling: 50 }, pattern)).jsonValue();
  };
  return { page, ask, lines: () => page.evaluate(() => window.lines) };
}

const START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
for (const [kind, isolated] of [
  ["plain", false],
  ["isolated", true],
]) {
  await test(`analysis as lishogi does it on pages that are ${isolated ? "" : "not "}isolated`, async () => {
    const { page, ask, lines } = await open(kind, isolated);
    assert.equal(await page.evaluate(() => window.crossOriginIsolated), isolated);
    await ask(["usi"], "^usiok");
    await ask(["setoption name USI_Hash value 32", "usinewgame", "isready"], "^readyok");
    const moves = `position sfen ${START} moves 7g7f 3c3d`;
    await ask([moves, "go movetime 90000"], "^info depth ([6-9]|[1-9][0-9]) .* pv ");
    // `stop` ends the search long before its 90 seconds.
    assert.match(await ask(["stop"], "^bestmove"), /^bestmove \d[a-i]\d[a-i]/);
    await ask(["setoption name MultiPV value 3", "isready"], "^readyok");
    await ask([moves, "go depth 245"], "^info depth .* multipv 3 ");
    await ask(["stop"], "^bestmove");
    // A search that ends by itself, and nothing after its end.
    await ask([`position sfen ${START}`, "go depth 3"], "^bestmove");
    assert.equal((await lines()).at(-1).split(" ")[0], "bestmove");
    await page.close();
  });
}

await test("a module that cannot be loaded is an error", async () => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/plain/`);
  const failure = (options) =>
    page.evaluate(async (name) => {
      const locateFile = (file) => (file === name ? "missing" : file);
      return window.Monomi({ locateFile }).then(
        () => "no error",
        (error) => error.message,
      );
    }, options);
  assert.match(await failure("monomi.wasm"), /missing: status 404/);
  assert.match(await failure("monomi.worker.js"), /cannot be started/);
  await page.close();
});

await browser.close();
server.close();
console.log(JSON.stringify({ passed }));
