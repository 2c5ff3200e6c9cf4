#!/usr/bin/env python3
"""Finds wording that docs/style.md replaces, in comments, messages, help, documents and page texts.

    tests/prose/prose.py [--list PATTERN] [FILE...]
    tests/prose/prose.py --sample 200 --seed 1

The third column of the table in docs/style.md has a pattern for a row: a Python regular expression, without regard to
case. Each match is printed with its file and line. The exit status is 1 if there are matches. tests/prose/exempt.txt
names lines that may match, and why. An exemption that matches nothing is an error.

`--sample` prints that many random sentences instead, for a reader who marks those that need a second reading. Without
files, the script reads all files that Git tracks. Quoted text is not read: code blocks and `code` in documents,
and `code` in comments.
"""

import argparse
import io
import pathlib
import random
import re
import subprocess
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parents[2]
C_LIKE = {".cpp", ".h", ".cu", ".cuh", ".inc", ".js", ".mjs", ".css", ".g4"}
HASH = {".cmake", ".txt", ".py", ".sh", ".yml", ".yaml", ".typed"}
# Tests compare output with files of tests; the wording comes from the program. NVIDIA wrote the texts of the error table.
SKIPPED = (
    "tests/golden/",
    "tests/cli/cases/",
    "tests/exec/kept/",
    "tests/prose/",
    "apps/server/web/package-lock.json",
    "runner/cudart/error_table.h",
)


def read_patterns():
    """Returns (pattern text, compiled pattern, what to write instead) for each row that has a pattern."""
    rows = []
    for line in (ROOT / "docs/style.md").read_text().splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)][1:-1]
        if len(cells) != 3 or not cells[2].startswith("`"):
            continue
        pattern = cells[2].strip("`").replace("\\|", "|")
        rows.append((pattern, re.compile(pattern, re.IGNORECASE), cells[1]))
    return rows


def read_exemptions():
    """Returns {(path, text): reason} from lines of the form `path: text # reason`."""
    exemptions = {}
    for line in (ROOT / "tests/prose/exempt.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        path, rest = line.split(": ", 1)
        text, reason = rest.rsplit(" # ", 1)
        exemptions[(path, text.strip())] = reason
    return exemptions


def without_code(text):
    """Replaces `code` by spaces of the same length."""
    return re.sub(r"`[^`]*`", lambda match: " " * len(match.group()), text)


C_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]{0,16})\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'',
    re.DOTALL,
)


def parts_of_c(text):
    """Yields (line, part) for each line of a comment, and for each string literal with two words.

    A part is the text after its kind: C, the first line of a comment; K, a further line of a comment or a further
    literal of a string; S, a string; P, a page.
    """
    last = (-1, 0)  # line and column of the last comment
    string_end = -1  # end of the last string literal
    for match in C_TOKEN.finditer(text):
        token = match.group()
        line = text.count("\n", 0, match.start()) + 1
        if token.startswith("// namespace "):
            continue  # the end of a namespace
        if token.startswith(("//", "/*")):
            begin = text.rfind("\n", 0, match.start()) + 1
            column = match.start() - begin
            # A comment after code describes this line only.
            follows = last == (line - 1, column) and not text[begin : match.start()].strip()
            for offset, one in enumerate(token.split("\n")):
                kind = "K " if follows or offset else "C "
                yield line + offset, kind + re.sub(r"^\s*(///?<?|/\*+|\*)\s?", "", one)
            last = (line + token.count("\n"), column)
        elif token.startswith('R"'):
            continue  # programs and grammars
        elif token.startswith('"') and re.search(r"[a-z]{2,} +[a-z]{2,}", token):
            continues = string_end >= 0 and not text[string_end : match.start()].strip()
            yield line, ("K " if continues else "S ") + token[1:-1]
            string_end = match.end()


class CommentLines:
    """Distinguishes the first line of a comment from its further lines. A comment after code is one line."""

    def __init__(self):
        self.last = (-1, -1)

    def kind(self, number, column, is_after_code):
        follows = self.last == (number - 1, column) and not is_after_code
        self.last = (number, column)
        return "K " if follows else "C "


def parts_of_python(text):
    comments = CommentLines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            number, column = token.start
            kind = comments.kind(number, column, bool(token.line[:column].strip()))
            yield number, kind + token.string.lstrip("# ")
        elif token.type == tokenize.STRING and " " in token.string:
            for offset, one in enumerate(token.string.split("\n")):
                yield token.start[0] + offset, ("K " if offset else "S ") + one.strip().strip("\"'f")


def parts_of_comments(text, begin):
    """Yields the comments of a format in which each comment begins with the pattern `begin` and ends with its line."""
    comments = CommentLines()
    for number, line in enumerate(text.split("\n"), 1):
        match = re.search(rf"(?:^|(?<=\s)){begin}(.*)", line)
        if match and not line.startswith("#!"):
            kind = comments.kind(number, match.start(), bool(line[: match.start()].strip()))
            yield number, kind + match.group(1).strip()


def parts_of_markdown(text):
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith("    "):
            yield number, "P " + line


def parts_of_litmus(text):
    yield from parts_of_comments(text, "//")
    for number, line in enumerate(text.split("\n"), 1):
        for reason in re.findall(r'because "([^"]*)"', line):
            yield number, "S " + reason


def parts_of_html(text):
    for number, line in enumerate(text.split("\n"), 1):
        yield number, "P " + re.sub(r"<[^>]*>", " ", line)


def parts_of_cat(text):
    for match in re.finditer(r"\(\*.*?\*\)|//[^\n]*", text, re.DOTALL):
        line = text.count("\n", 0, match.start()) + 1
        for offset, one in enumerate(match.group().split("\n")):
            yield line + offset, ("K " if offset else "C ") + re.sub(r"^\s*(\(\*|//)\s?", "", one)


def parts_of(path):
    """Returns the parts of a file that people read, as (line, kind and text)."""
    suffix = path.suffix
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return []
    if suffix == ".md":
        return parts_of_markdown(text)
    if suffix == ".litmus" or suffix == ".test":
        return parts_of_litmus(text)
    if suffix == ".cat":
        return parts_of_cat(text)
    if suffix == ".py":
        return parts_of_python(text)
    if suffix == ".html":
        return parts_of_html(text)
    if suffix in C_LIKE:
        return parts_of_c(text)
    if suffix in HASH or path.name in ("dev", "Dockerfile"):
        return parts_of_comments(text, "#")
    return []


def tracked_files():
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode == 0 and listing.stdout:
        return [name for name in listing.stdout.decode().split("\0") if name]
    skipped = {"build", ".git", "node_modules"}
    return [
        str(path.relative_to(ROOT))
        for path in sorted(ROOT.rglob("*"))
        if path.is_file() and not skipped.intersection(path.relative_to(ROOT).parts)
    ]


def sentences_of(name):
    """Returns the sentences of a file with at least four words, each as "file:line: text"."""
    blocks = []
    last = None
    for line, part in parts_of(ROOT / name):
        is_adjacent = last is not None and line in (last, last + 1)
        starts = not is_adjacent or part[0] in "CS" or not part[2:].strip() or part[2:].lstrip()[:1] in tuple("|#-*")
        if starts:
            blocks.append((line, part[2:].strip()))
        else:
            blocks[-1] = (blocks[-1][0], blocks[-1][1] + " " + part[2:].strip())
        last = line
    found = []
    for line, text in blocks:
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z`]|[a-z_:]+\()", text):
            if len(re.findall(r"[A-Za-z]{2,}", sentence)) >= 4:
                found.append(f"{name}:{line}: {sentence}")
    return found


def find_matches(names, patterns, exemptions):
    """Returns the matches as lines of text, and the exemptions that were used."""
    found = []
    used = set()
    for name in names:
        if name == "docs/style.md":
            continue
        path = ROOT / name
        if not path.is_file():
            continue
        for line, part in parts_of(path):
            text = without_code(part[2:])
            for pattern, compiled, instead in patterns:
                # A pattern that begins with ^ is about the first line of a comment.
                if pattern.startswith("^") and part[0] != "C":
                    continue
                if not compiled.search(text):
                    continue
                exempt = [key for key in exemptions if key[0] == name and key[1] in part]
                used.update(exempt)
                if not exempt:
                    found.append(f"{name}:{line}: {part[2:].strip()}\n    /{pattern}/: {instead}")
    return found, used


def main():
    options = argparse.ArgumentParser(description="Finds wording that docs/style.md replaces.")
    options.add_argument("--list", metavar="PATTERN", help="use this pattern instead of those of docs/style.md")
    options.add_argument("--sample", metavar="N", type=int, help="print N random sentences")
    options.add_argument("--seed", type=int, default=1, help="of --sample; 1 without")
    options.add_argument("files", nargs="*", help="files relative to the project; all tracked files without")
    given = options.parse_args()
    names = [name for name in given.files or tracked_files() if not name.startswith(SKIPPED)]
    if given.sample:
        sentences = [one for name in names if (ROOT / name).is_file() for one in sentences_of(name)]
        for one in random.Random(given.seed).sample(sentences, min(given.sample, len(sentences))):
            print(one)
        return 0
    patterns = [(given.list, re.compile(given.list, re.IGNORECASE), "")] if given.list else read_patterns()
    if not patterns:
        sys.exit("docs/style.md has no patterns: expected a table of three columns")
    exemptions = read_exemptions()
    found, used = find_matches(names, patterns, exemptions)
    for one in found:
        print(one)
    unused = [] if given.files or given.list else sorted(set(exemptions) - used)
    for path, text in unused:
        print(f"tests/prose/exempt.txt: no line of {path} matches a pattern and contains: {text}")
    print(f"{len(found)} matches, {len(unused)} unused exemptions")
    return 1 if found or unused else 0


if __name__ == "__main__":
    sys.exit(main())
