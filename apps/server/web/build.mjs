// Packs the playground's page into constants of the program: node build.mjs PROJECT OUTPUT.cpp
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const [project, output] = process.argv.slice(2);

/** Returns the tests that the page offers in addition to the course. Each group has names and texts of tests. */
function examples() {
  const groups = [
    ["Differences between models", "litmus/separating"],
    ["ScoR", "litmus/scor"],
  ];
  return groups.map(([title, folder]) => ({
    title,
    tests: readdirSync(join(project, folder))
      .filter((file) => file.endsWith(".litmus"))
      .sort()
      .map((file) => ({ name: file.slice(0, -".litmus".length), text: readFileSync(join(project, folder, file), "utf8") })),
  }));
}

/** Returns the files of the course, by their paths in its folder. */
function course() {
  const folder = join(project, "docs/course");
  const inside = ["", "exercises/", "answers/", "hints/"].flatMap((part) => readdirSync(join(folder, part)).map((file) => part + file));
  return inside
    .filter((path) => /^(README|\d\d-[^/]*|hints\/[^/]*)\.md$|^(exercises|answers)\/[^/]*\.litmus$/.test(path))
    .sort()
    .map((path) => [path, "", readFileSync(join(folder, path), "utf8")]);
}

const packed = await build({
  entryPoints: ["src/main.js"],
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
  ["/style.css", "text/css; charset=utf-8", readFileSync(join(project, "report/html/colors.css"), "utf8") + readFileSync("src/style.css", "utf8")],
  ["/app.js", "text/javascript; charset=utf-8", packed.outputFiles[0].text],
  ["/examples.json", "application/json", JSON.stringify(examples())],
];

/** Returns a string as C++ literals that are short enough for every compiler. */
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
