"""Records as cshogi reads them, a line of JSON each: moves in USI, comments and scores behind them."""

import json
import sys

from cshogi import CSA, KIF, move_to_usi

for name in sys.argv[1:]:
    if name.endswith(".csa"):
        record = CSA.Parser.parse_file(name)[0]
        scores = list(record.scores)
    else:
        record, scores = KIF.Parser.parse_file(name), None
    moves = [move_to_usi(move) for move in record.moves]
    comments = [comment or "" for comment in record.comments]
    print(json.dumps({"file": name, "moves": moves, "comments": comments, "scores": scores}))
