// Writes the manifest of the package for ShogiHome: node manifest.mjs FOLDER
// FOLDER has monomi.js and monomi.wasm; the options are those that the engine declares.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const create = (await import(String(pathToFileURL(`${folder}/monomi.js`)))).default;
const engine = await create({ printErr: console.error });
/** @type {string[]} */
const lines = [];
engine.addMessageListener((/** @type {string} */ line) => lines.push(line));
engine.postMessage("usi");

/** @param {string} word */
const after = (word) => lines.find((line) => line.startsWith(word))?.slice(word.length);
/** An `option` line as the manifest has it.
 *  @param {string} line
 */
function option(line) {
  const found = /** @type {RegExpExecArray} */ (/^option name (\S+) type (\S+) default (.*)$/.exec(line));
  const [, name, type, rest] = found;
  if (type === "spin") {
    const range = /** @type {RegExpExecArray} */ (/^(\S+) min (\S+) max (\S+)$/.exec(rest));
    const [, value, min, max] = range;
    // Numbers that JavaScript has exactly.
    /** @param {string} text */
    const whole = (text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER);
    return { name, type, default: whole(value), min: whole(min), max: whole(max) };
  }
  if (type === "combo") {
    const [value, ...vars] = rest.split(" var ");
    return { name, type, default: value, vars };
  }
  return { name, type, default: rest === "<empty>" ? "" : rest };
}

// The identifiers are stored in the users' settings and must never change.
const LEVELS = [
  [4, "14級くらい"],
  [8, "3級くらい"],
  [10, "二段くらい"],
  [12, "四段くらい"],
];
const presets = [
  ...LEVELS.map(([level, strength]) => ({
    id: `monomi-level${level}-v1`,
    displayName: `Monomi Lv. ${level} (${strength})`,
    values: { SkillLevel: level },
  })),
  { id: "monomi-full-v1", displayName: "Monomi" },
];
const manifest = {
  abi: "shogihome-wasm-engine/1",
  module: "monomi.js",
  moduleFormat: "esm",
  name: after("id name "),
  author: after("id author "),
  options: lines.filter((line) => line.startsWith("option ")).map(option),
  presets,
};
writeFileSync(`${folder}/engine.json`, `${JSON.stringify(manifest, null, 2)}\n`);
