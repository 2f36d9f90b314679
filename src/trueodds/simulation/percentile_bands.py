"""How results spread over time: quantiles of what sessions are worth after more and more throws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from trueodds.chain.errors import SessionError
from trueodds.chain.group import Ints
from trueodds.chain.machine import MOST_ROLLS
from trueodds.chain.player import Game, Player
from trueodds.chain.terms import SHARES

WATCHED: Final = 1 << 14
POINTS: Final = 50
LONGEST: Final = 1000
"""Throws that are watched where only shooters are limited."""


@dataclass(frozen=True)
class Fan:
    """After each number of `throws`, the net results in cents at each of `shares`, from the first `sessions` sessions.

    Sessions that are over stay at what they came to.
    """

    throws: Ints
    shares: tuple[float, ...]
    results: Ints
    sessions: int


def watch(game: Game, sessions: int) -> Fan:
    """Watch the first sessions of a game again."""
    if game.recording is not None:
        raise SessionError("sessions along a recording are not watched")
    longest = min(game.terms.rolls or MOST_ROLLS, LONGEST)
    throws = np.unique(np.linspace(0, longest, min(POINTS, longest) + 1).round().astype(np.int64))
    worth = Player(game).watch(np.arange(min(sessions, WATCHED)), throws)
    results = np.quantile(worth, SHARES, axis=0, method="inverted_cdf").astype(np.int64) - game.terms.bankroll
    return Fan(throws, SHARES, results, len(worth))
