"""The build backend: maturin, with the program put where maturin takes it from.

pip uses it for `pip install .` and for the source distribution; tools/scripts/wheel does the same for releases.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import get_requires_for_build_sdist, get_requires_for_build_wheel  # noqa: F401

_ROOT = Path(__file__).resolve().parents[2]
_DATA = _ROOT / "python" / "monomi_shogi.data"


def _program():
    """Builds the program and puts it into the folder of the wheel's scripts."""
    command = ["cargo", "build", "--release", "--locked", "--package", "monomi", "--message-format", "json-render-diagnostics"]
    # The compiler's messages go to the error stream; each line of the output is a message in JSON.
    built = subprocess.run(command, cwd=_ROOT, check=True, stdout=subprocess.PIPE)
    found = [json.loads(line).get("executable") for line in built.stdout.splitlines()]
    (program,) = [path for path in found if path]
    scripts = _DATA / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    shutil.copy2(program, scripts / os.path.basename(program))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The wheel with the module and the program."""
    _program()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """The source distribution: the repository's files, without a program."""
    _DATA.mkdir(exist_ok=True)
    return maturin.build_sdist(sdist_directory, config_settings)


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """The description of the wheel."""
    _DATA.mkdir(exist_ok=True)
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, config_settings)
