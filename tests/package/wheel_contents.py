"""Checks the files in a wheel: wheel_contents.py WHEEL."""

import base64
import csv
import hashlib
import io
import sys
import zipfile


def check(archive):
    """Returns a sentence for each fault of a wheel."""
    faults = []
    names = archive.namelist()
    information = next(name.split("/")[0] for name in names if name.endswith(".dist-info/RECORD"))
    rows = {row[0]: row for row in csv.reader(io.StringIO(archive.read(f"{information}/RECORD").decode()))}
    if sorted(rows) != sorted(names):
        faults.append(f"RECORD and the archive differ in {set(rows) ^ set(names)}")
    for name, (_, digest, size) in rows.items():
        data = archive.read(name)
        expected = "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        if not name.endswith("/RECORD") and (digest, size) != (expected, str(len(data))):
            faults.append(f"RECORD has a wrong hash or size of {name}")

    for name in ("ambit/__init__.pyi", "ambit/py.typed", "ambit/lib/ambit/cudart/libcudart.so.13",
                 f"{information}/licenses/LICENSE", f"{information}/licenses/libz3-4/copyright",
                 f"{information}/licenses/libcadical-dev/copyright"):
        if name not in names:
            faults.append(f"{name} is missing")
    for library in ("libz3", "libantlr4-runtime", "libfmt"):
        if not any(name.startswith(f"ambit.libs/{library}-") for name in names):
            faults.append(f"{library} is not bundled")
    if not any(name.endswith(".data/data/share/man/man1/ambit-check.1") for name in names):
        faults.append("the manual pages are missing")
    program = archive.getinfo("ambit/bin/ambit")
    if program.external_attr >> 16 & 0o111 != 0o111:
        faults.append("ambit/bin/ambit is not executable")
    return faults


def main():
    with zipfile.ZipFile(sys.argv[1]) as archive:
        faults = check(archive)
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


main()
