// Runs one test of the playground in a browser: node run.mjs AMBIT TEST. AMBIT is the folder of the static playground or
// of the npm package, or the program `ambit`, which then serves the page. The exit status is 77 if no browser or no AMBIT
// is available. Tests do not sleep for a fixed time; they wait until the page satisfies a condition.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { tests as courses } from "./course_tests.mjs";
import { serveFolder } from "./folder.mjs";
import { tests as packages } from "./package_tests.mjs";
import { tests as pages } from "./page_tests.mjs";
import { tests as reading } from "./reading_tests.mjs";
import { tests as sites } from "./site_tests.mjs";
import { tests as answers } from "./tests.mjs";

const tests = { ...answers, ...pages, ...courses, ...reading, ...sites, ...packages };

const SKIPPED = 77;

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(SKIPPED);
}

/** The path of Chromium: AMBIT_CHROMIUM, or the first match in PATH. */
function findChromium() {
  if (process.env.AMBIT_CHROMIUM) return process.env.AMBIT_CHROMIUM;
  for (const folder of (process.env.PATH ?? "").split(":")) {
    for (const name of ["chromium", "google-chrome", "google-chrome-stable"]) {
      try {
        accessSync(join(folder, name), constants.X_OK);
        return join(folder, name);
      } catch {
        // not in this folder
      }
    }
  }
  return null;
}

async function loadPlaywright() {
  try {
    return (await import("playwright-core")).chromium;
  } catch {
    return null;
  }
}

/** Starts `ambit serve` on a free port. Returns the server's address, its process, a function `limit` that sets the
    time limit of the page's requests, and a function `stop`. */
async function serve(ambit, ...options) {
  const server = spawn(ambit, ["serve", "--port", "0", "--timeout", "60", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const first = await Promise.race([new Promise((resolve) => createInterface(server.stdout).once("line", resolve)), ended]);
  if (typeof first !== "string") skip("this program was built without its page");
  const limit = (page, seconds) =>
    page.route("**/api", (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), seconds }) }));
  return { url: first, pid: server.pid, limit, stop: async () => { server.kill("SIGTERM"); await ended; } };
}

/** Opens a page that records errors and requests to other servers as faults. */
async function openPage(context, servers, faults) {
  const page = await context.newPage();
  page.on("pageerror", (error) => faults.push(`error in the page: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!servers.some((server) => url.startsWith(server.url)) && !/^(blob|data|about):/.test(url)) faults.push(`a request to elsewhere: ${url}`);
  });
  return page;
}

async function main([ambit, name]) {
  const test = tests[name];
  assert.ok(test, `there is no test '${name}'`);
  const chromium = await loadPlaywright();
  if (!chromium) skip("npm has not fetched playwright-core");
  const executablePath = findChromium();
  if (!executablePath) skip("no Chromium is installed");
  const subject = statSync(ambit, { throwIfNoEntry: false });
  if (!subject) skip(`there is no ${ambit}`);
  const server = subject.isDirectory() ? await serveFolder(ambit) : await serve(ambit);
  const servers = [server];
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  const faults = [];
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await openPage(context, servers, faults);
    const another = async (options) => openPage(await browser.newContext(options), servers, faults);
    const serveMore = async (...options) => {
      servers.push(await serve(ambit, ...options));
      return servers.at(-1);
    };
    await test({ page, server, another, serveMore, ambit, faults });
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
    await Promise.all(servers.map((one) => one.stop()));
  }
}

await main(process.argv.slice(2));
