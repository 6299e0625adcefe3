// Prints the licences of all packages that the page's libraries are made of.
// Usage: node licences.mjs node_modules. Packages of the same text share it.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const modules = process.argv[2];
// What vega-lite needs on the command line only is not part of its bundle.
const bundled = /^(vega.*|uplot|d3-.*|topojson-client|internmap|delaunator|robust-predicates|fast-json-patch|json-stringify-pretty-compact|semver|tslib)$/;
const texts = new Map();
for (const name of readdirSync(modules).filter((n) => bundled.test(n)).sort()) {
  const { version, license } = JSON.parse(readFileSync(join(modules, name, "package.json"), "utf8"));
  const file = ["LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "License"].map((f) => join(modules, name, f)).find(existsSync);
  const text = file ? readFileSync(file, "utf8").replaceAll("\r", "").trim() : `Licensed under ${license}; the package has no text of it.`;
  texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
}
for (const [text, names] of texts) console.log(`${names.join("\n")}\n\n${text}\n\n${"-".repeat(72)}\n`);
