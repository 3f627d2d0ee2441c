// Compiles the module, and finds what Node.js has.

/** @import * as Types from "../index.d.ts" */

/** A module of Node.js. Bundlers see no import, so that they need no configuration.
 *  @param {string} name
 *  @returns {any}
 */
export function nodeModule(name) {
  const found = globalThis.process?.getBuiltinModule?.(name);
  if (!found) throw new Error(`${name} is not here: Node.js 20.16 or later is needed`);
  return found;
}

/** Whether this is Node.js, or another program with its modules. */
export const isNode = () => typeof globalThis.process?.versions?.node === "string";

/** Compiles what is given: a compiled module, bytes, a response, or an address.
 *  @param {Types.Wasm} wasm
 *  @param {AbortSignal} [signal]
 */
export async function compileModule(wasm, signal) {
  signal?.throwIfAborted();
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) {
    return WebAssembly.compile(/** @type {BufferSource} */ (wasm));
  }
  if (typeof wasm === "string" || wasm instanceof URL) {
    const address = String(wasm);
    if (address.startsWith("file:") && isNode()) {
      return WebAssembly.compile(await nodeModule("node:fs/promises").readFile(new URL(address), { signal }));
    }
    wasm = await fetch(address, { signal });
  }
  const response = /** @type {Response} */ (wasm);
  if (typeof response?.arrayBuffer !== "function") {
    throw new TypeError("wasm: expected a module, bytes, a response or an address");
  }
  const { url } = response;
  if (!response.ok) throw new Error(`cannot load ${url}: status ${response.status}`);
  const bytes = await response.arrayBuffer();
  // Servers that answer every address with a page.
  if (new TextDecoder().decode(bytes.slice(0, 4)) !== "\0asm") {
    const type = response.headers.get("content-type") ?? "of an unknown type";
    throw new Error(`${url} is not WebAssembly, it is ${type}`);
  }
  return WebAssembly.compile(bytes);
}

/** The bytes of a text, a buffer or a part of one.
 *  @param {string | BufferSource} file
 *  @returns {Uint8Array<ArrayBuffer>}
 */
export function bytesOf(file) {
  if (typeof file === "string") return new TextEncoder().encode(file);
  if (ArrayBuffer.isView(file)) return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  return new Uint8Array(file);
}
