// Packages from npm, from the folder that MONOMI_NODE_MODULES names.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export async function load(name) {
  const folder = process.env.MONOMI_NODE_MODULES || `${process.cwd()}/node_modules`;
  const path = createRequire(`${folder}/of.js`).resolve(name, { paths: [folder] });
  return import(pathToFileURL(path));
}
