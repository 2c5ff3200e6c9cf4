#!/usr/bin/env python3
"""Tests of the wording checker and of the check of commit subjects."""

import pathlib
import re
import tempfile
import unittest
import unittest.mock

import commit_subject
import prose

STANDS = [("stands", re.compile(r"\bstands\b"), "is")]
WHAT = [("^what", re.compile(r"^what", re.IGNORECASE), "")]


def lines_with(patterns, suffix, text):
    """Returns the lines of a file with that text and suffix that match."""
    name = "file" + suffix
    # A temporary folder in the project would disturb tests that walk the project at the same time.
    with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(prose, "ROOT", pathlib.Path(folder)):
        (prose.ROOT / name).write_text(text)
        found, _ = prose.find_matches([name], patterns, {})
    return [int(one.split(":")[1]) for one in found]


class Wording(unittest.TestCase):
    def test_each_kind_of_text_is_read(self):
        self.assertEqual(lines_with(STANDS, ".cpp", "int stands;\n// it stands here\n/* a\n b stands */\n"), [2, 4])
        self.assertEqual(lines_with(STANDS, ".h", 'f("the fence stands here", "stands");\n'), [1])
        self.assertEqual(lines_with(STANDS, ".md", "It stands.\n```\nit stands\n```\nThe word `stands`.\n"), [1])
        self.assertEqual(lines_with(STANDS, ".litmus", 'expect ptx: norace because "it stands" // stands\nstands\n'), [1, 1])
        self.assertEqual(lines_with(STANDS, ".py", '# it stands\nx = "it stands"\nstands = 1\n'), [1, 2])
        self.assertEqual(lines_with(STANDS, ".cmake", "# it stands\nset(stands 1)\n"), [1])
        self.assertEqual(lines_with(STANDS, ".cat", "(* it\n stands *)\nlet stands = po\n"), [2])
        self.assertEqual(lines_with(STANDS, ".html", "<p class=stands>it\nstands</p>\n"), [2])

    def test_raw_strings_are_programs(self):
        self.assertEqual(lines_with(STANDS, ".cpp", 'auto x = R"(// it stands)";\n'), [])

    def test_an_opening_is_the_first_word_of_a_comment(self):
        self.assertEqual(lines_with(WHAT, ".h", "/// What a reader sees.\n/// It is\n/// what it is.\nint x;  ///< what\n"), [1, 4])

    def test_the_table_has_patterns(self):
        rows = prose.read_patterns()
        self.assertGreater(len(rows), 15)
        for text in ["so many threads", "a false alarm", "The same for a warp", "whoever waits", "it is told so"]:
            self.assertTrue(any(compiled.search(text) for _, compiled, _ in rows), text)


class Subjects(unittest.TestCase):
    def test_right_subjects(self):
        for subject in [
            "parser/cuda: read launches without arguments",
            "api: show the schedule of a remedy",
            "docs: process tables in one pass",
            'Revert "docs: add a table"',
        ]:
            self.assertIsNone(commit_subject.flaw(subject), subject)

    def test_wrong_subjects(self):
        for subject in [
            "What clang-tidy found in the files of today",
            "detector: fixed a crash",
            "detector: fixes a crash",
            "detector: Fix a crash",
            "detector: fix a crash.",
            "detector: " + "keep " * 20,
            "fix a crash",
            "api, report: show the schedule of a remedy",
            "CHANGELOG: add an entry",
        ]:
            self.assertIsNotNone(commit_subject.flaw(subject), subject)


if __name__ == "__main__":
    unittest.main()
