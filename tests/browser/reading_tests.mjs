// Tests the pages that a beginner sees first: examples, races, next steps and pictures, on a desktop and on a phone.
import assert from "node:assert/strict";
import { cursorLine, isDark, isLight, linkOf, openAt, reopenAt, settled, shows, tab, take } from "./playground.mjs";

const pick = async (page, label) => {
  await page.selectOption("#examples", { label });
  await settled(page);
};
const MP = "MP: Message passing, racy";
const IRIW = "IRIW: Independent reads of independent writes, racy";

/** The menu lists the tests of the literature. For each test, the racy form is above the correct form. */
async function offersExamples({ page, server }) {
  await openAt(page, server.url);
  const groups = await page.locator("#examples optgroup").evaluateAll((all) => all.map((group) => [group.label, [...group.children].map((one) => one.textContent)]));
  assert.deepEqual(groups.map(([label]) => label), ["Litmus tests", "Kernels", "Course", "Differences between models", "ScoR"]);
  const [[, litmus], [, kernels]] = groups;
  assert.deepEqual(litmus.map((entry) => entry.split(":")[0]), ["MP", "MP+fences", "SB", "SB+fences", "LB", "LB+fences", "IRIW", "IRIW+fences",
    "2+2W", "2+2W+fences", "CoRR", "CoRR+atomics", "ISA2", "ISA2+fences", "WRC", "WRC+fences"]);
  // The menu says "racy" if the model ptx reports a race, and no expectation of an example fails.
  for (const list of [litmus, kernels]) {
    for (const [i, entry] of list.entries()) {
      assert.match(entry, i % 2 === 0 ? /, racy/ : /, correct/, entry);
      await pick(page, entry);
      const row = page.locator("#panel tr", { has: page.locator("td code", { hasText: /^ptx$/ }) }).first();
      await row.filter({ hasText: i % 2 === 0 ? "race on" : "no race" }).waitFor({ timeout: 20000 });
      assert.equal(await page.locator("#panel td .bad.mark").count(), 0, entry);
    }
  }
}

/** Before any click, the page of a racy test shows the race, both statements of the race, and an execution. */
async function showsTheRaceFirst({ page, server }) {
  await openAt(page, server.url);
  await pick(page, MP);
  const order = await page.locator("#panel").evaluate((panel) => [...panel.children].map((one) => one.tagName === "SECTION" ? "race" : one.classList.contains("next") ? "next" : one.tagName));
  assert.deepEqual(order.slice(0, 4), ["DIV", "race", "race", "next"], "verdicts, races, next steps");
  const accesses = await page.locator("#panel .race").first().locator("tbody tr").allTextContents();
  assert.deepEqual(accesses, ["P0W xline 7x = 1;", "P1R xline 13int r1 = x;"]);
  assert.deepEqual(await page.locator(".cm-raceline").allTextContents(), ["  x = 1;", "  int r1 = x;"]);
  // The page marks the condition, and the execution in which the condition holds.
  const details = page.locator("#panel details[open]");
  assert.equal(await details.count(), 1);
  await shows(page, "#panel details[open] .asked", "exists (P1:r0 == 1 && P1:r1 == 0)");
  await shows(page, "#panel details[open] .answer", "outcome: P1:r0 == 1, P1:r1 == 0");
  assert.ok(await page.locator("#panel .answer").first().isVisible());
  await page.locator("#panel .race a.place").last().click();
  assert.equal(await cursorLine(page), 12, "the second access of the race on the flag");
  await tab(page, "outcomes");
  await shows(page, "#asked", "exists (P1:r0 == 1 && P1:r1 == 0)");
  const marked = await page.locator("#panel tr.asked").evaluateAll((rows) => rows.map((row) => [...row.cells].slice(0, 2).map((cell) => cell.textContent)));
  assert.deepEqual(marked, [["1", "0"]]);
  await tab(page, "verdicts");
  await page.click("#next-why");
  await settled(page);
  assert.equal(await page.getAttribute("#tab-why", "aria-selected"), "true");
  assert.equal(await page.locator("#panel section.why h3 code").first().textContent(), "ptx");
  assert.equal(await page.locator(".cm-raceline").count(), 0);
  await tab(page, "verdicts");
  await page.click("#next-fix");
  await shows(page, "#panel .fix h3", "no race");
  // For the correct form, the page shows no race and proposes no repair.
  await tab(page, "verdicts");
  await pick(page, "MP+fences: Message passing, correct");
  assert.equal(await page.locator("#panel .race").count(), 0);
  assert.equal(await page.locator("#next-fix").count(), 0);
  assert.equal(await page.locator("#next-why").count(), 1);
}

/** If neither the test nor the user chooses models, the page uses all models of the list "Models" except HRF. */
async function namesItsModels({ page, server }) {
  const text = "CUDA mine\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nP1 @ block 1 { int r = x; }\nexists (P1:r == 1)\n";
  await openAt(page, linkOf(server, { text, models: [], tab: "verdicts" }));
  assert.deepEqual(await page.locator("#panel > .wide").first().locator("td code").allTextContents(), ["ptx", "cuda-cpp", "sc"]);
  await page.click("#models");
  await shows(page, "#model-list p", "Without expectations it uses ptx, cuda-cpp unless the code is PTX, and sc if the test has a condition");
  await tab(page, "why");
  assert.equal(await page.locator("#panel section.why h3 code").first().textContent(), "ptx");
  assert.doesNotMatch(await page.textContent("#panel"), /hrf/i);
}

const sizeOf = (page) => page.locator("picture-view svg").first().evaluate((svg) => svg.getBoundingClientRect().width);
const view = "picture-view .frame";

async function zooms({ page, server }) {
  await openAt(page, server.url);
  await pick(page, IRIW);
  await tab(page, "picture");
  const frame = page.locator(view).first();
  const moved = () => frame.evaluate((element) => element.scrollLeft);
  const fitting = await sizeOf(page);
  assert.ok(fitting <= (await frame.evaluate((element) => element.clientWidth)) + 1, "the picture fits");
  await page.locator("picture-view .tools button", { hasText: "+" }).first().click();
  assert.ok(Math.abs((await sizeOf(page)) / fitting - 1.25) < 0.01, "the button zooms");
  await frame.focus();
  await page.keyboard.press("-");
  assert.ok(Math.abs((await sizeOf(page)) / fitting - 1) < 0.01, "a key zooms");
  await page.keyboard.press("1");
  const natural = await sizeOf(page);
  assert.ok(natural > fitting * 1.2, "the natural size");
  // The arrow keys and the mouse move the picture.
  const before = await moved();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(([selector, left]) => document.querySelector(selector).scrollLeft > left, [view, before]);
  // The key may have started a smooth scroll, so the function waits until the position no longer changes.
  await frame.evaluate((element) => new Promise((resolve) => {
    let last = -1;
    const look = () => { if (element.scrollLeft === last) return resolve(); last = element.scrollLeft; setTimeout(look, 200); };
    look();
  }));
  await frame.evaluate((element) => element.scrollTo(100, 0));
  const box = await frame.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + 60];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y);
  await page.mouse.up();
  await page.waitForFunction((selector) => Math.abs(document.querySelector(selector).scrollLeft - 60) < 3, view);
  // The wheel with Ctrl zooms around the pointer; the wheel alone does not zoom.
  await page.mouse.wheel(0, 10);
  assert.equal(await sizeOf(page), natural);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -40);
  await page.keyboard.up("Control");
  await page.waitForFunction((size) => document.querySelector("picture-view svg").getBoundingClientRect().width > size, natural);
  // Two fingers that move apart zoom.
  const wheeled = await sizeOf(page);
  await frame.evaluate((element) => {
    const touch = (identifier, clientX) => new Touch({ identifier, target: element, clientX, clientY: 300 });
    const send = (type, ...touches) => element.dispatchEvent(new TouchEvent(type, { touches, cancelable: true, bubbles: true }));
    send("touchstart", touch(1, 300), touch(2, 400));
    send("touchmove", touch(1, 275), touch(2, 425));
    send("touchend");
  });
  assert.ok(Math.abs((await sizeOf(page)) / wheeled - 1.5) < 0.01, "two fingers zoom");
  await frame.focus();
  await page.keyboard.press("0");
  assert.ok(Math.abs((await sizeOf(page)) - fitting) < 1, "the key 0 fits the picture into its frame again");
  // The text of each box is centred in the box.
  const offsets = await page.locator("picture-view").first().evaluate((picture) => [...picture.querySelectorAll("g.node")].filter((node) => node.querySelector("path, polygon"))
    .map((node) => [node.querySelector("path, polygon"), node.querySelector("text")].map((part) => part.getBoundingClientRect()).map((box) => box.x + box.width / 2))
    .map(([shape, text]) => Math.abs(shape - text)));
  assert.ok(offsets.length >= 6 && offsets.every((offset) => offset < 1.5), `offsets: ${offsets}`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#panel a[download]").first().click()]);
  assert.equal(download.suggestedFilename(), "ptx.svg");
}

const coloursOf = (page) => page.locator("picture-view svg").first().evaluate((svg) => {
  const colour = (selector, property) => getComputedStyle(svg.querySelector(selector))[property].match(/\d+/g).map(Number);
  return { ground: colour("polygon", "fill"), box: colour(".node path", "fill"), letters: colour(".node text", "fill") };
});

async function drawsInBothThemes({ page, server, another }) {
  await openAt(page, linkOf(server, { text: "CUDA one\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nP1 @ block 1 { int r = x; }\nexists (P1:r == 1)\n", models: ["ptx"], tab: "picture" }));
  const light = await coloursOf(page);
  assert.ok(isLight(light.ground) && isLight(light.box) && isDark(light.letters), JSON.stringify(light));
  await page.click("#theme");
  const dark = await coloursOf(page);
  assert.ok(isDark(dark.ground) && isDark(dark.box) && isLight(dark.letters), JSON.stringify(dark));
  // The dark theme replaces every colour of the pictures: no element keeps the colour that Graphviz wrote.
  const night = await another({ colorScheme: "dark" });
  await openAt(night, page.url());
  await pick(night, IRIW);
  const kept = await night.locator("picture-view svg").evaluateAll((all) => all.flatMap((svg) => [...svg.querySelectorAll("[fill], [stroke]")]).flatMap((part) => ["fill", "stroke"]
    .filter((name) => /^(#|white|black)/.test(part.getAttribute(name) ?? ""))
    .filter((name) => { const probe = document.createElement("i"); probe.style.color = part.getAttribute(name); document.body.append(probe); const given = getComputedStyle(probe).color; probe.remove(); return getComputedStyle(part)[name] === given; })
    .map((name) => part.getAttribute(name))));
  assert.deepEqual([...new Set(kept)], []);
}

/** On a small phone, the simulator shows every text in full, and the user can press every button. */
async function simulatesOnAPhone({ page, server }) {
  await page.setViewportSize({ width: 360, height: 640 });
  for (const example of [MP, IRIW, "tree-reduction: tree reduction in a block, racy: no barrier in the loop"]) {
    await reopenAt(page, server.url);
    await pick(page, example);
    await tab(page, "simulator");
    await take(page, await page.locator("#sim-next button").first().getAttribute("title"), 1);
    const { width, cut, wide } = await page.evaluate(() => ({
      width: document.documentElement.scrollWidth,
      wide: [...document.querySelectorAll("#simulator figure")].filter((figure) => figure.scrollWidth > figure.clientWidth + 1).length,
      cut: [...document.querySelectorAll("svg.machine text")].map((text) => text.textContent).filter((text) => text.includes("…")),
    }));
    assert.ok(width <= 360, `${example}: ${width} wide`);
    assert.equal(wide, 0, `${example}: the picture fits`);
    assert.deepEqual(cut, [], example);
    const buttons = page.locator("#simulator button:enabled, #simulator select");
    const hidden = await buttons.evaluateAll((all) => all.filter((button) => {
      button.scrollIntoView({ block: "center" });
      const { x, y, width, height } = button.getBoundingClientRect();
      return x < 0 || x + width > innerWidth || !button.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }).map((button) => button.textContent));
    assert.deepEqual(hidden, [], example);
  }
  // The step buttons stay in view while the reader looks at the memory.
  await page.locator("svg.machine .memory").last().scrollIntoViewIfNeeded();
  const { y } = await page.locator("#sim-forward").boundingBox();
  assert.ok(y >= 0 && y < 640, `Forward is at ${y}`);
  // A wider screen puts blocks next to each other.
  await page.setViewportSize({ width: 1280, height: 800 });
  await pick(page, IRIW);
  const tops = await page.locator("svg.machine .block > rect").evaluateAll((all) => new Set(all.map((rect) => rect.getAttribute("y"))).size);
  assert.ok(tops < 4, "several blocks in a row");
}

export const tests = { offersExamples, showsTheRaceFirst, namesItsModels, zooms, drawsInBothThemes, simulatesOnAPhone };
