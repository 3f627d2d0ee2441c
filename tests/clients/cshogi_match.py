"""A match by cshogi's USI player, both sides pondering: cshogi_match.py ENGINE PGN

cshogi checks every move by its own rules; an illegal one loses the game and shows in the record.
"""

import sys

from cshogi import cli

engine, pgn = sys.argv[1:]
options = {
    "USI_Hash": 16,
    "MinimumThinkingTime": 0,
    "NetworkDelay": 0,
    "NetworkDelay2": 1000,
    "RoundUpToFullSecond": "false",
}
result = cli.main(
    engine,
    engine,
    options,
    options,
    names=["one", "two"],
    games=2,
    time=[3000, 3000],
    inc=[50, 50],
    draw=120,
    ponder=True,
    pgn=pgn,
    print_summary=False,
)
print(f"won {result['engine1_won']} lost {result['engine2_won']} of {result['total']}")
