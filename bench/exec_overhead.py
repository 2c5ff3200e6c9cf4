#!/usr/bin/env python3
"""Measures the cost of detectors on the applications of kernels/apps.

For each detector, prints the time of the kernels divided by the time without a detector. Alternates runs with and
without the detector. Each time is the minimum of several runs.

    bench/exec_overhead.py build/release [DETECTOR,DETECTOR... [RUNS]]
"""

import json
import os
import subprocess
import sys

APPLICATIONS = {
    "matrix_multiplication": "--rows 40 --inner 120 --blocks 40",
    "reduction": "--size 4000000",
    "rule_110": "",
    "graph_colouring": "",
    "graph_connectivity": "",
    "convolution": "",
    "tree_search": "",
}


def seconds(build, name, arguments, detector):
    """Returns the time that the kernels take in one run."""
    folder = os.path.join(build, "tests", "exec")
    command = [os.path.join(build, "ambit"), "exec", "--json", "--schedule", "rr", "--detector", detector]
    environment = dict(os.environ, AMBIT_TEST_PTX=os.path.join(folder, name, "none.ptx"))
    program = [os.path.join(folder, "programs", name)] + arguments.split()
    ran = subprocess.run(command + program, env=environment, capture_output=True, text=True)
    return json.loads(ran.stdout)["seconds"]


def main():
    build = sys.argv[1]
    detectors = (sys.argv[2] if len(sys.argv) > 2 else "scord,iguard,haccrg,barracuda,gwcp").split(",")
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    for name, arguments in APPLICATIONS.items():
        best = {}
        for _ in range(runs):
            for detector in ["none"] + detectors:
                best[detector] = min(best.get(detector, 1e9), seconds(build, name, arguments, detector))
        ratios = "  ".join(f"{one} {best[one] / best['none']:.1f}x" for one in detectors)
        print(f"{name:22s} {best['none']:.3f} s  {ratios}", flush=True)


if __name__ == "__main__":
    main()
