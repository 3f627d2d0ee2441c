"""`python -m monomi_shogi`: the program `monomi` with the same arguments."""

import os
import subprocess
import sys

from ._program import program


def main() -> int:
    """Becomes the program; on Windows, where a process cannot, waits for it."""
    try:
        command = [program(), *sys.argv[1:]]
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    if os.name == "nt":
        try:
            return subprocess.call(command)
        except KeyboardInterrupt:
            return 130
    os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
