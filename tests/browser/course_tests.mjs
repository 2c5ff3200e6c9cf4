// Tests the course in the playground: exercises, and lessons that a teacher has added.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAt, settled, shows, tab, textOf } from "./playground.mjs";

const course = (path) => readFileSync(`${process.env.AMBIT_SOURCE_DIR}/docs/course/${path}`, "utf8").trimEnd();

/** Types at the end of the line that contains `text`. */
async function typeBehind(page, text, keys) {
  await page.locator(".cm-line", { hasText: text }).first().click();
  await page.keyboard.press("End");
  await page.keyboard.type(keys);
}

/** Deletes the editor's line that contains `text`, including its line break. */
async function deleteLine(page, text) {
  await page.locator(".cm-line", { hasText: text }).first().click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Delete");
}

async function marksSolved({ page, server }) {
  await openAt(page, `${server.url}#lesson=3.2`);
  await shows(page, "#exercise", "Exercise 3.2: fence-place");
  await shows(page, "#exercise-state", "not solved yet");
  assert.equal(await page.locator("#panel .tick").count(), 0);
  await page.click("#exercise-hint");
  await shows(page, "#exercise .more", "To receive, a thread needs an atomic read");
  await page.click("#exercise-answer");
  const answer = await page.locator("#exercise .more pre").textContent();
  assert.equal(answer.trimEnd(), course("answers/03-fence-place.litmus"));
  await page.click("#exercise-answer");
  await page.locator("#exercise .more").waitFor({ state: "hidden" });
  // In the exercise, P1's fence is before the read in line 13. The next two edits move that read before the
  // fence.
  await deleteLine(page, "int r0 = atomicAdd");
  await typeBehind(page, "P1 @ block 1 {", "\nint r0 = atomicAdd(&flag, 0);");
  await shows(page, "#exercise-state", "✓ solved");
  await page.locator("#panel .tick").waitFor(); // in the lesson's bar
  await page.click("#panel >> text=All lessons");
  await shows(page, "#panel ol.lessons li:nth-child(3)", "1 of 2 solved");
  await page.reload();
  await settled(page);
  await shows(page, "#panel ol.lessons li:nth-child(3)", "1 of 2 solved");
  await shows(page, "#exercise-state", "solved");
  const mine = await textOf(page);
  // The page keeps the solution while another exercise is open.
  await page.goto(`${server.url}#lesson=3.1`);
  await shows(page, "#exercise", "plain-flag");
  await page.goto(`${server.url}#lesson=3.2`);
  await shows(page, "#exercise", "fence-place");
  assert.equal(await textOf(page), mine);
  await page.click("#exercise-restart");
  assert.equal(await textOf(page), course("exercises/03-fence-place.litmus"));
  await shows(page, "#exercise-state", "solved before");
  // The exercise bar is hidden when the open test does not belong to an exercise.
  await page.selectOption("#examples", { label: "A first message" });
  await page.locator("#exercise").waitFor({ state: "hidden" });
}

async function locksWhatJudges({ page, server }) {
  await openAt(page, `${server.url}#lesson=3.2`);
  const start = course("exercises/03-fence-place.litmus");
  await shows(page, ".cm-locked", "exists");
  assert.equal((await page.locator(".cm-locked").allTextContents()).join("\n"), start.slice(start.indexOf("exists")));
  await typeBehind(page, "expect ptx", " , race");
  await shows(page, "#notice .error", "locked");
  await deleteLine(page, "exists");
  assert.equal(await textOf(page), start);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("CUDA other");
  assert.equal(await textOf(page), start, "the user cannot replace the whole text");
  // Locked lines stay locked if lines are inserted above them, and an undo restores everything.
  await typeBehind(page, "if (r0 == 1) r1 = x;", "\n// more");
  assert.equal((await page.locator(".cm-locked").allTextContents()).join("\n"), start.slice(start.indexOf("exists")));
  await typeBehind(page, "expect ptx", "x");
  assert.doesNotMatch(await textOf(page), /use"x/);
  // In an exercise about expectations, every line except the expectations is locked.
  await page.goto(`${server.url}#lesson=4.1`);
  await shows(page, ".cm-content", "CUDA mixed");
  const program = await textOf(page);
  await typeBehind(page, "P0 @ block 0 {", "x = 5;");
  assert.equal(await textOf(page), program);
  const last = page.locator(".cm-line", { hasText: "expect ptx" });
  await last.click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.insertText("expect ptx : Never, norace");
  await shows(page, "#exercise-state", "✓ solved");
  // Undo can restore the text that the editor had before the exercise was opened. The locked lines are then those of
  // the restored text.
  await page.locator(".cm-content").click();
  // The editor merges edits that quickly follow each other, so the number of undo steps depends on the time between
  // edits.
  const before = page.locator("#exercise").filter({ hasText: "fence-place" });
  for (let i = 0; i < 12 && (await before.count()) === 0; ++i) {
    await page.keyboard.press("Control+Z");
    await page.waitForTimeout(200);
  }
  await shows(page, "#exercise", "fence-place");
  await shows(page, ".cm-locked", "an acquire is a read");
}

/** The address always names the open exercise, so a link always leads to that exercise. */
async function staysAtItsAddress({ page, server }) {
  await openAt(page, server.url);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Z");
  assert.match(await textOf(page), /\S/, "undo never leaves an empty editor");
  await page.goto(`${server.url}#lesson=1.1`);
  await shows(page, "#exercise", "Exercise 1.1");
  await page.click("#panel .test .open >> nth=0");
  await page.locator("#exercise").waitFor({ state: "hidden" });
  assert.equal(new URL(page.url()).hash, "#lesson=1");
  await page.click("#panel .lesson-bar >> text=Exercise 1:");
  await shows(page, "#exercise", "Exercise 1.1");
  await page.goto(`${server.url}#lesson=3.2`);
  await shows(page, "#exercise", "Exercise 3.2");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Z");
  await shows(page, "#exercise", "Exercise 1.1");
  assert.equal(new URL(page.url()).hash, "#lesson=1.1");
  assert.equal(await page.inputValue("#name"), "01-lost-message.litmus");
  // A locked line rejects edits and shows what to do instead.
  await typeBehind(page, "exists", " x");
  await shows(page, "#notice .error", "locked");
  await page.click("#leave");
  await page.locator("#exercise").waitFor({ state: "hidden" });
  await typeBehind(page, "exists", " // mine");
  assert.match(await textOf(page), /mine/);
}

/** A teacher changes an exercise that a student has started. */
async function tellsOfChanges({ page, serveMore }) {
  const folder = mkdtempSync(join(tmpdir(), "ambit-lessons-"));
  try {
    mkdirSync(join(folder, "exercises"));
    const exercise = "CUDA mine\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nP1 @ block 1 { x = 2; }\nexists (x == 1)\nexpect ptx : Sometimes, norace\n";
    const write = (text) => writeFileSync(join(folder, "exercises/writers.litmus"), text);
    writeFileSync(join(folder, "README.md"), "# Week 7\n");
    writeFileSync(join(folder, "01-races.md"), "# 1. Races\n\nMend [the kernel](exercises/writers.litmus).\n");
    write(exercise);
    const first = await serveMore("--lessons", folder);
    await openAt(page, `${first.url}#lesson=1`);
    await page.click("#panel article >> text=the kernel");
    await shows(page, "#exercise", "Exercise 1.1: writers");
    await typeBehind(page, "CUDA mine", "\n\"a student was here\"");
    const draft = await textOf(page);
    const session = await page.evaluate(() => [{ ...sessionStorage }, { ...localStorage }]);
    write(exercise.replace("expect", "expect hrf-direct : Sometimes, norace\nexpect"));
    const second = await serveMore("--lessons", folder);
    await openAt(page, second.url);
    await page.evaluate(([own, shared]) => { Object.assign(sessionStorage, own); Object.assign(localStorage, shared); }, session);
    await openAt(page, `${second.url}?#lesson=1.1`);
    await shows(page, "#notice", "This exercise has changed");
    assert.equal(await textOf(page), draft);
    await page.click("#anew");
    await shows(page, "#exercise", "Exercise 1.1");
    await shows(page, ".cm-content", "hrf-direct");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function servesOtherLessons({ page, serveMore }) {
  const folder = mkdtempSync(join(tmpdir(), "ambit-lessons-"));
  try {
    for (const part of ["exercises", "answers", "hints"]) mkdirSync(join(folder, part));
    const exercise = "CUDA mine\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nP1 @ block 1 { x = 2; }\nexists (x == 1)\nexpect ptx : Sometimes, norace\n";
    writeFileSync(join(folder, "README.md"), "# Parallel programming, week 7\n");
    writeFileSync(join(folder, "01-races.md"), "# 1. Races\n\nMend `exercises/two-writers.litmus`. <b>Not markup.</b>\n");
    writeFileSync(join(folder, "exercises/two-writers.litmus"), exercise);
    writeFileSync(join(folder, "answers/two-writers.litmus"), exercise.replace("x = 1; }", "atomicExch(&x, 1); }").replace("x = 2; }", "atomicExch(&x, 2); }"));
    writeFileSync(join(folder, "hints/two-writers.md"), "Two *atomic* writes do not race.\n");
    const own = await serveMore("--lessons", folder);
    await openAt(page, own.url);
    await shows(page, "#panel h2", "Parallel programming, week 7"); // the lessons are shown first
    await shows(page, "#panel", "1 lesson, 1 exercise");
    await page.click("#panel >> text=Races");
    await shows(page, "#panel article", "<b>Not markup.</b>");
    await page.click("#panel article >> text=two-writers");
    await shows(page, "#exercise", "Exercise 1.1: two-writers");
    await page.click("#exercise-hint");
    await shows(page, "#exercise .more em", "atomic");
    assert.equal((await textOf(page)), exercise.trimEnd());
    await page.locator(".cm-line", { hasText: "x = 1; }" }).click();
    for (const [from, to] of [["x = 1; }", "P0 @ block 0 { atomicExch(&x, 1); }"], ["x = 2; }", "P1 @ block 1 { atomicExch(&x, 2); }"]]) {
      // The mouse leaves the editor first: the hover text of one line can cover the next line.
      await page.mouse.move(1, 1);
      await page.locator(".cm-tooltip-hover").waitFor({ state: "hidden" });
      await page.locator(".cm-line", { hasText: from }).click();
      await page.keyboard.press("Home");
      await page.keyboard.press("Shift+End");
      await page.keyboard.insertText(to);
    }
    await shows(page, "#exercise-state", "✓ solved");
    await tab(page, "course");
    await page.locator("#panel .tick").waitFor();
    assert.equal(await page.locator("#examples optgroup[label=Course] option").count(), 1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const tests = { marksSolved, locksWhatJudges, staysAtItsAddress, tellsOfChanges, servesOtherLessons };
