// Tests the pages that `--html` writes. The tests need no server, because the browser gets the text of the file.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ground, isDark, isLight } from "./playground.mjs";

const others = ["hrf-direct", "hrf-indirect", "hrf-relaxed", "scoped-hb", "ptx-6.0", "cuda-cpp"].map((model) => `expect ${model} : Always\n`).join("");
const test = (name, expected) => `CUDA ${name}\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\nexists (x == 1)\nexpect ptx : ${expected} because "nobody else writes this location, in any execution"\n${others}`;

/** Writes pages for three tests. Returns the index, and the page of the first test, whose expectation fails. */
function site(ambit) {
  const folder = mkdtempSync(join(tmpdir(), "ambit-site-"));
  try {
    // P0 writes 1 and no other thread writes, so the value is always 1.
    for (const [name, expected] of [["b", "Always, norace"], ["a", "Never"], ["c", "Always"]]) writeFileSync(join(folder, `${name}.litmus`), test(name, expected));
    try {
      execFileSync(ambit, ["check", folder, "-q", "--html", join(folder, "site")], { stdio: "ignore" });
      assert.fail("a test fails");
    } catch (error) {
      assert.equal(error.status, 1);
    }
    const index = readFileSync(join(folder, "site/index.html"), "utf8");
    const link = /href="([^"#]+)"[^>]*>a</.exec(index)[1];
    return { index, one: readFileSync(join(folder, "site", link), "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function sortsAndHides({ page, ambit }) {
  await page.setContent(site(ambit).index);
  const names = () => page.locator("#tests tbody tr:visible td:first-child a").allTextContents();
  const head = (text) => page.locator("#tests thead th", { hasText: text });
  assert.deepEqual(await names(), ["a", "b", "c"]);
  await head("test").locator("button").click();
  assert.equal(await head("test").getAttribute("aria-sort"), "ascending");
  await head("test").locator("button").click();
  assert.equal(await head("test").getAttribute("aria-sort"), "descending");
  assert.deepEqual(await names(), ["c", "b", "a"]);
  await head("status").locator("button").click();
  assert.equal(await head("test").getAttribute("aria-sort"), null, "one column is marked");
  assert.equal(await head("status").getAttribute("aria-sort"), "ascending");
  assert.equal((await names())[0], "a", "bad rows come first");
  const mark = await head("status").locator("button").evaluate((button) => getComputedStyle(button, "::after").content);
  assert.match(mark, /▲/);
  // Tests the checkbox "only failures", first alone, then together with the filter.
  await page.check("input[data-failures]");
  assert.deepEqual(await names(), ["a"]);
  await page.fill("input[data-filter]", "no such test");
  assert.deepEqual(await names(), []);
  await page.uncheck("input[data-failures]");
  await page.fill("input[data-filter]", "");
  assert.equal((await names()).length, 3);
  // On a narrow screen, the column of names stays in place while the user scrolls the table.
  await page.setViewportSize({ width: 390, height: 844 });
  for (const table of ["#tests", "#models"]) {
    await page.locator(table).evaluate((element) => { element.style.width = "1200px"; });
    const scrolled = await page.locator(table).evaluate((element) => { element.parentElement.scrollTo(400, 0); return element.parentElement.scrollLeft; });
    assert.ok(scrolled > 300, `${table} scrolls`);
    const { x } = await page.locator(`${table} tbody td`).first().boundingBox();
    assert.ok(x >= -1, `the name in ${table} stands at ${x}`);
  }
}

/** Only tables scroll sideways, not the text around them. */
async function sitesFitAPhone({ page, ambit }) {
  const { index, one } = site(ambit);
  for (const [name, text] of [["index", index], ["test", one]]) {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.setContent(text);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${name} is ${wide} wide on a screen of ${width}`);
    }
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await page.setContent(index);
  const heights = await page.locator("#models thead th").evaluateAll((all) => all.map((head) => head.firstChild.getClientRects().length));
  assert.ok(heights.every((lines) => lines === 1), `lines of the heads: ${heights}`);
}

async function sitesAreDarkToo({ page, ambit, another }) {
  const { index, one } = site(ambit);
  await page.setContent(index);
  assert.ok(isLight(await ground(page, "#tests td")) && isLight(await ground(page, "#tests th")));
  const night = await another({ colorScheme: "dark" });
  await night.setContent(index);
  for (const part of ["h1", "#tests td", "#tests thead tr:last-child th", "input[data-filter]"]) assert.ok(isDark(await ground(night, part)), part);
  const colour = (selector) => night.locator(selector).first().evaluate((element) => getComputedStyle(element).color.match(/\d+/g).map(Number));
  assert.ok(isLight(await colour("h1")));
  await night.setContent(one);
  for (const part of ["h1", ".source", "pre"]) assert.ok(isDark(await ground(night, part)), part);
  const [box, letters] = await night.locator("picture-view .node:has(path)").first().evaluate((node) => [node.querySelector("path, polygon"), node.querySelector("text")]
    .map((part) => getComputedStyle(part).fill.match(/\d+/g).map(Number)));
  assert.ok(isDark(box) && isLight(letters), "a picture follows the theme");
  await night.locator("picture-view .tools button").first().waitFor();
  await night.emulateMedia({ media: "print" });
  assert.ok(isLight(await ground(night, "h1")), "paper is light");
}

export const tests = { sortsAndHides, sitesFitAPhone, sitesAreDarkToo };
