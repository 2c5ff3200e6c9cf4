"""Checks the shared libraries in a virtual environment with the wheel: wheel_libraries.py TEST. Each library must be in
the environment, or belong to every system of a manylinux tag."""

import pathlib
import re
import subprocess
import sys

PROMISED = re.compile(r"(ld-linux.*|lib(c|m|mvec|dl|rt|pthread|util|anl|resolv|gcc_s|stdc\+\+))\.so(\.\d+)*$")


def mapped():
    """Returns the shared libraries of this process."""
    lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    return {pathlib.Path(line.split()[-1]) for line in lines if re.search(r"\.so(\.\d+)*$", line)}


def foreign(libraries):
    """Returns the libraries that are neither in the environment nor part of manylinux."""
    return [str(library) for library in libraries
            if not library.is_relative_to(sys.prefix) and not PROMISED.match(library.name)]


before = mapped()
import ambit  # noqa: E402 (only Python's own libraries may be loaded before this import)

answers = [verdict.answer for verdict in ambit.check(ambit.read(sys.argv[1]), ["sc", "ptx"])]
assert answers == ["Never", "Sometimes"], answers
loaded = mapped() - before
assert any(library.name.startswith("libz3-") for library in loaded), loaded
assert not foreign(loaded), foreign(loaded)

program = pathlib.Path(ambit.__file__).parent / "bin/ambit"
linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
paths = [pathlib.Path(path) for path in re.findall(r"=> (/\S+)", linked)]
assert len(paths) > 5 and "not found" not in linked, linked
assert not foreign(path.resolve() for path in paths), linked
