import unittest

from monomi_shogi import Board, Entry, Network, convert, pack, unpack

try:
    import numpy
except ImportError:
    numpy = None

SFEN = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 119"


class Training(unittest.TestCase):
    def entries(self):
        return [Entry(Board(SFEN), "G*5h", -1234, "w"), Entry(Board(), "7g7f", 30, None)]

    def test_the_bytes_are_those_of_other_programs(self):
        entries = self.entries()
        data = pack(entries, "psv")
        first = unpack(data[:40], "psv")[0]
        self.assertEqual((first.board.sfen, first.move, first.score, first.winner), (SFEN, "G*5h", -1234, "w"))
        self.assertEqual(len(data), 80)
        hcpe = convert(data, "psv", "hcpe")
        self.assertEqual(hcpe, pack(entries, "hcpe"))
        self.assertEqual([entry.move for entry in unpack(hcpe, "hcpe")], ["G*5h", "7g7f"])

    def test_errors(self):
        data = pack(self.entries(), "psv")
        with self.assertRaisesRegex(ValueError, "40 bytes"):
            unpack(data[:-1], "psv")
        with self.assertRaisesRegex(ValueError, "record 1"):
            unpack(data[:40] + b"\xff" * 40, "psv")
        with self.assertRaisesRegex(ValueError, "psv"):
            unpack(data, "bin")
        with self.assertRaises(ValueError):
            Entry(Board(), "7g7e", 0, None)
        with self.assertRaises(OverflowError):
            Entry(Board(), "7g7f", 40_000, None)

    @unittest.skipIf(numpy is None, "skipped: numpy is not installed")
    def test_arrays(self):
        from monomi_shogi import numpy as arrays

        array = arrays.pack(self.entries())
        self.assertEqual((array.dtype, len(array)), (arrays.PSV, 2))
        self.assertEqual((array["score"].tolist(), array["gamePly"].tolist()), ([-1234, 30], [119, 1]))
        array["score"] += 1
        self.assertEqual([entry.score for entry in arrays.unpack(array)], [-1233, 31])
        hcpe = arrays.convert(array, arrays.HCPE)
        self.assertEqual(hcpe["gameResult"].tolist(), [2, 0])
        self.assertEqual(arrays.convert(hcpe[::-1], arrays.PSV)["score"].tolist(), [31, -1233])
        network = Network()
        expected = [network.evaluate(SFEN), network.evaluate(Board())]
        self.assertEqual(arrays.evaluate(array).tolist(), expected)
        self.assertEqual(arrays.evaluate(hcpe, network, threads=2).tolist(), expected)
        with self.assertRaisesRegex(TypeError, "neither"):
            arrays.unpack(numpy.zeros(3))


if __name__ == "__main__":
    unittest.main()
