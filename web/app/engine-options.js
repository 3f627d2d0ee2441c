// The options of the native engine: evaluation file, threads and memory. An empty field means the program's default.
import { at, w } from "../../kifu/analysis/src/output/report/page.js";
import { engine, stopHints, updateHints } from "./app.js";
import { keep, kept } from "./kept.js";

/** Fields and the options of USI that they set. */
const FIELDS = { "engine-eval": "EvalFile", "engine-threads": "Threads", "engine-hash": "USI_Hash" };

let defaults = {};

/** Sets the options that were kept, and lets the user change them. */
export async function startOptions() {
  at("engine-fold").hidden = false;
  defaults = await engine.options();
  for (const [id, name] of Object.entries(FIELDS)) {
    const { value, min, max } = defaults[name];
    Object.assign(at(id), { placeholder: value, value: kept.options[name] ?? "" });
    if (max) Object.assign(at(id), { min, max });
  }
  at("engine-form").addEventListener("submit", (event) => {
    event.preventDefault();
    changeOptions();
  });
  await setOptions(kept.options);
}

/** Sets these options; the first error is shown. */
async function setOptions(options) {
  try {
    for (const [name, value] of Object.entries(options)) await engine.setOption(name, value);
    return true;
  } catch (error) {
    at("engine-note").textContent = error.message;
    return false;
  }
}

async function changeOptions() {
  at("engine-note").textContent = "";
  await stopHints();
  for (const [id, name] of Object.entries(FIELDS)) {
    const value = at(id).value.trim();
    if (value === (kept.options[name] ?? "")) continue;
    if (!(await setOptions({ [name]: value || defaults[name].value }))) break;
    if (value) kept.options[name] = value;
    else delete kept.options[name];
  }
  if (!at("engine-note").textContent) at("engine-note").textContent = w.optionsSet;
  keep();
  updateHints();
}
