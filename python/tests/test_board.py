import copy
import pickle
import unittest

from monomi_shogi import Board

MIDDLE = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1"


class Boards(unittest.TestCase):
    def test_moves_are_checked(self):
        board = Board()
        self.assertEqual(len(board.legal_moves), 30)
        board.push("7g7f")
        board.push("3c3d")
        for wrong in ["7g7f", "P*5e", "nonsense", ""]:
            with self.assertRaises(ValueError):
                board.push(wrong)
            self.assertFalse(board.is_legal(wrong))
        board.push("8h2b+")
        self.assertEqual(board.moves, ["7g7f", "3c3d", "8h2b+"])
        self.assertEqual(board.usi, "startpos moves 7g7f 3c3d 8h2b+")
        self.assertEqual((board.turn, board.ply, board.last_move), ("w", 4, "8h2b+"))
        self.assertEqual((board.hand("b"), board.hand("w")), ({"B": 1}, {}))
        self.assertEqual((board.piece_at("2b"), board.piece_at("5e")), ("+B", None))
        self.assertEqual(len(board.pieces()), 39)
        self.assertEqual([board.pop() for _ in range(3)], ["8h2b+", "3c3d", "7g7f"])
        with self.assertRaises(IndexError):
            board.pop()
        self.assertEqual(board, Board())

    def test_texts_of_positions(self):
        self.assertEqual(Board(MIDDLE).sfen, MIDDLE)
        self.assertEqual(Board("position sfen " + MIDDLE).sfen, MIDDLE)
        with self.assertRaisesRegex(ValueError, "illegal"):
            Board("startpos moves 7g7e")
        with self.assertRaises(ValueError):
            Board("9/9 b - 1")

    def test_copies_are_independent(self):
        board = Board("startpos moves 7g7f")
        for other in [board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))]:
            self.assertEqual((other.usi, other), (board.usi, board))
            other.push("3c3d")
            self.assertEqual(board.ply, 2)
            self.assertNotEqual(other, board)
        with self.assertRaises(TypeError):
            hash(board)
        self.assertNotEqual(board, "startpos moves 7g7f")
        self.assertIn("startpos moves 7g7f", repr(board))

    def test_ends(self):
        mate = Board("startpos moves 7g7f 3c3d 8h2b+ 4a5b B*4b 5a4a 2b3a")
        self.assertTrue(mate.is_mate() and mate.in_check)
        self.assertEqual((mate.outcome(), mate.checkers), ("mate", ["3a"]))
        moves = " 2h3h 8b7b 3h2h 7b8b"
        board = Board("startpos moves" + moves * 3)
        self.assertEqual((board.repetition(), board.repetition(2), board.outcome()), ("draw", "draw", "repetition"))
        self.assertIsNone(Board("startpos moves" + moves * 2).outcome())
        self.assertIsNone(Board().declaration())
        entered = Board("+R+R+B+B+P+P+PK1/+P+P+P6/9/9/9/9/9/9/8k b 4G4S4N4L12P 1")
        self.assertEqual((entered.declaration(), entered.outcome()), ("win", "declaration"))
        self.assertIsNone(entered.declaration("NoEnteringKing"))
        with self.assertRaisesRegex(ValueError, "CSARule27"):
            entered.declaration("27")
        self.assertEqual(Board("4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1").mate_in_one(), "G*5b")

    def test_names(self):
        board = Board()
        line = ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"]
        self.assertEqual(board.names(line), ["▲７六歩", "△３四歩", "▲２二角成", "△同銀", "▲４五角"])
        self.assertEqual(board.names(line, "csa")[2:4], ["+8822UM", "-3122GI"])
        self.assertEqual(board.names(line, "kif")[3], "同　銀(31)")
        self.assertEqual(board.names(line, "western"), ["P-7f", "P-3d", "Bx2b+", "Sx2b", "B*4e"])
        self.assertEqual(board.name("7g7f"), "▲７六歩")
        with self.assertRaises(ValueError):
            board.names(["7g7f", "7g7f"])
        with self.assertRaisesRegex(ValueError, "western"):
            board.names(line, "hodges")

    def test_pictures_and_texts(self):
        board = Board("startpos moves 7g7f")
        self.assertIn("  P  P  .  P  P  P  P  P  P g\n", str(board))
        self.assertIn("|v香v桂v銀v金v玉v金v銀v桂v香|一", board.kif())
        self.assertTrue(board.csa().startswith("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n"))
        svg = board.svg(flipped=True, marked=["5e"])
        self.assertTrue(svg.startswith("<svg ") and svg.count('class="last"') == 1)
        self.assertEqual(svg.count('class="marked"'), 1)
        self.assertEqual(board._repr_svg_(), board.svg())
        with self.assertRaisesRegex(ValueError, "5x"):
            board.svg(marked=["5x"])

    def test_packed_positions(self):
        board = Board(MIDDLE)
        self.assertEqual(Board.from_psfen(board.to_psfen()).sfen, MIDDLE)
        self.assertEqual(Board.from_hcp(board.to_hcp(), ply=7).ply, 7)
        for wrong in [b"", b"\xff" * 32]:
            with self.assertRaises(ValueError):
                Board.from_hcp(wrong)
        with self.assertRaisesRegex(ValueError, "40"):
            Board("4k4/9/9/9/9/9/9/9/4K4 b - 1").to_psfen()

    def test_perft(self):
        self.assertEqual([Board().perft(depth) for depth in range(5)], [1, 30, 900, 25470, 719731])


if __name__ == "__main__":
    unittest.main()
