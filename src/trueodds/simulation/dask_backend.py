"""Runs a simulation on a Dask cluster. The result does not depend on which worker runs what.

A chunk that is lost with its worker runs again on another one: the seed and the number of a session determine all of
its rolls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import count
from threading import Lock
from time import perf_counter
from typing import Final, Protocol

import cloudpickle  # installed with Dask
import numpy as np
from distributed import as_completed

from trueodds.simulation.comparison_runner import CHUNK, FIRST_CHUNK, BatchResult, ComparisonRunner
from trueodds.simulation.session_runner import SimulationSpec

TARGET_CHUNK_S: Final = 0.5
"""How long a chunk should keep a worker busy. Sending one takes about 2 ms."""

MAX_CHUNK: Final = 64 * CHUNK


class DaskClient(Protocol):
    """The part of `distributed.Client` that is used here. Dask has no types of its own."""

    loop: object

    def nthreads(self) -> Mapping[str, int]:
        """Return the number of threads of each worker."""

    def submit(self, function: Callable[..., object], /, *arguments: object, **options: object) -> object:
        """Run a function on a worker and return a future."""

    def cancel(self, futures: list[object]) -> object:
        """Cancel futures."""


def run_dask(client: DaskClient, specs: list[SimulationSpec], sessions: int) -> Iterator[BatchResult]:
    """Run chunks on a cluster and yield each result as it is done."""
    pickled_specs, chunks, running = cloudpickle.dumps(specs), _ChunkSizer(sessions), as_completed(loop=client.loop)
    waiting: set[object] = set()
    numbers = count()

    def submit_chunks() -> None:
        # Two chunks for each thread keep the cluster busy without piling up results.
        wanted = 2 * max(1, sum(client.nthreads().values()))
        while len(waiting) < wanted and (chunk := chunks.next()):
            key = f"trueodds-{id(chunks)}-{next(numbers)}"
            future = client.submit(_run_on_worker, pickled_specs, *chunk, key=key, pure=False)
            waiting.add(future)
            running.add(future)

    submit_chunks()
    try:
        for future in running:
            result, seconds = future.result()
            waiting.discard(future)
            chunks.record_time(result.sessions, seconds)
            submit_chunks()
            yield result
    finally:
        client.cancel(list(waiting))


class _ChunkSizer:
    """Cuts sessions into chunks that take about the target time."""

    def __init__(self, sessions: int) -> None:
        self._sessions, self._begin, self._size = sessions, 0, FIRST_CHUNK

    def next(self) -> tuple[int, int] | None:
        """Return the first session of the next chunk and the first after it, or None at the end."""
        if self._begin >= self._sessions:
            return None
        begin, self._begin = self._begin, min(self._begin + self._size, self._sessions)
        return begin, self._begin

    def record_time(self, sessions: int, seconds: float) -> None:
        """Adapt the size of the next chunks to the time that a chunk took."""
        wanted = int(sessions * TARGET_CHUNK_S / max(seconds, 1e-6))
        self._size = max(1, min(wanted, 4 * self._size, MAX_CHUNK))


_runner_lock = Lock()


@lru_cache(maxsize=4)
def _cached_runner(pickled_specs: bytes) -> ComparisonRunner:
    return ComparisonRunner(cloudpickle.loads(pickled_specs))


def _run_on_worker(pickled_specs: bytes, begin: int, end: int) -> tuple[BatchResult, float]:
    """Run a chunk on a worker. Return the result and the seconds it took."""
    with _runner_lock:
        runner = _cached_runner(pickled_specs)
    start = perf_counter()
    result: BatchResult | None = None
    for first in range(begin, end, CHUNK):
        batch = runner.run(np.arange(first, min(first + CHUNK, end)))
        result = batch if result is None else result + batch
    if result is None:
        raise ValueError(f"a chunk must have sessions, got {begin} to {end}")
    return result, perf_counter() - start
