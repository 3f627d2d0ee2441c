// Builds pages with the npm package by bundlers and opens them in Chromium:
//   node web/tests/bundlers.mjs PACKAGE MODULES...
// MODULES are folders of node_modules (web/checks and web/bundlers, installed); cases whose bundler is in none of them
// are left out and named. MONOMI_NODE_MODULES names the folder of puppeteer-core.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { load } from "../../tests/clients/modules.mjs";
import { passed, test } from "./steps.mjs";

const [folder, ...modules] = process.argv.slice(2).map((path) => resolve(path));
const { name } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const puppeteer = (await load("puppeteer-core")).default;
const skipped = [];
const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
};

const PROGRAMS = ["parcel", "bun", "deno"];

/** A bundler, from the first folder that has it; null if none has. */
async function bundler(wanted) {
  const found = modules.find((path) => existsSync(join(path, wanted)));
  if (!found) return null;
  if (PROGRAMS.includes(wanted)) return join(found, ".bin", wanted);
  const module = await import(pathToFileURL(createRequire(join(found, "of.js")).resolve(wanted)));
  return module.build || module.rollup ? module : (module.default ?? module);
}

/** A project that uses the package as users do: installed below node_modules, without configuration. */
function project(options = "") {
  const place = mkdtempSync(join(tmpdir(), "monomi-bundler-"));
  mkdirSync(join(place, "node_modules"));
  cpSync(folder, join(place, "node_modules", name), { recursive: true });
  writeFileSync(join(place, "package.json"), '{ "private": true, "type": "module" }\n');
  writeFileSync(
    join(place, "main.js"),
    `import { Engine, WorkerEngine } from "${name}";
const options = ${options || "{}"};
async function result() {
  const engine = await Engine.create(options);
  const worker = await WorkerEngine.create(options);
  const { depth } = await worker.search("startpos", { depth: 3 });
  return [engine.names("startpos", ["7g7f"])[0], depth];
}
globalThis.result = result().catch((error) => error.message);
`,
  );
  const page =
    '<!DOCTYPE html><html lang="en"><title>Test</title><script type="module" src="./main.js"></script></html>\n';
  writeFileSync(join(place, "index.html"), page);
  return place;
}

function serve(place) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(place, path.endsWith("/") ? `${path}index.html` : path);
    if (!existsSync(file)) return response.writeHead(404).end();
    return response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(readFileSync(file));
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done(server)));
}

const browser = await puppeteer.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
});

/** What the page of a project says. */
async function said(address) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.goto(address);
  // A development server may load the page again when it has found what it needs.
  const ready = page
    .waitForFunction(() => globalThis.result, { timeout: 120000 })
    .catch(() => assert.fail(errors.join()));
  await ready;
  const value = await page.evaluate(() => globalThis.result);
  await page.close();
  return value;
}

const RIGHT = ["▲７六歩", 3];
async function works(place, out) {
  const server = await serve(join(place, out));
  try {
    assert.deepEqual(await said(`http://127.0.0.1:${server.address().port}/`), RIGHT);
  } finally {
    server.close();
  }
}

/** A case: `body` gets the bundler and a project, which is removed afterwards. */
async function bundled(title, wanted, options, body) {
  const found = await bundler(wanted);
  if (!found) return skipped.push(title);
  const place = project(options);
  try {
    await test(title, () => body(found, place));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return undefined;
}

/** esbuild copies no files, so that addresses are given. */
const GIVEN = '{ wasm: "/monomi.wasm", worker: () => new Worker("/worker.js", { type: "module" }) }';
function withFiles(place, out, script) {
  for (const file of ["monomi.wasm", "worker.js"]) cpSync(join(folder, file), join(place, out, file));
  writeFileSync(join(place, out, "index.html"), `<!DOCTYPE html><title>Test</title><script ${script}></script>\n`);
}

try {
  for (const [title, wanted] of [
    ["webpack 5", "webpack"],
    ["rspack 2", "@rspack/core"],
  ]) {
    await bundled(title, wanted, "", async (found, place) => {
      const build = found.rspack ?? found;
      const config = { mode: "production", context: place, entry: "./main.js", output: { path: join(place, "dist") } };
      await new Promise((done, fail) => {
        build(config, (error, stats) => {
          if (error || stats.hasErrors()) fail(error ?? new Error(stats.toString({ all: false, errors: true })));
          else done();
        });
      });
      writeFileSync(
        join(place, "dist/index.html"),
        '<!DOCTYPE html><title>Test</title><script src="main.js"></script>\n',
      );
      await works(place, "dist");
    });
  }

  for (const [title, wanted, moves] of [
    ["Vite 8", "vite", false],
    ["Vite 7", "vite7", true],
    ["Vite 5", "vite5", true],
  ]) {
    await bundled(`${title} builds`, wanted, "", async (vite, place) => {
      await vite.build({ root: place, logLevel: "error", configFile: false });
      await works(place, "dist");
    });
    await bundled(`${title} serves`, wanted, "", async (vite, place) => {
      const address = async (config) => {
        const server = await vite.createServer({ root: place, logLevel: "error", configFile: false, ...config });
        await server.listen(0);
        return [server, server.resolvedUrls.local[0]];
      };
      // As README.md says; without that, the error names address and type.
      const [server, own] = await address({ optimizeDeps: { exclude: [name] }, cacheDir: join(place, "cache1") });
      assert.deepEqual(await said(own), RIGHT);
      await server.close();
      if (!moves) return;
      const [plain, other] = await address({ cacheDir: join(place, "cache2") });
      const error = await said(other);
      await plain.close();
      assert.match(String(error), /\/monomi\.wasm is not WebAssembly, it is text\/html/);
    });
  }

  await bundled("esbuild, a module", "esbuild", GIVEN, async (esbuild, place) => {
    const options = { entryPoints: [join(place, "main.js")], bundle: true, format: "esm", logLevel: "error" };
    await esbuild.build({ ...options, outfile: join(place, "dist/main.js") });
    withFiles(place, "dist", 'type="module" src="main.js"');
    await works(place, "dist");
  });

  await bundled("esbuild, one script", "esbuild", GIVEN, async (esbuild, place) => {
    const options = { entryPoints: [join(place, "main.js")], bundle: true, format: "iife", logLevel: "error" };
    await esbuild.build({ ...options, outfile: join(place, "dist/main.js") });
    withFiles(place, "dist", 'src="main.js"');
    await works(place, "dist");
  });

  await bundled("esbuild, CommonJS for Node.js", "esbuild", "", async (esbuild, place) => {
    const text = `import { Engine, WorkerEngine } from "${name}";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
(async () => {
  const missing = await Engine.create().catch((error) => error.message);
  const engine = await Engine.create({ wasm: readFileSync(process.argv[2]) });
  console.log(JSON.stringify([missing, engine.names("startpos", ["7g7f"])[0]]));
})();
`;
    writeFileSync(join(place, "node.js"), text);
    const outfile = join(place, "out.cjs");
    const options = { entryPoints: [join(place, "node.js")], bundle: true, platform: "node", format: "cjs" };
    await esbuild.build({ ...options, outfile, logLevel: "error" });
    const wasm = join(folder, "monomi.wasm");
    const [missing, move] = JSON.parse(execFileSync("node", [outfile, wasm], { encoding: "utf8" }));
    assert.match(missing, /address of monomi\.wasm is not known here/);
    assert.equal(move, RIGHT[0]);
  });

  await bundled("Rollup", "rollup", "", async ({ rollup }, place) => {
    const nodeResolve = (await bundler("@rollup/plugin-node-resolve")).default;
    const { importMetaAssets } = await bundler("@web/rollup-plugin-import-meta-assets");
    const bundle = await rollup({ input: join(place, "main.js"), plugins: [nodeResolve(), importMetaAssets()] });
    await bundle.write({ dir: join(place, "dist"), format: "es" });
    const page = '<!DOCTYPE html><title>Test</title><script type="module" src="main.js"></script>\n';
    writeFileSync(join(place, "dist/index.html"), page);
    await works(place, "dist");
  });

  await bundled("Parcel", "parcel", "", async (program, place) => {
    execFileSync(program, ["build", "index.html", "--no-cache", "--log-level", "error"], { cwd: place, stdio: "pipe" });
    await works(place, "dist");
  });

  for (const [title, wanted, words] of [
    ["Bun", "bun", []],
    ["Deno", "deno", ["run", "--allow-all", "--node-modules-dir=manual"]],
  ]) {
    await bundled(title, wanted, "", (program, place) => {
      // A search that is stopped, and forgotten when the engine ends: a rejection without a handler would be an error.
      const text = `import { WorkerEngine } from "${name}";
import "./main.js";
console.log(JSON.stringify(await globalThis.result));
const engine = await WorkerEngine.create();
const search = engine.search("startpos");
setTimeout(() => search.stop(), 1000);
setTimeout(() => engine.terminate(), 1100);
setTimeout(() => process.exit(0), 3000);
`;
      writeFileSync(join(place, "run.js"), `import process from "node:process";\n${text}`);
      writeFileSync(join(place, "package.json"), JSON.stringify({ type: "module", dependencies: { [name]: "*" } }));
      const said = execFileSync(program, [...words, "run.js"], { cwd: place, encoding: "utf8", timeout: 120000 });
      assert.deepEqual(JSON.parse(said), RIGHT);
    });
  }

  const examples = fileURLToPath(new URL("../package/examples/", import.meta.url));
  /** Stops the search of an example's page, and returns the move found. */
  const analysed = async (address) => {
    const page = await browser.newPage();
    await page.goto(address);
    await page.waitForFunction(() => document.querySelectorAll("#lines li").length === 3, { timeout: 120000 });
    await page.click("#stop");
    await page.waitForFunction(() => document.getElementById("best").textContent, { timeout: 120000 });
    assert.match(await page.$eval("#lines", (list) => list.textContent), /▲.+△/);
    assert.match(await page.$eval("#best", (output) => output.textContent), /^▲/);
    await page.close();
  };

  await bundled("the example for Vite", "vite", "", async (vite, place) => {
    cpSync(join(examples, "vite"), place, { recursive: true });
    await vite.build({ root: place, logLevel: "error" });
    const server = await serve(join(place, "dist"));
    await analysed(`http://127.0.0.1:${server.address().port}/`);
    server.close();
  });

  await bundled("the example for webpack", "webpack", "", async (webpack, place) => {
    cpSync(join(examples, "webpack"), place, { recursive: true });
    const config = (await import(pathToFileURL(join(place, "webpack.config.js")))).default;
    const output = { path: join(place, "dist") };
    await new Promise((done, fail) => {
      webpack({ ...config, context: place, output }, (error, stats) => {
        if (error || stats.hasErrors()) fail(error ?? new Error(stats.toString({ all: false, errors: true })));
        else done();
      });
    });
    const server = await serve(join(place, "dist"));
    await analysed(`http://127.0.0.1:${server.address().port}/`);
    server.close();
  });

  await bundled("the example for Node.js", "esbuild", "", async (_, place) => {
    cpSync(join(examples, "node"), place, { recursive: true });
    const server = spawn("node", ["server.js"], { cwd: place, env: { ...process.env, PORT: "0" } });
    try {
      const port = await new Promise((done) => server.stdout.on("data", (text) => done(/\d+/.exec(text)[0])));
      const ask = async (query) => (await fetch(`http://127.0.0.1:${port}/?${query}`)).json();
      assert.match((await ask("moves=7g7f+3c3d&nodes=2000")).name, /^▲/);
      assert.match((await ask("moves=7g7e")).error, /7g7e/);
      // A client that goes away makes no trouble for the next one.
      const gone = new AbortController();
      const asked = fetch(`http://127.0.0.1:${port}/?nodes=1000000`, { signal: gone.signal }).catch(() => null);
      setTimeout(() => gone.abort(), 100);
      await asked;
      assert.match((await ask("nodes=2000")).name, /^▲/);
    } finally {
      server.kill();
    }
  });
} finally {
  await browser.close();
}
console.log(JSON.stringify({ passed, skipped }));
process.exit(0);
