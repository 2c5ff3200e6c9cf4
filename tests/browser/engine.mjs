// Sends each kind of request that the page makes to the engine of the static playground, without a browser. Usage: node
// engine.mjs FOLDER.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const folder = resolve(process.argv[2]);
const makeEngine = createRequire(import.meta.url)(join(folder, "engine.js"));
const engine = await makeEngine({ wasmBinary: readFileSync(join(folder, "engine.wasm")) });
const [group] = JSON.parse(readFileSync(join(folder, "examples.json"), "utf8"));

/** Returns the engine's answer to a request. The engine has 60 seconds for its answer. */
function answer(request) {
  const json = JSON.stringify(request);
  const size = engine.lengthBytesUTF8(json) + 1;
  const text = engine._malloc(size);
  engine.stringToUTF8(json, text, size);
  const given = engine.UTF8ToString(engine._ambit_answer(text, 60_000));
  engine._free(text);
  return JSON.parse(given);
}

const { text } = group.tests[0];
const ask = (what) => {
  const given = answer({ do: what, text, finish: true, seed: 3 });
  assert.equal(given.error, undefined, what);
  return given;
};

assert.ok(ask("models").models.length > 10);
assert.equal(ask("edit").errors.length, 0);
assert.ok(ask("check").results.length > 0);
assert.ok(ask("outcomes").results[0].outcome_texts.length > 0);
assert.ok(ask("explain").explanations[0].text.length > 0);
assert.match(ask("graph").pictures[0].dot, /^digraph/);
assert.ok(ask("step").outcome);
assert.ok(ask("detect").detectors.length > 0);
assert.ok(ask("fix").fixes.length > 0);

// For a wrong test or request, the engine answers with an error, and then still answers the next request.
assert.ok(answer({ do: "edit", text: `${text}\nnonsense` }).errors.length > 0);
assert.ok(answer({ do: "none" }).error);
assert.ok(ask("check").results.length > 0);
