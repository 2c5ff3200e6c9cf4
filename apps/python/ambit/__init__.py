# SPDX-License-Identifier: Apache-2.0
"""Ambit checks scoped GPU synchronization (docs/guide/python.md).

    import ambit

    test = ambit.read("mp.litmus")
    print(ambit.check(test, ["sc", "ptx"]))
"""

from ambit import _html
from ambit._ambit import (
    Access,
    CheckResult,
    DetectedAccess,
    DetectedRace,
    DetectionResult,
    Detector,
    Error,
    Explanation,
    Findings,
    Incident,
    Model,
    ModelOption,
    Outcome,
    OutcomesResult,
    Picture,
    Problem,
    Race,
    SimulationResult,
    Test,
    Verdict,
    __version__,
    check,
    detect,
    detect_trace,
    detectors,
    draw,
    draw_trace,
    exec,
    explain,
    fix,
    judge,
    models,
    outcomes,
    parse,
    parse_all,
    read,
    read_all,
    simulate,
)

__all__ = [
    "Access",
    "CheckResult",
    "DetectedAccess",
    "DetectedRace",
    "DetectionResult",
    "Detector",
    "Error",
    "Explanation",
    "Findings",
    "Incident",
    "Model",
    "ModelOption",
    "Outcome",
    "OutcomesResult",
    "Picture",
    "Problem",
    "Race",
    "SimulationResult",
    "Test",
    "Verdict",
    "__version__",
    "check",
    "detect",
    "detect_trace",
    "detectors",
    "draw",
    "draw_trace",
    "exec",
    "explain",
    "fix",
    "judge",
    "models",
    "outcomes",
    "parse",
    "parse_all",
    "read",
    "read_all",
    "simulate",
]

# Hides the inner module `_ambit` from the names of classes and functions in messages and documentation.
for _one in list(globals().values()):
    if getattr(_one, "__module__", None) == "ambit._ambit":
        _one.__module__ = "ambit"

# Notebooks call these methods to show results.
Test._repr_html_ = _html.test
CheckResult._repr_html_ = _html.check
OutcomesResult._repr_html_ = _html.outcomes
SimulationResult._repr_html_ = _html.simulation
DetectionResult._repr_html_ = _html.detection
Explanation._repr_html_ = _html.explanation
Picture._repr_svg_ = _html.svg
