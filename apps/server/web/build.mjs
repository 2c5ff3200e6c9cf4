// Writes the playground's page into a C++ file as constants: node build.mjs PROJECT OUTPUT.cpp [FOLDER]
// With a folder, also writes the page's files into it, for the static playground (apps/wasm).
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [project, output, folder] = process.argv.slice(2);

// The examples of the page: each racy form is next to its correct form. The texts are menu entries.
const LITMUS = [["MP", "MP+fences"], ["SB", "SB+fences"], ["LB", "LB+fences"], ["IRIW", "IRIW+fences"], ["2+2W", "2+2W+fences"], ["CoRR", "CoRR+atomics"], ["ISA2", "ISA2+fences"], ["WRC", "WRC+fences"]].flat();
const KERNELS = [
  ["transpose-tile+no-barrier", "transpose through shared memory, racy: no barrier"],
  ["transpose-tile", "transpose through shared memory, correct"],
  ["tree-reduction+no-barrier-in-loop", "tree reduction in a block, racy: no barrier in the loop"],
  ["tree-reduction", "tree reduction in a block, correct"],
  ["warp-reduction-in-shared+no-syncwarp", "reduction in a warp, racy: no __syncwarp"],
  ["warp-reduction-in-shared", "reduction in a warp, correct"],
  ["last-block-reduction+no-fence-before-ticket", "the last block adds up, racy: no fence before the ticket"],
  ["last-block-reduction", "the last block adds up, correct"],
  ["bucket-lock+lock-of-block-scope", "a lock for each bucket, racy: the lock has block scope"],
  ["bucket-lock", "a lock for each bucket, correct"],
  ["ring-one-producer+no-fence-before-tail", "a ring buffer, racy: no fence before the tail"],
  ["ring-one-producer", "a ring buffer, correct"],
  ["bulk-copy-ring+no-proxy-fence", "bulk copies with an mbarrier, racy: no proxy fence"],
  ["bulk-copy-ring", "bulk copies with an mbarrier, correct"],
];

const ownExample = (name) => join(project, "apps/server/web/examples", `${name}.litmus`);

/** Returns the description of a litmus test up to the first colon. */
function descriptionOf(text) {
  const description = /^"([^"]*)"$/m.exec(text)?.[1] ?? "";
  return description.split(":")[0].replace(/\.$/, "");
}

/** Returns a test with its menu entry. */
function example(file, name, about) {
  const text = readFileSync(file, "utf8");
  const description = about ?? descriptionOf(text);
  return { name: description ? `${name}: ${description}` : name, text };
}

/** Returns groups of tests that the page offers in addition to the course. Each test has a name and a text. */
function examples() {
  const whole = (title, folder) => ({
    title,
    tests: readdirSync(join(project, folder))
      .filter((file) => file.endsWith(".litmus"))
      .sort(new Intl.Collator("en", { numeric: true }).compare)
      .map((file) => example(join(project, folder, file), file.slice(0, -".litmus".length))),
  });
  return [
    { title: "Litmus tests", tests: LITMUS.map((name) => example(ownExample(name), name)) },
    { title: "Kernels", tests: KERNELS.map(([name, about]) => example(join(project, "litmus/kernels", `${name}.cu`), name.split("+")[0], about)) },
    whole("Differences between models", "litmus/separating"),
    whole("ScoR", "litmus/scor"),
  ];
}

/** Returns the files of the course. The key of a file is its path in the course's folder. */
function course() {
  const folder = join(project, "docs/course");
  const inside = ["", "exercises/", "answers/", "hints/"].flatMap((part) => readdirSync(join(folder, part)).map((file) => part + file));
  return inside
    .filter((path) => /^(README|\d\d-[^/]*|hints\/[^/]*)\.md$|^(exercises|answers)\/[^/]*\.litmus$/.test(path))
    .sort()
    .map((path) => [path, "", readFileSync(join(folder, path), "utf8")]);
}

const styles = () => [join(project, "report/html/colors.css"), join(project, "report/html/pictures.css"), "src/style.css"].map((file) => readFileSync(file, "utf8")).join("");

const packed = await build({
  entryPoints: ["src/main.js"],
  alias: { "picture-view": join(project, "report/html/picture_view.js") },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "eof",
  loader: { ".litmus": "text" },
  write: false,
});

const files = [
  ["/index.html", "text/html; charset=utf-8", readFileSync("src/index.html", "utf8")],
  ["/style.css", "text/css; charset=utf-8", styles()],
  ["/app.js", "text/javascript; charset=utf-8", packed.outputFiles[0].text],
  ["/examples.json", "application/json", JSON.stringify(examples())],
];

/** Returns a string as several C++ literals, each short enough for every compiler. */
function literal(text) {
  const bytes = Buffer.from(text, "utf8");
  let lines = "";
  for (let i = 0; i < bytes.length; i += 2000) {
    let line = "";
    for (const byte of bytes.subarray(i, i + 2000)) {
      const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
      line += plain ? String.fromCharCode(byte) : "\\" + byte.toString(8).padStart(3, "0");
    }
    lines += `    "${line}"\n`;
  }
  return { lines, length: bytes.length };
}

/** Returns a C++ function that returns files. */
function constants(name, list) {
  let cpp = `std::span<const PageFile> ${name}() {\n  static constexpr std::array<PageFile, ${list.length}> kFiles{{\n`;
  for (const [path, type, text] of list) {
    const { lines, length } = literal(text);
    cpp += `  {"${path}", "${type}", std::string_view(\n${lines}    , ${length})},\n`;
  }
  return `${cpp}  }};\n  return kFiles;\n}\n\n`;
}

writeFileSync(output, `#include <array>\n\n#include "apps/server/page.h"\n\nnamespace ambit::server {\n\n${constants("page_files", files)}${constants("course_files", course())}}  // namespace ambit::server\n`);
if (folder) {
  for (const [path, , text] of files) writeFileSync(join(folder, path), text);
}
