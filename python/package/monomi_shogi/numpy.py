"""Training data as numpy arrays (numpy must be installed).

`PSV` is YaneuraOu's PackedSfenValue, `HCPE` the format of Apery and dlshogi; the names of the fields are those of cshogi. An
array read with `numpy.fromfile(path, PSV)` can be given to everything here.
"""

import numpy as np

from . import _native
from ._native import Entry, Network

__all__ = ["HCPE", "PSV", "convert", "evaluate", "pack", "unpack"]

#: 40 bytes: the packed position, the score in centipawns for the side to move, the move, the number of the move, the result
#: for the side to move (1, 0, -1).
PSV = np.dtype(
    [
        ("sfen", np.uint8, 32),
        ("score", np.int16),
        ("move", np.uint16),
        ("gamePly", np.uint16),
        ("game_result", np.int8),
        ("padding", np.uint8),
    ]
)

#: 38 bytes: the packed position, the score in centipawns for the side to move, the move, the result (0 draw, 1 Black won, 2
#: White won).
HCPE = np.dtype(
    [
        ("hcp", np.uint8, 32),
        ("eval", np.int16),
        ("bestMove16", np.uint16),
        ("gameResult", np.int8),
        ("dummy", np.uint8),
    ]
)

_NAMES = {PSV: "psv", HCPE: "hcpe"}


def _name(dtype) -> str:
    try:
        return _NAMES[np.dtype(dtype)]
    except (KeyError, TypeError):
        raise TypeError(f"{dtype} is neither PSV nor HCPE") from None


def _bytes(array) -> bytes:
    return np.ascontiguousarray(array).tobytes()


def _array(data: bytes, dtype):
    # A bytearray, so that the array can be changed.
    return np.frombuffer(bytearray(data), dtype=dtype)


def unpack(array) -> "list[Entry]":
    """The records of an array of `PSV` or `HCPE`. ValueError names the first record (from 0) that is invalid."""
    return _native.unpack(_bytes(array), _name(array.dtype))


def pack(entries, dtype=PSV):
    """Entries as an array of `PSV` or `HCPE`."""
    return _array(_native.pack(list(entries), _name(dtype)), dtype)


def convert(array, dtype):
    """An array of `PSV` as `HCPE`, or the other way round. HCPE has no move numbers: they become 1."""
    return _array(_native.convert(_bytes(array), _name(array.dtype), _name(dtype)), dtype)


def evaluate(array, network: "Network | None" = None, *, threads: int = 1):
    """The static evaluations of the positions of an array, in centipawns for their sides to move (int32)."""
    network = Network() if network is None else network
    data = network.evaluate_packed(_bytes(array), _name(array.dtype), threads=threads)
    return _array(data, np.dtype("<i4"))
