// Checks the size of the static playground: node size.mjs FOLDER. The folder has at most 4 MB after compression.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [folder] = process.argv.slice(2);
let sum = 0;
for (const name of readdirSync(folder)) {
  const size = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
  console.log(`${String(size).padStart(9)} ${name}`);
  sum += size;
}
console.log(`${String(sum).padStart(9)} bytes in all`);
assert.ok(sum <= 4_000_000, "the folder is larger than 4 MB");
