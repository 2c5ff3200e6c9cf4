// The npm package in a page, without a bundler.
import assert from "node:assert/strict";

const RACY = `CUDA message
{ global int x = 0; }
P0 @ block 0 { x = 1; }
P1 @ block 1 { int r0 = x; }
exists (P1:r0 == 1)
`;

async function loadsAsAModule({ page, server }) {
  await page.route("**/blank.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><link rel=icon href=data:,>" }));
  await page.goto(`${server.url}blank.html`);
  const found = await page.evaluate(async (text) => {
    const { load, AmbitError } = await import("/index.js");
    const ambit = await load({ seconds: 60 });
    const other = await load({ wasm: "engine.wasm" });
    let error;
    try {
      other.check(`${text}nonsense`);
    } catch (thrown) {
      error = thrown;
    }
    return { race: ambit.check(text, { models: ["ptx"] }).results[0].race, isOurs: error instanceof AmbitError, line: error.line, models: other.models().models.length };
  }, RACY);
  assert.equal(found.race, true);
  assert.equal(found.isOurs, true);
  assert.equal(found.line, 6);
  assert.ok(found.models > 10);
}

export const tests = { loadsAsAModule };
