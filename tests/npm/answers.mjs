// Asks the installed npm package in Node.js: node answers.mjs FOLDER. The package is packed beside FOLDER.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { installed } from "./installed.mjs";

const root = join(installed(process.argv[2]), "node_modules/ambit-gpu");
const { load, AmbitError } = await import(pathToFileURL(join(root, "index.js")));

const RACY = `CUDA mp
{ global int x = 0, flag = 0; }
P0 @ block 0 { x = 1; __threadfence(); atomicExch(&flag, 1); }
P1 @ block 1 { int r0 = atomicAdd(&flag, 0); int r1 = x; }
exists (P1:r0 == 1 && P1:r1 == 0)
`;
const REPAIRED = RACY.replace("int r1 = x;", "__threadfence(); int r1 = -1; if (r0 == 1) r1 = x;");
const options = { name: "mp.litmus", models: ["ptx"], seconds: 60 };

const ambit = await load({ seconds: 60 });
const verdict = (text, more) => ambit.check(text, { ...options, ...more }).results[0];

function tellsRacyFromRepaired() {
  const racy = verdict(RACY);
  assert.equal(racy.race, true);
  assert.equal(racy.frequency, "Sometimes");
  assert.deepEqual(racy.races.map(({ location, first, second }) => [location, first.line, second.line]), [["x", 3, 4]]);
  const repaired = verdict(REPAIRED);
  assert.equal(repaired.race, false);
  assert.equal(repaired.frequency, "Never");
}

function answersEveryQuestion() {
  const { explanations } = ambit.explain(RACY, options);
  assert.deepEqual(explanations.map(({ title }) => title), ["races", "P1:r0 == 1 && P1:r1 == 0"]);
  assert.match(explanations[0].text, /The missing link/);
  const [fix] = ambit.fix(RACY, options).fixes;
  assert.equal(fix.state, "found");
  assert.equal(verdict(fix.text).race, false);
  assert.equal(ambit.outcomes(RACY, options).results[0].outcome_texts.length, 4);
  assert.match(ambit.graph(RACY, options).pictures[0].dot, /^digraph/);
  const found = ambit.detect(RACY, { ...options, choices: ["P1", "P1", "P0", "P0", "P0"], memory: "sc" });
  assert.equal(found.ended, true);
  assert.ok(found.detectors.find(({ detector }) => detector === "barracuda").races.length > 0);
  assert.equal(ambit.detect(RACY, options).ended, true);
  const start = ambit.step(RACY, options);
  assert.deepEqual([start.steps.length, start.next[0].name], [0, "P0"]);
  assert.ok(ambit.step(RACY, { ...options, finish: true, seed: 3 }).outcome);
  assert.ok(ambit.models().models.some(({ name }) => name === "ptx"));
  assert.deepEqual(ambit.request({ do: "edit", text: RACY }).tests, ["mp"]);
}

/** Returns the error of a call. */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof AmbitError, String(error));
    return error;
  }
  assert.fail("expected an error");
}

function reportsErrorsWithPlaces() {
  const syntax = errorOf(() => verdict(RACY.replace("x = 1", "x = ")));
  assert.deepEqual([syntax.file, syntax.line, syntax.column], ["mp.litmus", 3, 20]);
  assert.equal(syntax.problems[0].message, "expected an expression, found ';'");
  assert.match(syntax.message, /^mp\.litmus:3:20: error: expected an expression/);
  const model = errorOf(() => verdict(RACY, { models: ["ptxx"] }));
  assert.deepEqual(model.problems, [{ message: "unknown model 'ptxx'", hint: "did you mean 'ptx'?" }]);
  assert.equal(model.line, undefined);
  const several = readFileSync(new URL("../../litmus/proxy/alias_fence_places.test", import.meta.url), "utf8");
  assert.match(errorOf(() => ambit.check(several, { name: "places.test" })).message, /the text holds \d+ tests/);
  assert.equal(ambit.check(several, { name: "places.test", program: 1 }).results[0].status, "OK");
  errorOf(() => ambit.request({ do: "nothing", text: "" }));
  assert.equal(verdict(RACY).race, true); // the engine answers after an error
}

/** Calls a function while no answer can be read, because of an error: an engine throws one if its stack overflows. */
function withFailure(error, call) {
  const { parse } = JSON;
  JSON.parse = () => { throw error; };
  try {
    return call();
  } finally {
    JSON.parse = parse;
  }
}

/** A failure of an engine changes neither the answers of another engine, nor its own later answers. */
async function surviveFailures() {
  const other = await load({ wasm: readFileSync(join(root, "engine.wasm")) });
  const overflow = new RangeError("Maximum call stack size exceeded");
  const failure = errorOf(() => withFailure(overflow, () => other.check(RACY, options)));
  assert.match(failure.message, /^stopped: .* too deep a recursion$/);
  assert.equal(failure.cause, overflow);
  assert.match(errorOf(() => withFailure(new Error("x"), () => other.models())).message, /^the engine failed: Error: x$/);
  assert.equal(verdict(REPAIRED).race, false);
  assert.equal(other.check(RACY, options).results[0].race, true);
  await assert.rejects(load({ wasm: new Uint8Array(8) }), WebAssembly.CompileError);
}

/** The package has its documents and licences, and leaves the process alone. */
function isComplete() {
  const files = readdirSync(root).sort();
  assert.deepEqual(files, ["LICENSE", "README.md", "engine.js", "engine.wasm", "index.d.ts", "index.js", "licenses", "package.json"]);
  assert.ok(readdirSync(join(root, "licenses")).length >= 4);
  assert.match(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version, /^\d+\.\d+\.\d+$/);
  assert.equal(process.listenerCount("uncaughtException") + process.listenerCount("unhandledRejection"), 0);
}

tellsRacyFromRepaired();
answersEveryQuestion();
reportsErrorsWithPlaces();
await surviveFailures();
isComplete();
