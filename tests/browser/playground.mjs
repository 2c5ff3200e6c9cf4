// A user's actions on the page.
import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";

/** Resolves when the panel shows the answer for the editor's current text. */
export const settled = (page) => page.locator('#panel[aria-busy="false"]').waitFor();

export async function openAt(page, url) {
  await page.goto(url);
  await settled(page);
}

/** Like openAt, but reloads the page if another link to the page is open. */
export async function reopenAt(page, url) {
  await page.goto("about:blank");
  await openAt(page, url);
}

/** The page's link to a test, its models and its tab. */
export const linkOf = (server, state) => `${server.url}#${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;

/** Replaces the editor's text, like pasting. */
export async function write(page, text) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  assert.equal(await textOf(page), text.trimEnd());
}

/** Returns the editor's text. The whole text must be visible in the editor. */
export async function textOf(page) {
  const lines = await page.locator(".cm-line").evaluateAll((all) => all.map((line) => line.textContent));
  return lines.join("\n").trimEnd();
}

export async function tab(page, key) {
  await page.click(`#tab-${key}`);
  await settled(page);
}

/** Waits until the text that `selector` shows contains `text`. */
export const shows = (page, selector, text) => page.locator(selector).filter({ hasText: text }).first().waitFor();

/** Returns the text of a location in one part of the simulator's picture, such as "x = 1 *"; null if the part lacks the
 * location. */
export async function cell(page, part, location) {
  const found = page.locator(`svg.machine [data-part="${part}"] [data-location="${location}"] text`);
  return (await found.count()) === 0 ? null : found.first().evaluate((text) => text.firstChild.data);
}

/** Takes a step that is enabled. `choice` is the name of the step, as in a schedule. */
export async function take(page, choice, steps) {
  await page.click(`#sim-next button[title="${choice}"]`);
  await shows(page, "#simulator h3", `What has happened (${steps} step`);
}

/** Returns the background color visible at an element, perhaps that of an ancestor: [red, green, blue]. */
export const ground = (page, selector) => page.locator(selector).first().evaluate((element) => {
  for (let at = element; at; at = at.parentElement) {
    const [r, g, b, alpha = 1] = getComputedStyle(at).backgroundColor.match(/[\d.]+/g).map(Number);
    if (alpha > 0) return [r, g, b];
  }
  return [255, 255, 255];
});

/** Returns the number of the line that has the cursor. The first line is 1. */
export const cursorLine = (page) => page.locator(".cm-activeLineGutter").first().textContent().then(Number);

export const isDark = ([r, g, b]) => r + g + b < 200;
export const isLight = ([r, g, b]) => r + g + b > 600;
