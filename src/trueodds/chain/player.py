"""Who plays simulated sessions: a strategy with a machine to walk, and the engine for what there is no room for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
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
from trueodds.chain.terms import Terms
from trueodds.chain.walker import (
    CAUSE,
    COLUMNS,
    EVEN,
    FALL,
    LOADED,
    PEAK,
    RECORDED,
    TROUGH,
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

MONEY: Final = [WORTH, PEAK, TROUGH, FALL]
"""The columns of results that are money."""

PORTION: Final = 1 << 14
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
        self._machine = Machine(
            Automaton(game.strategy, game.house, budget=game.budget, lazy=True),
            game.terms,
            self._weights if game.recording is None else _numbers(game.recording),
        )
        self._lock = Lock()
        self._engine = EnginePlayer(game.strategy, game.house, game.terms)
        self.full = False
        """Whether there is no more room for situations, so that the engine has to help."""

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
        return Lines(out, slot, by_engine)

    def play_recording(self, most: int) -> Lines:
        """Play sessions along the recording, one after the other, until it runs out; what it cuts short is left out."""
        machine, recording = self._machine, self.game.recording or ()
        found, place, count, most = [no_results(0).T], 0, 0, min(most, len(recording))
        while count < most:
            out = no_results(min(PORTION, most - count))
            dice = Dice(RECORDED, U(0), machine.places.dice + place, len(machine.tape))
            start = machine.automaton.start
            played, place = walk_recording(machine.tape, machine.places, start, machine.limits, dice, out)
            place, count = place - machine.places.dice, count + played
            found.append(out.T[:played])
            found[-1][:, MONEY] *= machine.slot
            if played == out.shape[1]:
                continue
            if out[CAUSE, played] != UNBUILT:
                break
            if not self._build(out[WANTED, played : played + 1]):
                found.append(self._play_recording_by_engine(iter(recording[place:]), most - count))
                return Lines(np.concatenate(found), 1, len(found[-1]))
        return Lines(np.concatenate(found), 1)

    def _play_recording_by_engine(self, rolls: Iterator[Roll], most: int) -> Ints:
        lines: list[list[int]] = []
        with suppress(StopIteration):
            while len(lines) < most:
                lines.append(self._engine.play(rolls))
        return np.array(lines, dtype=np.int64).reshape(len(lines), COLUMNS)

    def watch(self, sessions: Ints, throws: Ints) -> Ints:
        """Give what sessions were worth after so many throws, in cents; what they came to once they were over.

        A line for each session; for fewer of them where the engine has to play.
        """
        while True:
            what, slot = self._what_to_walk()
            walk, seen = Walk(*what, sessions), []
            for after in throws.tolist():
                while walk.thrown < after and walk.live.any():
                    walk.throw()
                seen.append((walk.live.copy(), walk.worth))
            out = walk.finish()
            wanted = out[out[:, CAUSE] == UNBUILT, WANTED]
            if not len(wanted):
                return np.stack([np.where(live, worth, out[:, WORTH]) for live, worth in seen], axis=1) * slot
            if not self._build(np.unique(wanted)):
                few = sessions[:WATCHED_BY_ENGINE].tolist()
                return np.array([self._engine.watch(self._rolls(one), throws.tolist()) for one in few])

    def _walk(self, sessions: Ints) -> tuple[Ints, int]:
        what, slot = self._what_to_walk()
        out = no_results(len(sessions))
        walk = walk_columns if numba is None else walk_abreast if self._weights is None else walk_each
        walk(*what, sessions, out)
        return out.T, slot

    def _what_to_walk(self) -> tuple[tuple[Words, Places, int, Limits, Dice], int]:
        """Give what every walk begins with, and the slot its money is in."""
        with self._lock:
            machine = self._machine
            kind = EVEN if self._weights is None else LOADED
            dice = Dice(kind, U(self.game.seed), machine.places.dice, len(machine.tape))
            return (machine.tape, machine.places, machine.automaton.start, machine.limits, dice), machine.slot

    def _build(self, wanted: Ints) -> bool:
        """Build what was missing; say whether there was room."""
        with self._lock:
            if not self.full:
                try:
                    self._machine.build(wanted)
                except ChainTooLargeError:
                    self.full = True
            return not self.full

    def _play_by_engine(self, sessions: Ints) -> Ints:
        return np.array([self._engine.play(self._rolls(one)) for one in sessions.tolist()], dtype=np.int64)

    def _rolls(self, session: int) -> Iterator[Roll]:
        return session_rolls(self.game.seed, session, self._weights)


def _numbers(recording: tuple[Roll, ...]) -> Words:
    """Give the numbers of rolls, 0 to 35."""
    number = {roll: index for index, roll in enumerate(ROLLS)}
    return np.array([number[roll] for roll in recording], dtype=np.int64)


def _thresholds(dice: Chances) -> Words | None:
    """Give the words below which each of the 36 rolls lies with loaded dice; nothing for even ones."""
    if dice == FAIR:
        return None
    shares = dict(dice)
    whole = lcm(*(chance.denominator for chance in shares.values()))
    if whole >= 1 << 63:
        raise SessionError("these weights are finer than dice can be thrown")
    each, below, limits = (1 << 64) // whole, Fraction(0), []
    for _, chance in dice:
        below += chance
        limits.append(min(int(below * whole) * each, (1 << 64) - 1))
    return np.array(limits, dtype=np.uint64).view(np.int64)
