#!/usr/bin/env python3
"""Makes a self-contained Python wheel from a build.

    cmake/package/wheel.py BUILD FOLDER

The wheel contains the Python module, the program `ambit`, its manual pages and completions, the replacement CUDA
runtime, all shared libraries that these files need (bundle.py), and the licences of the libraries. The script prints
the wheel's path. Two builds of the same files give the same wheel.
"""

import argparse
import base64
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bundle  # noqa: E402 (must follow the line that adds this script's folder to the path)

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The Debian packages with code that is compiled into the program.
COMPILED_IN = ("libcadical-dev", "libcli11-dev", "nlohmann-json3-dev", "pybind11-dev")


def settings(build):
    """Returns the variables of CMake's cache, and the description of the Debian package."""
    values = {}
    cache = build / "CMakeCache.txt"
    if not cache.is_file():
        raise bundle.BundleError(f"{build} is not a build folder: `./dev wheel` builds first")
    for line in cache.read_text().splitlines():
        match = re.match(r"(\w+):\w+=(.*)", line)
        if match:
            values[match[1]] = match[2]
    if values.get("AMBIT_PYTHON_MISSING"):
        raise bundle.BundleError(f"the Python module is not built: {values['AMBIT_PYTHON_MISSING']}")
    match = re.search(r'CPACK_PACKAGE_DESCRIPTION_SUMMARY "(.*)"', (build / "CPackConfig.cmake").read_text())
    values["summary"] = match[1]
    return values


def lay_out(build, values, stage, wheel):
    """Installs the build to `stage`, without debug symbols, and moves the wheel's files from `stage` to the folder
    `wheel`."""
    for component in ("program", "library", "python"):
        bundle.output("cmake", "--install", build, "--strip", "--component", component, "--prefix", stage)
    shutil.move(stage / values["AMBIT_PYTHON_DIR"] / "ambit", wheel / "ambit")
    shutil.copy(ROOT / "apps/python/_ambit_program.py", wheel)
    # To find the CUDA runtime, the program searches ../lib/ambit/cudart, and the library searches ambit/cudart.
    (wheel / "ambit/bin").mkdir()
    (wheel / "ambit/lib/ambit").mkdir(parents=True)
    shutil.move(stage / "bin/ambit", wheel / "ambit/bin/ambit")
    shutil.move(stage / "lib/ambit/cudart", wheel / "ambit/lib/ambit/cudart")
    for library in (stage / values["CMAKE_INSTALL_LIBDIR"]).glob("libambit.so.*"):
        if not library.is_symlink():
            name = bundle.output("patchelf", "--print-soname", library).strip()
            shutil.move(library, wheel / "ambit/lib" / name)
    shared = wheel / f"ambit-{values['CMAKE_PROJECT_VERSION']}.data/data/share"
    for folder in ("man", "bash-completion", "zsh", "fish"):
        shutil.move(stage / "share" / folder, shared / folder)


def package_of(library):
    """Returns the Debian package that contains a file. Debian may list the file below /lib, /usr/lib or both."""
    for path in (library.resolve(), library, pathlib.Path(str(library.resolve()).removeprefix("/usr"))):
        found = subprocess.run(["dpkg-query", "--search", str(path)], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise bundle.BundleError(f"{library} belongs to no Debian package, so its licence is unknown")


def copy_licences(libraries, folder):
    """Copies Ambit's licence. For each package in the wheel, copies the copyright file and the licence texts that the
    copyright file names."""
    folder.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", folder)
    shutil.copy(ROOT / "cmake/package/copyright", folder)
    texts = set()
    for package in sorted({package_of(library) for library in libraries} | set(COMPILED_IN)):
        copyright = pathlib.Path("/usr/share/doc") / package / "copyright"
        if not copyright.is_file():
            raise bundle.BundleError(f"{copyright} is missing: the wheel needs the licence of {package}")
        (folder / package).mkdir()
        shutil.copy(copyright, folder / package)
        texts |= set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", copyright.read_text(errors="replace")))
    (folder / "common-licenses").mkdir()
    for text in sorted(texts):
        if (pathlib.Path("/usr/share/common-licenses") / text).is_file():
            shutil.copy(pathlib.Path("/usr/share/common-licenses") / text, folder / "common-licenses")


def describe(folder, values, tag):
    """Writes the wheel's metadata except RECORD."""
    version = values["CMAKE_PROJECT_VERSION"]
    minor = int(re.match(r"cp3(\d+)-", tag)[1])
    (folder / "METADATA").write_text(f"""Metadata-Version: 2.1
Name: ambit
Version: {version}
Summary: {values["summary"]}
License: Apache-2.0
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3.{minor}
Classifier: Typing :: Typed
Requires-Python: >=3.{minor},<3.{minor + 1}
Description-Content-Type: text/markdown

The Python module `ambit` and the program `ambit`, which checks scoped GPU synchronization. The folder `licenses` has
the licences of Ambit and of the libraries in this wheel. Pictures need Graphviz.
""")
    (folder / "WHEEL").write_text(
        f"Wheel-Version: 1.0\nGenerator: ambit {version}\nRoot-Is-Purelib: false\nTag: {tag}\n")
    (folder / "entry_points.txt").write_text("[console_scripts]\nambit = _ambit_program:main\n")


def record(wheel, information):
    """Writes RECORD: each file with its hash and size. Returns all files, with the metadata last, as the wheel format
    recommends."""
    files = sorted((file for file in wheel.rglob("*") if file.is_file()),
                   key=lambda file: (file.is_relative_to(information), str(file)))
    lines = []
    for file in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).rstrip(b"=").decode()
        lines.append(f"{file.relative_to(wheel)},sha256={digest},{file.stat().st_size}\n")
    own = information / "RECORD"
    own.write_text("".join(lines) + f"{own.relative_to(wheel)},,\n")
    return [*files, own]


def pack(wheel, files, archive):
    """Writes the archive. All files get the same date, so that equal files give an equal archive."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in files:
            entry = zipfile.ZipInfo(str(file.relative_to(wheel)))
            is_program = bool(file.stat().st_mode & 0o100)
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, file.read_bytes())


def make(build, folder):
    """Makes the wheel in `folder` and returns its path."""
    values = settings(build)
    version = values["CMAKE_PROJECT_VERSION"]
    with tempfile.TemporaryDirectory() as scratch:
        stage, wheel = pathlib.Path(scratch) / "stage", pathlib.Path(scratch) / "wheel"
        wheel.mkdir()
        lay_out(build, values, stage, wheel)
        libraries = bundle.bundle(wheel, wheel / "ambit.libs")
        extension = next((wheel / "ambit").glob("_ambit.*.so")).name
        python, machine = re.match(r"_ambit\.cpython-(\d+)-(\w+?)-linux-gnu\.so", extension).groups()
        platform = bundle.platform_tag(bundle.symbol_versions(bundle.elf_files(wheel)), machine)
        tag = f"cp{python}-cp{python}-{platform}"
        information = wheel / f"ambit-{version}.dist-info"
        copy_licences(libraries, information / "licenses")
        describe(information, values, tag)
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("ambit-*.whl"):
            old.unlink()
        archive = folder / f"ambit-{version}-{tag}.whl"
        pack(wheel, record(wheel, information), archive)
    return archive


def main():
    parser = argparse.ArgumentParser(description="Makes a self-contained Python wheel from a build.")
    parser.add_argument("build", type=pathlib.Path, help="a build folder of CMake")
    parser.add_argument("folder", type=pathlib.Path, help="the folder for the wheel")
    arguments = parser.parse_args()
    try:
        print(make(arguments.build.resolve(), arguments.folder))
    except bundle.BundleError as error:
        sys.exit(f"wheel.py: {error}")


if __name__ == "__main__":
    main()
