"""Checks the files in .github/workflows, and runs the last step of release.yml with a script in place of `gh`.

Skipped (exit status 77) without PyYAML.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    print("skipped: PyYAML is not installed (package python3-yaml)")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORKFLOWS = {file.name: yaml.safe_load(file.read_text()) for file in sorted((ROOT / ".github/workflows").glob("*.yml"))}


def steps():
    """Returns (workflow, job, step) for all steps."""
    return [(name, job_name, step) for name, workflow in WORKFLOWS.items()
            for job_name, job in workflow["jobs"].items() for step in job["steps"]]


def commands_of_dev():
    """Returns the commands that `./dev` accepts: the labels of the last `case` in `./dev`."""
    text = (ROOT / "dev").read_text().split('\ncase "$command" in\n')[1]
    return {word for labels in re.findall(r"^  ([\w |-]+)\)", text, re.MULTILINE) for word in labels.split(" | ")}


class Workflows(unittest.TestCase):
    def test_commands_exist(self):
        called = set()
        for name, job, step in steps():
            for command in re.findall(r"\./dev (\w+)", step.get("run", "")):
                called.add(command)
                self.assertIn(command, commands_of_dev(), f"{name}, job {job}")
        self.assertLessEqual({"test", "lint", "wheel", "package"}, called)

    def test_steps(self):
        for name, job, step in steps():
            self.assertEqual(("run" in step) + ("uses" in step), 1, f"{name}, job {job}: {step}")
            if "uses" in step and step["uses"] != "./":
                self.assertRegex(step["uses"], r"^[\w-]+/[\w./-]+@v\d", f"{name}, job {job}: an action needs a version")
            if step.get("uses") == "./":
                inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
                self.assertLessEqual(set(step["with"]), set(inputs), f"{name}, job {job}")
            if "run" in step:
                script = re.sub(r"\$\{\{.*?\}\}", "value", step["run"])
                done = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, f"{name}, job {job}: {done.stderr}")

    def test_jobs_need_existing_jobs(self):
        for name, workflow in WORKFLOWS.items():
            for job_name, job in workflow["jobs"].items():
                needs = job.get("needs", [])
                for needed in [needs] if isinstance(needs, str) else needs:
                    self.assertIn(needed, workflow["jobs"], f"{name}, job {job_name}")

    def test_only_the_release_may_write(self):
        for name, workflow in WORKFLOWS.items():
            self.assertEqual(workflow["permissions"], {"contents": "read"}, name)
            for job_name, job in workflow["jobs"].items():
                if "permissions" in job:
                    self.assertEqual((name, job_name), ("release.yml", "release"))
                    self.assertEqual(job["permissions"], {"contents": "write"})

    def test_the_release_waits_for_all_files(self):
        jobs = WORKFLOWS["release.yml"]["jobs"]
        uploading = {name for name, job in jobs.items()
                     if any(step.get("uses", "").startswith("actions/upload-artifact") for step in job["steps"])}
        self.assertEqual(set(jobs["release"]["needs"]), uploading)
        download = next(step for step in jobs["release"]["steps"] if "download-artifact" in step.get("uses", ""))
        for name in uploading:
            upload = next(step for step in jobs[name]["steps"] if "upload-artifact" in step.get("uses", ""))
            self.assertTrue(upload["with"]["name"].startswith(download["with"]["pattern"].rstrip("*")), name)
            self.assertEqual(upload["with"]["path"], "files/")


class Release(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "files").mkdir()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/gh").write_text('#!/bin/sh\nfor one in "$@"; do echo "$one"; done >calls\n')
        (self.folder / "bin/gh").chmod(0o755)
        for file in ("ambit-9.9.9-cp311-cp311-manylinux_2_35_x86_64.whl", "ambit_9.9.9_amd64_debian12.deb"):
            (self.folder / "files" / file).write_text(file)

    def release(self, changelog):
        """Runs the last step of release.yml for version 9.9.9."""
        (self.folder / "CHANGELOG.md").write_text(changelog)
        step = WORKFLOWS["release.yml"]["jobs"]["release"]["steps"][-1]
        self.assertNotIn("${{", step["run"])
        environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "GITHUB_REF_NAME": "v9.9.9"}
        return subprocess.run(["bash", "-e", "-c", step["run"]], cwd=self.folder, env=environment, capture_output=True,
                              text=True)

    def test_all_files_are_attached(self):
        done = self.release("## Unreleased\n\n- new\n\n## 9.9.9 - 2026-11-30\n\n- ours\n\n## 9.9.8\n\n- old\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        calls = (self.folder / "calls").read_text().splitlines()
        self.assertEqual(calls[:3], ["release", "create", "v9.9.9"])
        self.assertEqual(calls[-3:], ["files/SHA256SUMS"] + [f"files/{name}" for name in (
            "ambit-9.9.9-cp311-cp311-manylinux_2_35_x86_64.whl", "ambit_9.9.9_amd64_debian12.deb")])
        check = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=self.folder / "files",
                               capture_output=True, text=True)
        self.assertEqual(check.stdout.count(": OK"), 2, check.stdout + check.stderr)
        self.assertEqual((self.folder / "notes.md").read_text().strip(), "- ours")

    def test_a_version_without_changes_is_refused(self):
        done = self.release("# Changelog\n\n## Unreleased\n\n- new\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("CHANGELOG.md has no section for 9.9.9", done.stdout)
        self.assertFalse((self.folder / "calls").exists())

    def test_the_action_finds_its_wheel(self):
        """The pattern in action.yml matches the wheel that `./dev wheel` makes for Python 3.11 on Debian 12."""
        matrix = WORKFLOWS["release.yml"]["jobs"]["packages"]["strategy"]["matrix"]["include"]
        self.assertIn("debian:12", [one["system"] for one in matrix])
        self.assertIn("ambit-*-cp311-*_$(uname -m).whl", (ROOT / "action.yml").read_text())


if __name__ == "__main__":
    unittest.main()
