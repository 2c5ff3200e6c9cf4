// Writes the folder of the npm package, and packs it beside the folder: node build.mjs FOLDER ENGINE PROJECT SOURCES NPM
// ENGINE is the folder with engine.js and engine.wasm. SOURCES has the sources of the libraries in the engine. NPM is the
// program npm.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [folder, engine, project, sources, npm] = process.argv.slice(2).map((path) => resolve(path));
const own = dirname(fileURLToPath(import.meta.url));

rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, "licenses"), { recursive: true });
for (const file of ["index.js", "index.d.ts", "README.md"]) copyFileSync(join(own, file), join(folder, file));
copyFileSync(join(project, "LICENSE"), join(folder, "LICENSE"));
copyFileSync(join(engine, "engine.wasm"), join(folder, "engine.wasm"));

const version = /^project\(ambit VERSION ([\d.]+) /m.exec(readFileSync(join(project, "CMakeLists.txt"), "utf8"))[1];
const { name, ...rest } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
writeFileSync(join(folder, "package.json"), `${JSON.stringify({ name, version, ...rest }, null, 2)}\n`);

// Emscripten's loader as a module. The loader must neither find Node.js, for which it installs handlers of the process,
// nor a page, so the names by which it recognises them are undefined. index.js gives it the compiled engine.
const HIDDEN = ["process", "window", "document", "importScripts", "module", "exports", "define", "require", "__filename"];
const loader = readFileSync(join(engine, "engine.js"), "utf8");
writeFileSync(join(folder, "engine.js"), `export default (function (${HIDDEN.join(", ")}) {${loader}
return makeEngine;
})();
`);

const LIBRARIES = ["antlr4-cpp-runtime", "cadical", "fmtlib", "nlohmann-json3"];

/** Returns the file with the licence of a library: of its source, otherwise of its Debian package. */
function licence(library) {
  const source = join(sources, library);
  const named = readdirSync(source).find((file) => /^LICENSE/.test(file));
  const files = [named && join(source, named), join(source, "debian/copyright"), `/usr/share/doc/${library}-dev/copyright`];
  const found = files.find((file) => file && existsSync(file));
  if (!found) throw new Error(`the package needs the licence of ${library}`);
  return found;
}

for (const library of LIBRARIES) copyFileSync(licence(library), join(folder, "licenses", `${library}.txt`));
// The engine contains parts of the C and C++ libraries of Emscripten.
const runtime = "/usr/share/doc/emscripten/copyright";
if (existsSync(runtime)) copyFileSync(runtime, join(folder, "licenses/emscripten.txt"));

const place = dirname(folder);
for (const file of readdirSync(place)) {
  if (/^ambit-.*\.tgz$/.test(file)) rmSync(join(place, file));
}
execFileSync(npm, ["pack", folder, "--pack-destination", place, "--offline", "--ignore-scripts", "--loglevel=error"], {
  env: { ...process.env, npm_config_update_notifier: "false" },
  stdio: ["ignore", "ignore", "inherit"],
});
