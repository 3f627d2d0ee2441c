"""Where the program `monomi` of the wheel is."""

import os
import sys
import sysconfig


def _folders():
    # `pip install --target` puts it beside the packages.
    package = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(os.path.dirname(package), "bin")
    yield sysconfig.get_path("scripts")
    # `pip install --user`.
    user = "nt_user" if os.name == "nt" else "posix_user"
    yield sysconfig.get_path("scripts", scheme=user)
    # A virtual environment whose interpreter was started by another name.
    yield os.path.dirname(sys.executable)


def program() -> str:
    """The path of the program `monomi`, to be given to a GUI. FileNotFoundError if it is not installed."""
    name = "monomi.exe" if os.name == "nt" else "monomi"
    for folder in _folders():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    folders = ", ".join(dict.fromkeys(_folders()))
    raise FileNotFoundError(f"the program {name} of this package is in none of these folders: {folders}")
