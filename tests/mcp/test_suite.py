#!/usr/bin/env python3
"""Tests `ambit judge --suite`: test_suite.py PROGRAM [TEST...]"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

from schema import errors_of, read_schema, validate

PROGRAM = ""
ROOT = pathlib.Path(__file__).resolve().parents[1] / "judge_suite"
TASKS = ROOT / "tasks"
HAS_NVCC = bool(shutil.which("nvcc")) or pathlib.Path("/usr/local/cuda/bin/nvcc").exists()

# These verdicts follow from the comments in the kernels.
VERDICTS = {
    "histogram/late_barrier.cu": "race",
    "histogram/plain.cu": "race",
    "histogram/private.cu": "correct",
    "reduction/no_barrier.cu": "race",
    "reduction/shuffle.cu": "correct",
    "reduction/tree.cu": "correct",
    "saxpy/changes_input.cu": "wrong result",
    "saxpy/no_bounds.cu": "fault",
    "saxpy/rounded.cu": "correct",
    "scatter/direct.cu": "correct",
    "scatter/endless.cu": "timed out",
    "scatter/other_parameters.cu": "cannot launch",
    "softmax/branch_barrier.cu": "fault",
    "softmax/warp.cu": "correct",
    "transpose/copy.cu": "wrong result",
    "transpose/syntax.cu": "does not compile",
    "transpose/tile.cu": "correct",
}


def run(*words, **more):
    more = {"capture_output": True, "text": True, "timeout": 280, "check": False, **more}
    return subprocess.run([PROGRAM, "judge", "--suite", *words], **more)


def judge(*words, **more):
    """Returns the document, after a check against the schema, and the exit status."""
    result = run(*words, "--json", "-q", **more)
    assert result.stdout, result.stderr
    document = json.loads(result.stdout)
    validate(document, "judge-suite.schema.json")
    assert document["status"] == result.returncode, result.stderr
    return document, result.returncode


def scores_of(document):
    return {
        f"{task['task']}/{score['file']}": score for task in document["tasks"] for score in task["candidates"]
    }


class Folder(unittest.TestCase):
    """A temporary copy of the suite. PTX files replace the CUDA sources, so the test needs no compiler."""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.ptx = pathlib.Path(self.scratch.name) / "ptx"
        with tarfile.open(ROOT / "kept.tar.xz") as kept:
            kept.extractall(self.ptx)

    def copy(self, *names):
        """Returns a folder with copies of some tasks."""
        folder = pathlib.Path(self.scratch.name) / "suite"
        for name in names:
            shutil.copytree(TASKS / name, folder / name)
        return folder

    def judge(self, folder, *words):
        return judge(str(folder), "--ptx", str(self.ptx), *words)


class Verdicts(Folder):
    def test_all_candidates(self):
        document, status = self.judge(TASKS)
        self.assertEqual(status, 1)
        scores = scores_of(document)
        # One source does not compile, so it has no PTX.
        expected = {name: verdict for name, verdict in VERDICTS.items() if "syntax" not in name}
        self.assertEqual({name: score["verdict"] for name, score in scores.items() if name in expected}, expected)
        self.assertEqual(scores["transpose/syntax.cu"]["verdict"], "unknown")
        for task in document["tasks"]:
            self.assertEqual(task["reference"]["verdict"], "correct", task["reference"])
        self.check_details(scores)

    def check_details(self, scores):
        race = scores["reduction/no_barrier.cu"]
        self.assertTrue(race["equal_but_races"], race)
        self.assertIn("results equal, but", race["reason"])
        self.assertEqual({place["file"] for place in race["faults"][0]["places"]}, {"no_barrier.cu"})
        self.assertEqual({place["line"] for place in race["faults"][0]["places"]}, {7})
        copy = scores["transpose/copy.cu"]["results"]
        # The diagonal has 16 of 256 elements; there are 3 inputs.
        self.assertEqual((copy["state"], copy["differences"], copy["runs"]), ("different", 3 * 240, 3))
        self.assertEqual((copy["first"]["array"], copy["first"]["index"], copy["first"]["input"]), ("out", 1, 1))
        self.assertEqual(scores["saxpy/changes_input.cu"]["results"]["first"]["array"], "x")
        bounds = scores["saxpy/no_bounds.cu"]["faults"][0]
        self.assertEqual((bounds["kind"], bounds["places"][0]["line"]), ("out of bounds", 3))
        self.assertEqual(scores["softmax/branch_barrier.cu"]["faults"][0]["kind"], "divergence")
        self.assertGreater(scores["softmax/warp.cu"]["results"]["largest_absolute_error"], 0)
        self.assertEqual(scores["scatter/direct.cu"]["remarks"][0].split(":")[0],
                         "the file's only kernel runs, although its name differs")
        self.assertIn("task.json:3:3", scores["scatter/other_parameters.cu"]["reason"])

    def test_the_same_seed_gives_the_same_document(self):
        folder = self.copy("reduction", "saxpy", "transpose")
        documents = [self.judge(folder, "-j", jobs)[0] for jobs in "12"]
        for document in documents:
            for score in scores_of(document).values():
                score.pop("sure")  # the models have a time limit
                if score["verdict"] == "correct":
                    score.pop("reason")
        self.assertEqual(documents[0], documents[1])

    def test_one_task_and_a_table(self):
        result = run(str(TASKS / "reduction"), "--ptx", str(self.ptx / "reduction"), "-q")
        self.assertEqual(result.returncode, 1)
        rows = [line.split() for line in result.stdout.splitlines()]
        self.assertEqual(rows[0][:3], ["task", "candidate", "verdict"])
        self.assertEqual([row[1] for row in rows[2:5]], ["no_barrier.cu", "shuffle.cu", "tree.cu"])
        self.assertIn("race, results equal", result.stdout)
        self.assertIn("3 candidates of 1 task: 2 correct, 1 race (1 with equal results)", result.stdout)

    def test_only_correct_candidates(self):
        folder = self.copy("reduction")
        (folder / "reduction/no_barrier.cu").unlink()
        document, status = self.judge(folder)
        self.assertEqual((status, document["summary"]["correct"]), (0, 2))

    def test_candidates_in_ptx(self):
        folder = self.copy("reduction")
        for name in ["no_barrier", "shuffle", "tree"]:
            (folder / f"reduction/{name}.cu").unlink()
        shutil.copy(self.ptx / "reduction/no_barrier.ptx", folder / "reduction/candidate.ptx")
        (folder / "reduction/broken.ptx").write_text("not PTX\n")
        task = json.loads((folder / "reduction/task.json").read_text())
        del task["launches"]
        (folder / "reduction/task.json").write_text(json.dumps(task))
        document, status = self.judge(folder)
        verdicts = {name: score["verdict"] for name, score in scores_of(document).items()}
        self.assertEqual(verdicts, {"reduction/broken.ptx": "does not compile", "reduction/candidate.ptx": "race"})


class Compiler(unittest.TestCase):
    @unittest.skipUnless(HAS_NVCC, "nvcc is missing")
    def test_all_candidates(self):
        document, status = judge(str(TASKS))
        self.assertEqual(status, 1)
        scores = scores_of(document)
        self.assertEqual({name: score["verdict"] for name, score in scores.items()}, VERDICTS)
        self.assertEqual(scores["transpose/syntax.cu"]["compiles"], False)
        self.assertIn("expected a", scores["transpose/syntax.cu"]["reason"])
        self.assertEqual(scores["reduction/tree.cu"]["compiles"], True)

    @unittest.skipIf(HAS_NVCC, "nvcc is installed")
    def test_without_a_compiler_nothing_is_correct(self):
        document, status = judge(str(TASKS / "reduction"))
        self.assertEqual(status, 3)
        self.assertEqual(document["summary"]["correct"], 0)


class Errors(Folder):
    def test_errors_of_a_task_have_their_place(self):
        folder = self.copy("reduction")
        task = folder / "reduction/task.json"
        task.write_text(task.read_text().replace('"direction": "out"', '"direction": "up"'))
        result = run(str(folder))
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("task.json:9:14: error: 'direction'", result.stderr)

    def test_folders_without_tasks(self):
        for words, message in [([str(TASKS / "none")], "not a folder"), ([self.scratch.name], "no folder contains")]:
            result = run(*words)
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr)

    def test_a_task_without_a_reference(self):
        folder = self.copy("reduction")
        (folder / "reduction/reference.cu").unlink()
        result = run(str(folder))
        self.assertEqual(result.returncode, 2)
        self.assertIn("has no reference", result.stderr)

    def test_usage(self):
        result = subprocess.run([PROGRAM, "judge"], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--suite", result.stderr)
        self.assertEqual(run(str(TASKS), "file.cu").returncode, 2)

    def test_a_launch_that_does_not_fit_the_reference(self):
        folder = self.copy("reduction")
        task = folder / "reduction/task.json"
        task.write_text(task.read_text().replace('>>>(int in[256], int out[4])",', '>>>(int in[256])",', 1))
        document, status = self.judge(folder)
        self.assertEqual((status, document["summary"]["unknown"]), (2, 3))
        reference = document["tasks"][0]["reference"]
        self.assertEqual(reference["verdict"], "cannot launch")
        self.assertIn("task.json:3:3: the kernel", reference["reason"])


class Limits(Folder):
    def disturbed(self, disturb):
        """Starts a suite with a candidate that never ends. Calls `disturb` with the process after the other candidates
        have ended. Returns the document."""
        folder = self.copy("scatter")
        task = folder / "scatter/task.json"
        task.write_text(task.read_text().replace('"timeout_seconds": 10', '"timeout_seconds": 1000'))
        words = [PROGRAM, "judge", "--suite", str(folder), "--ptx", str(self.ptx), "--json", "-q", "-j", "3"]
        temporary = pathlib.Path(self.scratch.name) / "temporary"
        temporary.mkdir()
        environment = {**os.environ, "TMPDIR": str(temporary)}
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment) as process:
            # The suite's temporary folder contains a folder for each file that the suite judges: first the reference,
            # then direct.cu, endless.cu and other_parameters.cu.
            while process.poll() is None and [path.name for path in temporary.glob("*/job-*")] != ["job-2"]:
                time.sleep(0.05)
            disturb(process)
            document = json.loads(process.communicate(timeout=60)[0])
        validate(document, "judge-suite.schema.json")
        self.assertEqual(list(temporary.iterdir()), [])
        verdicts = {name: score["verdict"] for name, score in scores_of(document).items()}
        self.assertEqual(verdicts, {"scatter/direct.cu": "correct", "scatter/other_parameters.cu": "cannot launch",
                                    "scatter/endless.cu": "unknown"})
        return document

    def test_a_signal_keeps_finished_results(self):
        document = self.disturbed(lambda process: process.send_signal(signal.SIGTERM))
        self.assertTrue(document["interrupted"])

    def test_a_crash_does_not_end_the_suite(self):
        def crash(process):
            children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            os.kill(int(children[0]), signal.SIGSEGV)

        document = self.disturbed(crash)
        self.assertEqual((document["status"], document["interrupted"]), (4, False))
        self.assertIn("internal error: signal 11", scores_of(document)["scatter/endless.cu"]["reason"])

    def test_the_time_of_the_command(self):
        folder = self.copy("scatter")
        document, status = self.judge(folder, "--timeout", "0.02", "-j", "1")
        self.assertTrue(document["timed_out"])
        self.assertEqual(status, 3)
        self.assertEqual(document["summary"]["unknown"], 3)


class Schema(unittest.TestCase):
    def test_tasks(self):
        schema = read_schema("judge-task.schema.json")
        for path in sorted(TASKS.glob("*/task.json")):
            self.assertEqual(errors_of(json.loads(path.read_text()), schema), [], path)
        task = json.loads((TASKS / "saxpy/task.json").read_text())
        for change in [{"launch": 1}, {"more": 1}, {"inputs": 0}, {"arrays": {"x": {"direction": "up"}}},
                       {"arrays": {"x": {"direction": "in", "fill": {"uniform": [1]}}}}]:
            self.assertTrue(errors_of({**task, **change}, schema), change)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
