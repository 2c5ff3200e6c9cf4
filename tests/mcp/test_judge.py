#!/usr/bin/env python3
"""Tests the documents of `ambit judge`: test_judge.py PROGRAM [TEST...]"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from schema import errors_of, read_schema, validate

PROGRAM = ""
FOLDER = pathlib.Path(__file__).resolve().parent / "kernels"


def run(*words, folder=FOLDER, text=None):
    return subprocess.run(
        [PROGRAM, *words], cwd=folder, input=text, capture_output=True, text=True, timeout=120, check=False
    )


def judge(*words, **more):
    """Returns the document and the exit status, after a check against the schema."""
    result = run("judge", *words, **more)
    assert result.stdout, result.stderr
    document = json.loads(result.stdout)
    validate(document, "judge.schema.json")
    assert document["status"] == result.returncode
    return document, result.returncode


class Verdicts(unittest.TestCase):
    def test_race(self):
        document, status = judge("shift.cu", "-m", "ptx")
        self.assertEqual(status, 1)
        (one,) = document["judged"]
        self.assertEqual((one["verdict"], one["tool"], one["sure"]), ("race", "check", {"kind": "exact"}))
        self.assertEqual({place["line"] for place in one["places"]}, {4, 5})
        for place in one["places"]:
            line = (FOLDER / "shift.cu").read_text().splitlines()[place["line"] - 1]
            self.assertEqual(place["text"], line.strip())
            self.assertLessEqual(1, place["column"])
            self.assertLess(place["column"], len(line) + 1)
        self.assertIn("__syncthreads", one["patch"]["diff"])
        self.assertEqual(one["assumed"]["launch"], "shift<<<1, 4>>>(data[4], out[4])")
        self.assertGreater(len(one["replay"]["witness"]["events"]), 0)

    def test_replay_shows_the_race_again(self):
        document, _ = judge("shift.cu", "-m", "ptx")
        command = document["judged"][0]["replay"]["command"]
        self.assertEqual(command[0], "ambit")
        self.assertIn("race on tile[", run(*command[1:]).stdout.replace("b0:", ""))

    def test_out_of_bounds_and_divergence(self):
        for name, verdict, line in [("bounds.cu", "out of bounds", 3), ("divergence.cu", "divergence", 3)]:
            document, status = judge(name, "-m", "ptx")
            self.assertEqual(status, 1)
            one = document["judged"][0]
            self.assertEqual(one["verdict"], verdict)
            self.assertEqual(one["places"][0]["line"], line)
            self.assertIsNone(one["patch"])

    def test_no_race(self):
        clean = (FOLDER / "shift.cu").read_text().replace("  out[", "  __syncthreads();\n  out[")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "clean.cu").write_text(clean)
            document, status = judge("clean.cu", folder=folder)
        self.assertEqual(status, 0)
        self.assertEqual({one["verdict"] for one in document["judged"]}, {"no race"})

    def test_unreadable(self):
        document, status = judge("none.cu")
        self.assertEqual(status, 2)
        self.assertEqual(document["judged"][0]["verdict"], "unreadable")
        document, status = judge("-", text="CUDA t\n{ global int x; }\nP0 { x = ; }\n")
        self.assertEqual(status, 2)
        self.assertEqual(document["judged"][0]["places"][0]["line"], 3)

    def test_errors_of_the_command_line_have_no_document(self):
        result = run("judge", "shift.cu", "-m", "nonsense")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("nonsense", result.stderr)

    def test_a_condition_is_answered(self):
        text = """CUDA SB
{ global int x = 0; global int y = 0; }
P0 @ block 0 { store(x, 1, relaxed, device); int r0 = load(y, relaxed, device); }
P1 @ block 1 { store(y, 1, relaxed, device); int r0 = load(x, relaxed, device); }
exists (P0:r0 == 0 && P1:r0 == 0)
"""
        document, status = judge("-", "-m", "ptx,sc", text=text)
        self.assertEqual(status, 0)
        ptx, sc = document["judged"]
        # For relaxed store buffering, ptx allows the outcome, and sc forbids it. The model sc defines no races.
        self.assertEqual((ptx["verdict"], ptx["condition"]["holds"]), ("no race", True))
        self.assertEqual((sc["verdict"], sc["condition"]["holds"]), ("no fault", False))

    def test_a_folder_has_all_files(self):
        document, status = judge(".", "-m", "ptx", "--timeout", "20")
        self.assertEqual(status, 1)
        self.assertEqual({one["file"] for one in document["judged"]},
                         {"./bounds.cu", "./divergence.cu", "./reduce.cu", "./shift.cu"})


class Limits(unittest.TestCase):
    """Every question has an answer soon after the time limit: half a second on a machine without other work. The tests
    allow much more, because they run on busy machines. They only check that the limit is not ignored."""

    def timed(self, seconds, *words):
        """Returns the document and the status."""
        grace = 30
        begin = time.monotonic()
        result = judge(*words, "--timeout", str(seconds))
        elapsed = time.monotonic() - begin
        self.assertLess(elapsed, seconds + grace)
        return result

    def test_a_race_of_a_large_launch_is_found(self):
        document, status = self.timed(40, "reduce.cu", "-m", "ptx")
        self.assertEqual(status, 1)
        one = document["judged"][0]
        self.assertEqual(one["verdict"], "race")
        # Either a smaller launch or a run showed the race. The document says which of the two showed it.
        if one["tool"] == "exec":
            self.assertEqual(one["sure"]["kind"], "sampled")
        else:
            self.assertNotEqual(one["assumed"]["launch"], "reduce<<<4, 256>>>(in[1024], out[4])")
            self.assertTrue(one["assumed"]["smaller_launch"])
        self.assertGreater(len(one["attempts"]), 0)

    def test_a_smaller_launch_that_lacks_threads_is_no_verdict(self):
        # All 256 threads of a block meet at the barrier. A block with fewer threads cannot complete the barrier, so the
        # fault of a smaller launch says nothing about the kernel. The own launch exceeds the models' limit of events.
        text = """__global__ void meet(int* out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = 0; k < 4; ++k) out[i] = out[i] + 1;
  asm volatile("bar.sync 1, 256;" ::: "memory");
}
// ambit: launch meet<<<4, 256>>>(int out[1024]);
"""
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "meet.cu").write_text(text)
            document, _ = judge("meet.cu", "-m", "ptx", "--timeout", "20", folder=folder)
        one = document["judged"][0]
        self.assertEqual(one["verdict"], "unknown")
        smaller = [attempt for attempt in one["attempts"] if attempt["launch"]]
        self.assertIn("waits for 256 threads, but 4 use it", smaller[0]["result"])

    def test_short_times(self):
        # On this kernel, neither the models nor the virtual GPU would end without a time limit.
        for seconds in [0.5, 1, 2]:
            document, status = self.timed(seconds, "endless.ptx")
            self.assertEqual(status, 3)
            self.assertEqual(document["judged"][0]["verdict"], "unknown")

    def test_a_kernel_that_never_ends_is_unknown(self):
        document, status = self.timed(3, "endless.ptx")
        self.assertEqual(status, 3)
        one = document["judged"][0]
        self.assertEqual(one["verdict"], "unknown")
        self.assertEqual(one["assumed"]["reading"], "compiled")
        self.assertIn("exec", [attempt["tool"] for attempt in one["attempts"]])

    @unittest.skipUnless(shutil.which("nvcc") or pathlib.Path("/usr/local/cuda/bin/nvcc").exists(), "nvcc is missing")
    def test_a_kernel_runs_that_the_models_do_not_read(self):
        with tempfile.TemporaryDirectory() as folder:
            # The function is recursive, so neither the reader of sources nor the reader of PTX can inline it.
            text = """__device__ __noinline__ int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
__global__ void race(int* out) { out[0] = depth(threadIdx.x % 3) + threadIdx.x; }
// ambit: launch race<<<1, 64>>>(int out[1]);
"""
            (pathlib.Path(folder) / "deep.cu").write_text(text)
            document, status = judge("deep.cu", folder=folder)
            one = document["judged"][0]
            self.assertEqual((status, one["verdict"], one["tool"]), (1, "race", "exec"))
            self.assertEqual(one["places"][0]["line"], 2)
            self.assertEqual(one["sure"]["kind"], "sampled")
            self.assertEqual(run(*one["replay"]["command"][1:], folder=folder).returncode, 1)


class Schema(unittest.TestCase):
    def test_wrong_documents_are_found(self):
        schema = read_schema("judge.schema.json")
        document, _ = judge("shift.cu", "-m", "ptx")

        def changed(change):
            copy = json.loads(json.dumps(document))
            change(copy)
            return errors_of(copy, schema)

        self.assertEqual(changed(lambda copy: None), [])
        self.assertTrue(changed(lambda copy: copy.pop("format")))
        self.assertTrue(changed(lambda copy: copy.update(status=7)))
        self.assertTrue(changed(lambda copy: copy["judged"][0].update(verdict="fine")))
        self.assertTrue(changed(lambda copy: copy["judged"][0].update(sure={"kind": "sampled"})))
        self.assertTrue(changed(lambda copy: copy["judged"][0]["places"][0].update(line=0)))
        # The verdict `no race` may not come from a sample of runs.
        self.assertTrue(changed(lambda copy: copy["judged"][0].update(verdict="no race", sure={"kind": "sampled", "runs": 3})))


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
