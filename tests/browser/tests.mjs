// Tests the playground from a user's view. The expected results follow from the models' definitions and from
// docs/reference/simulator.md. Each test cites its source.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { cell, linkOf, openAt, reopenAt, settled, shows, tab, take, textOf, write } from "./playground.mjs";

// Message passing without a fence: nothing orders the write of x before the read of x.
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

// Requires at least one fault, and only faults of the kind that the test provokes.
function allowFaults(faults, kind) {
  const seen = faults.splice(0);
  assert.ok(seen.length > 0, "no fault was seen");
  assert.deepEqual(seen.filter((fault) => !fault.includes(kind)), []);
}

async function opens({ page, server }) {
  await openAt(page, server.url);
  assert.match(await textOf(page), /^CUDA message/m, "the first test");
  await shows(page, "#panel table .good", "OK"); // the first text shows no failure
  await page.locator("#status").filter({ hasText: COUNTED }).waitFor();
  for (const key of ["outcomes", "why", "picture", "simulator", "detectors", "course", "verdicts"]) {
    await tab(page, key);
    assert.equal(await page.getAttribute(`#tab-${key}`, "aria-selected"), "true");
    assert.equal(await page.locator("#panel .error").count(), 0, key);
  }
  await tab(page, "picture");
  await page.locator("#panel picture-view .frame svg text").first().waitFor();
}

async function edits({ page, server }) {
  await openAt(page, server.url);
  await write(page, MESSAGE.replace("r1 = x;", "r1 = y;"));
  await page.locator(".cm-lintRange-error").waitFor();
  assert.equal(await page.locator(".cm-lintRange-error").textContent(), "y", "the unknown name is marked");
  await shows(page, "#panel .error", "test.litmus:10");
  await page.locator(".cm-lintRange-error").dblclick();
  await page.keyboard.type("x");
  await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
  await shows(page, "#panel table", "race on x");
  await shows(page, "#panel table .bad", "FAIL"); // the test expects Never and no race
  // Fences of device scope on both sides of the flag make message passing correct (PTX ISA 8.8).
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
  assert.equal(await page.isDisabled("#sim-back"), true, "there is no step to undo");
  await take(page, "P0", 1);
  // A plain store waits in its thread's buffer, moves to the L1 and then reaches the L2.
  assert.equal(await cell(page, buffer, "x"), "x = 1");
  assert.equal(await cell(page, "L1.b0", "x"), "x = 0");
  await take(page, "drain P0 x", 2);
  assert.equal(await cell(page, buffer, "x"), null);
  assert.equal(await cell(page, "L1.b0", "x"), "x = 1 *");
  assert.equal(await cell(page, "L1.b1", "x"), "x = 0", "caches of other blocks still have their copies");
  await page.click("#sim-back");
  await shows(page, "#simulator h3", "What has happened (1 step)");
  assert.equal(await cell(page, buffer, "x"), "x = 1");
  await page.click("#sim-forward");
  await shows(page, "#simulator h3", "What has happened (2 steps)");
  assert.equal(await cell(page, "L1.b0", "x"), "x = 1 *", "forward repeats the step");
  await take(page, "P0", 3);
  await take(page, "P1", 4);
  await take(page, "P1", 5);
  // P1 has read the flag, and its L1 still has the old copy of x.
  await page.click("#sim-run");
  await shows(page, "#sim-outcome", "P1:r0 = 1, P1:r1 = 0");
  assert.equal(await page.locator("#sim-next button").count(), 0);
  await page.click("#sim-restart");
  await shows(page, "#simulator h3", "What has happened (0 steps)");
  assert.equal(await cell(page, "L1.b0", "x"), "x = 0");
  // P1 reads 0 from the flag and ends. The second click of a double click then has no step to take.
  await page.locator('#sim-next button[title="P1"]').evaluate((button) => (button.click(), button.click()));
  await shows(page, "#simulator h3", "What has happened (1 step)");
  assert.equal(await page.locator("#simulator .error").count(), 0);
  await page.click("#sim-restart");
  await shows(page, "#simulator h3", "What has happened (0 steps)");
  // A single memory that all threads see at once has no caches and no buffers.
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
  // The schedule has only one access so far, and a race needs two.
  await shows(page, '[data-detector="barracuda"]', "no race seen in this schedule");
  assert.equal(await page.locator(".cm-raceline").count(), 0);
  await tab(page, "simulator");
  for (const [i, choice] of ["P0", "P1", "P1"].entries()) await take(page, choice, i + 2);
  await tab(page, "detectors");
  // P1 read the flag and then x without a release or an acquire, so happens-before has no chain (barracuda).
  await shows(page, '[data-detector="barracuda"]', "1 race");
  await shows(page, "#panel tr", "race on x");
  const marked = await page.locator(".cm-raceline").allTextContents();
  assert.deepEqual(marked, ["x = 1;", "if (r0 == 1) r1 = x;"]);
  await shows(page, '[data-detector="ldetector"]', "not judged");
  // Stepping back to the start keeps the schedule.
  await tab(page, "simulator");
  for (let steps = 3; steps >= 0; --steps) {
    await page.click("#sim-back");
    await shows(page, "#simulator h3", `What has happened (${steps} step`);
  }
  await tab(page, "detectors");
  await shows(page, "#detect-schedule", "0 steps");
  await tab(page, "simulator");
  await page.click("#sim-forward");
  await shows(page, "#simulator ol.steps", "P0 writes x = 1"); // stepping forward repeats the steps that were undone
  await tab(page, "detectors");
  await page.click("#detect-other");
  await shows(page, "#detect-schedule", "One whole schedule");
}

async function shares({ page, server, another }) {
  await openAt(page, server.url);
  await write(page, MESSAGE);
  await page.click("#models");
  await page.check('#model-list input[value="sc"]');
  await page.check('#model-list input[value="ptx"]');
  assert.equal(await page.textContent("#models"), "Models: sc, ptx");
  await page.keyboard.press("Escape");
  await page.locator("#model-list").waitFor({ state: "hidden" });
  await tab(page, "outcomes");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 20);
  const visitor = await another();
  await openAt(visitor, page.url());
  assert.equal(await textOf(visitor), MESSAGE.trimEnd());
  assert.equal(await visitor.getAttribute("#tab-outcomes", "aria-selected"), "true");
  assert.deepEqual(await visitor.locator("#panel th").allTextContents(), ["P1:r0", "P1:r1", "sc", "ptx"]);
  assert.equal(await visitor.isChecked('#model-list input[value="sc"]'), true);
  // The page names the unknown models and does not query them.
  await reopenAt(visitor, linkOf(server, { text: MESSAGE, models: ["sc", "nope"], tab: "verdicts" }));
  await shows(visitor, "#notice .error", "nope");
  assert.deepEqual(await visitor.locator("#panel td code").allTextContents(), ["sc"]);
  await reopenAt(visitor, linkOf(server, { text: "", models: [], tab: "verdicts" }));
  assert.equal(await textOf(visitor), "", "an empty text is not replaced by the first test");
  // If a link is truncated, the page reports that it does not show the link's test.
  const stranger = await another();
  await openAt(stranger, page.url().slice(0, -20));
  await shows(stranger, "#notice .error", "This link cannot be read");
  assert.match(await textOf(stranger), /^CUDA message/m);
  assert.match(await textOf(stranger), /data = 42/, "the first test");
  await stranger.click("#notice .close");
  assert.equal(await stranger.locator("#notice .error").count(), 0);
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
  assert.equal(await page.locator("#panel ol.lessons li").count(), 11);
  assert.equal(await page.locator("#notice .error").count(), 0);
  await page.goto(`${server.url}#lesson=3.9`);
  await shows(page, "#notice .error", "Lesson 3 has no exercise 9: it has 2");
  await shows(page, "#panel h1", "3. Fences");
  assert.match(await textOf(page), /^CUDA narrow/m, "the editor's text is unchanged");
  await page.goto(`${server.url}#lesson=99`);
  await shows(page, "#notice .error", "There is no lesson 99");
  await page.goto(`${server.url}#lesson=2`);
  await page.locator("#notice .error").waitFor({ state: "detached" });
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
  await shows(page, "#panel .error", "<script>"); // the error shows the line verbatim
  assert.equal(await page.evaluate(() => window.broken), undefined);
}

async function losesTheServer({ page, server, faults }) {
  await openAt(page, server.url);
  await server.stop();
  await page.click("#check");
  await shows(page, "#panel .error", "The server does not answer");
  allowFaults(faults, "ERR_CONNECTION_REFUSED");
}

const show = (page, server, text, key, models = []) => reopenAt(page, linkOf(server, { text, models, tab: key }));

async function answersInFull({ page, server }) {
  // P1 raises the flag unconditionally: under a fair scheduler P0 ends, contrary to the expectation.
  await show(page, server, `CUDA waits
{ global int flag = 0; }
P0 @ block 0 { while (atomicAdd(&flag, 0) == 0) {} }
P1 @ block 1 { atomicExch(&flag, 1); }
exists (flag == 1)
expect ptx : Always, norace
expect ptx under fair : stuck
`, "verdicts");
  assert.deepEqual(await page.locator("#panel td code").allTextContents(), ["ptx", "ptx under fair"]);
  assert.deepEqual(await page.locator("#panel td .mark").allTextContents(), ["OK", "FAIL"]);
  // Every wrong expectation is marked, for any number of models.
  const many = ["sc", "hrf-direct", "hrf-direct(rlx=lift)", "hrf-indirect", "hrf-indirect(rlx=lift)", "hrf-relaxed", "hrf-relaxed(incl=nest)", "hrf-relaxed(incl=exact)",
    "ptx", "ptx-7.5", "ptx-6.0", "ptx(red=acquire)", "gwcp", "cuda-cpp"];
  const ends = (model) => (model === "cuda-cpp" ? "Never" : "Always"); // no other thread writes x
  await show(page, server, `CUDA many\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nexists (x == 1)\n${many.map((model) => `expect ${model} : ${ends(model)}\n`).join("")}`, "verdicts");
  assert.deepEqual(await page.locator("#panel td .mark").allTextContents(), many.map((model) => (model === "cuda-cpp" ? "FAIL" : "OK")));
  // No thread writes 5.
  await show(page, server, "CUDA fails\n{ global int x = 0; }\nP0 @ block 0 { int r = atomicAdd(&x, 0); assert(r == 5); }\nexists (x == 0)\nexpect ptx : Always\n", "verdicts");
  await shows(page, "#panel td .bad", "no race, assertion failed");
  // 2^53 and 2^53 + 1 are the same number in JavaScript.
  await show(page, server, `CUDA long
{ global unsigned long long x = 0; }
P0 @ block 0 { atomicExch(&x, 9007199254740993ull); }
P1 @ block 1 { atomicExch(&x, 9007199254740992ull); }
P2 @ block 2 { unsigned long long r = atomicAdd(&x, 0); }
exists (P2:r == 9007199254740993)
`, "outcomes", ["ptx"]);
  assert.deepEqual(await page.locator("#panel td:first-child").allTextContents(), ["0", "9007199254740992", "9007199254740993"]);
  // sc has no races, and this test has no condition.
  await show(page, server, MESSAGE.replace(/exists[^]*/, ""), "why", ["sc"]);
  await shows(page, "#panel", "There is nothing to explain");
  await show(page, server, MESSAGE, "why", ["sc", "hrf-direct", "hrf-indirect", "ptx", "hrf-relaxed"]);
  await shows(page, "#panel .unknown", "Not asked");
  await shows(page, "#panel .unknown", "hrf-relaxed");
}

async function stopsShort({ page, server }) {
  // P0 reads 0, never 5: the filter rejects every run.
  await show(page, server, "CUDA none\n{ global int x = 0; }\nP0 @ block 0 { int r = atomicAdd(&x, 0); }\nfilter (P0:r == 5)\nexists (x == 0)\n", "simulator");
  await page.click("#sim-run");
  await shows(page, "#simulator .error", "left out");
  assert.equal(await page.locator("#sim-outcome").count(), 0);
  await tab(page, "detectors");
  await shows(page, "#detect-schedule", "A schedule without an outcome");
  await shows(page, "#detect-schedule", "left out");
  // The run continues after a failed assertion and reports it.
  await show(page, server, "CUDA fails\n{ global int x = 0; }\nP0 @ block 0 { int r = atomicAdd(&x, 0); assert(r == 5); x = 1; }\nexists (x == 1)\n", "simulator");
  await page.click("#sim-run");
  await shows(page, "#sim-outcome", "x = 1");
  await shows(page, "#simulator .incident", "assertion failed");
  await tab(page, "detectors");
  await shows(page, "#panel .incident", "assertion failed");
  // A run stops after 2000 steps.
  await show(page, server, "CUDA endless\n{ global int y = 0; }\nP0 @ block 0 { for (int i = 0; i < 3000; i++) atomicAdd(&y, 1); }\nexists (y == 3000)\n", "simulator");
  await page.click("#sim-run");
  await shows(page, "#simulator .error", "2000 steps");
  assert.equal(await page.isDisabled("#sim-forward"), true);
  assert.equal(await page.isDisabled("#sim-run"), true);
  await tab(page, "detectors");
  await shows(page, "#detect-schedule", "stopped after 2000 steps");
  assert.equal(await page.isDisabled("#detect-finish"), true);
  await tab(page, "simulator");
  await page.click("#sim-back");
  await shows(page, "#simulator h3", "What has happened (1999 steps)");
}

/** Six threads change each other's locations. No time limit is enough for this test, and the limit here is tiny. */
async function admitsIgnorance({ page, server }) {
  const thread = (t) => `P${t} @ block ${t} { ${[1, 2, 3, 4, 5].map((k) => `atomicAdd(&x${(t + k) % 6}, ${t + k}); int r${k} = atomicAdd(&x${(2 * t + k) % 6}, ${k});`).join(" ")} }`;
  const text = `CUDA hard\n{ global int ${[0, 1, 2, 3, 4, 5].map((i) => `x${i} = 0`).join(", ")}; }\n${[0, 1, 2, 3, 4, 5].map(thread).join("\n")}\nexists (P0:r5 == 17 && P1:r5 == 23 && P2:r5 == 31)\n`;
  await server.limit(page, 0.05);
  await show(page, server, text, "verdicts", ["ptx"]);
  const cells = await page.locator("#panel td").allTextContents();
  assert.deepEqual(cells.slice(1, 4), ["ptx", "not known", "races not known"]);
  await tab(page, "outcomes");
  await shows(page, "#panel .error", "not all outcomes are known");
  await tab(page, "picture");
  await shows(page, "#panel section.picture p", "known");
  // The first section explains the condition; the later sections explain races, which may be decided without an
  // encoding.
  const sections = page.locator("#panel section.picture");
  assert.match(await sections.first().textContent(), /could not be decided/);
  assert.equal(await sections.first().locator("svg, img").count(), 0);
}

/** A proxy, or the server itself, may answer with a status and no message. */
async function tellsRefusals({ page, server, faults }) {
  await openAt(page, server.url);
  for (const [status, body, text] of [
    [502, "<html>Bad Gateway</html>", "The server failed on this request (status 502)"],
    [403, "", "The server refuses requests to this address"],
    [413, "", "longer than the server accepts"],
    [503, '{"error":"too many requests at the same time; try again"}', "too many requests"],
  ]) {
    await page.route("**/api", (route) => route.fulfill({ status, body }));
    await page.click("#check");
    await shows(page, "#panel .error", text);
    await page.unroute("**/api");
  }
  // The server refuses this text without parsing it, and the editor shows a warning.
  await reopenAt(page, linkOf(server, { text: `CUDA long\n${"// a comment\n".repeat(30000)}`, models: [], tab: "verdicts" }));
  await shows(page, "#panel .error", "longer than");
  await page.locator(".cm-lint-marker-warning").waitFor();
  allowFaults(faults, "Failed to load resource");
}

async function fitsAPhone({ page, server }) {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAt(page, server.url);
  for (const key of ["verdicts", "outcomes", "why", "picture", "simulator", "detectors", "course"]) {
    await tab(page, key);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `${key} is ${width} wide`);
    const { x, width: own } = await page.locator(`#tab-${key}`).boundingBox();
    assert.ok(x >= 0 && x + own <= 390, `the tab ${key} is cut`);
  }
  // Long code in the lessons wraps; the labels of the buttons in a message do not wrap.
  await write(page, MESSAGE);
  for (const lesson of ["11", "1.1"]) {
    await reopenAt(page, `${server.url}#lesson=${lesson}`);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 390, `lesson ${lesson} is ${width} wide`);
  }
  for (const button of ["#before", "#offer .close"]) {
    const lines = await page.locator(button).evaluate((element) => element.clientHeight / parseFloat(getComputedStyle(element).lineHeight));
    assert.ok(lines < 2, `${button} has ${lines} lines`);
  }
}

export const tests = { opens, edits, simulates, detects, shares, teaches, escapes, losesTheServer, tellsRefusals, answersInFull, stopsShort, admitsIgnorance, fitsAPhone };
