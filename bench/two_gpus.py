#!/usr/bin/env python3
"""Runs the seven families of tests on two GPUs, and writes the table of docs/lab/hardware-results/several-gpus.md.

    bench/two_gpus.py BUILD FOLDER [--families MP,SB...] [--seconds 0.2] [--budget 600] [options of ambit crossval]

First, each test runs for some time with its cells in each kind of memory that can contain them.
Then, tests that have not yet shown their weak outcome run for the rest of the budget.
BUILD is a folder that contains the programs ambit and generate/ambit_generate.
The script writes the tests, the two logs and the table (table.md) into FOLDER, and prints the table. To continue an
interrupted campaign, repeat the command. The exit status is 1 if `ptx` forbids an observed outcome, or if a test has no
result.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import defaultdict

FAMILIES = ["MP", "SB", "LB", "IRIW", "WRC", "ISA2", "2+2W"]
# The scopes of the accesses and of the fences (None: no fences).
COLUMNS = [(scope, fence) for scope in ("gpu", "sys") for fence in (None, "gpu", "sys")]


class Test:
    """A generated test: SHAPE+SCOPE[+ORDERS][+fence.SCOPE]+gPLACEMENT (litmus/classic/README.md)."""

    def __init__(self, path):
        self.name = os.path.basename(path).removesuffix(".litmus")
        self.family = next(name for name in FAMILIES if self.name.startswith(name + "+"))
        parts = self.name[len(self.family) + 1:].split("+")
        fences = [part.removeprefix("fence.") for part in parts if part.startswith("fence.")]
        self.column = (parts[0], fences[0] if fences else None)
        self.placement = parts[-1].removeprefix("g")
        with open(path) as file:
            text = file.read()
        condition = re.search(r"^exists \((.*)\)$", text, re.M).group(1)
        self.weak = set(condition.split(" && "))
        self.is_allowed = re.search(r"^expect ptx : (\w+)", text, re.M).group(1) != "Never"
        self.runs = self.weak_runs = self.forbidden_runs = 0
        self.error = "no result"

    def add(self, entry):
        """Adds the result in a line of the log."""
        self.error = entry["error"] if self.error in ("", "no result") else self.error
        self.runs += entry["runs"]
        for outcome in entry["histogram"]:
            if self.weak <= set(outcome["outcome"].split(", ")):
                self.weak_runs += outcome["runs"]
            if outcome["forbidden"]:
                self.forbidden_runs += outcome["runs"]


def read_log(path, tests):
    """Adds the log's results to the tests. Returns the names of the devices."""
    devices = set()
    with open(path) as log:
        for line in log:
            entry = json.loads(line)
            if "test" in entry:
                tests[entry["test"]].add(entry)
                devices.add(entry["device"])
    return devices


def table(tests, devices):
    """Returns Markdown with the number of tests that showed their weak outcome, for each family and placement."""
    rows = defaultdict(lambda: defaultdict(list))
    for test in tests.values():
        rows[(FAMILIES.index(test.family), test.placement)][test.column].append(test)
    heads = [f"{scope}, {'fence.' + fence if fence else 'no fence'}" for scope, fence in COLUMNS]
    lines = [f"Devices: {', '.join(sorted(devices))}. Each cell: tests that showed their weak outcome / tests "
             "whose weak outcome `ptx` allows / tests.", "",
             f"| family | threads on the GPUs | {' | '.join(heads)} | runs | forbidden |",
             "|---|---|" + "---|" * (len(COLUMNS) + 2)]

    def line(family, placement, columns):
        everything = [test for column in columns.values() for test in column]
        cells = []
        for column in COLUMNS:
            group = columns.get(column, [])
            seen = sum(test.weak_runs > 0 for test in group)
            cells.append(f"{seen} / {sum(test.is_allowed for test in group)} / {len(group)}" if group else "")
        runs = sum(test.runs for test in everything)
        forbidden = sum(test.forbidden_runs for test in everything)
        lines.append(f"| {family} | {placement} | {' | '.join(cells)} | {runs:.1e} | {forbidden} |")

    total = defaultdict(list)
    for (family, placement), columns in sorted(rows.items()):
        line(FAMILIES[family], "`" + placement + "`", columns)
        for column, group in columns.items():
            total[column] += group
    line("all", "", total)
    bad = [f"- `{test.name}`: {test.forbidden_runs} of {test.runs} runs showed what `ptx` forbids"
           for test in tests.values() if test.forbidden_runs > 0]
    bad += [f"- `{test.name}`: {test.error}" for test in tests.values() if test.error]
    return "\n".join(lines + ([""] + bad if bad else [])) + "\n", bool(bad)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("folder")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--seconds", default="0.2")
    parser.add_argument("--budget", default="600")
    options, others = parser.parse_known_args()
    build = os.path.abspath(options.build)
    os.makedirs(options.folder, exist_ok=True)
    os.chdir(options.folder)
    generator = os.path.join(build, "generate", "ambit_generate")
    subprocess.run([generator, "--gpu-families", "families"], check=True, stdout=subprocess.DEVNULL)
    for name in os.listdir("families"):
        if not name.startswith(tuple(family + "+" for family in options.families.split(","))):
            os.remove(os.path.join("families", name))
    paths = [os.path.join("families", name) for name in sorted(os.listdir("families"))]
    tests = {test.name: test for test in map(Test, paths)}
    devices = set()
    for log, duration in (("each.jsonl", ["--seconds", options.seconds]), ("budget.jsonl", ["--budget", options.budget])):
        command = [os.path.join(build, "ambit"), "crossval", "families", "--model", "ptx", "--detector", "scord",
                   "--record", "0", "--log", log] + duration + others
        ran = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        if ran.returncode not in (0, 1, 3):
            sys.exit(f"{' '.join(command)}: exit status {ran.returncode}")
        devices |= read_log(log, tests)
    text, is_bad = table(tests, devices)
    with open("table.md", "w") as file:
        file.write(text)
    print(text, end="")
    sys.exit(1 if is_bad else 0)


if __name__ == "__main__":
    main()
