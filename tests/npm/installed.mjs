// Installs the npm package for a test.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** Ends the test, because something is not available. */
export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

/** Whether a program can be started. */
export function has(program) {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

/** Installs the archive beside `folder` in a new, empty folder, without a network. Returns the new folder; the end of the
    test removes it. */
export function installed(folder) {
  const place = dirname(resolve(folder));
  const archives = existsSync(place) ? readdirSync(place).filter((file) => /^ambit-.*\.tgz$/.test(file)) : [];
  if (archives.length === 0) skip(`no package is in ${place}`);
  if (!has("npm")) skip("npm is not installed");
  const user = mkdtempSync(join(tmpdir(), "ambit-npm-"));
  process.on("exit", () => rmSync(user, { recursive: true, force: true }));
  writeFileSync(join(user, "package.json"), '{ "private": true, "type": "module" }\n');
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error", join(place, archives[0])], {
    cwd: user,
    env: { ...process.env, npm_config_update_notifier: "false", npm_config_cache: join(user, "cache") },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return user;
}
