#!/usr/bin/env python3
"""A race detector as a program: ambit validate litmus/scor --detector exec:docs/detectors/examples/fence_count.py

Reports an access if another thread wrote the location last, and if
this writer has executed no fence or barrier since."""
import json
import re
import sys


def say(**answer):
    print(json.dumps(answer))


def judge(lines):
    """Reads the trace of one run, up to its last line, and returns the number of its events."""
    passed = {}  # by thread: number of executed fences and barriers
    writers = {}  # by location: event, thread and count of the last write, and whether it was atomic
    event = 0
    for line in lines:
        word, *rest = line.split()
        if word == "end":
            return event
        if word in ("ambit-trace", "launch", "thread", "object", "init"):
            continue
        operation = rest[0].split(".")
        if operation[0] in ("fence", "bar", "warpbar"):
            passed[word] = passed.get(word, 0) + 1
        elif operation[0] in ("r", "w", "rmw", "red"):
            location = re.sub(r"(=[^=]*|:[^:]*(->.*|!))$", "", rest[1])
            atomic = len(operation) > 2
            first, thread, count, was_atomic = writers.get(location, (0, word, 0, True))
            if thread != word and count == passed.get(thread, 0) and not (atomic and was_atomic):
                say(race=[first, event], kind="missing fence", why=f"{thread} has executed no fence since this write")
            if operation[0] != "r":
                writers[location] = (event, word, passed.get(word, 0), atomic)
        event += 1


for line in sys.stdin:
    if line.startswith("run "):
        _, run, test = line.split()
        judge(sys.stdin)
        say(end=int(run), test=test)
        sys.stdout.flush()
