"""Runs the steps of action.yml with bash, in a temporary folder: action_test.py WHEEL_FOLDER.

The test replaces GitHub's runner: it replaces `${{ inputs.NAME }}` and the contexts of `github`, sets the variables of
a runner, and adds the folders in GITHUB_PATH to PATH. A script replaces the program `gh` and copies files of a folder.
The test is skipped (exit status 77) without PyYAML, unzip or a wheel.
"""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

try:
    import yaml
except ImportError:
    print("skipped: PyYAML is not installed (package python3-yaml)")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The test file must have no expectations, because `expect ptx : race` takes precedence over --fail-on-race.
RACE = re.sub(r"^expect .*\n", "", (ROOT / "tests/support/mp.litmus").read_text(), flags=re.MULTILINE)
NO_RACE = RACE.replace("  int r1 = x;", "  __threadfence();\n  int r1 = -1;\n  if (r0 == 1) r1 = x;")
# `gh release download TAG --dir DIR ...` copies the files of the folder $RELEASES/TAG.
GH = """#!/usr/bin/env bash
set -euo pipefail
echo "$*" >>"$RELEASES/calls"
tag=$3
while [[ $# -gt 1 && $1 != --dir ]]; do shift; done
[[ -d $RELEASES/$tag ]] || { echo "release not found" >&2; exit 1; }
cp "$RELEASES/$tag"/* "$2/"
"""


def read_action():
    return yaml.safe_load((ROOT / "action.yml").read_text())


class Run:
    """One use of the action with some inputs. `status` is the exit status of the first step that fails, or 0."""

    def __init__(self, folder, inputs, action=None):
        self.folder = folder
        self.workspace = folder / "workspace"
        self.workspace.mkdir(exist_ok=True)
        action = action or read_action()
        unknown = set(inputs) - set(action["inputs"])
        assert not unknown, unknown
        self.contexts = {f"inputs.{name}": str(inputs.get(name, one.get("default", "")))
                         for name, one in action["inputs"].items()}
        self.contexts |= {"github.action_repository": "someone/ambit", "github.action_path": str(ROOT),
                          "github.token": "no-token"}
        (folder / "temp").mkdir(exist_ok=True)
        (folder / "bin").mkdir(exist_ok=True)
        (folder / "bin/gh").write_text(GH)
        (folder / "bin/gh").chmod(0o755)
        self.path = [str(folder / "bin"), "/usr/bin", "/bin"]
        self.log, self.status, self.outputs = "", 0, {}
        for step in action["runs"]["steps"]:
            outputs = self.run(step)
            self.contexts |= {f"steps.{step.get('id')}.outputs.{name}": value for name, value in outputs.items()}
            if self.status:
                break
        for name, output in action["outputs"].items():
            self.outputs[name] = self.replace(output["value"])

    def replace(self, text):
        return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: self.contexts.get(match[1], ""), str(text))

    def run(self, step):
        """Runs a step and returns its outputs."""
        files = {name: self.folder / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("")
        environment = {
            "PATH": ":".join(self.path), "HOME": str(self.folder), "RUNNER_OS": "Linux",
            "RUNNER_TEMP": str(self.folder / "temp"), "GITHUB_REPOSITORY": "user/kernels",
            "RELEASES": str(self.folder / "releases"), **{name: str(file) for name, file in files.items()},
            **{name: self.replace(value) for name, value in step.get("env", {}).items()},
        }
        # GitHub runs `shell: bash` with these options.
        command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.replace(step["run"])]
        done = subprocess.run(command, cwd=self.workspace, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        self.log += done.stdout
        self.status = done.returncode
        self.path[:0] = files["GITHUB_PATH"].read_text().splitlines()
        return dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())


class Action(unittest.TestCase):
    wheel = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "workspace/my kernels").mkdir(parents=True)

    def write(self, name, text):
        (self.folder / "workspace" / name).write_text(text)

    def use(self, **inputs):
        inputs = {name.replace("_", "-"): value for name, value in inputs.items()}
        return Run(self.folder, {"package": str(self.wheel), **inputs})

    def test_structure(self):
        action = read_action()
        for key in ("name", "description", "inputs", "outputs", "runs"):
            self.assertTrue(action[key], key)
        self.assertEqual(action["runs"]["using"], "composite")
        for step in action["runs"]["steps"]:
            self.assertEqual(step["shell"], "bash", "GitHub requires a shell in each step of a composite action")
            self.assertNotIn("${{", step["run"], "pass inputs through env, so that bash does not execute them")
        for name, one in action["inputs"].items():
            self.assertTrue(one["description"], name)
            self.assertTrue(one.get("required") or isinstance(one["default"], str), name)
            uses = [value for step in action["runs"]["steps"] for value in step["env"].values()]
            self.assertIn(f"${{{{ inputs.{name} }}}}", uses, "each input is used")

    def test_the_guide_uses_inputs_that_exist(self):
        guide = (ROOT / "docs/guide/ci.md").read_text()
        action = read_action()
        used = 0
        for block in re.findall(r"^```yaml\n(.*?)^```", guide, re.MULTILINE | re.DOTALL):
            for job in (yaml.safe_load(block).get("jobs") or {}).values():
                for step in job["steps"]:
                    if "/ambit@" in step.get("uses", ""):
                        used += 1
                        self.assertLessEqual(set(step["with"]), set(action["inputs"]))
        self.assertGreater(used, 0, "docs/guide/ci.md has an example")

    def test_a_race_fails(self):
        self.write("my kernels/race.litmus", RACE)
        run = self.use(paths="my kernels")
        self.assertEqual(run.status, 1, run.log)
        self.assertEqual(run.outputs["status"], "1")
        self.assertIn("::error title=Ambit::a race", run.log)
        log = json.loads((run.workspace / run.outputs["sarif"]).read_text())
        self.assertEqual([result["ruleId"] for result in log["runs"][0]["results"]], ["data-race"])
        uri = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertEqual(uri, "my%20kernels/race.litmus", "relative to the repository, with the space of the input")

    def test_no_race_passes(self):
        self.write("my kernels/fixed.litmus", NO_RACE)
        run = self.use(paths="my kernels\n", models="ptx", args="--unroll\n  3\n")
        self.assertEqual((run.status, run.outputs["status"]), (0, "0"), run.log)
        self.assertEqual(json.loads((run.workspace / "ambit.sarif").read_text())["runs"][0]["results"], [])

    def test_fail_on_race_chooses(self):
        self.write("race.litmus", RACE)
        self.assertEqual(self.use(paths="race.litmus", fail_on_race="false").status, 0)
        self.assertEqual(self.use(paths="race.litmus", fail_on_race="ptx").status, 1)

    def test_without_a_log(self):
        self.write("fixed.litmus", NO_RACE)
        run = self.use(paths="fixed.litmus", sarif="")
        self.assertEqual((run.status, run.outputs["sarif"]), (0, ""), run.log)
        self.assertFalse((run.workspace / "ambit.sarif").exists())

    def test_judge(self):
        self.write("race.litmus", RACE)
        run = self.use(paths="race.litmus", command="judge", models="ptx")
        self.assertEqual(run.status, 1, run.log)
        document = json.loads((run.workspace / run.outputs["report"]).read_text())
        self.assertEqual(document["judged"][0]["verdict"], "race")
        self.assertEqual(self.use(paths="race.litmus", command="judge", fail_on_race="false").status, 0)

    def test_bad_inputs(self):
        self.assertEqual(self.use(paths="nothing.litmus").outputs["status"], "2")
        for inputs in ({"paths": ""}, {"paths": "x", "command": "chekc"}, {"paths": "x", "package": "no.whl"}):
            run = self.use(**inputs)
            self.assertEqual(run.status, 2, run.log)
            self.assertIn("::error title=Ambit::", run.log)

    def test_inputs_are_not_executed(self):
        wheel = self.folder / "sample.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            program = zipfile.ZipInfo("ambit/bin/ambit")
            program.external_attr = 0o100755 << 16
            archive.writestr(program, '#!/bin/sh\nprintf "(%s) " "$@"\n')
        run = self.use(paths="a b\n c\n", args="--launch\n k<<<1, 2>>>(\"x\")", package=wheel, sarif="")
        self.assertIn('(check) (a b) (c) (--launch) (k<<<1, 2>>>("x")) (--fail-on-race)', run.log)
        mark = self.folder / "executed"
        text = f'$(touch {mark}); `touch {mark}`; "; touch {mark}; "'
        for name in ("paths", "models", "args", "sarif", "command", "fail_on_race", "package", "version"):
            self.use(**{"paths": "x", "package": wheel, name: text})
            self.assertFalse(mark.exists(), name)

    def release(self, tag, digest=None):
        folder = self.folder / "releases" / tag
        folder.mkdir(parents=True)
        shutil.copy(self.wheel, folder)
        digest = digest or hashlib.sha256(self.wheel.read_bytes()).hexdigest()
        (folder / "SHA256SUMS").write_text(f"{digest}  {self.wheel.name}\n{'0' * 64}  another.deb\n")

    def test_the_release_of_the_action_is_installed(self):
        self.write("race.litmus", RACE)
        version = re.search(r"project\(ambit VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.release(f"v{version}")
        run = self.use(paths="race.litmus", package="")
        self.assertEqual(run.outputs["status"], "1", run.log)
        calls = (self.folder / "releases/calls").read_text()
        self.assertRegex(calls, rf"^release download v{version} --repo someone/ambit ")
        pattern = re.search(r"--pattern (\S+\.whl)", calls)[1]
        self.assertTrue(re.fullmatch(pattern.replace("*", ".*"), re.sub(r"cp\d+", "cp311", self.wheel.name)), pattern)

    def test_another_release(self):
        self.write("fixed.litmus", NO_RACE)
        self.release("v9.9.9")
        self.assertEqual(self.use(paths="fixed.litmus", package="", version="v9.9.9").status, 0)

    def test_a_release_that_does_not_exist(self):
        (self.folder / "releases").mkdir()
        run = self.use(paths="x", package="", version="v0.0.1")
        self.assertEqual(run.status, 2, run.log)
        self.assertIn("there is no release v0.0.1", run.log)

    def test_a_damaged_release(self):
        self.release("v9.9.9", digest="1" * 64)
        run = self.use(paths="x", package="", version="v9.9.9")
        self.assertNotEqual(run.status, 0)
        self.assertIn("FAILED", run.log)

    def test_the_sources_can_be_built(self):
        """`./dev install` is replaced by a script, because a build takes long."""
        action_path = self.folder / "action"
        action_path.mkdir()
        (action_path / "dev").write_text("""#!/usr/bin/env bash
set -euo pipefail
[[ $1 == install && $2 == --prefix ]]
mkdir -p "$3/bin"
printf '#!/bin/sh\\necho built "$@"\\n' >"$3/bin/ambit"
chmod +x "$3/bin/ambit"
""")
        (action_path / "dev").chmod(0o755)
        action = read_action()
        action["runs"]["steps"][0]["env"]["ACTION_PATH"] = str(action_path)
        run = Run(self.folder, {"paths": "x", "package": "source"}, action)
        self.assertEqual(run.status, 0, run.log)
        self.assertIn("built check x --fail-on-race", run.log)


if __name__ == "__main__":
    wheels = list(pathlib.Path(sys.argv.pop(1)).glob("ambit-*.whl"))
    if not wheels or not shutil.which("unzip"):
        print("skipped: there is no wheel" if not wheels else "skipped: unzip is not installed")
        sys.exit(77)
    Action.wheel = wheels[0].resolve()
    unittest.main()
