#!/usr/bin/env python3
"""Checks the subject of a commit message: `module: verb object`, imperative, at most 72 characters.

    tests/prose/commit_subject.py FILE_WITH_THE_MESSAGE

.pre-commit-config.yaml runs it before each commit. The imperative is checked by the verb's ending. The exit status is 1
and the reason is printed if the subject is wrong.
"""

import pathlib
import re
import sys

LONGEST = 72
EXAMPLE = "example: 'parser/cuda: read launches without arguments'"


def flaw(subject):
    """Returns the reason why the subject is wrong, or None."""
    if subject.startswith(("Revert ", "fixup! ", "squash! ")):
        return None
    if len(subject) > LONGEST:
        return f"the subject has {len(subject)} characters; at most {LONGEST} are allowed"
    match = re.fullmatch(r"[a-z0-9_./-]+: ([a-z][a-z-]*) \S.*", subject)
    if match is None:
        return "expected 'module: verb object', with one module and a verb, both in lower case"
    verb = match.group(1)
    if re.search(r"(?<!e)ed$|ing$|(?<!s)s$", verb) and verb not in ("bring", "embed", "bias", "focus"):
        return f"expected a verb in the imperative after the module, found '{verb}'"
    if subject.endswith("."):
        return "the subject ends with a full stop"
    return None


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lines = pathlib.Path(sys.argv[1]).read_text().splitlines()
    subject = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    reason = flaw(subject)
    if reason is not None:
        sys.exit(f"commit subject '{subject}': {reason}\n{EXAMPLE}")


if __name__ == "__main__":
    main()
