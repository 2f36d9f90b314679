"""Who plays simulated sessions: a strategy with a machine to walk, and the engine for what there is no room for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from threading import Lock
from typing import Final, NamedTuple

import numpy as np

from trueodds.chain.automaton import Automaton
from trueodds.chain.by_engine import EnginePlayer
from trueodds.chain.by_numpy import Walk, walk_columns
from trueodds.chain.compiling import numba
from trueodds.chain.errors import ChainTooLargeError, SessionError
from trueodds.chain.group import Ints
from trueodds.chain.lockstep import walk_abreast
from trueodds.chain.machine import Limits, Machine, Places, Words
from trueodds.chain.odds import FAIR, Chances
from trueodds.chain.stream import U, session_rolls
from trueodds.chain.tally import MONEY as AMOUNTS
from trueodds.chain.terms import Terms, endless
from trueodds.chain.walker import (
    CAUSE,
    ENDLESS,
    EVEN,
    LOADED,
    OUT_OF_DICE,
    RECORDED,
    UNBUILT,
    WANTED,
    WORTH,
    Dice,
    no_results,
    walk_each,
    walk_recording,
)
from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House
from trueodds.strategy import Strategy

MONEY: Final = list(AMOUNTS.values())
"""The columns of results that are money."""

WATCHED_BY_ENGINE: Final = 200


@dataclass(frozen=True)
class Game:
    """What is played: a strategy at a house, under the terms of a session, with dice; and the memory there is for it.

    The dice are a seed and the chances of the 36 rolls, or a recording.
    """

    strategy: Strategy
    house: House
    terms: Terms
    seed: int
    dice: Chances
    budget: int
    recording: tuple[Roll, ...] | None = None


class Lines(NamedTuple):
    """Results of sessions, a line each in the order of their numbers; money in slots of so many cents."""

    out: Ints
    slot: int
    by_engine: int = 0

    @property
    def worth(self) -> Ints:
        """What each session came to, in cents."""
        return self.out[:, WORTH] * self.slot


class Player:
    """Plays any sessions of a game, on any thread."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._weights = _thresholds(game.dice)
        self._engine = EnginePlayer(game.strategy, game.house, game.terms)
        self._lock = Lock()
        self.full = False
        """Whether there is no more room for situations, so that the engine has to help."""
        self._machine: Machine | None = None
        words = self._weights if game.recording is None else _numbers(game.recording)
        automaton = Automaton(game.strategy, game.house, budget=game.budget, lazy=True)
        try:
            self._machine = Machine(automaton, game.terms, words)
        except ChainTooLargeError:
            self.full = True

    def play(self, sessions: Ints) -> Lines:
        """Play sessions by their numbers."""
        out, slot = self._walk(sessions)
        by_engine = 0
        while len(todo := np.flatnonzero(out[:, CAUSE] == UNBUILT)):
            if self._build(np.unique(out[todo, WANTED])):
                found, finer = self._walk(sessions[todo])
            else:
                found, finer, by_engine = self._play_by_engine(sessions[todo]), 1, len(todo)
            if finer != slot:
                out[:, MONEY] *= slot // finer
                slot = finer
            out[todo] = found
        _check_ended(out)
        return Lines(out, slot, by_engine)

    def play_recorded(self, place: int) -> tuple[Lines, int] | None:
        """Play one session along the recording from a place on; give the place after it too. None: it is cut short."""
        recording = self.game.recording or ()
        while not self.full and self._machine is not None:
            machine, out = self._machine, no_results(1)
            dice = Dice(RECORDED, U(0), machine.places.dice + place, len(machine.tape))
            start = machine.automaton.start
            after = int(walk_recording(machine.tape, machine.places, start, machine.limits, dice, out))
            if out[CAUSE, 0] == OUT_OF_DICE:
                return None
            if out[CAUSE, 0] != UNBUILT:
                _check_ended(out.T)
                return Lines(out.T, machine.slot), after - machine.places.dice
            self._build(out[WANTED])
        rolls = iter(recording[place:])
        try:
            line = np.array([self._engine.play(rolls)])
        except StopIteration:
            return None
        return Lines(line, 1, 1), len(recording) - sum(1 for _ in rolls)

    def watch(self, sessions: Ints, throws: Ints) -> Ints:
        """Give what sessions were worth after so many throws, in cents; what they came to once they were over.

        A line for each session; for fewer of them where the engine has to play.
        """
        while self._machine is not None:
            what, slot = self._what_to_walk(self._machine)
            walk, seen = Walk(*what, sessions), []
            for after in throws.tolist():
                while walk.thrown < after and walk.live.any():
                    walk.throw()
                seen.append((walk.live.copy(), walk.worth))
            out = walk.finish()
            _check_ended(out)
            wanted = out[out[:, CAUSE] == UNBUILT, WANTED]
            if not len(wanted):
                return np.stack([np.where(live, worth, out[:, WORTH]) for live, worth in seen], axis=1) * slot
            if not self._build(np.unique(wanted)):
                break
        few = sessions[:WATCHED_BY_ENGINE].tolist()
        return np.array([self._engine.watch(self._rolls(one), throws.tolist()) for one in few])

    def _walk(self, sessions: Ints) -> tuple[Ints, int]:
        out = no_results(len(sessions))
        if self._machine is None:
            out[CAUSE] = UNBUILT
            return out.T, 1
        what, slot = self._what_to_walk(self._machine)
        walk = walk_columns if numba is None else walk_abreast if self._weights is None else walk_each
        walk(*what, sessions, out)
        return out.T, slot

    def _what_to_walk(self, machine: Machine) -> tuple[tuple[Words, Places, int, Limits, Dice], int]:
        """Give what every walk begins with, and the slot its money is in."""
        with self._lock:
            kind = EVEN if self._weights is None else LOADED
            dice = Dice(kind, U(self.game.seed), machine.places.dice, len(machine.tape))
            return (machine.tape, machine.places, machine.automaton.start, machine.limits, dice), machine.slot

    def _build(self, wanted: Ints) -> bool:
        """Build what was missing; say whether there was room."""
        with self._lock:
            if self._machine is not None and not self.full:
                try:
                    self._machine.build(wanted)
                except ChainTooLargeError:
                    self.full = True
            return not self.full

    def _play_by_engine(self, sessions: Ints) -> Ints:
        return np.array([self._engine.play(self._rolls(one)) for one in sessions.tolist()], dtype=np.int64)

    def _rolls(self, session: int) -> Iterator[Roll]:
        return session_rolls(self.game.seed, session, self._weights)


def _check_ended(out: Ints) -> None:
    """Refuse sessions whose bets are never decided."""
    if (out[:, CAUSE] == ENDLESS).any():
        raise endless()


def _numbers(recording: tuple[Roll, ...]) -> Words:
    """Give the numbers of rolls, 0 to 35."""
    number = {roll: index for index, roll in enumerate(ROLLS)}
    return np.array([number[roll] for roll in recording], dtype=np.int64)


def _thresholds(dice: Chances) -> Words | None:
    """Give the words below which each of the 36 rolls lies with loaded dice; nothing for even ones."""
    if dice == FAIR:
        return None
    whole = lcm(*(chance.denominator for _, chance in dice))
    if whole >= 1 << 63:
        raise SessionError("these weights are finer than dice can be thrown")
    each, below, limits = (1 << 64) // whole, Fraction(0), []
    for _, chance in dice:
        below += chance
        limits.append(min(int(below * whole) * each, (1 << 64) - 1))
    return np.array(limits, dtype=np.uint64).view(np.int64)
