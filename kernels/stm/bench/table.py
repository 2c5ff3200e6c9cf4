#!/usr/bin/env python3
"""Prints the tables in docs/lab/transactions.md and docs/reference/transactions/memories.md: table.py FILE...

The files contain the JSON lines that stm_bench and istm_versions print.
"""
import json
import sys

STMS = ["pstm", "istm", "estm"]
ORDER = {"hash": 0, "bank": 1, "spath": 2, "equake": 3, "small": 0, "large": 1, "low": 0, "medium": 1, "high": 2}


def read(names):
    lines = []
    for name in names:
        with open(name, encoding="utf-8") as file:
            lines += [json.loads(line) for line in file if line.startswith("{")]
    return lines


def row(cells):
    print("| " + " | ".join(cells) + " |")


def header(cells):
    row(cells)
    print("|" + "---|" * len(cells))


def best(cells, method):
    """Returns the measurement with a method's fastest granularity, or None."""
    return min((cell for cell in cells if cell["method"] == method), key=lambda cell: cell["seconds"], default=None)


def ratio(cell, locks):
    """Returns the slowdown in comparison with locks. Compares rates, because SPATH's number of rounds varies."""
    if cell is None or locks is None:
        return "-"
    times = locks["rate"] / cell["rate"]
    text = f"{times:,.0f}" if times >= 100 else f"{times:.2f}"
    return text + (f" ({cell['granularity']})" if cell["granularity"] else "") + ("" if cell["correct"] else " wrong")


def millions(rate):
    return f"{rate / 1e6:.1f}" if rate >= 1e6 else f"{rate / 1e6:.3f}"


def groups(cells, *names):
    made = {}
    for cell in cells:
        made.setdefault(tuple(cell[name] for name in names), []).append(cell)
    return sorted(made.items(), key=lambda item: [ORDER.get(part, part) for part in item[0]])


def print_methods(cells):
    header(["work", "size", "contention", "locks, million/s"] + STMS + ["istm as published", "one lock"])
    for (work, size, contention), group in groups(cells, "work", "size", "contention"):
        locks = best(group, "locks")
        first = f"{locks['rate'] / 1e6:.1f} ({locks['granularity']})" if locks else "-"
        rest = [ratio(best(group, method), locks) for method in STMS + ["istm-as-published", "one-lock"]]
        row([work.upper(), size, contention, first] + rest)


def print_granularities(cells):
    sizes = sorted({cell["granularity"] for cell in cells if cell["granularity"]})
    header(["work", "contention", "method"] + [f"{size} bytes" for size in sizes])
    for (work, contention), group in groups([c for c in cells if c["size"] == "small"], "work", "contention"):
        for method in ["locks"] + STMS:
            of = {c["granularity"]: millions(c["rate"]) for c in group if c["method"] == method}
            row([work.upper(), contention, method] + [of.get(size, "-") for size in sizes])


def print_versions(lines):
    header(["method", "longest pause, ns", "runs", "without a serial order"])
    for (method, pause), group in groups(lines, "method", "longest_pause"):
        row([method, str(pause), f"{sum(g['runs'] for g in group):,}", f"{sum(g['not_serializable'] for g in group):,}"])


def main():
    lines = read(sys.argv[1:])
    cells = [line for line in lines if "work" in line]
    right = sum(cell["correct"] for cell in cells)
    print(f"{right} of {len(cells)} cells have the result of a sequential run.\n")
    print_methods(cells)
    print()
    print_granularities(cells)
    print()
    print_versions([line for line in lines if line.get("program") == "istm_versions"])


if __name__ == "__main__":
    main()
