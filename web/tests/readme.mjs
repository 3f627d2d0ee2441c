// Does what the README of the npm package says: node web/tests/readme.mjs PACKAGE
// The package is packed and installed as npm does it, under its own name, and the scripts of the README are run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { passed, test } from "./steps.mjs";

const folder = resolve(process.argv[2]);
const { name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const readme = readFileSync(join(folder, "README.md"), "utf8");
const project = mkdtempSync(join(tmpdir(), "monomi-readme-"));
const npm = (...words) => execFileSync("npm", words, { cwd: project, encoding: "utf8", shell: false });
const scripts = [...readme.matchAll(/```js\n(.*?)```/gs)].map(([, text]) => text);

try {
  await test("the README installs this package", () => {
    assert.equal(/^ {4}npm install (\S+)$/m.exec(readme)?.[1], name);
    assert.match(readme, new RegExp(`^# ${name}\n`));
    npm("pack", "--silent", folder);
    const archive = `${name}-${version}.tgz`;
    assert.ok(readdirSync(project).includes(archive));
    writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }\n');
    npm("install", "--silent", "--offline", "--no-audit", "--no-fund", `./${archive}`);
  });

  await test("its scripts run", () => {
    const runnable = scripts.filter((text) => text.startsWith("import "));
    assert.equal(runnable.length, 2);
    for (const [number, text] of runnable.entries()) {
      const [, from] = /from "([^"]+)"/.exec(text);
      assert.equal(from, name);
      writeFileSync(join(project, `script${number}.js`), text);
      const said = execFileSync("node", [`script${number}.js`], { cwd: project, encoding: "utf8", timeout: 300000 });
      assert.match(said, /\d[a-i]\d[a-i]/);
    }
  });

  await test("every import and every address of the README is in the package", () => {
    const files = readdirSync(join(project, "node_modules", name));
    for (const [, file] of readme.matchAll(new RegExp(`node_modules/${name}/([\\w.]+)`, "g"))) {
      assert.ok(files.includes(file), file);
    }
    assert.ok(files.includes("index.d.ts") && files.includes("LICENSE-MIT"), files.join());
  });
} finally {
  rmSync(project, { recursive: true, force: true });
}
console.log(JSON.stringify({ passed }));
