# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any, Literal, overload

__version__: str

Models = str | Model | Iterable[str | Model] | None
Engine = Literal["auto", "smt", "explicit"]
Memory = Literal["sc", "gpu"]
Schedule = Literal["random", "rr", "pct", "exhaustive"]
Warps = Literal["independent", "lockstep"]
Scheduler = Literal["fair", "hsa", "obe", "lobe", "lockstep"]
Status = Literal["Ok", "Fail", "NothingExpected", "Unknown"]
Answer = Literal["Never", "Sometimes", "Always", "NoExecution", "Unknown", "NotAsked"]
Raciness = Literal["NoRace", "Race", "Unknown", "NotAsked"]
Ending = Literal["Terminates", "Stuck", "Unknown", "NotAsked"]
Possibility = Literal["Possible", "Impossible", "Unknown"]

class Problem:
    """One error in the input: its place, the message, and a hint on how to fix it."""

    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def message(self) -> str: ...
    @property
    def hint(self) -> str: ...

class Error(ValueError):
    """A malformed test, an unknown model, an unreadable file. The attributes other than `problems` describe the first
    problem."""

    problems: list[Problem]
    file: str
    line: int
    column: int
    message: str
    hint: str

class Test:
    """A litmus test: threads placed in blocks, warps and GPUs, and a condition."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def threads(self) -> list[str]: ...
    @property
    def observables(self) -> list[str]: ...
    @property
    def condition(self) -> str: ...
    @property
    def remarks(self) -> list[Problem]: ...
    def _repr_html_(self) -> str: ...

class ModelOption:
    """An option of a model or a detector. The first value is the default."""

    @property
    def name(self) -> str: ...
    @property
    def values(self) -> list[str]: ...
    @property
    def meaning(self) -> str: ...

class Model:
    """A memory model."""

    def __init__(self, reference: str) -> None: ...
    @staticmethod
    def parse(text: str, name: str = "<model>") -> Model: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def options(self) -> list[ModelOption]: ...
    @property
    def speaks_of_races(self) -> bool: ...

class Access:
    """One side of a race."""

    @property
    def thread(self) -> str: ...
    @property
    def operation(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def source(self) -> str: ...

class Race:
    """Two accesses that race in an execution that the model allows."""

    @property
    def flag(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def first(self) -> Access: ...
    @property
    def second(self) -> Access: ...
    @property
    def witness(self) -> str: ...

class Incident:
    """A failed assertion, an access out of bounds, a divergent barrier."""

    @property
    def kind(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def is_certain(self) -> bool: ...

class Verdict:
    """A model's verdict on a test."""

    @property
    def model(self) -> str: ...
    @property
    def scheduler(self) -> str: ...
    @property
    def status(self) -> Status: ...
    @property
    def reasons(self) -> list[str]: ...
    @property
    def answer(self) -> Answer: ...
    @property
    def condition_holds(self) -> bool | None: ...
    @property
    def race(self) -> Raciness: ...
    @property
    def races(self) -> list[Race]: ...
    @property
    def incidents(self) -> list[Incident]: ...
    @property
    def ending(self) -> Ending: ...
    @property
    def unknown(self) -> str: ...
    @property
    def witness(self) -> str: ...
    @property
    def text(self) -> str: ...

class CheckResult:
    """Verdicts in the order of the models."""

    @property
    def verdicts(self) -> list[Verdict]: ...
    @property
    def status(self) -> Status: ...
    @property
    def json(self) -> str: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Verdict: ...
    @overload
    def __getitem__(self, model: str) -> Verdict: ...
    def __iter__(self) -> Iterator[Verdict]: ...
    def _repr_html_(self) -> str: ...

class Outcome:
    """The final values of a test's observables."""

    @property
    def values(self) -> dict[str, int]: ...
    @property
    def text(self) -> str: ...
    @property
    def holds(self) -> bool: ...
    @property
    def allowed(self) -> dict[str, bool | None]: ...
    @property
    def runs(self) -> int: ...

class OutcomesResult:
    """The outcomes that models allow."""

    @property
    def observables(self) -> list[str]: ...
    @property
    def models(self) -> list[str]: ...
    @property
    def unknown(self) -> list[str]: ...
    @property
    def outcomes(self) -> list[Outcome]: ...
    @property
    def json(self) -> str: ...
    def _repr_html_(self) -> str: ...

class SimulationResult:
    """The results of the runs of a test on the simulator."""

    @property
    def observables(self) -> list[str]: ...
    @property
    def models(self) -> list[str]: ...
    @property
    def outcomes(self) -> list[Outcome]: ...
    @property
    def runs(self) -> int: ...
    @property
    def deadlocks(self) -> int: ...
    @property
    def bound_hits(self) -> int: ...
    @property
    def dropped(self) -> int: ...
    @property
    def assertion_failures(self) -> int: ...
    @property
    def out_of_bounds(self) -> int: ...
    @property
    def is_exhaustive(self) -> bool: ...
    @property
    def incomplete(self) -> str: ...
    @property
    def json(self) -> str: ...
    def _repr_html_(self) -> str: ...

class Picture:
    """A picture in the DOT language. All positions are fixed."""

    @property
    def title(self) -> str: ...
    @property
    def dot(self) -> str: ...
    def svg(self) -> str: ...
    def png(self) -> bytes: ...
    def _repr_svg_(self) -> str | None: ...

class Explanation:
    """Why a model allows or forbids an outcome, or why a program races or not."""

    @property
    def possibility(self) -> Possibility: ...
    @property
    def text(self) -> str: ...
    @property
    def full_text(self) -> str: ...
    @property
    def json(self) -> str: ...
    def _repr_html_(self) -> str: ...

class Detector:
    """A race detector that a publication describes."""

    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def publication(self) -> str: ...
    @property
    def options(self) -> list[ModelOption]: ...

class DetectedAccess:
    """One side of a race that a detector reports."""

    @property
    def thread(self) -> str: ...
    @property
    def site(self) -> str: ...
    @property
    def is_write(self) -> bool: ...
    @property
    def is_atomic(self) -> bool: ...

class DetectedRace:
    """Two accesses that a detector reports as unordered."""

    @property
    def location(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def level(self) -> str: ...
    @property
    def first(self) -> DetectedAccess: ...
    @property
    def second(self) -> DetectedAccess: ...
    @property
    def runs(self) -> int: ...
    @property
    def sentence(self) -> str: ...

class Findings:
    """The findings of one detector."""

    @property
    def detector(self) -> str: ...
    @property
    def race(self) -> Raciness: ...
    @property
    def races(self) -> list[DetectedRace]: ...
    @property
    def racy_runs(self) -> int: ...
    @property
    def remarks(self) -> list[str]: ...
    @property
    def not_judged(self) -> str: ...

class DetectionResult:
    """The findings of detectors in a trace, or in the runs of a test."""

    @property
    def source(self) -> str: ...
    @property
    def race(self) -> Raciness: ...
    @property
    def findings(self) -> list[Findings]: ...
    @property
    def events(self) -> int: ...
    @property
    def runs(self) -> int: ...
    @property
    def runs_are(self) -> str: ...
    @property
    def incomplete(self) -> str: ...
    @property
    def json(self) -> str: ...
    def _repr_html_(self) -> str: ...

def read(
    file: str | PathLike[str],
    *,
    max_threads: int = 1024,
    uninitialized: bool = False,
    launch: str = "",
    defines: list[str] = [],
) -> Test: ...
def read_all(
    file: str | PathLike[str],
    *,
    max_threads: int = 1024,
    uninitialized: bool = False,
    launch: str = "",
    defines: list[str] = [],
) -> list[Test]: ...
def parse(
    text: str,
    name: str = "<text>",
    *,
    max_threads: int = 1024,
    uninitialized: bool = False,
    launch: str = "",
    defines: list[str] = [],
) -> Test: ...
def parse_all(
    text: str,
    name: str = "<text>",
    *,
    max_threads: int = 1024,
    uninitialized: bool = False,
    launch: str = "",
    defines: list[str] = [],
) -> list[Test]: ...
def models() -> list[Model]: ...
def check(
    test: Test,
    models: Models = None,
    *,
    unroll: int = 3,
    engine: Engine = "auto",
    seconds: float = 60.0,
    memory_limit: int = 4294967296,
    only_termination: bool = False,
    schedulers: list[Scheduler] = [],
) -> CheckResult: ...
def outcomes(
    test: Test,
    models: Models = None,
    *,
    unroll: int = 3,
    engine: Engine = "auto",
    seconds: float = 60.0,
    memory_limit: int = 4294967296,
) -> OutcomesResult: ...
def explain(
    test: Test,
    model: str | Model,
    *,
    outcome: str | None = None,
    race: bool = False,
    unroll: int = 3,
    engine: Engine = "auto",
    seconds: float = 60.0,
    memory_limit: int = 4294967296,
) -> Explanation: ...
def draw(explanation: Explanation, *, all: bool = False) -> Picture | None: ...
def draw_trace(
    file: str | PathLike[str],
    *,
    detectors: str = "gwcp",
    events: tuple[int, int] | None = None,
    threads: list[str] = [],
    clocks: bool = False,
) -> Picture: ...
def simulate(
    test: Test,
    models: Models = None,
    *,
    memory: Memory = "gpu",
    schedule: Schedule = "random",
    warps: Warps = "independent",
    seed: int = 1,
    runs: int = 1000,
    max_runs: int = 100000,
    max_steps: int = 10000,
    seconds: float = 60.0,
    memory_limit: int = 4294967296,
) -> SimulationResult: ...
def detectors() -> list[Detector]: ...
def detect(
    test: Test,
    detectors: str | list[str] = "all",
    *,
    options: list[str] = [],
    memory: Memory = "sc",
    schedule: Schedule = "exhaustive",
    warps: Warps = "independent",
    seed: int = 1,
    runs: int = 1000,
    max_runs: int = 100000,
    max_steps: int = 10000,
) -> DetectionResult: ...
def detect_trace(
    file: str | PathLike[str], detectors: str | list[str] = "all", *, options: list[str] = []
) -> DetectionResult: ...
def judge(
    paths: str | PathLike[str] | list[str],
    models: str | list[str] = [],
    *,
    launch: str = "",
    defines: list[str] = [],
    seconds: float = 60.0,
    memory_limit: int = 4294967296,
) -> dict[str, Any]: ...
def fix(
    test: Test,
    model: str | Model,
    *,
    outcome: str | None = None,
    race: bool = False,
    proposals: int = 1,
    launch: str = "",
    defines: list[str] = [],
    unroll: int = 3,
    engine: Engine = "auto",
    seconds: float = 60.0,
    memory_limit: int = 4294967296,
) -> dict[str, Any]: ...
def exec(
    file: str | PathLike[str],
    arguments: list[str] = [],
    *,
    launch: str = "",
    detectors: str = "barracuda,gwcp",
    schedule: Literal["random", "rr", "pct"] = "random",
    seed: int = 1,
    runs: int = 0,
    seconds: float = 0.0,
) -> dict[str, Any]: ...
