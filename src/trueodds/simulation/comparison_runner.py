"""Runs several strategies on the same dice, in chunks of sessions on threads. The chunks do not affect the results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import add
from typing import Final, Self

import numpy as np

from trueodds.automaton.array_types import Int64Array
from trueodds.simulation.histograms import Histogram, SessionHistograms
from trueodds.simulation.session_runner import SessionResults, SessionRunner, SimulationSpec

FIRST_CHUNK: Final = 1 << 10
CHUNK: Final = 1 << 16
ENGINE_CHUNK: Final = 1 << 6
"""Sessions in a chunk: small at first, large once a kernel runs, and very small if the engine has to play."""


@dataclass(frozen=True)
class BatchResult:
    """The histograms of each strategy, and of the differences between each other strategy and the first, in cents."""

    histograms: tuple[SessionHistograms, ...]
    differences: tuple[Histogram, ...]

    @classmethod
    def from_results(cls, results: Iterable[SessionResults]) -> Self:
        """Count the results of the same sessions, one item for each strategy."""
        first, *others = results
        histograms = [
            SessionHistograms.from_rows(result.rows, result.unit_cents, result.engine_sessions)
            for result in (first, *others)
        ]
        differences = [Histogram.from_values(other.final_cents - first.final_cents) for other in others]
        return cls(tuple(histograms), tuple(differences))

    def __add__(self, other: Self) -> Self:
        if not self.sessions:
            return other
        histograms = (mine + theirs for mine, theirs in zip(self.histograms, other.histograms, strict=True))
        differences = (mine + theirs for mine, theirs in zip(self.differences, other.differences, strict=True))
        return type(self)(tuple(histograms), tuple(differences))

    @property
    def sessions(self) -> int:
        """The number of sessions that each strategy played."""
        return self.histograms[0].sessions


class ComparisonRunner:
    """Runs sessions of several strategies on the same dice."""

    def __init__(self, specs: Iterable[SimulationSpec]) -> None:
        self.runners = tuple(map(SessionRunner, specs))

    def run(self, sessions: Int64Array) -> BatchResult:
        """Run sessions by their numbers."""
        return BatchResult.from_results(runner.run(sessions) for runner in self.runners)

    def run_recording(self, max_sessions: int) -> BatchResult:
        """Run sessions along the recording until it ends for one of the strategies.

        Each session starts for all strategies with the roll after the last one that any of them used before.
        """
        batches: list[BatchResult] = []
        first_roll = 0
        for _ in range(max_sessions):
            finished = [
                recorded for runner in self.runners if (recorded := runner.run_recorded(first_roll)) is not None
            ]
            if len(finished) < len(self.runners):
                break
            batches.append(BatchResult.from_results(results for results, _ in finished))
            first_roll = max(end for _, end in finished)
        return reduce(add, batches, BatchResult((SessionHistograms(),) * len(self.runners), ()))

    def chunks(self, sessions: int) -> Iterator[Int64Array]:
        """Yield the numbers of the sessions in chunks."""
        begin, size = 0, FIRST_CHUNK
        while begin < sessions:
            size = ENGINE_CHUNK if any(runner.out_of_memory for runner in self.runners) else size
            yield np.arange(begin, min(begin + size, sessions))
            begin, size = begin + size, min(2 * size, CHUNK)


def run_threads(runner: ComparisonRunner, sessions: int, threads: int) -> Iterator[BatchResult]:
    """Run chunks on threads and yield each result as it is done."""
    chunks = runner.chunks(sessions)
    if threads == 1:
        yield from map(runner.run, chunks)
        return
    with ThreadPoolExecutor(threads) as pool:
        # Two chunks for each thread keep all of them busy and bound the memory of results that wait.
        running: set[Future[BatchResult]] = {pool.submit(runner.run, chunk) for chunk in islice(chunks, 2 * threads)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(runner.run, chunk) for chunk in islice(chunks, len(done))}
            for future in done:
                yield future.result()
