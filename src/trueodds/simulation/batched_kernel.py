"""Walking many sessions abreast, a word of dice at a time, two at once: while one waits for its row, the other goes on.

The same sessions with the same results as one by one, and the same function says what happens out of the ordinary. A
word of dice is eleven throws. Two lanes are played through it without a look to the side, those first in which nothing
out of the ordinary can happen. The worth before each throw is put aside, and heights and falls are found for all lanes
together afterwards, several to an instruction. A lane to which something out of the ordinary happened, or in whose word
of dice it may, is played through the word again, carefully.

The two lanes are written out because the compiler keeps what has a name of its own in registers; more than two do not
fit.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from trueodds.chain.compiling import compiled
from trueodds.chain.machine import CALM_BELOW, CALM_FROM, PARKED
from trueodds.chain.stream import ELEVEN, U, digit, passed_over, seeded, step
from trueodds.chain.walker import (
    BELOW_HANDS,
    BELOW_MONEY,
    GOES_ON,
    HANDS,
    PLACE,
    I,
    arrive,
    finish,
    play_on,
    walk_each,
)

LANES: Final = 96
ENDS_OF_HANDS: Final = I(6)
"""The most hands that can end within a word of dice: after the first, each takes two throws at least."""


@compiled
def walk_abreast(tape: Any, at: Any, start: Any, limits: Any, dice: Any, sessions: Any, out: Any) -> None:
    """Play the sessions of these numbers, with even dice."""
    cause, row, begin = arrive(tape, at, limits, I(start), I(limits.bankroll), I(0), I(0))
    if cause != GOES_ON:
        walk_each(tape, at, start, limits, dice, sessions, out)
        return
    begin, came = begin << BELOW_MONEY, I(limits.bankroll) << BELOW_MONEY
    column, late = U(at.column), I(limits.shooters) - ENDS_OF_HANDS
    words = I((limits.rolls + ELEVEN - 1) // ELEVEN)
    seeds = np.ones((4, LANES), dtype=np.uint64)  # not 0: that is passed over for ever
    word, place = np.zeros(LANES, dtype=np.uint64), np.zeros(LANES, dtype=np.uint64)
    worth, careful = np.zeros(LANES, dtype=np.int64), np.zeros(LANES, dtype=np.int64)
    peak, trough = np.zeros(LANES, dtype=np.int64), np.zeros(LANES, dtype=np.int64)
    fall, who = np.zeros(LANES, dtype=np.int64), np.zeros(LANES, dtype=np.int64)
    played = np.full(LANES, -1, dtype=np.int64)  # words of dice; -1 where no session is
    order = np.zeros(LANES, dtype=np.uint64)
    aside = np.zeros((ELEVEN, LANES), dtype=np.int64)
    coming = live = 0
    while True:
        for lane in range(LANES):
            if played[lane] < 0 and coming < len(sessions):
                who[lane], played[lane], place[lane], worth[lane] = coming, 0, U(row), begin
                peak[lane], trough[lane], fall[lane] = came, came, 0
                seeds[0, lane], seeds[1, lane], seeds[2, lane], seeds[3, lane] = seeded(dice.seed, U(sessions[coming]))
                coming += 1
                live += 1
        if live == 0:
            return
        none = True
        for lane in range(LANES):
            word[lane], seeds[0, lane], seeds[1, lane], seeds[2, lane], seeds[3, lane] = step(
                seeds[0, lane], seeds[1, lane], seeds[2, lane], seeds[3, lane]
            )
            none &= not passed_over(word[lane])
        if not none:
            for lane in range(LANES):
                while passed_over(word[lane]):
                    word[lane], seeds[0, lane], seeds[1, lane], seeds[2, lane], seeds[3, lane] = step(
                        seeds[0, lane], seeds[1, lane], seeds[2, lane], seeds[3, lane]
                    )
        calm, other = U(0), U(LANES)
        for lane in range(LANES):
            last, q = played[lane] == words - 1, worth[lane]
            look = last | (q >= tape[place[lane] + U(CALM_BELOW)]) | ((q & HANDS) >= late)
            careful[lane] = -I(look)
            other -= U(1)
            order[calm], order[other] = U(lane), U(lane)
            quiet = U(look | (q >= tape[place[lane] + U(CALM_FROM)]))
            calm += quiet
            other += quiet
        k = U(0)
        while k < U(LANES):
            l0, l1 = order[k], order[k + U(1)]
            r0, r1 = word[l0], word[l1]
            o0, o1 = place[l0], place[l1]
            q0, q1 = worth[l0], worth[l1]
            f0, f1 = careful[l0], careful[l1]
            watch = k + U(1) >= calm
            for j in range(ELEVEN):
                aside[j, l0], aside[j, l1] = q0, q1
                d0, r0 = digit(r0)
                d1, r1 = digit(r1)
                w0, w1 = tape[o0 + U(tape[column + d0])], tape[o1 + U(tape[column + d1])]
                q0 += w0 >> BELOW_HANDS
                q1 += w1 >> BELOW_HANDS
                o0, o1 = U(w0) & PLACE, U(w1) & PLACE
                if watch:
                    f0 |= q0 - tape[o0]
                    f1 |= q1 - tape[o1]
            if f0 >= 0:
                place[l0], worth[l0] = o0, q0
            if f1 >= 0:
                place[l1], worth[l1] = o1, q1
            careful[l0], careful[l1] = f0, f1
            k += U(2)
        for lane in range(LANES):
            if careful[lane] < 0 and played[lane] >= 0:
                rolls = played[lane] * ELEVEN
                stream = (word[lane], I(ELEVEN), seeds[0, lane], seeds[1, lane], seeds[2, lane], seeds[3, lane])
                seen = (peak[lane], trough[lane], fall[lane])
                cause, o, q, rolls, stream, seen, b, rack = play_on(
                    tape, at, limits, dice, place[lane], worth[lane], rolls, rolls + ELEVEN, stream, seen
                )
                if cause != GOES_ON:
                    finish(tape, at, dice, cause, o, q, rolls, stream, seen, b, rack, out, who[lane])
                    o, q, played[lane] = U(PARKED), I(0), -1
                    live -= 1
                place[lane], worth[lane] = o, q
                peak[lane], trough[lane], fall[lane] = seen
                for j in range(ELEVEN):
                    aside[j, lane] = q  # what it comes to next: that it is looked at twice changes nothing
        for lane in range(LANES):
            p, t, f = peak[lane], trough[lane], fall[lane]
            for j in range(ELEVEN):
                q = aside[j, lane]
                p = max(p, q)
                t = min(t, q)
                f = max(f, p - q)
            peak[lane], trough[lane], fall[lane] = p, t, f
        for lane in range(LANES):
            played[lane] += 1 if played[lane] >= 0 else 0
