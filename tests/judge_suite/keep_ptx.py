#!/usr/bin/env python3
"""Compiles the kernels of tasks/ with nvcc and stores their PTX in kept.tar.xz, for machines without nvcc."""

import io
import pathlib
import shutil
import subprocess
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"


def main():
    with tarfile.open(HERE / "kept.tar.xz", "w:xz") as kept:
        for source in sorted((HERE / "tasks").glob("*/*.cu")):
            # The line information contains the file's name, not its path.
            command = [NVCC, "-ptx", "-arch=compute_80", "-lineinfo", "-o", "-", source.name]
            result = subprocess.run(command, cwd=source.parent, capture_output=True, check=False)
            if result.returncode != 0:
                print(f"no PTX of {source.relative_to(HERE)}")
                continue
            text = result.stdout.replace(str(source.parent).encode() + b"/", b"")
            entry = tarfile.TarInfo(f"{source.parent.name}/{source.stem}.ptx")
            entry.size = len(text)
            kept.addfile(entry, io.BytesIO(text))


main()
