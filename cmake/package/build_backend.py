"""The build backend of pyproject.toml (PEP 517): `pip install .` builds the wheel with `./dev wheel`.

The backend makes no source distribution, because users build from a checkout.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds the wheel, copies it to `wheel_directory` and returns its name. Stops if the wheel is for another version
    of Python than the running version."""
    subprocess.run([ROOT / "dev", "wheel"], check=True)
    wheel = next((ROOT / "build/wheel").glob("ambit-*.whl"))
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    if f"-{version}-" not in wheel.name:
        sys.exit(f"{wheel.name} is not for this Python ({version}): use the pip of the Python that has headers, or set "
                 "AMBIT_PYTHON_EXECUTABLE with cmake --preset release (docs/guide/python.md)")
    shutil.copy(wheel, wheel_directory)
    return wheel.name
