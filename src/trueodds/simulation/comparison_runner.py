"""Games played on the same dice, by as many hands as there are: the same score whoever plays what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import add
from typing import Final, Self

import numpy as np

from trueodds.chain.group import Ints
from trueodds.chain.player import Game, Lines, Player
from trueodds.chain.tally import Counts, Tally

FIRST_CHUNK: Final = 1 << 10
CHUNK: Final = 1 << 16
ENGINE_CHUNK: Final = 1 << 6
"""Sessions that are played at a time: few at first, many when walked, very few when the engine plays. They have no part
in the result."""


@dataclass(frozen=True)
class Score:
    """What games came to: a tally each, and by how much each did better than the first, session for session."""

    tallies: tuple[Tally, ...]
    apart: tuple[Counts, ...]

    @classmethod
    def of(cls, lines: Iterable[Lines]) -> Self:
        """Count the same sessions of several games."""
        games = list(lines)
        tallies = tuple(Tally.of(one.out, one.slot, one.by_engine) for one in games)
        return cls(tallies, tuple(Counts.of(other.worth - games[0].worth) for other in games[1:]))

    def __add__(self, other: Self) -> Self:
        if not self.sessions:
            return other
        tallies = tuple(one + more for one, more in zip(self.tallies, other.tallies, strict=True))
        return type(self)(tallies, tuple(one + more for one, more in zip(self.apart, other.apart, strict=True)))

    @property
    def sessions(self) -> int:
        """How many sessions of each game were played."""
        return self.tallies[0].sessions


class Match:
    """Games on the same dice, ready to be played."""

    def __init__(self, games: Iterable[Game]) -> None:
        self.players = tuple(map(Player, games))

    def play(self, sessions: Ints) -> Score:
        """Play the sessions of these numbers."""
        return Score.of(player.play(sessions) for player in self.players)

    def play_recording(self, most: int) -> Score:
        """Play sessions along the recording until it runs out for one of the games.

        A session begins for all of them with the roll after the last that any threw in the one before.
        """
        played: list[Score] = []
        place = 0
        for _ in range(most):
            found = [player.play_recorded(place) for player in self.players]
            over = [one for one in found if one is not None]
            if len(over) < len(found):
                break
            played.append(Score.of(lines for lines, _ in over))
            place = max(after for _, after in over)
        return reduce(add, played, Score((Tally(),) * len(self.players), ()))

    def chunks(self, sessions: int) -> Iterator[Ints]:
        """Number sessions in portions."""
        begin, size = 0, FIRST_CHUNK
        while begin < sessions:
            size = ENGINE_CHUNK if any(player.full for player in self.players) else size
            yield np.arange(begin, min(begin + size, sessions))
            begin, size = begin + size, min(2 * size, CHUNK)


def play_here(match: Match, sessions: int, threads: int) -> Iterator[Score]:
    """Play portions on threads, and give each as it is done; never more of them in flight than are needed."""
    todo = match.chunks(sessions)
    if threads == 1:
        yield from map(match.play, todo)
        return
    with ThreadPoolExecutor(threads) as pool:
        running: set[Future[Score]] = {pool.submit(match.play, chunk) for chunk in islice(todo, 2 * threads)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(match.play, chunk) for chunk in islice(todo, len(done))}
            for one in done:
                yield one.result()
