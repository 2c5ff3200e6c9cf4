"""Tests the Python module through its public interface. ctest runs it with PYTHONPATH set to the built package."""

import ast
import html.parser
import inspect
import json
import os
import pathlib
import re
import shutil
import signal
import tempfile
import threading
import time
import unittest

import ambit

# Message passing between blocks without a fence in the reader (README.md).
MESSAGE_PASSING = (pathlib.Path(__file__).parent.parent / "support/mp.litmus").read_text()


def endless():
    """Four threads each write five times to one location. The writes have 20! / 5!^4 orders, too many to enumerate."""
    threads = "".join(
        f"P{t} @ block {t} {{\n" + "".join(f"  atomicExch(&x, {5 * t + i + 1});\n" for i in range(5)) + "}\n"
        for t in range(4)
    )
    return ambit.parse("CUDA endless\n{ global int x = 0; }\n" + threads + "exists (x == 21)\n")


class Reading(unittest.TestCase):
    def test_a_test(self):
        test = ambit.parse(MESSAGE_PASSING, "mp.litmus")
        self.assertEqual(test.name, "mp")
        self.assertEqual(test.file, "mp.litmus")
        self.assertEqual(test.source, MESSAGE_PASSING)
        self.assertEqual(test.threads, ["P0", "P1"])
        self.assertEqual(test.observables, ["P1:r0", "P1:r1"])
        self.assertEqual(test.condition, "exists (P1:r0 == 1 && P1:r1 == 0)")
        self.assertEqual(test.remarks, [])
        self.assertEqual(repr(test), "<Test mp: P0, P1; exists (P1:r0 == 1 && P1:r1 == 0)>")

    def test_remarks(self):
        test = ambit.parse("PTX red\n{ x=0; }\n P0@cta 0,gpu 0 ;\n red.acq_rel.gpu.add x, 1 ;\nexists (x == 1)\n", "red.litmus")
        self.assertEqual([(remark.line, remark.column) for remark in test.remarks], [(4, 2)])
        self.assertIn("red.litmus:4:2: note: ", str(test.remarks[0]))

    def test_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "mp.litmus"
            file.write_text(MESSAGE_PASSING)
            self.assertEqual(ambit.read(file).name, "mp")
            self.assertEqual([one.name for one in ambit.read_all(str(file))], ["mp"])

    def test_errors_have_places(self):
        with self.assertRaises(ambit.Error) as caught:
            ambit.parse(MESSAGE_PASSING.replace("x = 1;", "y = 1;"), "mp.litmus")
        error = caught.exception
        self.assertIsInstance(error, ValueError)
        self.assertEqual((error.file, error.line, error.column), ("mp.litmus", 7, 3))
        self.assertIn("y", error.message)
        self.assertEqual(error.problems[0].message, error.message)
        self.assertIn("mp.litmus:7:3: error: ", str(error))

    def test_an_unknown_model(self):
        with self.assertRaises(ambit.Error) as caught:
            ambit.Model("ptxx")
        self.assertIn("ptx", caught.exception.hint)

    def test_wrong_words(self):
        test = ambit.parse(MESSAGE_PASSING)
        for wrong in (
            lambda: ambit.check(test, engine="fast"),
            lambda: ambit.simulate(test, memory="cpu"),
            lambda: ambit.simulate(test, schedule="all"),
            lambda: ambit.explain(test, ["sc", "ptx"]),
        ):
            self.assertRaises(ValueError, wrong)
        self.assertRaises(TypeError, lambda: ambit.check(test, [3]))


class Asking(unittest.TestCase):
    def setUp(self):
        self.test = ambit.parse(MESSAGE_PASSING, "mp.litmus")

    def test_models(self):
        # README.md: SC forbids the stale read; PTX allows it and reports a race on x.
        result = ambit.check(self.test)
        self.assertEqual(result.status, "Ok")
        self.assertEqual([one.model for one in result], ["sc", "ptx"])
        self.assertEqual((result["sc"].answer, result["sc"].race), ("Never", "NotAsked"))
        ptx = result["ptx"]
        self.assertEqual((ptx.answer, ptx.race, ptx.condition_holds), ("Sometimes", "Race", True))
        self.assertEqual([race.location for race in ptx.races], ["x"])
        self.assertEqual((ptx.races[0].first.line, ptx.races[0].second.line), (7, 14))
        self.assertIn("race on x", str(ptx))
        self.assertEqual(len(repr(result).splitlines()), 2)
        self.assertEqual(json.loads(result.json)["tests"][0]["results"][1]["frequency"], "Sometimes")
        self.assertIs(type(result[-1]), ambit.Verdict)
        self.assertRaises(KeyError, lambda: result["hrf-direct"])
        self.assertRaises(IndexError, lambda: result[2])

    def test_models_in_every_form(self):
        for models in ("ptx", ambit.Model("ptx"), ["ptx"], (ambit.Model("ptx"),), (name for name in ["ptx"])):
            self.assertEqual([one.model for one in ambit.check(self.test, models)], ["ptx"])
        self.assertIn("sc", [model.name for model in ambit.models()])

    def test_outcomes(self):
        # Under SC, the reads come before, between or after the two writes. PTX allows these outcomes and the stale
        # read.
        result = ambit.outcomes(self.test, ["sc", "ptx"])
        found = {(one.values["P1:r0"], one.values["P1:r1"]): one for one in result.outcomes}
        self.assertEqual(sorted(found), [(0, 0), (0, 1), (1, 0), (1, 1)])
        self.assertEqual(found[1, 0].allowed, {"sc": False, "ptx": True})
        self.assertTrue(found[1, 0].holds)
        self.assertEqual(found[1, 1].allowed, {"sc": True, "ptx": True})

    def test_explanation_and_picture(self):
        explanation = ambit.explain(self.test, "ptx", outcome="P1:r0 == 1 && P1:r1 == 0")
        self.assertEqual(explanation.possibility, "Possible")
        self.assertEqual(repr(explanation), explanation.text.rstrip("\n"))
        self.assertEqual(ambit.explain(self.test, "sc").possibility, "Impossible")
        picture = ambit.draw(explanation)
        self.assertIn("digraph", picture.dot)
        if not shutil.which("neato"):
            self.skipTest("Graphviz is not installed")
        self.assertIn("<svg", picture.svg())
        self.assertTrue(picture.png().startswith(b"\x89PNG"))
        self.assertEqual(picture._repr_svg_(), picture.svg())

    def test_simulation(self):
        result = ambit.simulate(self.test, "sc", memory="sc", schedule="exhaustive")
        self.assertTrue(result.is_exhaustive)
        self.assertEqual([tuple(one.values.values()) for one in result.outcomes], [(0, 0), (0, 1), (1, 1)])
        self.assertEqual([one.allowed for one in result.outcomes], [{"sc": True}] * 3)
        again = [ambit.simulate(self.test, runs=200, seed=3) for _ in range(2)]
        self.assertEqual(sum(one.runs for one in again[0].outcomes), 200)
        self.assertEqual(again[0].json, again[1].json)

    def test_detection(self):
        result = ambit.detect(self.test, ["scord", "barracuda"])
        self.assertEqual(result.json, ambit.detect(self.test, "scord,barracuda").json)
        self.assertEqual([one.detector for one in result.findings], ["scord", "barracuda"])
        self.assertEqual(result.race, "Race")
        self.assertEqual(result.findings[0].races[0].location, "x")
        self.assertEqual(len(ambit.detect(self.test).findings), len(ambit.detectors()))

    def test_traces(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "run.std"
            file.write_text("T0|w(V1)|1\nT1|r(V1)|2\n")
            result = ambit.detect_trace(file, detectors="barracuda")
            self.assertEqual((result.events, result.race), (2, "Race"))
            self.assertIn("digraph", ambit.draw_trace(file).dot)


class Interrupting(unittest.TestCase):
    """A thread sends Ctrl-C. This thread can run only if Ambit releases the interpreter's lock while it works."""

    def interrupt(self, work):
        def send():
            time.sleep(0.3)
            os.kill(os.getpid(), signal.SIGINT)

        sender = threading.Thread(target=send)
        sender.start()
        with self.assertRaises(KeyboardInterrupt):
            work()
        sender.join()

    def test_check(self):
        self.interrupt(lambda: ambit.check(endless(), "sc", engine="explicit", seconds=600))

    def test_outcomes(self):
        self.interrupt(lambda: ambit.outcomes(endless(), "sc", engine="explicit", seconds=600))

    def test_simulate(self):
        self.interrupt(lambda: ambit.simulate(endless(), runs=10**12))

    def test_detect(self):
        self.interrupt(lambda: ambit.detect(endless(), detectors="barracuda", schedule="random", runs=10**12))

    def test_time_limit(self):
        result = ambit.check(endless(), "sc", engine="explicit", seconds=0.05)
        self.assertEqual(result.status, "Unknown")
        self.assertIn("timeout", result[0].unknown)


KERNELS = pathlib.Path(__file__).resolve().parents[1] / "mcp/kernels"
INCREMENT = """.version 7.0
.target sm_70
.address_size 64
.visible .entry increment(.param .u64 p)
{
  .reg .u64 %rd<2>;
  .reg .u32 %r<2>;
  ld.param.u64 %rd1, [p];
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
"""


class Judging(unittest.TestCase):
    """judge, fix and exec return the documents of the command line as dicts."""

    def test_judge(self):
        document = ambit.judge(KERNELS / "shift.cu", "ptx")
        self.assertEqual((document["document"], document["status"]), ("judge", 1))
        (one,) = document["judged"]
        self.assertEqual(one["verdict"], "race")
        self.assertIn("__syncthreads", one["patch"]["diff"])

    def test_judge_several_files_with_a_launch(self):
        files = [str(KERNELS / "shift.cu"), "no-such-file.cu"]
        document = ambit.judge(files, ["ptx"], launch="shift<<<1, 1>>>(data[4], out[4])", seconds=20)
        # The launch has one thread, so there is no race.
        self.assertEqual([one["verdict"] for one in document["judged"]], ["no race", "unreadable"])
        with self.assertRaises(ambit.Error):
            ambit.judge(files, ["nonsense"])

    def test_fix(self):
        test = ambit.parse(MESSAGE_PASSING, "mp.litmus")
        document = ambit.fix(test, "ptx", race=True)
        self.assertEqual((document["format"], document["state"]), (1, "found"))
        fixed = ambit.fix(test, "ptx", outcome="P1:r0 == 1 && P1:r1 == 0", proposals=2)
        self.assertEqual(fixed["goal"], "P1:r0 == 1 && P1:r1 == 0 never happens")
        self.assertGreater(len(fixed["proposals"]), 0)

    def test_exec(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "k.ptx"
            file.write_text(INCREMENT)
            document = ambit.exec(file, launch="increment<<<2, 1>>>(int[1])", runs=3)
            self.assertEqual((document["format"], document["runs"]), (1, 3))
            self.assertEqual(document["races"][0]["kernel"], "increment")
            with self.assertRaises(ambit.Error):
                ambit.exec(file)
        with self.assertRaises(ValueError):
            ambit.exec(file, schedule="exhaustive")


class Markup(html.parser.HTMLParser):
    """Checks that each tag is closed, and that tags are properly nested."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Showing(unittest.TestCase):
    def test_html(self):
        test = ambit.parse(MESSAGE_PASSING.replace('"Message', '"<b>Message'), "mp.litmus")
        shown = [
            test,
            ambit.check(test),
            ambit.outcomes(test, ["sc", "ptx"]),
            ambit.explain(test, "ptx"),
            ambit.simulate(test, "ptx", runs=100),
            ambit.detect(test, detectors="scord"),
        ]
        for one in shown:
            text = one._repr_html_()
            Markup(text)
            self.assertNotIn("<b>", text)
        self.assertIn("race on x", shown[1]._repr_html_())


class Stubs(unittest.TestCase):
    """__init__.pyi lists exactly the names that the module has."""

    def setUp(self):
        package = pathlib.Path(ambit.__file__).parent
        self.assertTrue((package / "py.typed").exists())
        self.tree = ast.parse((package / "__init__.pyi").read_text())

    def test_names(self):
        kinds = (ast.ClassDef, ast.FunctionDef)
        names = {one.name for one in self.tree.body if isinstance(one, kinds)} | {"__version__"}
        self.assertEqual(names, set(ambit.__all__))

    def test_attributes(self):
        for one in self.tree.body:
            if not isinstance(one, ast.ClassDef) or one.name == "Error":
                continue
            of_stub = {part.name for part in one.body if isinstance(part, ast.FunctionDef)}
            of_class = {name for name in vars(getattr(ambit, one.name)) if not name.startswith("__")}
            public = {name for name in of_stub if not name.startswith("__")}
            self.assertEqual(public, of_class, one.name)

    def test_parameters(self):
        for one in self.tree.body:
            if not isinstance(one, ast.FunctionDef):
                continue
            of_stub = [each.arg for each in one.args.args + one.args.kwonlyargs]
            signature = getattr(ambit, one.name).__doc__.splitlines()[0]
            of_function = re.findall(r"[(,] (\w+):|\((\w+):", signature)
            self.assertEqual(of_stub, [a or b for a, b in of_function], one.name)

    def test_every_name_has_a_docstring(self):
        for name in ambit.__all__:
            self.assertTrue(inspect.getdoc(getattr(ambit, name)), name)


if __name__ == "__main__":
    unittest.main()
