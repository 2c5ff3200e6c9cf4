// The playground as its users meet it. What is expected follows from the models' definitions and from docs/simulator.md,
// said beside it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cell, openAt, settled, shows, tab, take, textOf, write } from "./playground.mjs";

// A message without a fence: nothing orders the write of x before the read of it.
const MESSAGE = `CUDA message
{ global int x = 0, f = 0; }
P0 @ block 0 {
x = 1;
atomicExch(&f, 1);
}
P1 @ block 1 {
int r0 = atomicAdd(&f, 0);
int r1 = -1;
if (r0 == 1) r1 = x;
}
exists (P1:r0 == 1 && P1:r1 == 0)
expect ptx : Never, norace
`;
const COUNTED = /^\d+ ms$/;

async function opens({ page, server }) {
  await openAt(page, server.url);
  assert.match(await textOf(page), /^CUDA lost-message/m, "the first exercise");
  await shows(page, "#panel table", "FAIL"); // an exercise is a test that fails
  await page.locator("#status").filter({ hasText: COUNTED }).waitFor();
  for (const key of ["outcomes", "why", "picture", "simulator", "detectors", "course", "verdicts"]) {
    await tab(page, key);
    assert.equal(await page.getAttribute(`#tab-${key}`, "aria-selected"), "true");
    assert.equal(await page.locator("#panel .error").count(), 0, key);
  }
  await tab(page, "picture");
  await page.waitForFunction(() => [...document.querySelectorAll("#panel img")].some((image) => image.naturalWidth > 0));
}

async function edits({ page, server }) {
  await openAt(page, server.url);
  await write(page, MESSAGE.replace("r1 = x;", "r1 = y;"));
  await page.locator(".cm-lintRange-error").waitFor();
  assert.equal(await page.locator(".cm-lintRange-error").textContent(), "y", "what is marked is the unknown name");
  await shows(page, "#panel .error", "test.litmus:10");
  await page.locator(".cm-lintRange-error").dblclick();
  await page.keyboard.type("x");
  await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
  await shows(page, "#panel table", "race on x");
  await shows(page, "#panel table .bad", "FAIL"); // for it expects Never and no race
  // Fences of device scope on both sides of the flag make the message whole (PTX ISA 8.8).
  const fenced = MESSAGE.replace("x = 1;\n", "x = 1;\n__threadfence();\n").replace("int r1 = -1;\n", "__threadfence();\nint r1 = -1;\n");
  await write(page, fenced);
  await shows(page, "#panel table .good", "OK");
  assert.match(await page.locator("#panel table").textContent(), /Never/);
}

async function simulates({ page, server }) {
  await openAt(page, server.url);
  await write(page, MESSAGE);
  await tab(page, "simulator");
  const buffer = "store buffer of P0";
  await shows(page, "#sim-next", "P0: write x");
  assert.equal(await page.isDisabled("#sim-back"), true, "nothing to step back");
  await take(page, "P0", 1);
  // A plain store waits in its thread's buffer, then in the L1, then reaches the L2.
  assert.equal(await cell(page, buffer, "x"), "x = 1");
  assert.equal(await cell(page, "L1.b0", "x"), "x = 0");
  await take(page, "drain P0 x", 2);
  assert.equal(await cell(page, buffer, "x"), null);
  assert.equal(await cell(page, "L1.b0", "x"), "x = 1 *");
  assert.equal(await cell(page, "L1.b1", "x"), "x = 0", "caches of other blocks keep their copies");
  await page.click("#sim-back");
  await shows(page, "#simulator h3", "What has happened (1 step)");
  assert.equal(await cell(page, buffer, "x"), "x = 1");
  await page.click("#sim-forward");
  await shows(page, "#simulator h3", "What has happened (2 steps)");
  assert.equal(await cell(page, "L1.b0", "x"), "x = 1 *", "forward takes what was stepped back");
  await take(page, "P0", 3);
  await take(page, "P1", 4);
  await take(page, "P1", 5);
  // P1 saw the flag, and its L1 still has the old copy of x.
  await page.click("#sim-run");
  await shows(page, "#sim-outcome", "P1:r0 = 1, P1:r1 = 0");
  assert.equal(await page.locator("#sim-next button").count(), 0);
  await page.click("#sim-restart");
  await shows(page, "#simulator h3", "What has happened (0 steps)");
  assert.equal(await cell(page, "L1.b0", "x"), "x = 0");
  // With one copy of memory that all see at once there are no caches and no buffers.
  await page.selectOption("#sim-memory", "sc");
  await page.locator('svg.machine [data-part="L1.b0"]').waitFor({ state: "detached" });
  await take(page, "P0", 1);
  assert.equal(await cell(page, "memory (one copy, seen at once)", "x"), "x = 1");
}

async function detects({ page, server }) {
  await openAt(page, server.url);
  await write(page, MESSAGE);
  await tab(page, "simulator");
  await take(page, "P0", 1);
  await tab(page, "detectors");
  await shows(page, "#detect-schedule", "1 step,");
  // One access is no pair.
  await shows(page, '[data-detector="barracuda"]', "no race seen in this schedule");
  assert.equal(await page.locator(".cm-raceline").count(), 0);
  await tab(page, "simulator");
  for (const [i, choice] of ["P0", "P1", "P1"].entries()) await take(page, choice, i + 2);
  await tab(page, "detectors");
  // P1 read the flag and then x, and nothing released or acquired: happens-before has no chain (barracuda).
  await shows(page, '[data-detector="barracuda"]', "1 race");
  await shows(page, "#panel tr", "race on x");
  const marked = await page.locator(".cm-raceline").allTextContents();
  assert.deepEqual(marked, ["x = 1;", "if (r0 == 1) r1 = x;"]);
  await shows(page, '[data-detector="ldetector"]', "not judged");
  await page.click("#detect-other");
  await shows(page, "#detect-schedule", "One whole schedule");
}

async function shares({ page, server, another }) {
  await openAt(page, server.url);
  await write(page, MESSAGE);
  await page.click("#models summary");
  await page.check('#model-list input[value="sc"]');
  await page.check('#model-list input[value="ptx"]');
  await page.keyboard.press("Escape"); // the list would cover the tabs
  await tab(page, "outcomes");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 20);
  const visitor = await another();
  await openAt(visitor, page.url());
  assert.equal(await textOf(visitor), MESSAGE.trimEnd());
  assert.equal(await visitor.getAttribute("#tab-outcomes", "aria-selected"), "true");
  assert.deepEqual(await visitor.locator("#panel th").allTextContents(), ["P1:r0", "P1:r1", "sc", "ptx"]);
  assert.equal(await visitor.isChecked('#model-list input[value="sc"]'), true);
  // A link that was cut says nothing, and does no harm.
  await openAt(visitor, `${server.url}#${"A".repeat(50)}`);
  await visitor.reload();
  await settled(visitor);
  assert.match(await textOf(visitor), /^CUDA lost-message/m);
}

async function teaches({ page, server }) {
  await openAt(page, server.url);
  await page.selectOption("#examples", { label: "Lesson 3, exercise 2: fence-place" });
  await settled(page);
  const exercise = readFileSync(`${process.env.AMBIT_SOURCE_DIR}/docs/course/exercises/03-fence-place.litmus`, "utf8");
  assert.equal(await textOf(page), exercise.trimEnd());
  await shows(page, "#panel table .bad", "FAIL");
  await tab(page, "course");
  await shows(page, "#panel h1", "3. Fences");
  await page.click("#panel button.open >> nth=0");
  assert.match(await textOf(page), /^CUDA fenced-message/);
  await page.click("#check");
  await shows(page, "#panel table .good", "OK");
  await page.goto(`${server.url}#lesson=5.1`);
  await shows(page, "#panel h1", "5. Scoped races");
  assert.match(await textOf(page), /^CUDA narrow/m);
  await page.click("#panel >> text=All lessons");
  await page.locator("#panel ol.lessons").waitFor();
  assert.equal(await page.locator("#panel ol.lessons li").count(), 10);
}

async function escapes({ page, server }) {
  const mark = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>';
  await openAt(page, server.url);
  await write(page, MESSAGE.replace("CUDA message\n", `CUDA message\n"${mark.replaceAll('"', "'")}"\n`).replace("Never, norace", `Never, norace because "${mark.replaceAll('"', "'")}"`));
  for (const key of ["verdicts", "outcomes", "why", "picture", "simulator", "detectors"]) {
    await tab(page, key);
    assert.equal(await page.locator("#panel script, #panel img[src=x]").count(), 0, key);
  }
  await tab(page, "verdicts");
  await write(page, mark);
  await shows(page, "#panel .error", "<script>"); // the error shows the line as it is
  assert.equal(await page.evaluate(() => window.broken), undefined);
}

async function losesTheServer({ page, server, faults }) {
  await openAt(page, server.url);
  await server.stop();
  await page.click("#check");
  await shows(page, "#panel .error", "The server does not answer");
  assert.ok(faults.splice(0).every((fault) => fault.includes("ERR_CONNECTION_REFUSED")));
}

async function fitsAPhone({ page, server }) {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAt(page, server.url);
  for (const key of ["verdicts", "outcomes", "why", "picture", "simulator", "detectors", "course"]) {
    await tab(page, key);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${key} is ${width} wide`);
  }
}

export const tests = { opens, edits, simulates, detects, shares, teaches, escapes, losesTheServer, fitsAPhone };
