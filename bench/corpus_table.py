#!/usr/bin/env python3
"""Prints the first two tables of docs/lab/hardware-results.md.

The input is the output of `ambit run litmus --backend cuda --model ptx --json`.

    bench/corpus_table.py FILE[.gz]...
    bench/corpus_table.py --weak VERDICTS FILE[.gz]...

Several files are the shards of one campaign (--shard K/N).
`ran` is the number of tests with an outcome in some run.
VERDICTS is the output of `ambit check litmus --model ptx,sc --json`.
--weak prints a table of the tests whose weak outcome `ptx` allows and `sc` forbids.
The table gives the number of tests that showed their weak outcome, and the names of the tests that did not.
A weak outcome satisfies the test's condition or, if the condition is a `forall`, violates it.
"""

import argparse
import gzip
import json
from collections import defaultdict


def folder_of(path):
    parts = path.split("/")[:-1]
    return "/".join(parts[parts.index("litmus"):][:3 if "ptx" in parts else 2])


def documents(paths):
    for path in paths:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
            yield json.load(file)


def is_condition(outcome, is_forall):
    return outcome["condition"] is not is_forall


def weak_files(path):
    """Returns the files and names of the tests whose weak outcome `ptx` allows and `sc` forbids."""
    weak = set()
    for document in documents([path]):
        for test in document["tests"]:
            results = {one["model"]: one for one in test.get("results", []) if one.get("frequency")}
            if not {"ptx", "sc"} <= results.keys():
                continue
            impossible = "Always" if results["ptx"]["condition"]["quantifier"] == "forall" else "Never"
            if results["sc"]["frequency"] == impossible and results["ptx"]["frequency"] != impossible:
                weak.add((test["file"], test["name"]))
    return weak


def family_of(test):
    folder = folder_of(test["file"])
    if folder != "litmus/classic":
        return folder.removeprefix("litmus/")
    parts = test["name"].split("+")
    return "+".join(parts[:2]) if parts[0].isdigit() else parts[0]  # 2+2W


def print_weak(verdicts, paths):
    weak = weak_files(verdicts)
    rows = defaultdict(lambda: {"shown": 0, "not": []})
    for document in documents(paths):
        for test in document["tests"]:
            if (test["file"], test["name"]) not in weak or not test.get("outcomes"):
                continue
            is_forall = test["condition"].startswith("forall")
            row = rows[family_of(test)]
            if any(is_condition(one, is_forall) for one in test["outcomes"]):
                row["shown"] += 1
            else:
                row["not"].append(f"`{test['name']}`")
    print("| family | tests with an allowed weak outcome | shown | not shown |\n|---|---|---|---|")
    for name, row in sorted(rows.items(), key=lambda item: (not item[0][0].isupper() and not item[0][0].isdigit(), item)):
        names = sorted(row["not"])
        more = f" and {len(names) - 6} more" if len(names) > 7 else ""
        print(f"| {name} | {row['shown'] + len(names)} | {row['shown']} | {', '.join(names[:6 if more else 7])}{more} |")
    shown = sum(row["shown"] for row in rows.values())
    print(f"| all | {shown + sum(len(row['not']) for row in rows.values())} | {shown} | |")


def print_corpus(paths):
    rows = defaultdict(lambda: {"tests": 0, "ran": 0, "runs": 0, "seen": 0, "forbidden": []})
    for document in documents(paths):
        for test in document["tests"]:
            # A test without outcomes could not run on this device, or ended in an error.
            outcomes = test.get("outcomes", [])
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weak", metavar="VERDICTS")
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    if arguments.weak:
        print_weak(arguments.weak, arguments.files)
    else:
        print_corpus(arguments.files)


if __name__ == "__main__":
    main()
