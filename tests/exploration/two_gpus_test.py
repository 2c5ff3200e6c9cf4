"""Tests bench/two_gpus.py on a log and on a campaign. The driver of the campaign simulates two GPUs.

    two_gpus_test.py BUILD LIBRARY

LIBRARY: the library of the fake driver and compiler, tests/support/fake_cuda.cpp.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "bench", "two_gpus.py")
sys.path.insert(0, os.path.dirname(SCRIPT))
sys.dont_write_bytecode = True
import two_gpus  # noqa: E402

BUILD, LIBRARY = map(os.path.abspath, sys.argv[1:3])


class FromALog(unittest.TestCase):
    """The table from a log of generated tests."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        families = os.path.join(self.folder.name, "families")
        subprocess.run([os.path.join(BUILD, "generate", "ambit_generate"), "--gpu-families", families], check=True,
                       stdout=subprocess.DEVNULL)
        paths = [os.path.join(families, name) for name in os.listdir(families)]
        self.tests = {test.name: test for test in map(two_gpus.Test, paths)}

    def log(self, lines):
        path = os.path.join(self.folder.name, "log")
        with open(path, "w") as log:
            log.write('{"campaign":"x"}\n' + "".join(json.dumps(line) + "\n" for line in lines))
        return path

    def row(self, text, start):
        return next(line for line in text.splitlines() if line.startswith(start))

    def test_every_test_has_its_place(self):
        text, _ = two_gpus.table(self.tests, set())
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        self.assertEqual(len(rows), 1 + 17 + 1)  # a test has 1 placement for two threads, 3 for three, 7 for four
        totals = [cell.split(" / ")[2] for cell in self.row(text, "| all").split(" | ") if " / " in cell]
        self.assertEqual(sum(map(int, totals)), 394)

    def test_results_are_added_up(self):
        relaxed, fenced = "MP+sys+rlx-rlx+g0_1", "MP+sys+rel-acq+g0_1"
        self.assertTrue(self.tests[relaxed].is_allowed)
        self.assertFalse(self.tests[fenced].is_allowed)
        weak, strong = "P1:r0 == 1, P1:r1 == 0", "P1:r0 == 1, P1:r1 == 1"

        def line(test, error, *outcomes):
            histogram = [{"outcome": outcome, "runs": runs, "forbidden": bad} for outcome, runs, bad in outcomes]
            return {"test": test, "device": "2 x GPU", "error": error, "runs": sum(runs for _, runs, _ in outcomes),
                    "histogram": histogram}

        devices = two_gpus.read_log(self.log([line(relaxed, "", (weak, 3, []), (strong, 4, [])),
                                              line(relaxed, "", (strong, 100, [])),
                                              line(fenced, "", (strong, 5, []), (weak, 2, ["ptx"]))]), self.tests)
        self.assertEqual(devices, {"2 x GPU"})
        text, is_bad = two_gpus.table(self.tests, devices)
        self.assertTrue(is_bad)
        self.assertIn(f"- `{fenced}`: 2 of 7 runs showed what `ptx` forbids", text)
        self.assertNotIn(f"- `{relaxed}`", text)
        self.assertIn("- `SB+sys+rlx-rlx+g0_1`: no result", text)
        self.assertEqual(self.row(text, "| MP"), "| MP | `0_1` | 0 / 2 / 2 | 0 / 3 / 3 | 0 / 3 / 3 | 2 / 1 / 2 | "
                                                 "0 / 3 / 3 | 0 / 0 / 3 | 1.1e+02 | 2 |")


class OnTwoFakeGpus(unittest.TestCase):
    def test_one_command_writes_the_table(self):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(LIBRARY, os.path.join(folder, "libcuda.so.1"))
            environment = dict(os.environ, LD_LIBRARY_PATH=folder, AMBIT_NVRTC=LIBRARY, FAKE_CUDA_DEVICES="2",
                               XDG_CACHE_HOME=os.path.join(folder, "cache"))
            results = os.path.join(folder, "results")
            command = [sys.executable, SCRIPT, BUILD, results, "--families", "MP", "--seconds", "0.01", "--budget", "1",
                       "--device", "0,1", "--cell-memory", "0", "--occupancy-percent", "2", "--block-threads", "64"]
            ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            self.assertIn("| MP | `0_1` |", ran.stdout, ran.stderr)
            self.assertNotIn("| SB |", ran.stdout)
            self.assertNotIn("no result", ran.stdout)
            self.assertNotIn("Traceback", ran.stderr)
            with open(os.path.join(results, "table.md")) as table:
                self.assertEqual(table.read(), ran.stdout)
            total = next(line for line in ran.stdout.splitlines() if line.startswith("| all"))
            self.assertNotIn("| 0.0e+00 |", total)
            self.assertIn(ran.returncode, (0, 1))
            # The budget is spent: the same command prints the table from the log, without a driver.
            again = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=False)
            self.assertEqual(again.stdout, ran.stdout, again.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
