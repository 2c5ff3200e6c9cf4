# SPDX-License-Identifier: Apache-2.0
"""Runs the program `ambit` that the wheel contains. The wheel's console script `ambit` calls main().

The module is not part of the package `ambit`, because importing that package loads the library.
"""

import os
import pathlib
import sys


def main():
    """Replaces this process with the program, so that the program receives all signals."""
    program = pathlib.Path(__file__).parent / "ambit/bin/ambit"
    os.execv(program, [str(program), *sys.argv[1:]])
