// Runs a test program for wasm32-unknown-unknown: node web/tests/unit-tests.mjs FILE.wasm
// Such programs print nothing; a failed test ends in a trap.
//
//     RUSTFLAGS='-C target-feature=+simd128' cargo test -p monomi-eval --lib --target wasm32-unknown-unknown --no-run
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const status = instance.exports.main(0, 0);
if (status !== 0) throw new Error(`status ${status}`);
console.log("passed");
