"""Bundles shared libraries with programs, so that they run on systems without these libraries.

Systems with a manylinux tag (PEP 600) have the C library, libgcc and libstdc++. bundle() copies all other libraries
that a folder of programs needs into the folder. Like auditwheel, it adds a hash to the name of a copy, so that the
dynamic linker does not take another library with the same name for the copy.
"""

import collections
import hashlib
import os
import pathlib
import re
import shutil
import subprocess

# The libraries that every system with a manylinux tag has.
PROMISED = re.compile(r"(ld-linux.*|lib(c|m|mvec|dl|rt|pthread|util|anl|resolv|gcc_s|stdc\+\+))\.so(\.\d+)*$")

# If a distribution has this version of glibc, it has these versions of libstdc++ and libgcc (auditwheel's
# manylinux-policy.json).
GLIBC_OF_CXX = [
    ((2, 34), {"GLIBCXX": (3, 4, 29), "CXXABI": (1, 3, 13), "GCC": (7, 0, 0)}),
    ((2, 35), {"GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12, 0, 0)}),
    ((2, 39), {"GLIBCXX": (3, 4, 33), "CXXABI": (1, 3, 15), "GCC": (14, 0, 0)}),
]

# The symbol versions whose names have no number: a feature of glibc 2.36, and features of libstdc++ since GCC 4.7.
NAMED_VERSIONS = {("GLIBC", "ABI_DT_RELR"): (2, 36), ("CXXABI", "FLOAT128"): (1, 3), ("CXXABI", "TM_1"): (1, 3)}


class BundleError(Exception):
    """Raised if the programs cannot be made independent of the system's libraries."""


def output(*command):
    """Returns the standard output of a command. Raises BundleError if the command is missing or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    except FileNotFoundError:
        raise BundleError(f"{command[0]} is not installed: `./dev wheel` installs it") from None
    if done.returncode != 0:
        raise BundleError(f"{' '.join(map(str, command))}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def elf_files(folder):
    """Returns the programs and shared libraries below a folder, sorted by path."""
    return sorted(file for file in folder.rglob("*")
                  if file.is_file() and not file.is_symlink() and file.open("rb").read(4) == b"\x7fELF")


def needed(file):
    """Returns the names of the libraries that an ELF file needs directly."""
    return output("patchelf", "--print-needed", file).split()


def located(file):
    """Returns {name: path} for the libraries that the dynamic linker would load for a file. A missing library has the
    value None."""
    found = {}
    for line in output("ldd", file).splitlines():
        match = re.match(r"\s*(\S+) => (not found|\S+)", line)
        if match:
            found[match[1]] = None if match[2] == "not found" else pathlib.Path(match[2])
    return found


def name_with_hash(library):
    """Returns a library's name with a hash of its bytes: `libz3-1a2b3c4d.so.4` for libz3.so.4."""
    digest = hashlib.sha256(library.read_bytes()).hexdigest()[:8]
    stem, dot, rest = library.name.partition(".so")
    return f"{stem}-{digest}{dot}{rest}"


def copy_libraries(folder, libraries):
    """Copies each needed library to the folder `libraries`, except libraries that match PROMISED or are in `folder`.
    Returns {name: (original, copy)}."""
    own = {file.name for file in elf_files(folder)}
    copies = {}
    waiting = collections.deque(elf_files(folder))
    while waiting:
        file = waiting.popleft()
        places = located(file)
        for name in needed(file):
            if name in own or name in copies or PROMISED.match(name):
                continue
            if places.get(name) is None:
                raise BundleError(f"{file}: the library {name} is not installed")
            libraries.mkdir(parents=True, exist_ok=True)
            copy = libraries / name_with_hash(places[name])
            shutil.copyfile(places[name].resolve(), copy)
            copy.chmod(0o755)
            copies[name] = (places[name], copy)
            waiting.append(places[name])
    return copies


def link_to_copies(folder, copies):
    """Makes each ELF file in `folder` load the copies and the folder's own libraries by paths relative to the file."""
    places = {file.name: file for file in elf_files(folder)} | {name: copy for name, (_, copy) in copies.items()}
    names_of_copies = {copy.name for _, copy in copies.values()}
    for file in elf_files(folder):
        changes = [["--set-soname", file.name]] if file.name in names_of_copies else []
        searched = []
        for name in needed(file):
            if PROMISED.match(name):
                continue
            where = f"$ORIGIN/{os.path.relpath(places[name].parent, file.parent)}"
            if where not in searched:
                searched.append(where)
            if name in copies:
                changes.append(["--replace-needed", name, places[name].name])
        # DT_RPATH, unlike DT_RUNPATH, takes precedence over LD_LIBRARY_PATH.
        path = ["--force-rpath", "--set-rpath", ":".join(searched)] if searched else ["--remove-rpath"]
        for change in changes + [path]:  # separate calls, because patchelf 0.14 confuses symbol versions otherwise
            output("patchelf", *change, file)


def check(folder):
    """Raises BundleError if the dynamic linker would load a library outside `folder` that does not match PROMISED, or
    finds other symbol versions than the files need."""
    for file in elf_files(folder):
        linked = subprocess.run(["ldd", file], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
        for line in (linked.stdout + linked.stderr).splitlines():
            if "version" in line and "required by" in line:
                raise BundleError(f"{file}: {line.strip()}")
        for name, path in located(file).items():
            if path is None:
                raise BundleError(f"{file}: {name} is not found")
            if not PROMISED.match(name) and not path.resolve().is_relative_to(folder.resolve()):
                raise BundleError(f"{file}: {name} comes from {path}")


def bundle(folder, libraries):
    """Copies all libraries that the programs in `folder` need into the folder `libraries` below `folder`.
    Returns {original path: copy}."""
    copies = copy_libraries(folder, libraries)
    link_to_copies(folder, copies)
    check(folder)
    return dict(copies.values())


def symbol_versions(files):
    """Returns {"GLIBC": (2, 36), ...}: the newest symbol versions that the files need. Raises BundleError for versions
    that no manylinux tag includes."""
    newest = {}
    for file in files:
        text = output("readelf", "--version-info", "--wide", file)
        for prefix, version in re.findall(r"Name: ([A-Z]+)_(\S+)\s+Flags:", text):
            if prefix not in ("GLIBC", "GLIBCXX", "CXXABI", "GCC"):
                continue  # a version of a bundled library
            number = NAMED_VERSIONS.get((prefix, version))
            if number is None:
                if not re.fullmatch(r"[\d.]+", version):
                    raise BundleError(f"{file} needs {prefix}_{version}, which no manylinux tag promises")
                number = tuple(map(int, version.split(".")))
            newest[prefix] = max(newest.get(prefix, ()), number)
    return newest


def platform_tag(versions, machine):
    """Returns the manylinux tag of the oldest systems that have these symbol versions: `manylinux_2_35_x86_64`. If the
    versions of libstdc++ are too new for the table, returns `linux_x86_64`, which promises nothing about other
    systems."""
    for glibc, limits in GLIBC_OF_CXX:
        if all(versions.get(prefix, ()) <= limit for prefix, limit in limits.items()):
            oldest = max(glibc, versions.get("GLIBC", ()))
            return f"manylinux_{oldest[0]}_{oldest[1]}_{machine}"
    return f"linux_{machine}"
