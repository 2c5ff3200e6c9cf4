// Completes the folder of the static playground: node build.mjs FOLDER ENGINE
// FOLDER has the page's files (apps/server/web/build.mjs); ENGINE is the folder with engine.js and engine.wasm.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const [folder, engine] = process.argv.slice(2).map((path) => resolve(path));

// The time limit for an answer in seconds: the default of `ambit serve --timeout`.
const HEAD = `<meta name="ambit-engine" content="5">
<meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'">
<link rel="preload" href="engine.wasm" as="fetch" type="application/wasm" crossorigin>
`;

const page = join(folder, "index.html");
const html = readFileSync(page, "utf8");
if (!html.includes("ambit-engine")) writeFileSync(page, html.replace("<title>", `${HEAD}<title>`));

await build({
  entryPoints: ["worker.js", "graphviz.js"],
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "eof",
});

for (const file of ["engine.js", "engine.wasm"]) copyFileSync(join(engine, file), join(folder, file));

/** Returns the shipped course as `ambit serve` sends it. */
async function course() {
  const makeEngine = createRequire(import.meta.url)(join(engine, "engine.js"));
  // The loader that Emscripten 3.1.6 generates cannot read a file with Node.js 20.
  const { _ambit_course, UTF8ToString } = await makeEngine({ wasmBinary: readFileSync(join(engine, "engine.wasm")) });
  return UTF8ToString(_ambit_course());
}

writeFileSync(join(folder, "course.json"), await course());
