import asyncio
import threading
import time
import unittest

from monomi_shogi import Board, Engine, Network, Record, Score, analyze, mate, tsume
from monomi_shogi.aio import AsyncEngine

MATE = "4k4/9/4P4/9/9/9/9/9/4K4 b G2r 1"


class Engines(unittest.TestCase):
    def test_play(self):
        with Engine(hash_mib=16) as engine:
            seen = []
            result = engine.play(Board(), nodes=20_000, on_info=seen.append)
            self.assertIn(result.move, Board().legal_moves)
            self.assertEqual(seen[-1].pv[0], result.move)
            self.assertEqual(result.lines[0].pv, [info for info in seen if info.bound == "exact"][-1].pv)
            self.assertTrue(0 < result.score.win < 1 and result.score.mate is None)
            self.assertGreaterEqual(result.nodes, 20_000)
            # The same engine forgets, a new one knows nothing: the same search.
            engine.forget()
            again = engine.play("startpos", nodes=20_000)
            self.assertEqual((again.move, again.score, again.nodes), (result.move, result.score, result.nodes))
        with self.assertRaisesRegex(ValueError, "closed"):
            engine.play(Board(), nodes=1)

    def test_lines(self):
        with Engine(hash_mib=16) as engine:
            result = engine.analyse("startpos moves 7g7f", depth=6, multipv=3)
            self.assertEqual([info.multipv for info in result.lines], [1, 2, 3])
            self.assertEqual(len({info.pv[0] for info in result.lines}), 3)
            only = engine.play(Board(), depth=4, searchmoves=["9g9f", "1g1f"])
            self.assertIn(only.move, ["9g9f", "1g1f"])
            self.assertEqual(engine.play(MATE, depth=5).score.mate, 1)
            clock = engine.play(Board(), btime=0.3, wtime=0.3)
            self.assertIn(clock.move, Board().legal_moves)

    def test_a_search_without_an_end(self):
        with Engine(hash_mib=16) as engine:
            search = engine.start(Board(), multipv=2)
            with self.assertRaisesRegex(RuntimeError, "running"):
                engine.play(Board(), nodes=1)
            with self.assertRaises(TimeoutError):
                search.result(timeout=0.05)
            counter = 0
            for info in search:
                counter += 1
                if info.depth >= 8:
                    search.stop()
            self.assertTrue(search.done and counter > 8)
            self.assertIn(search.result().move, Board().legal_moves)
            with engine.start(Board()) as search:
                next(search)
            self.assertTrue(search.done)
            # A search that nobody holds ends by itself.
            engine.start(Board())
            for _ in range(200):
                try:
                    engine.play(Board(), nodes=100)
                    break
                except RuntimeError:
                    time.sleep(0.02)
            else:
                self.fail("the search goes on")

    def test_errors(self):
        with Engine(hash_mib=16) as engine:
            for wrong, error in [
                ({}, ValueError),
                ({"nodes": 0}, ValueError),
                ({"multipv": 0, "nodes": 10}, ValueError),
                ({"movetime": -1}, ValueError),
                ({"movetime": float("nan")}, ValueError),
                ({"node": 5}, TypeError),
                ({"nodes": "many"}, TypeError),
                ({"nodes": 5, "searchmoves": ["7g7e"]}, ValueError),
            ]:
                with self.assertRaises(error, msg=str(wrong)):
                    engine.play(Board(), **wrong)
            with self.assertRaises(TypeError):
                engine.play(5, nodes=10)

            def fail(info):
                raise KeyError("mine")

            with self.assertRaisesRegex(KeyError, "mine"):
                engine.play(Board(), movetime=60, on_info=fail)
            # The engine works on.
            self.assertEqual(engine.play(MATE, depth=3).move, "G*5b")
        for wrong in [{"threads": 0}, {"hash_mib": 0}, {"rule": "none"}, {"network": "nowhere.bin"}]:
            with self.assertRaises(ValueError, msg=str(wrong)):
                Engine(**wrong)

    def test_python_goes_on(self):
        with Engine(hash_mib=16) as engine:
            counted = [0]
            over = threading.Event()

            def count():
                while not over.is_set():
                    counted[0] += 1

            thread = threading.Thread(target=count)
            thread.start()
            before = counted[0]
            engine.play(Board(), movetime=0.3)
            grown = counted[0] - before
            over.set()
            thread.join()
            self.assertGreater(grown, 1000)

    def test_other_ends(self):
        with Engine(hash_mib=16) as engine:
            lost = engine.play("startpos moves 7g7f 3c3d 8h2b+ 4a5b B*4b 5a4a 2b3a", nodes=100)
            self.assertEqual((lost.move, lost.score.mate, lost.lines), ("resign", 0, []))
            won = engine.play("+R+R+B+B+P+P+PK1/+P+P+P6/9/9/9/9/9/9/8k b 4G4S4N4L12P 1", nodes=100)
            self.assertEqual(won.move, "win")

    def test_asyncio(self):
        async def run():
            async with AsyncEngine(hash_mib=16) as engine:
                both = await asyncio.gather(
                    engine.play(Board(), nodes=5_000), engine.analyse(MATE, depth=4, multipv=2)
                )
                self.assertIn(both[0].move, Board().legal_moves)
                self.assertEqual(both[1].move, "G*5b")
                depth = 0
                async for info in engine.stream(Board()):
                    depth = info.depth
                    if depth >= 6:
                        break
                self.assertEqual(depth, 6)
                waiting = asyncio.ensure_future(engine.play(Board(), movetime=60))
                await asyncio.sleep(0.1)
                waiting.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await waiting
                # The engine is free again.
                self.assertEqual((await engine.play(MATE, depth=3)).move, "G*5b")
                with self.assertRaises(ValueError):
                    await engine.play(Board())

                def fail(info):
                    raise KeyError("mine")

                with self.assertRaises(KeyError):
                    await engine.play(Board(), movetime=60, on_info=fail)

        asyncio.run(asyncio.wait_for(run(), 60))


class Networks(unittest.TestCase):
    def test_evaluations(self):
        network = Network()
        boards = [Board(), "startpos moves 7g7f", "startpos moves 7g7f 3c3d 8h2b+"]
        values = [network.evaluate(board) for board in boards]
        self.assertEqual(network.evaluate_many(boards), values)
        self.assertEqual(network.evaluate_many(boards * 100, threads=3), values * 100)
        self.assertEqual(network.evaluate_many([]), [])
        # White has lost a bishop.
        self.assertLess(values[2], -500)
        self.assertGreater(network.win_scale, 0)
        self.assertNotEqual(Network("<piece-square>").evaluate(boards[1]), None)
        for board in [MATE, "4k4/9/9/9/9/9/9/9/9 b 2R2B4G4S4N4L18P 1", "9/9/9/9/9/9/9/9/9 b - 1"]:
            try:
                network.evaluate(board)
            except ValueError:
                pass
        with Engine(hash_mib=16, network=network) as engine:
            self.assertEqual(engine.network.description, network.description)


class Mates(unittest.TestCase):
    def test_mate(self):
        found = mate(MATE)
        self.assertEqual((found.mate, found.moves), (True, ["G*5b"]))
        self.assertEqual((mate(Board()).mate, mate(Board()).moves), (False, []))
        limited = mate("l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL b RGgsn5p 1", nodes=1)
        self.assertIsNone(limited.mate)
        with self.assertRaises(ValueError):
            mate(MATE, movetime=-1)

    def test_tsume(self):
        # Every interposition would be captured: mate in 1.
        useless = "9/9/9/8k/8B/8+R/9/9/9 b rb4g3s4n4l18p 1"
        solved = tsume(useless)
        self.assertEqual((solved.mate, solved.moves, solved.shortest), (True, ["1e3c+"], True))
        self.assertEqual((solved.hand_left, solved.defects, solved.sound), ({}, None, None))
        cooked = tsume("4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", check=True)
        self.assertTrue(cooked.mate and len(cooked.moves) == 1)
        self.assertTrue(all(defect.text and defect.text_ja for defect in cooked.defects))
        self.assertIn("pieces_left", [defect.code for defect in cooked.defects])
        self.assertFalse(cooked.sound)
        self.assertFalse(tsume("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", check=True).mate)


class Analyses(unittest.TestCase):
    def test_a_game_is_analysed(self):
        record = Record("startpos moves 7g7f 3c3d 8h2b+ 3a2b", headers={"先手": "甲"}, ending="投了")
        progress = []
        analysis = analyze(record, nodes=500, on_progress=lambda *done: progress.append(done))
        self.assertEqual(sorted(progress), [(number, 5) for number in range(1, 6)])
        self.assertEqual(len(analysis.rows), 5)
        self.assertEqual(analysis.rows[1]["ply"], 1)
        self.assertEqual(analyze(record, nodes=500, threads=2).jsonl(), analysis.jsonl())
        self.assertIn("<html", analysis.html())
        self.assertIn("評価値", analysis.kif())
        self.assertIn("'*", analysis.csa())
        self.assertEqual(analysis.csv().count("\n"), 6)
        self.assertTrue(analysis.svg().startswith("<svg"))
        self.assertTrue(analysis.summary() and analysis.summary("ja"))

        def fail(done, all):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            analyze(record, nodes=500, on_progress=fail)
        with self.assertRaises(ValueError):
            analyze(record, nodes=0)


if __name__ == "__main__":
    unittest.main()
