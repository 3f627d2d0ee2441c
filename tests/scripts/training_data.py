#!/usr/bin/env python3
"""Checks `monomi convert` against cshogi, on demand: pip install cshogi numpy.

    tests/scripts/training_data.py target/release/monomi games.mgr

Exports the games to PSV and hcpe and goes through every record: cshogi must read it, write the same
bytes, find the move legal, and see the same position, move, score and result in both formats. Then
both are imported and exported again, which must give the same bytes.
"""

import pathlib
import subprocess
import sys
import tempfile

import cshogi
import numpy


def convert(monomi, source, target):
    subprocess.run([monomi, "convert", source, "-o", target], check=True)
    return target


def check(psv, hcpe):
    assert len(psv) == len(hcpe) > 0, (len(psv), len(hcpe))
    board, other = cshogi.Board(), cshogi.Board()
    packed = numpy.zeros(32, numpy.uint8)
    for number, (p, h) in enumerate(zip(psv, hcpe)):
        board.set_psfen(numpy.ascontiguousarray(p["sfen"]))
        other.set_hcp(numpy.ascontiguousarray(h["hcp"]))
        board.to_psfen(packed)
        assert (packed == p["sfen"]).all(), number
        other.to_hcp(packed)
        assert (packed == h["hcp"]).all(), number
        assert board.sfen().split()[:3] == other.sfen().split()[:3], number
        move = board.move_from_psv(int(p["move"]))
        assert move and board.is_legal(move), number
        assert cshogi.move16(move) == int(h["bestMove16"]) & 0xFFFF, number
        assert p["score"] == h["eval"], number
        winner = {0: 0, 1: board.turn + 1, -1: 2 - board.turn}[int(p["game_result"])]
        assert winner == h["gameResult"], number
        assert p["padding"] == 0 and h["dummy"] == 0, number
    return len(psv)


def main():
    monomi, games = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        psv = convert(monomi, games, folder / "a.psv")
        hcpe = convert(monomi, games, folder / "a.hcpe")
        count = check(
            numpy.fromfile(psv, cshogi.PackedSfenValue),
            numpy.fromfile(hcpe, cshogi.HuffmanCodedPosAndEval),
        )
        for first in psv, hcpe:
            back = convert(monomi, first, folder / f"b{first.suffix}.mgr")
            again = convert(monomi, back, folder / f"b{first.suffix}")
            assert first.read_bytes() == again.read_bytes(), first
    print(f"{count} positions: monomi and cshogi agree")


if __name__ == "__main__":
    main()
