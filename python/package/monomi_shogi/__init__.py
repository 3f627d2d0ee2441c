"""Monomi, a shogi engine: boards, game records, searches, mate problems and training data.

    >>> from monomi_shogi import Board, Engine
    >>> board = Board("startpos moves 7g7f 3c3d")
    >>> with Engine() as engine:
    ...     result = engine.play(board, movetime=0.5)
    >>> result.move in board.legal_moves
    True

Moves are texts in USI ('7g7f', '8h2b+', 'P*5e'), sides are 'b' (Black) and 'w'. Times are seconds, scores are centipawns
for the side to move, table sizes are MiB. Whatever takes longer than a moment runs without the interpreter's lock, and
Ctrl-C ends it. `monomi_shogi.numpy` has training data as arrays, `monomi_shogi.aio` the engine for asyncio. The wheel
contains the program `monomi` as well: `python -m monomi_shogi` starts it, and `program()` is its path.
"""

from . import _native
from ._native import *
from ._program import program

__all__ = ["program"]
__all__ += _native.__all__
