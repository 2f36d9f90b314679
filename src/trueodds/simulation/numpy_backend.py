"""Walking without a compiler: whole columns of sessions at a time, the same sessions with the same results.

All sessions begin together and throw together. Those that are over go on throwing until what they had up is decided,
and are parked then. It is also the walk that can be watched on its way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from trueodds.chain.group import Ints
from trueodds.chain.machine import (
    AFTER,
    ASKS,
    COST,
    DECISION,
    EMPTY,
    END,
    ENDING,
    FACTS,
    HAND_BITS,
    LET_RUN,
    PARKED,
    PLACE_BITS,
    REFUND,
    SHORT,
    STAKES,
    UP,
    Limits,
    Places,
    Words,
)
from trueodds.chain.stream import ELEVEN, Columns, U, high_in_halves
from trueodds.chain.terms import LONG_ENOUGH
from trueodds.chain.walker import (
    CAUSE,
    ENDLESS,
    EVEN,
    FALL,
    GOES_ON,
    HANDS,
    HANDS_SEEN,
    PEAK,
    ROLLS,
    ROLLS_OVER,
    RUIN,
    SHOOTERS_OVER,
    STOP_LOSS,
    STOP_WIN,
    TROUGH,
    UNBUILT,
    WANTED,
    WORTH,
    Dice,
    no_results,
)


class Walk:
    """Sessions on their way, each a place in every column."""

    def __init__(self, tape: Words, at: Places, start: int, limits: Limits, dice: Dice, sessions: Ints) -> None:
        self._tape, self._at, self._limits, self._dice = tape, at, limits, dice
        self._facts = tape[at.facts : at.dice].reshape(-1, FACTS)
        count = len(sessions)
        self.out = no_results(count).T
        self.thrown = 0
        self.live = np.ones(count, dtype=bool)
        self._columns = Columns(int(dice.seed), sessions)
        self._word = np.zeros(count, dtype=np.uint64)
        self._place = np.full(count, PARKED)
        self._worth = np.full(count, limits.bankroll << HAND_BITS)
        self._peak, self._trough, self._fall = self._worth.copy(), self._worth.copy(), np.zeros(count, dtype=np.int64)
        self._arrive(np.arange(count), np.full(count, start), np.full(count, limits.bankroll))

    @property
    def worth(self) -> Ints:
        """What sessions are worth now, in slots: rack and stakes up, or the rack once they are over."""
        worth: Ints = self._worth >> HAND_BITS
        return worth

    @property
    def done(self) -> bool:
        """Whether all is decided."""
        return not (self._place != PARKED).any()

    def throw(self) -> None:
        """Throw once for everybody."""
        tape, at, q = self._tape, self._at, self._worth
        np.maximum(self._peak, q, out=self._peak, where=self.live)
        np.minimum(self._trough, q, out=self._trough, where=self.live)
        np.maximum(self._fall, self._peak - q, out=self._fall, where=self.live)
        spot = self._place + tape[at.column + self._draw()]
        found, came_from = tape[spot], self._place
        q += np.where(came_from == PARKED, 0, found >> PLACE_BITS)
        self._place = found & ((1 << PLACE_BITS) - 1)
        self.thrown += 1
        odd = (q < tape[self._place]) | (q >= self._limits.nearly << HAND_BITS)
        if self._limits.shooters < HANDS:
            odd |= (q & HANDS) >= self._limits.shooters
        if self.thrown >= self._limits.rolls:
            odd[:] = True
        who = np.flatnonzero(odd & self.live)
        if len(who):
            b, worth = tape[at.before + spot[who]], q[who] >> HAND_BITS
            facts = self._facts[b]
            bet = worth - tape[self._place[who] + UP] + facts[:, COST]
            self._arrive(who, b, np.where(facts[:, AFTER] < 0, worth - facts[:, STAKES], bet))

    def finish(self) -> Ints:
        """Throw until all is decided, and give the results."""
        longest = self.thrown + self._limits.rolls + LONG_ENOUGH
        while not self.done and self.thrown < longest:
            self.throw()
        self.out[self._place != PARKED, CAUSE] = ENDLESS
        out, over = self.out, self.out[:, CAUSE] != UNBUILT
        out[over, WORTH] = self.worth[over]
        out[over, PEAK] = np.maximum(out[over, PEAK], out[over, WORTH])
        out[over, TROUGH] = np.minimum(out[over, TROUGH], out[over, WORTH])
        out[over, FALL] = np.maximum(out[over, FALL], out[over, PEAK] - out[over, WORTH])
        return out

    def _draw(self) -> Ints:
        if self._dice.kind != EVEN:
            limits = self._tape[self._dice.begin : self._dice.end].view(np.uint64)
            return np.searchsorted(limits, self._columns.words(limits[-1]), side="right")
        if self.thrown % ELEVEN == 0:
            self._word = self._columns.words()
        roll: Ints = high_in_halves(self._word).astype(np.int64)
        self._word *= U(36)
        return roll

    def _arrive(self, who: Ints, b: Ints, rack: Ints) -> None:
        """Say what happens to sessions before betting, as `over` and `arrive` of the walker do for one."""
        tape, limits = self._tape, self._limits
        facts, hands = self._facts[b], self._worth[who] & HANDS
        worth = rack + facts[:, STAKES]
        rolls = np.full(len(who), self.thrown >= limits.rolls)
        stops = [rolls, hands >= limits.shooters, worth <= limits.at_most, worth >= limits.at_least]
        cause = np.select(stops, [ROLLS_OVER, SHOOTERS_OVER, STOP_LOSS, STOP_WIN], GOES_ON)
        row, cost = facts[:, AFTER], facts[:, COST]
        undecided = (cause == GOES_ON) & (row < 0)
        bets = (cause == GOES_ON) & (row >= 0) & (rack >= np.maximum(0, cost))
        short = (cause == GOES_ON) & (row >= 0) & ~bets
        cause[short & (facts[:, EMPTY] != 0)] = RUIN
        short &= cause == GOES_ON
        waits = short & (facts[:, LET_RUN] < 0)
        cause[undecided | waits] = UNBUILT
        row = np.where(short, facts[:, LET_RUN], row)
        worth = np.where(bets, rack - cost + tape[row + UP], worth)
        goes_on = cause == GOES_ON
        self._place[who[goes_on]] = row[goes_on]
        self._worth[who[goes_on]] = (worth[goes_on] << HAND_BITS) + hands[goes_on]
        ask = np.where(undecided, DECISION, SHORT)
        ended = ~goes_on & (cause != UNBUILT)
        waits = ended & (facts[:, ENDING] < 0)
        ask[waits], cause[waits] = END, UNBUILT
        self._leave(who[~goes_on], cause[~goes_on], (len(ASKS) * b + ask)[~goes_on])
        over = ended & ~waits
        self._place[who[over]] = facts[over, ENDING]
        self._worth[who[over]] = (rack + facts[:, REFUND])[over] << HAND_BITS

    def _leave(self, who: Ints, cause: Any, wanted: Any) -> None:
        """Write down what is known of sessions when they are over or cannot go on."""
        out = self.out
        out[who, WORTH], out[who, ROLLS] = self.worth[who], self.thrown
        out[who, HANDS_SEEN], out[who, CAUSE] = self._worth[who] & HANDS, cause
        out[who, WANTED] = np.where(cause == UNBUILT, wanted, -1)
        out[who, PEAK], out[who, TROUGH] = self._peak[who] >> HAND_BITS, self._trough[who] >> HAND_BITS
        out[who, FALL] = (self._fall[who] + HANDS) >> HAND_BITS
        self.live[who], self._place[who] = False, PARKED


def walk_columns(tape: Words, at: Places, start: int, limits: Limits, dice: Dice, sessions: Ints, out: Ints) -> None:
    """Play the sessions of these numbers."""
    out[:] = Walk(tape, at, start, limits, dice, sessions).finish().T
