// Compiles TypeScript programs that use the installed npm package: node types.mjs FOLDER. The package is packed beside
// FOLDER. user.ts is correct. Each line of wrong.ts that ends with the comment "error" has an error, and no other line.
// The answers to each question about some tests have the documented types, and no other fields.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { has, installed, skip } from "./installed.mjs";

if (!has("tsc")) skip("tsc is not installed (package node-typescript)");
const own = dirname(fileURLToPath(import.meta.url));
const user = installed(process.argv[2]);

/** Returns the compiler's messages about a program in the folder of the user. */
function messages(file) {
  const options = ["--noEmit", "--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes", "--target", "es2022",
    "--lib", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", "--pretty", "false"];
  return spawnSync("tsc", [...options, file], { cwd: user, encoding: "utf8", maxBuffer: 1e8 }).stdout;
}

function acceptsACorrectProgram() {
  copyFileSync(join(own, "user.ts"), join(user, "user.ts"));
  assert.equal(messages("user.ts"), "");
}

function findsMistakes() {
  copyFileSync(join(own, "wrong.ts"), join(user, "wrong.ts"));
  const lines = readFileSync(join(own, "wrong.ts"), "utf8").split("\n");
  const expected = lines.flatMap((line, i) => (line.endsWith("// error") ? [i + 1] : []));
  const wrong = messages("wrong.ts");
  const found = [...wrong.matchAll(/^wrong\.ts\((\d+),\d+\): error/gm)].map(([, line]) => Number(line));
  assert.ok(expected.length > 5);
  assert.deepEqual([...new Set(found)], expected, wrong);
  assert.doesNotMatch(wrong, /index\.d\.ts/);
}

const TYPES = {
  check: "CheckAnswer", outcomes: "OutcomesAnswer", explain: "ExplainAnswer", fix: "FixAnswer", graph: "GraphAnswer",
  detect: "DetectAnswer", step: "StepAnswer", edit: "EditAnswer",
};

/** Some tests of the corpus: the first ones of each folder. */
function someTests() {
  const corpus = join(own, "../../litmus");
  return ["async", "barrier", "cuda", "kernels", "language", "predictable", "proxy", "ptx", "scor", "termination"].flatMap((folder) =>
    readdirSync(join(corpus, folder), { withFileTypes: true })
      .filter((file) => file.isFile() && /\.(litmus|cu|test)$/.test(file.name))
      .map((file) => ({ name: file.name, text: readFileSync(join(corpus, folder, file.name), "utf8") }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, folder === "termination" ? 20 : 3));
}

async function describesTheAnswers() {
  const { load, AmbitError } = await import(pathToFileURL(join(user, "node_modules/ambit-gpu/index.js")));
  const ambit = await load({ seconds: 2 });
  const lines = ['import type * as ambit from "ambit-gpu";'];
  const add = (type, answer) => lines.push(`export const a${lines.length}: ambit.${type} = ${JSON.stringify(answer)};`);
  add("ModelsAnswer", ambit.models());
  for (const { name, text } of someTests()) {
    for (const [action, type] of Object.entries(TYPES)) {
      for (const finish of ["step", "detect"].includes(action) ? [true, false] : [false]) {
        try {
          add(type, ambit.request({ do: action, name, text, program: 0, finish }));
        } catch (error) {
          assert.ok(error instanceof AmbitError, error); // the simulator has no asynchronous copies, for example
        }
      }
    }
    add("HoverAnswer", ambit.request({ do: "hover", name, text, line: 0, character: 1 }));
    add("CompleteAnswer", ambit.request({ do: "complete", name, text, line: 0, character: 1 }));
  }
  console.log(`${lines.length} answers`);
  assert.ok(lines.length > 400);
  writeFileSync(join(user, "answers.ts"), `${lines.join("\n")}\n`);
  assert.equal(messages("answers.ts").slice(0, 2000), "");
}

acceptsACorrectProgram();
findsMistakes();
await describesTheAnswers();
