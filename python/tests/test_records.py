import os
import tempfile
import unittest

from monomi_shogi import Board, Branch, Played, Record, read_file, read_records

KIF = """#KIF version=2.0 encoding=UTF-8
手合割：平手
先手：甲
後手：乙
手数----指手---------消費時間--
*開始
   1 ７六歩(77)   ( 0:10/00:00:10)
*最初の手
   2 ３四歩(33)   ( 0:20/00:00:20)
   3 投了

変化：2手
   2 ８四歩(83)   ( 0:05/00:00:05)
"""


def everything(record):
    return (record.start, record.comments, record.moves, record.ending, record.branches, record.players)


class Records(unittest.TestCase):
    def test_a_record_is_read(self):
        (record,) = read_records(KIF)
        self.assertEqual(record.players, ("甲", "乙"))
        self.assertEqual(dict(record.headers)["先手"], "甲")
        self.assertEqual(record.moves, [Played("7g7f", 10, ["最初の手"]), Played("3c3d", 20)])
        self.assertEqual(record.branches, [Branch(1, [Played("8c8d", 5)])])
        self.assertEqual((record.ending, record.ending_in_english, record.winner), ("投了", "resignation", "w"))
        self.assertEqual((record.format, record.encoding, record.faults, len(record)), ("kif", None, [], 2))
        self.assertEqual(record.board().usi, "startpos moves 7g7f 3c3d")
        self.assertEqual([board.ply for board in record.boards()], [1, 2, 3])
        self.assertEqual(record.board(0), Board())
        with self.assertRaises(IndexError):
            record.board(3)

    def test_every_format_and_encoding(self):
        (record,) = read_records(KIF)
        for format in ["kif", "jkf"]:
            for encoding in ["utf-8", "utf-8-sig", "utf-16", "shift_jis", "euc-jp", "iso-2022-jp"]:
                (back,) = read_records(record.to_bytes(format, encoding))
                self.assertEqual(everything(back), everything(record), (format, encoding))
                self.assertEqual((back.format, back.encoding), (format, encoding))
        (csa,) = read_records(record.to_text("csa"))
        self.assertEqual((csa.moves, csa.ending, csa.branches), (record.moves, "投了", []))
        (ki2,) = read_records(record.to_text("ki2"))
        self.assertEqual([played.move for played in ki2.moves], ["7g7f", "3c3d"])
        self.assertEqual(record.to_text("usi"), "startpos moves 7g7f 3c3d")
        with self.assertRaisesRegex(ValueError, "kif, ki2"):
            record.to_text("pgn")
        with self.assertRaisesRegex(ValueError, "shift_jis"):
            record.to_bytes("kif", "latin1")

    def test_a_record_is_made(self):
        record = Record(
            Board("startpos moves 7g7f"),
            ["3c3d", Played("2g2f", 12, ["飛先", "二行目"])],
            headers={"先手": "A", "後手": "B"},
            ending="TORYO",
            ending_seconds=3,
            branches=[Branch(2, ["6g6f", "8c8d"]), Branch(1, ["8c8d"], "中断")],
        )
        self.assertEqual(record.ending, "投了")
        (back,) = read_records(record.to_text())
        self.assertEqual(everything(back), everything(record))
        self.assertEqual(back.ending_seconds, 3)
        for arguments in [
            {"moves": ["7g7e"]},
            {"moves": ["7g7f", "7g7f"]},
            {"branches": [Branch(1, ["7g7f"])]},
            {"start": "nowhere"},
        ]:
            with self.assertRaises(ValueError, msg=str(arguments)):
                Record(**arguments)
        with self.assertRaises(TypeError):
            Record(moves=[1])

    def test_files(self):
        (record,) = read_records(KIF)
        with tempfile.TemporaryDirectory() as folder:
            for name, format, encoding in [
                ("a.kif", "kif", "shift_jis"),
                ("a.kifu", "kif", "utf-8"),
                ("a.ki2", "ki2", "shift_jis"),
                ("a.csa", "csa", "utf-8"),
                ("a.jkf", "jkf", "utf-8"),
            ]:
                path = os.path.join(folder, name)
                record.save(path)
                (back,) = read_file(path)
                self.assertEqual((back.format, back.encoding), (format, encoding), name)
            with self.assertRaises(FileNotFoundError):
                read_file(os.path.join(folder, "none.kif"))
            with self.assertRaisesRegex(ValueError, "txt"):
                record.save(os.path.join(folder, "a.txt"))

    def test_what_cannot_be_read(self):
        for wrong in [b"", b"\x00\x01\x02", "Dear Sir", b"\x7fELF\0\0"]:
            with self.assertRaises(ValueError):
                read_records(wrong)
        with self.assertRaises(TypeError):
            read_records(1)
        (damaged,) = read_records("手合割：平手\n1 ７六歩(77)\n2 ７六歩(77)\n")
        self.assertEqual(len(damaged), 1)
        self.assertIn("line 3, move 2", damaged.faults[0])


if __name__ == "__main__":
    unittest.main()
