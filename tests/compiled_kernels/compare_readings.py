#!/usr/bin/env python3
"""Compares verdicts of the model ptx on a CUDA source, on its unoptimised PTX (nvcc -G) and on its PTX from nvcc -O3.

    tests/compiled_kernels/compare_readings.py BUILD [--jobs N] [--timeout SECONDS] [FILE...]

Needs nvcc. Without files, compares all CUDA sources of the corpus (litmus/). Two verdicts agree if the frequency, the
race and the kinds of incidents are the same. Prints each file whose verdicts disagree, then each refusal and each
Unknown, then the counts. The exit status is 1 if two verdicts disagree. docs/reference/cuda-sources.md explains why.
"""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

READINGS = ("source", "unoptimised", "optimised")


def verdict(build, path, reading, timeout):
    """Returns (kind, text): kind is "verdict", "refused" or "unknown"."""
    command = [str(build / "ambit"), "check", "--json", "--reading", reading, "--model", "ptx"]
    command += ["--timeout", str(timeout), str(path)]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=3 * timeout + 60)
    except subprocess.TimeoutExpired:
        return "unknown", "the process did not end"
    try:
        test = json.loads(ran.stdout)["tests"][0]
    except (json.JSONDecodeError, LookupError):
        return "refused", (ran.stderr.strip() or f"exit status {ran.returncode}").splitlines()[0]
    if "error" in test:
        return "refused", next(line for line in test["error"].splitlines() if "error" in line)
    result = next((one for one in test["results"] if one["model"] == "ptx"), None)
    if result is None:
        return "refused", "no result for ptx"
    if result.get("unknown"):
        return "unknown", result["unknown"]["reason"]
    incidents = sorted({one["kind"] for one in result.get("incidents", []) if one.get("possible")})
    race = {True: "race", False: "no race", None: "-"}[result.get("race")]
    return "verdict", ", ".join([result.get("frequency") or "-", race, *incidents])


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("build", type=pathlib.Path)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--timeout", type=int, default=20, help="seconds for each check")
    options.add_argument("files", nargs="*", type=pathlib.Path)
    given = options.parse_args()
    corpus = pathlib.Path(__file__).resolve().parents[2] / "litmus"
    files = given.files or sorted(corpus.rglob("*.cu"))
    answers = {path: {} for path in files}
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        running = {}
        for path in files:
            for reading in READINGS:
                running[pool.submit(verdict, given.build, path, reading, given.timeout)] = (path, reading)
        for done in concurrent.futures.as_completed(running):
            path, reading = running[done]
            answers[path][reading] = done.result()
    counts = {"agree": 0, "disagree": 0, "refused": 0, "unknown": 0, "one reading": 0}
    rest = []
    for path in files:
        name = path.relative_to(corpus) if path.is_relative_to(corpus) else path
        given_verdicts = {reading: text for reading, (kind, text) in answers[path].items() if kind == "verdict"}
        for reading in READINGS:
            kind, text = answers[path][reading]
            if kind != "verdict":
                counts[kind] += 1
                rest.append(f"{kind}: {name} {reading}: {text}")
        if len(given_verdicts) < 2:
            counts["one reading"] += 1
        elif len(set(given_verdicts.values())) == 1:
            counts["agree"] += 1
        else:
            counts["disagree"] += 1
            print(f"DISAGREE {name}: " + "; ".join(f"{reading}: {text}" for reading, text in given_verdicts.items()))
    for line in rest:
        print(line)
    print(
        f"{len(files)} files: {counts['agree']} agree, {counts['disagree']} disagree, {counts['one reading']} have fewer "
        f"than two verdicts; {counts['refused']} readings refused, {counts['unknown']} unknown"
    )
    return 1 if counts["disagree"] else 0


if __name__ == "__main__":
    sys.exit(main())
