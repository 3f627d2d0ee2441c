"""The engine for asyncio.

    async with AsyncEngine() as engine:
        result = await engine.play(board, movetime=1.0)
        async for info in engine.stream(board, multipv=3):
            ...

A search never blocks the event loop. Cancelling what waits for a search ends the search.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from ._native import Engine

__all__ = ["AsyncEngine"]


class AsyncEngine:
    """`Engine` with coroutines. The arguments are those of `Engine`; searches wait for each other."""

    def __init__(self, **options):
        self._options = options
        self._engine = None
        self._closed = False
        self._turn = asyncio.Lock()
        # One thread waits for the search, another one for its end after a cancellation.
        self._threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="monomi")

    async def _run(self, function, *arguments):
        return await asyncio.get_running_loop().run_in_executor(self._threads, function, *arguments)

    async def _ready(self):
        if self._closed:
            raise ValueError("the engine is closed")
        if self._engine is None:
            self._engine = await self._run(lambda: Engine(**self._options))
        return self._engine

    async def play(self, board, *, on_info=None, **limits):
        """`Engine.play`. `on_info` is called in the event loop; what it raises ends the search and is raised here."""
        # The same error for a search without a limit as that of `Engine.play`.
        if not any(limits.get(name) is not None for name in _BOUNDS):
            raise ValueError("a search without a limit would never end: give movetime, nodes, depth or a clock, or use stream()")
        async with self._turn:
            search = (await self._ready()).start(board, **limits)
            try:
                while (info := await self._run(next, search, None)) is not None:
                    if on_info is not None:
                        on_info(info)
                return await self._run(search.result)
            finally:
                await self._end(search)

    async def analyse(self, board, *, on_info=None, **limits):
        """`Engine.analyse`."""
        return await self.play(board, on_info=on_info, **limits)

    async def stream(self, board, **limits):
        """Each line (`Info`) of a search as soon as it is known; without a limit until the loop is left."""
        async with self._turn:
            search = (await self._ready()).start(board, **limits)
            try:
                while (info := await self._run(next, search, None)) is not None:
                    yield info
            finally:
                await self._end(search)

    async def _end(self, search):
        search.stop()
        if self._closed:
            return
        # The engine is free for the next search only when this one has ended, also after a cancellation.
        await asyncio.shield(self._run(search.result))

    async def close(self):
        """Stops a running search and gives the memory back."""
        self._closed = True
        if self._engine is not None:
            self._engine.close()
        self._threads.shutdown(wait=False)

    async def __aenter__(self):
        await self._ready()
        return self

    async def __aexit__(self, *error):
        await self.close()


_BOUNDS = ["movetime", "nodes", "depth", "btime", "wtime", "binc", "winc", "byoyomi"]
