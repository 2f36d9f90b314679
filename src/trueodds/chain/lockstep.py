"""Walking two sessions abreast, a word of dice at a time: while one waits for its row, the other goes on.

The same sessions with the same results as one by one, and the same function says what happens out of the ordinary. Each
lane plays whole words of eleven throws; the last throws of a session, and the settling up, are played alone. The worth
before each throw is put aside and looked through for heights and falls after the word: that is twice as fast as keeping
them as one goes.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from trueodds.chain.kernel import compiled, inlined
from trueodds.chain.machine import PARKED
from trueodds.chain.stream import ELEVEN, U, high_of_36_times, next_word, seeded
from trueodds.chain.walker import (
    _HAND_BITS,
    _KINDS,
    _PLACE_BITS,
    GOES_ON,
    HANDS,
    PLACE,
    UNBUILT,
    I,
    _36,
    alone,
    arrive,
    note,
    rack_before,
    settle_up,
)

_ELEVEN: Final = U(ELEVEN)


@inlined
def look_closely(tape: Any, at: Any, limits: Any, spot: Any, place: Any, q: Any, rolls: Any) -> Any:
    """Look at a throw after which something may be out of the ordinary: what it is, and where to go on with what worth.

    Besides: the situation before betting and the rack in it.
    """
    b, hands = tape[U(at.before) + spot], q & HANDS
    rack = rack_before(tape, at, b, place, q)
    cause, row, worth = arrive(tape, at, limits, b, rack, rolls, hands)
    return cause, row, (worth << _HAND_BITS) + hands, b, rack


@compiled
def end(
    tape: Any, at: Any, dice: Any, cause: Any, row: Any, q: Any, b: Any, rack: Any, rolls: Any, word: Any, left: Any,
    s: Any, out: Any, i: Any, peak: Any, trough: Any, fall: Any,
) -> None:  # fmt: skip
    """Settle a session up that is over, and write it down; or what is missing to play it on."""
    hands = q & HANDS
    if cause == UNBUILT:
        note(out, i, q >> _HAND_BITS, rolls, peak, trough, fall, hands, UNBUILT, _KINDS * b + row)
    else:
        rack, _, wanted = settle_up(tape, at, dice, b, rack, word, left, I(0), s)
        note(out, i, rack, rolls, peak, trough, fall, hands, cause, wanted)


@compiled
def last_throws(
    tape: Any, at: Any, limits: Any, dice: Any, place: Any, q: Any, rolls: Any, s: Any, out: Any, i: Any,
    peak: Any, trough: Any, fall: Any,
) -> None:  # fmt: skip
    """Play the throws of a session that do not fill a word, and end it."""
    high = I(limits.nearly) << _HAND_BITS
    word, s0, s1, s2, s3 = next_word(s[0], s[1], s[2], s[3])
    left = I(ELEVEN)
    while True:
        peak = max(peak, q)
        trough = min(trough, q)
        fall = max(fall, peak - q)
        spot = place + U(tape[U(at.column) + high_of_36_times(word)])
        word *= _36
        left -= 1
        rolls += 1
        found = tape[spot]
        q += found >> _PLACE_BITS
        place = U(found) & PLACE
        if q < tape[place] or q >= high or rolls >= limits.rolls:
            cause, row, q, b, rack = look_closely(tape, at, limits, spot, place, q, rolls)
            if cause != GOES_ON:
                end(
                    tape,
                    at,
                    dice,
                    cause,
                    row,
                    q,
                    b,
                    rack,
                    rolls,
                    word,
                    left,
                    (s0, s1, s2, s3),
                    out,
                    i,
                    peak,
                    trough,
                    fall,
                )
                return
            place = U(row)


@compiled
def walk_abreast(tape: Any, at: Any, start: Any, limits: Any, dice: Any, sessions: Any, out: Any) -> None:
    """Play the sessions of these numbers; for even dice and sessions that no number of shooters ends."""
    blocks, high, count = I((limits.rolls - 1) // ELEVEN), I(limits.nearly) << _HAND_BITS, len(sessions)
    column = U(at.column)
    cause, row, worth = arrive(tape, at, limits, I(start), I(limits.bankroll), I(0), I(0))
    if cause != GOES_ON or blocks == 0:
        for i in range(count):
            alone(tape, at, start, limits, dice, U(sessions[i]), I(0), out, i)
        return
    first, begin, came = U(row), worth << _HAND_BITS, I(limits.bankroll) << _HAND_BITS
    aside = np.zeros((ELEVEN, 2), dtype=np.int64)
    i0 = i1 = -1
    n0 = n1 = I(0)
    coming = live = 0
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = r0 = r1 = U(1)  # not 0: that is passed over for ever
    o0 = o1 = x0 = x1 = U(PARKED)
    q0 = q1 = p0 = p1 = t0 = t1 = f0 = f1 = I(0)
    while True:
        if n0 == 0 or o0 == U(PARKED):
            if o0 != U(PARKED):
                last_throws(tape, at, limits, dice, o0, q0, blocks * ELEVEN, (a0, a1, a2, a3), out, i0, p0, t0, f0)
                o0 = U(PARKED)
            live -= i0 >= 0
            i0 = -1
            if coming < count:
                i0, n0, o0, q0, p0, t0, f0 = coming, blocks, first, begin, came, came, I(0)
                a0, a1, a2, a3 = seeded(dice.seed, U(sessions[coming]))
                coming += 1
                live += 1
        if n1 == 0 or o1 == U(PARKED):
            if o1 != U(PARKED):
                last_throws(tape, at, limits, dice, o1, q1, blocks * ELEVEN, (b0, b1, b2, b3), out, i1, p1, t1, f1)
                o1 = U(PARKED)
            live -= i1 >= 0
            i1 = -1
            if coming < count:
                i1, n1, o1, q1, p1, t1, f1 = coming, blocks, first, begin, came, came, I(0)
                b0, b1, b2, b3 = seeded(dice.seed, U(sessions[coming]))
                coming += 1
                live += 1
        if live == 0:
            return
        r0, a0, a1, a2, a3 = next_word(a0, a1, a2, a3)
        r1, b0, b1, b2, b3 = next_word(b0, b1, b2, b3)
        j = U(0)
        while j < _ELEVEN:
            while j < _ELEVEN:
                aside[j, 0] = q0
                aside[j, 1] = q1
                x0 = o0 + U(tape[column + high_of_36_times(r0)])
                x1 = o1 + U(tape[column + high_of_36_times(r1)])
                r0 *= _36
                r1 *= _36
                w0, w1 = tape[x0], tape[x1]
                q0 += w0 >> _PLACE_BITS
                q1 += w1 >> _PLACE_BITS
                o0, o1 = U(w0) & PLACE, U(w1) & PLACE
                j += U(1)
                if (q0 < tape[o0]) | (q1 < tape[o1]) | (q0 >= high) | (q1 >= high):
                    break
            if q0 < tape[o0] or q0 >= high:
                rolls = (blocks - n0) * ELEVEN + I(j)
                cause, row, q0, b, rack = look_closely(tape, at, limits, x0, o0, q0, rolls)
                o0 = U(row)
                if cause != GOES_ON:
                    h, t, f = p0, t0, f0
                    for k in range(I(j)):
                        h = max(h, aside[k, 0])
                        t = min(t, aside[k, 0])
                        f = max(f, h - aside[k, 0])
                    left, s = I(ELEVEN) - I(j), (a0, a1, a2, a3)
                    end(tape, at, dice, cause, row, q0, b, rack, rolls, r0, left, s, out, i0, h, t, f)
                    o0, q0 = U(PARKED), I(0)  # worth nothing, so that no stop is reached while it waits
            if q1 < tape[o1] or q1 >= high:
                rolls = (blocks - n1) * ELEVEN + I(j)
                cause, row, q1, b, rack = look_closely(tape, at, limits, x1, o1, q1, rolls)
                o1 = U(row)
                if cause != GOES_ON:
                    h, t, f = p1, t1, f1
                    for k in range(I(j)):
                        h = max(h, aside[k, 1])
                        t = min(t, aside[k, 1])
                        f = max(f, h - aside[k, 1])
                    left, s = I(ELEVEN) - I(j), (b0, b1, b2, b3)
                    end(tape, at, dice, cause, row, q1, b, rack, rolls, r1, left, s, out, i1, h, t, f)
                    o1, q1 = U(PARKED), I(0)  # worth nothing, so that no stop is reached while it waits
        for k in range(ELEVEN):
            q = aside[k, 0]
            p0 = max(p0, q)
            t0 = min(t0, q)
            f0 = max(f0, p0 - q)
        for k in range(ELEVEN):
            q = aside[k, 1]
            p1 = max(p1, q)
            t1 = min(t1, q)
            f1 = max(f1, p1 - q)
        n0 -= 1
        n1 -= 1
