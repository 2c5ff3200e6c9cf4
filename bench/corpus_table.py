#!/usr/bin/env python3
"""The first table of docs/hardware-results.md, from what `ambit run litmus --backend cuda --model ptx --json` printed.

    bench/corpus_table.py FILE[.gz]...

Several files are the shards of one campaign (--shard K/N). `ran` counts the tests of which some run has an outcome.
"""

import gzip
import json
import sys
from collections import defaultdict


def folder_of(path):
    parts = path.split("/")[:-1]
    return "/".join(parts[parts.index("litmus"):][:3 if "ptx" in parts else 2])


def documents(paths):
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
            yield json.load(file)


def main():
    rows = defaultdict(lambda: {"tests": 0, "ran": 0, "runs": 0, "seen": 0, "forbidden": []})
    for document in documents(sys.argv[1:]):
        for test in document["tests"]:
            outcomes = test.get("outcomes", [])  # none: the test cannot run there, or ended in an error
            for name in (folder_of(test["file"]), "all"):
                row = rows[name]
                row["tests"] += 1
                row["ran"] += bool(outcomes)
                row["runs"] += sum(one["runs"] for one in outcomes)
                row["seen"] += sum(one["allowed"].get("ptx") is True for one in outcomes)
                if any(one["allowed"].get("ptx") is False for one in outcomes):
                    row["forbidden"].append(test["name"])
    print("| folder | tests | ran | runs | outcomes seen | forbidden by ptx |\n|---|---|---|---|---|---|")
    for name in sorted(rows, key=lambda name: (name == "all", name)):
        row = rows[name]
        shown = name if name == "all" else f"`{name}`"
        print(f"| {shown} | {row['tests']} | {row['ran']} | {row['runs']:.1e} | {row['seen']} | {len(row['forbidden'])} |")
    for name in rows["all"]["forbidden"]:
        print(f"- `{name}` showed what `ptx` forbids")


if __name__ == "__main__":
    main()
