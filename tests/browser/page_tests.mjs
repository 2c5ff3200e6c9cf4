// The page loses no work, marks old results as old, and can be used from the keyboard.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { cursorLine, ground, isDark, isLight, linkOf, openAt, reopenAt, settled, shows, tab, textOf, write } from "./playground.mjs";

const source = (path) => readFileSync(`${process.env.AMBIT_SOURCE_DIR}/${path}`, "utf8");

// Message passing with a reader that does not wait: the program races, and P1 may miss the message.
const RACY = `CUDA racy
{ global int x = 0, f = 0; }
P0 @ block 0 {
  x = 1;
  atomicExch(&f, 1);
}
P1 @ block 1 {
  int r0 = atomicAdd(&f, 0);
  int r1 = x;
}
exists (P1:r0 == 1 && P1:r1 == 0)
expect ptx : Sometimes, race
`;

// Seven threads increment by compare-exchange, so the set of writes depends on the values read. No engine can answer
// within the time limit of a test.
const HARD = `CUDA hard
{ global int x = 0; }
__global__ void k() {
  int old = load(x, relaxed, device);
  int seen = atomicCAS(&x, old, old + 1);
  while (seen != old) { old = seen; seen = atomicCAS(&x, old, old + 1); }
}
launch k<<<7, 1>>>();
exists (x == 3)
`;

async function remembers({ page, server, another }) {
  await openAt(page, server.url);
  await write(page, RACY);
  await page.fill("#name", "mine.litmus");
  await page.click("#models");
  await page.check('#model-list input[value="sc"]');
  await tab(page, "outcomes");
  await page.reload();
  await settled(page);
  assert.equal(await textOf(page), RACY.trimEnd());
  assert.equal(await page.inputValue("#name"), "mine.litmus");
  assert.equal(await page.textContent("#models"), "Models: sc");
  assert.equal(await page.getAttribute("#tab-outcomes", "aria-selected"), "true");
  // The link contains the editor's current text. Later edits are not in the link, but the page keeps them.
  await page.click("#share");
  await page.waitForFunction(() => location.hash.length > 20);
  await write(page, RACY.replace("CUDA racy", "CUDA later"));
  assert.equal(await page.evaluate(() => location.hash), "", "the address no longer contains this text");
  await page.reload();
  await settled(page);
  assert.match(await textOf(page), /^CUDA later/);
  // The page also keeps edits after a link to an exercise was opened.
  await page.goto(`${server.url}#lesson=2.1`);
  await shows(page, ".cm-content", "CUDA counter");
  await page.locator(".cm-line", { hasText: "P0 @ block" }).click();
  await page.keyboard.press("End");
  await page.keyboard.type(" // mine");
  await page.reload();
  await settled(page);
  assert.match(await textOf(page), /\/\/ mine/);
  // If a user opens a link while the editor contains a text, the page offers to restore that text.
  await reopenAt(page, linkOf(server, { text: RACY, models: [], tab: "verdicts" }));
  assert.equal(await textOf(page), RACY.trimEnd());
  await page.click("#before");
  await shows(page, ".cm-content", "// mine");
  // A new tab of the browser starts with the last text; another user's browser does not.
  const beside = await page.context().newPage();
  await openAt(beside, server.url);
  assert.match(await textOf(beside), /\/\/ mine/);
  const stranger = await another();
  await openAt(stranger, server.url);
  assert.match(await textOf(stranger), /data = 42/);
}

/** If a link replaces the editor's text, the page keeps the old text until the user restores or discards that text. */
async function keepsWhatALinkCovered({ page, server }) {
  const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }));
  const mine = RACY.replace("CUDA racy", "CUDA mine");
  await openAt(page, server.url);
  await write(page, mine);
  await reopenAt(page, `${server.url}#lesson=1.1`);
  await shows(page, "#offer", "the editor contained another text");
  await page.reload();
  await settled(page);
  await shows(page, "#offer", "the editor contained another text");
  assert.match(await kept(), /CUDA mine/);
  // Another message appears next to the offer.
  await page.locator(".cm-locked").first().click();
  await page.keyboard.type("x");
  await shows(page, "#notice .error", "locked");
  await page.click("#notice .close");
  await page.locator("#notice .error").waitFor({ state: "detached" });
  await shows(page, "#offer", "the editor contained another text");
  await page.click("#before");
  await settled(page);
  assert.equal(await textOf(page), mine.trimEnd());
  await page.locator("#offer .error").waitFor({ state: "detached" });
  await page.reload();
  await settled(page);
  assert.equal(await textOf(page), mine.trimEnd());
  assert.equal(await page.locator("#offer .error").count(), 0);
  // The page also offers the old text if only the address changes. After the user closes the offer, it does not
  // reappear.
  await page.goto(`${server.url}#lesson=2.1`);
  await shows(page, "#exercise", "Exercise 2.1");
  await shows(page, "#offer", "the editor contained another text");
  await page.click("#offer .close");
  await page.reload();
  await settled(page);
  assert.equal(await page.locator("#offer .error").count(), 0);
  assert.doesNotMatch(await kept(), /CUDA mine/);
}

/** Returns the child processes of process `pid`. */
const children = (pid) => readdirSync(`/proc/${pid}/task`).flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean));

/** Returns the processes that are computing answers: forked children of the worker, which is the server's only
 * permanent child. */
const copies = (server) => children(server.pid).flatMap((worker) => { try { return children(worker); } catch { return []; } });

/** Waits until the server is computing (or not computing) an answer. For a static page, does not wait: it has no
 * process. */
const works = (server, expected) => server.pid && until(() => copies(server).length > 0 === expected);

async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function waits({ page, server }) {
  await openAt(page, server.url);
  await write(page, RACY);
  await shows(page, "#panel td", "race on x");
  await page.locator("#waiting").waitFor({ state: "hidden" });
  await write(page, HARD);
  await shows(page, "#waiting", "The answer below is an earlier answer");
  await page.locator("#panel.old").waitFor();
  const opacity = () => page.locator("#panel > *").first().evaluate((element) => Number(getComputedStyle(element).opacity));
  await page.waitForFunction(() => Number(getComputedStyle(document.querySelector("#panel > *")).opacity) < 0.5);
  assert.ok((await opacity()) < 0.5, "the earlier answer is dim");
  await works(server, true);
  await page.click("#stop");
  await shows(page, "#panel .error", "Stopped");
  assert.equal(await page.locator("#panel td").count(), 0, "the earlier answer is gone");
  await page.locator("#waiting").waitFor({ state: "hidden" });
  await works(server, false); // the server has no work left
  await page.click("#again");
  await works(server, true);
  await shows(page, "#waiting", "on its way");
  await write(page, RACY); // a new text cancels the request for the old text
  await shows(page, "#panel td", "race on x");
  await works(server, false);
  assert.equal(await page.locator("#panel.old").count(), 0);
}

async function recognises({ page, server }) {
  await openAt(page, server.url);
  await write(page, source("litmus/cuda/flag_release_acquire.cu"));
  await shows(page, "#kind", "CUDA source");
  assert.equal(await page.getAttribute("#name", "placeholder"), "test.cu");
  await shows(page, "#panel table .good", "OK");
  assert.equal(await page.locator("#panel .error, .cm-lintRange-error").count(), 0);
  for (const key of ["why", "simulator", "detectors"]) {
    await tab(page, key);
    assert.equal(await page.locator("#panel .error").count(), 0, key);
  }
  await tab(page, "verdicts");
  await write(page, source("litmus/ptx/atomicity/" + readdirSync(`${process.env.AMBIT_SOURCE_DIR}/litmus/ptx/atomicity`).find((file) => file.endsWith(".litmus"))));
  await shows(page, "#kind", "PTX litmus test");
  await shows(page, "#panel table .good", "OK");
  // If a file has several tests, the user selects a test.
  await write(page, source("litmus/proxy/alias_fence_places.test"));
  await shows(page, "#kind", "mixed-proxy test");
  await page.locator("#which").waitFor();
  assert.ok((await page.locator("#which option").count()) > 1);
  assert.equal(await page.locator("#panel .error").count(), 0);
  await page.selectOption("#which", { index: 1 });
  await settled(page);
  assert.equal(await page.locator("#panel .error").count(), 0);
  // The extension of the file name selects the format.
  await write(page, RACY);
  await page.locator("#which").waitFor({ state: "hidden" });
  await page.fill("#name", "racy.cu");
  await shows(page, "#panel .error", "racy.cu:");
  await page.fill("#name", "racy.litmus");
  await shows(page, "#panel td", "race on x");
}

async function remarks({ page, server }) {
  await openAt(page, server.url);
  await write(page, "PTX red\n{ x=0; }\n P0@cta 0,gpu 0 ;\n red.acq_rel.gpu.add x, 1 ;\nexists (x == 1)\n");
  await shows(page, "#panel .remark", "PTX has no red.acq_rel: Ambit reads it as atom.acq_rel");
  await page.click("#panel .remark a.place");
  assert.equal(await cursorLine(page), 4);
  await tab(page, "outcomes");
  await shows(page, "#panel .remark", "line 4");
}

async function appliesAFix({ page, server }) {
  await openAt(page, server.url);
  await write(page, RACY);
  await tab(page, "why");
  await page.click("#find-fixes");
  await shows(page, "#panel .fix h3", "no race");
  const before = await page.evaluate(() => document.querySelector(".cm-content").textContent);
  await page.locator("#panel .apply").first().click();
  await page.waitForFunction((text) => document.querySelector(".cm-content").textContent !== text, before);
  await page.waitForSelector("#find-fixes"); // the panel has been refilled for the new text
  await page.click("#find-fixes");
  await shows(page, "#panel .fix h3", "the condition never holds"); // the race is gone
}

async function leadsToLines({ page, server }) {
  await openAt(page, server.url);
  await write(page, RACY);
  await tab(page, "why");
  const link = page.locator("#panel .lines a.place").first();
  const line = Number((await link.textContent()).match(/\d+/)[0]);
  await link.click();
  assert.equal(await cursorLine(page), line);
  assert.equal(await page.evaluate(() => document.activeElement.classList.contains("cm-content")), true);
  assert.equal(await page.evaluate(() => location.hash), "");
  // The panel links to both accesses of the race, in lines 4 and 9.
  for (const one of [4, 9]) assert.ok((await page.locator(`#panel a.place[href="#line=${one}"]`).count()) > 0, `line ${one}`);
  // The link in an error message leads to the column of the error, and the caret is below the token.
  await tab(page, "verdicts");
  await write(page, RACY.replace("int r1 = x;", "int r1 = nothing;"));
  await page.click("#panel .error a.place");
  assert.equal(await cursorLine(page), 9);
  await page.keyboard.press("Shift+ArrowRight");
  assert.equal(await page.evaluate(() => getSelection().toString()), "n");
  const widths = await page.locator("#panel .error pre").evaluate((pre) => ["iiii", "MMMM"].map((text) => {
    const span = document.createElement("span");
    span.textContent = text;
    pre.append(span);
    return span.getBoundingClientRect().width;
  }));
  assert.equal(widths[0], widths[1], "all letters of the error font have the same width");
  // A long message wraps and is not cut. `(*f` does not begin a comment, but `(* text *)` is a comment.
  await write(page, RACY.replace("atomicExch(&f, 1);", "atomicExch(f, 1);  (* one *) if (*f) x = 2;"));
  await shows(page, "#panel .error .said", "needs the address of the memory that it changes");
  assert.ok(await page.locator("#panel .error .said").first().evaluate((said) => said.scrollWidth <= said.clientWidth));
  const comments = page.locator(".cm-line", { hasText: "(*f)" }).locator("span").filter({ hasText: "*" });
  assert.deepEqual(await comments.evaluateAll((all) => all.filter((span) => getComputedStyle(span).fontStyle === "italic")
    .map((span) => span.textContent)), ["(* one *)"]);
}

async function obeysTheKeyboard({ page, server }) {
  await openAt(page, server.url);
  const isInEditor = () => page.evaluate(() => Boolean(document.activeElement.closest("#editor")));
  await write(page, "CUDA t");
  await page.keyboard.press("Tab");
  assert.equal(await isInEditor(), true);
  assert.match(await page.locator(".cm-content").textContent(), /\s+CUDA t|CUDA t\s+/, "Tab indents");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.equal(await isInEditor(), false, "after Escape, Tab leaves the editor");
  assert.equal(await page.getAttribute(".cm-content", "aria-describedby"), "keys");
  assert.match(await page.textContent("#keys"), /Esc, then Tab/);
  await page.keyboard.press("Shift+Tab");
  assert.equal(await isInEditor(), true);
  await page.keyboard.press("Tab");
  assert.equal(await isInEditor(), true, "back in the editor, Tab indents again");
  // The tab key reaches one of the tabs; the arrow keys cycle through them.
  assert.equal(await page.getAttribute("#tabs", "role"), "tablist");
  assert.equal(await page.locator('#tabs [role="tab"][tabindex="0"]').count(), 1);
  await page.focus("#tab-verdicts");
  for (const [key, to] of [["ArrowRight", "outcomes"], ["End", "course"], ["ArrowRight", "verdicts"], ["ArrowLeft", "course"], ["Home", "verdicts"]]) {
    await page.keyboard.press(key);
    await settled(page);
    assert.equal(await page.evaluate(() => document.activeElement.id), `tab-${to}`, key);
    assert.equal(await page.getAttribute(`#tab-${to}`, "aria-selected"), "true");
    assert.equal(await page.getAttribute("#panel", "aria-labelledby"), `tab-${to}`);
  }
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "panel");
  assert.equal(await page.getAttribute("#panel", "role"), "tabpanel");
}

async function isDarkToo({ page, server, another }) {
  await openAt(page, server.url);
  assert.ok(isLight(await ground(page, "#panel")));
  const night = await another({ colorScheme: "dark" });
  await openAt(night, server.url);
  for (const part of ["#panel", ".cm-content", ".cm-gutters", "header", "#tabs", "#panel th"]) assert.ok(isDark(await ground(night, part)), part);
  const ink = await night.locator(".cm-content").evaluate((element) => getComputedStyle(element).color.match(/\d+/g).map(Number));
  assert.ok(isLight(ink));
  await tab(night, "simulator");
  const part = night.locator('svg.machine [data-part="L1.b0"]').first();
  const [box, letters] = await part.evaluate((group) => [getComputedStyle(group.querySelector("rect")).fill, getComputedStyle(group.querySelector("text")).fill]
    .map((color) => color.match(/\d+/g).map(Number)));
  assert.ok(isDark(box) && isLight(letters), "the machine");
  await tab(night, "picture");
  assert.ok(isDark(await ground(night, "#panel picture-view .frame")), "a picture follows the theme");
  // The theme button overrides the system's theme, also after a reload.
  assert.equal(await night.textContent("#theme"), "Light");
  await night.click("#theme");
  assert.ok(isLight(await ground(night, ".cm-content")));
  await night.reload();
  await settled(night);
  assert.ok(isLight(await ground(night, "#panel")));
  await night.click("#theme");
  assert.ok(isDark(await ground(night, "#panel")));
  // If the user chooses the light theme while the system's theme is light, the page stays light when the system turns
  // dark.
  await page.click("#theme");
  await page.click("#theme");
  assert.equal(await page.textContent("#theme"), "Dark");
  await page.emulateMedia({ colorScheme: "dark" });
  assert.ok(isLight(await ground(page, "#panel")));
  await page.reload();
  await settled(page);
  assert.ok(isLight(await ground(page, "#panel")));
}

async function coversNothing({ page, server }) {
  for (const size of [{ width: 1280, height: 800 }, { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    await reopenAt(page, server.url);
    await page.click("#models");
    await page.locator("#model-list").waitFor();
    for (const selector of ["#check", "#share", "#tab-why", ".cm-line"]) {
      const isSeen = await page.locator(selector).first().evaluate((element) => {
        element.scrollIntoView({ block: "center" });
        const { x, y, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(x + width / 2, y + Math.min(height / 2, 12)));
      });
      assert.equal(isSeen, true, `${selector} at a width of ${size.width}`);
    }
  }
}

/** The page has no command-line options, so its messages name controls of the page. */
async function namesNoOptions({ page, server }) {
  await openAt(page, server.url);
  await write(page, ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n  ret;\n}\n");
  await shows(page, "#kind", "PTX module");
  await shows(page, "#panel .error", "// ambit: launch k<<<2, 32>>>();");
  assert.doesNotMatch(await page.textContent("#panel .error"), /--/);
}

export const tests = { remembers, keepsWhatALinkCovered, namesNoOptions, waits, recognises, remarks, appliesAFix, leadsToLines, obeysTheKeyboard, isDarkToo, coversNothing };
