"""Compares monomi_shogi with cshogi and python-shogi: the same legal moves, and how many of everything in a second.

    python compare.py [POSITIONS]

Random positions of random games (seed 1). Ends with 1 if a list of legal moves differs. Every figure is the best of three
runs in one process; give the machine to it alone.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

import monomi_shogi
from monomi_shogi import Board, Entry, Played, Record, pack

try:
    import cshogi
    import cshogi.CSA
    import cshogi.KIF
    import numpy
except ImportError:
    cshogi = None
try:
    import shogi
    import shogi.CSA
    import shogi.KIF
except ImportError:
    shogi = None


def random_games(count, chance):
    """Positions of random games, as sfen, and the games as records."""
    positions, records = [], []
    while len(positions) < count:
        board, moves = Board(), []
        for _ in range(chance.randrange(20, 200)):
            if board.outcome() is not None:
                break
            move = chance.choice(board.legal_moves)
            board.push(move)
            moves.append(Played(move, chance.randrange(100)))
            positions.append(board.sfen)
        records.append(Record("startpos", moves, headers={"先手": "甲", "後手": "乙"}, ending="投了"))
    return positions[:count], records


def cshogi_moves(board):
    return [cshogi.move_to_usi(move) for move in board.legal_moves]


def pointless(move, board):
    """Whether a move leaves a pawn, lance, bishop or rook unpromoted where it could promote."""
    return not move.endswith("+") and board.is_legal(move + "+") and board.piece_at(move[:2]).lower() in "plbr"


def compare(positions):
    """Whether all agree on the legal moves."""
    good = True
    for name, module, of_sfen in [
        ("cshogi", cshogi, lambda sfen: cshogi_moves(cshogi.Board(sfen))),
        ("python-shogi", shogi, lambda sfen: [move.usi() for move in shogi.Board(sfen).legal_moves]),
    ]:
        if module is None:
            print(f"skipped: {name} is not installed")
            continue
        moves, equal, without = 0, 0, 0
        for sfen in positions:
            board = Board(sfen)
            ours, theirs = set(board.legal_moves), set(of_sfen(sfen))
            moves += len(ours)
            if ours == theirs:
                equal += 1
            elif theirs < ours and all(pointless(move, board) for move in ours - theirs):
                without += 1
            else:
                good = False
                print(f"{name} differs in {sfen}: {sorted(ours ^ theirs)}")
        print(
            f"{name}: {len(positions)} positions, {moves} moves: {equal} lists are equal,"
            f" {without} of {name} lack only non-promotions"
        )
    return good


def rate(work, count, runs=3):
    """How many a second, the best of some runs."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return count / min(times)


def walk_monomi(board, depth):
    if depth == 1:
        return len(board.legal_moves)
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += walk_monomi(board, depth - 1)
        board.pop()
    return total


def walk_moves(board, depth):
    if depth == 1:
        return len(list(board.legal_moves))
    total = 0
    for move in list(board.legal_moves):
        board.push(move)
        total += walk_moves(board, depth - 1)
        board.pop()
    return total


def table(positions, records):
    rows = []

    def row(what, **rates):
        cells = [rates.get(name) for name in ("monomi", "cshogi", "shogi")]
        rows.append([what] + ["-" if cell is None else f"{cell:,.0f}" for cell in cells])

    some = positions[:500]
    boards = [Board(sfen) for sfen in positions]
    row(
        "sfens read",
        monomi=rate(lambda: [Board(sfen) for sfen in positions], len(positions)),
        cshogi=cshogi and rate(lambda: [cshogi.Board(sfen) for sfen in positions], len(positions)),
        shogi=shogi and rate(lambda: [shogi.Board(sfen) for sfen in some], len(some)),
    )
    theirs = cshogi and [cshogi.Board(sfen) for sfen in positions]
    others = shogi and [shogi.Board(sfen) for sfen in some]
    row(
        "positions whose legal moves are listed",
        monomi=rate(lambda: [board.legal_moves for board in boards], len(boards)),
        cshogi=cshogi and rate(lambda: [list(board.legal_moves) for board in theirs], len(theirs)),
        shogi=shogi and rate(lambda: [list(board.legal_moves) for board in others], len(others)),
    )
    row(
        "the same as USI texts",
        monomi=rate(lambda: [board.legal_moves for board in boards], len(boards)),
        cshogi=cshogi and rate(lambda: [cshogi_moves(board) for board in theirs], len(theirs)),
        shogi=shogi and rate(lambda: [[move.usi() for move in board.legal_moves] for board in others], len(others)),
    )
    row(
        "leaves of perft 3, moved in Python",
        monomi=rate(lambda: walk_monomi(Board(), 3), 25470),
        cshogi=cshogi and rate(lambda: walk_moves(cshogi.Board(), 3), 25470),
        shogi=shogi and rate(lambda: walk_moves(shogi.Board(), 2), 900),
    )
    row("leaves of perft 5, by the library", monomi=rate(lambda: Board().perft(5), 19861490))
    with tempfile.TemporaryDirectory() as folder:
        texts = {}
        for format in ("kif", "csa"):
            texts[format] = []
            for number, record in enumerate(records):
                path = Path(folder, f"{number}.{format}u" if format == "kif" else f"{number}.csa")
                record.save(path)
                texts[format].append((str(path), path.read_text(encoding="utf-8")))
        # cshogi decides by the extension whether a KIF is UTF-8; python-shogi takes texts.
        for format, ours, parser, other in [
            ("KIF", texts["kif"], cshogi and cshogi.KIF.Parser, shogi and shogi.KIF.Parser),
            ("CSA", texts["csa"], cshogi and cshogi.CSA.Parser, shogi and shogi.CSA.Parser),
        ]:
            row(
                f"moves read from {format}",
                monomi=rate(lambda: [monomi_shogi.read_file(path) for path, _ in ours], moves_of(records)),
                cshogi=parser and rate(lambda: [parser.parse_file(path) for path, _ in ours], moves_of(records)),
                shogi=other and rate(lambda: [other.parse_str(text) for _, text in ours], moves_of(records)),
            )
    entries = [Entry(board, board.legal_moves[0], 0, None) for board in boards if board.legal_moves]
    data = pack(entries, "psv")

    def cshogi_psv():
        board = cshogi.Board()
        for record in numpy.frombuffer(data, dtype=cshogi.PackedSfenValue):
            board.set_psfen(record["sfen"])
            board.move_from_psv(record["move"])

    row(
        "PSV records read as boards",
        monomi=rate(lambda: monomi_shogi.unpack(data, "psv"), len(entries)),
        cshogi=cshogi and rate(cshogi_psv, len(entries)),
    )
    row("PSV records written", monomi=rate(lambda: pack(entries, "psv"), len(entries)))
    row("PSV records as hcpe", monomi=rate(lambda: monomi_shogi.convert(data, "psv", "hcpe"), len(entries)))
    network = monomi_shogi.Network()
    row("PSV records evaluated", monomi=rate(lambda: network.evaluate_packed(data, "psv"), len(entries)))
    print("\n| a second | monomi_shogi | cshogi | python-shogi |\n|---|---:|---:|---:|")
    for cells in rows:
        print("| " + " | ".join(cells) + " |")


def moves_of(records):
    return sum(len(record) for record in records)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    positions, records = random_games(count, random.Random(1))
    good = compare(positions)
    table(positions, records[:40])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
