#!/usr/bin/env python3
"""For each test, compares the detectors' reports on the test with their reports on the compiled test.

docs/lab/real-programs.md, "Programs of the corpus", has the results. Needs nvcc.

    tests/exec/compare_corpus.py BUILD [FOLDER...]

Each test of the folders becomes a program (`ambit emit program`), which `ambit exec` runs with 100 launches. `ambit
detect` runs the test itself. A program cannot have a filter, so if the detectors differ on a test with a filter, `ambit
detect` also runs the test without the filter. Prints each test that differs from its program both with and without the
filter. The exit status is 1 if a test is printed.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

FOLDERS = ["litmus/scor", "litmus/apps", "litmus/barrier", "litmus/predictable"]
DETECTORS = "scord,iguard,haccrg,barracuda,gwcp"


def run(*command):
    """Returns the JSON document that Ambit prints, or None if it refuses the test."""
    ran = subprocess.run(command, capture_output=True, text=True)
    return json.loads(ran.stdout) if ran.returncode in (0, 1) and ran.stdout else None


def detectors_of_test(ambit, path):
    """Returns the detectors that find a race in some run of the test."""
    report = run(ambit, "detect", path, "--detector", DETECTORS, "--json")
    if report is None:
        return None
    return {one["detector"] for one in report["results"][0]["detectors"] if one["racy_runs"]}


def detectors_of_program(ambit, path, folder):
    """Returns the detectors that find a race in the program, or None if the test has no program."""
    source = os.path.join(folder, "test.cu")
    if subprocess.run([ambit, "emit", "program", path, "-o", source], capture_output=True).returncode != 0:
        return None
    program = os.path.join(folder, "test")
    subprocess.run([ambit, "nvcc", source, "-o", program], check=True, capture_output=True)
    report = run(ambit, "exec", "--json", "--quantum", "3", "--detector", DETECTORS, program, "--runs", "100")
    return {race["detector"] for race in report["races"]}


def without_filter(path, folder):
    """Returns the path of a copy of the test without its filter."""
    copy = os.path.join(folder, os.path.basename(path))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(copy, "w", encoding="utf-8") as file:
        file.write(re.sub(r"^filter .*$", "", text, flags=re.M))
    return copy


def compared(ambit, path):
    """Compares a test with its program. Returns "test" if both have the same races, "filter" if they have the same
    races only without the test's filter, otherwise a line with the difference. Returns None if the test has no program."""
    with tempfile.TemporaryDirectory() as folder:
        found = detectors_of_program(ambit, path, folder)
        if found is None:
            return None
        expected = detectors_of_test(ambit, path)
        if found == expected:
            return "test"
        if found == detectors_of_test(ambit, without_filter(path, folder)):
            return "filter"
        return f"{path}: the program {sorted(found)}, the test {sorted(expected or [])}"


def main():
    ambit = os.path.join(sys.argv[1], "ambit")
    folders = sys.argv[2:] or FOLDERS
    paths = sorted(
        os.path.join(folder, name) for folder in folders for name in os.listdir(folder) if name.endswith(".litmus")
    )
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [one for one in pool.map(lambda path: compared(ambit, path), paths) if one is not None]
    different = [one for one in results if one not in ("test", "filter")]
    print(*different, sep="\n")
    print(
        f"{len(results)} programs of {len(paths)} tests: {results.count('test')} agree with the test, "
        f"{results.count('filter')} agree if the filter is ignored, {len(different)} differ"
    )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
