#!/usr/bin/env python3
"""Compares Monomi's evaluation of generated networks with spec.py, a slow reader and evaluator in numpy.

    python3 tests/scripts/networks.py target/release/monomi ../shared/tools/nets
    python3 tests/scripts/networks.py ENGINE TOOLS --shapes kp_256x2_32_32 --positions 100

For each shape gen.py writes a network with random weights; the outputs before the division by FV_SCALE
and the layer stacks must be equal for all positions: random boards, half of them with missing pieces.
Boards that the rules forbid (the side not to move is in check) are replaced by others. Needs numpy."""
import argparse, random, subprocess, sys, tempfile
from pathlib import Path

SHAPES = """SFNN_halfkahm2_128_15_32_k3k3 SFNN_halfka2_128_7_64_k9k9 SFNN_ka2_128_15_32_k9k9z SFNN_kp_128_7_64_k13k13z
SFNN_halfka1_64_15_32_k21k21 SFNN_halfkp_64_7_32_k29k29 SFNN_kp_128_8_32_hand4 SFNN_kp_128_16_64_hand16_k3k3
SFNN_halfkahm1_64_31_32_hand64 SFNN_kp_128_7_64_hand64z SFNN_halfkpvm_64_15_32_hand256 SFNN_kp_64_7_32_hand1024
SFNN_kp_128_7_64_progress3 SFNN_halfkahm2_128_7_64_hand4_k3k3_progress8 halfkp_256x2_32_32 kp_256x2_32_32 ka2_256x2_16_32
halfkpvm_256x2_8_64 halfka1_128x2_8_96 halfka2_128x2_15_64 halfkahm1_256x2_16_32 halfkahm2_512x2_8_96""".split()
PIECES = [("P", 18), ("L", 4), ("N", 4), ("S", 4), ("G", 4), ("B", 2), ("R", 2)]


def board(numbers, missing):
    """An sfen with both kings; each piece is missing with the probability given."""
    squares, hands = [""] * 81, {}
    for king in "Kk":
        squares[numbers.choice([i for i in range(81) if not squares[i]])] = king
    for kind, count in PIECES:
        for _ in range(count):
            if numbers.random() < missing:
                continue
            piece = kind if numbers.random() < 0.5 else kind.lower()
            promoted = "+" if kind != "G" and numbers.random() < 0.3 else ""
            free = [i for i in range(81) if not squares[i] and allowed(promoted + piece, i, squares)]
            if not free or numbers.random() < 0.25:
                hands[piece] = hands.get(piece, 0) + 1
            else:
                squares[numbers.choice(free)] = promoted + piece
    rows = []
    for row in range(9):
        text, gap = "", 0
        for square in squares[9 * row:9 * row + 9]:
            if square:
                text, gap = text + (str(gap) if gap else "") + square, 0
            else:
                gap += 1
        rows.append(text + (str(gap) if gap else ""))
    hand = "".join((str(n) if n > 1 else "") + piece for piece, n in hands.items()) or "-"
    return f"{'/'.join(rows)} {numbers.choice('bw')} {hand} 1"


def allowed(piece, square, squares):
    """No piece that can never move, no two pawns of a side in a file."""
    row = square // 9 if piece.isupper() else 8 - square // 9
    if piece in "Pp" and any(squares[i] == piece for i in range(square % 9, 81, 9)):
        return False
    return row >= {"P": 1, "L": 1, "N": 2}.get(piece.upper(), 0)


class Engine:
    def __init__(self, path, network):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        loaded = self.ask(f"usi\nsetoption name EvalFile value {network}\nisready", "readyok")
        if not any("network " in line for line in loaded if line.startswith("info string")):
            sys.exit("the engine did not load the network:\n" + "\n".join(loaded[-5:]))

    def ask(self, command, end):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if lines[-1] == end:
                return lines
        sys.exit("the engine has ended")

    def evaluate(self, sfen):
        """The output before the division and the stack, or None if the position is refused."""
        found = {}
        for line in self.ask(f"position sfen {sfen}\neval\nisready", "readyok"):
            words = line.removeprefix("info string ").split()
            if words and words[0].startswith("Error"):
                return None
            if words[:1] == ["raw"] or words[:2] == ["Layer", "stack:"]:
                found[words[0]] = int(words[-1])
        return (found["raw"], found.get("Layer", 0)) if "raw" in found else None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("engine")
    arguments.add_argument("tools", type=Path)
    arguments.add_argument("--shapes", nargs="+", default=SHAPES)
    arguments.add_argument("--positions", type=int, default=500)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    sys.path.insert(0, str(given.tools.resolve()))
    import gen, spec
    wrong = 0
    for number, shape in enumerate(given.shapes):
        with tempfile.TemporaryDirectory() as folder:
            network = str(Path(folder) / "nn.bin")
            gen.write(shape, given.seed + number, network)
            oracle, engine = spec.Net(shape, network), Engine(given.engine, network)
            numbers, compared, differences, stacks = random.Random(number), 0, 0, set()
            while compared < given.positions:
                sfen = board(numbers, 0.0 if compared % 2 else 0.3)
                found = engine.evaluate(sfen)
                if found is None:
                    continue
                expected = oracle.raw(spec.parse(sfen))
                if found != expected:
                    differences += 1
                    print(f"{shape}: {found}, expected {expected}: {sfen}")
                compared += 1
                stacks.add(expected[1])
            engine.process.stdin.close()
            engine.process.wait()
            print(f"{shape}: {compared} positions, {len(stacks)} stacks, {differences} differences", flush=True)
            wrong += differences
    sys.exit(1 if wrong else 0)


main()
