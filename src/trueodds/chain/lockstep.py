"""Walking three sessions abreast, a word of dice at a time: while one waits for its row, the others go on.

The same sessions with the same results as one by one, and the same function says what happens out of the ordinary. Each
lane plays whole words of eleven throws; the last throws of a session, and the settling up, are played alone.
"""

from __future__ import annotations

from typing import Any

from trueodds.chain.kernel import compiled
from trueodds.chain.machine import PARKED
from trueodds.chain.stream import ELEVEN, U, high_of_36_times, next_word, seeded
from trueodds.chain.walker import (
    _HAND_BITS,
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
    settle_up,
)


@compiled
def look_closely(
    tables: Any, limits: Any, dice: Any, spot: Any, place: Any, q: Any, rolls: Any, word: Any, left: Any, s: Any,
    out: Any, i: Any, peak: Any, trough: Any, fall: Any,
) -> Any:  # fmt: skip
    """Look at a throw after which something may be out of the ordinary: the row and the worth to go on with.

    A session that is over is settled up and written down, and waits in the parked row.
    """
    b = I(tables.before[spot])
    hands = q & HANDS
    rack = (q >> _HAND_BITS) - tables.words[place + U(1)] + tables.cost[b]
    cause, row, worth = arrive(tables, limits, b, rack, rolls, hands)
    if cause == GOES_ON:
        return U(row), (worth << _HAND_BITS) + hands
    if cause == UNBUILT:
        note(out, i, worth, rolls, peak, trough, fall, hands, UNBUILT, 2 * b)
    else:
        rack, _, wanted = settle_up(tables, dice, b, rack, word, left, I(0), s)
        note(out, i, rack, rolls, peak, trough, fall, hands, UNBUILT if wanted >= 0 else cause, 2 * wanted + 1)
    return U(PARKED), q


@compiled
def last_throws(
    tables: Any, limits: Any, dice: Any, place: Any, q: Any, rolls: Any, s0: Any, s1: Any, s2: Any, s3: Any,
    out: Any, i: Any, peak: Any, trough: Any, fall: Any,
) -> None:  # fmt: skip
    """Play the throws of a session that do not fill a word, and end it."""
    words, column = tables.words, tables.column
    high = I(limits.nearly) << _HAND_BITS
    word, s0, s1, s2, s3 = next_word(s0, s1, s2, s3)
    left = I(ELEVEN)
    while place != U(PARKED):
        peak, trough, fall = max(peak, q), min(trough, q), max(fall, max(peak, q) - q)
        spot = place + U(column[high_of_36_times(word)])
        word *= _36
        left -= 1
        rolls += 1
        found = words[spot]
        q += found >> _PLACE_BITS
        place = U(found) & PLACE
        if q < words[place] or q >= high or rolls >= limits.rolls:
            place, q = look_closely(
                tables, limits, dice, spot, place, q, rolls, word, left, (s0, s1, s2, s3), out, i, peak, trough, fall
            )


@compiled
def walk_abreast(tables: Any, start: Any, limits: Any, dice: Any, sessions: Any, out: Any) -> None:
    """Play the sessions of these numbers; for even dice and sessions that no number of shooters ends."""
    words, column = tables.words, tables.column
    blocks, high, count = I((limits.rolls - 1) // ELEVEN), I(limits.nearly) << _HAND_BITS, len(sessions)
    cause, row, worth = arrive(tables, limits, I(start), I(limits.bankroll), I(0), I(0))
    first, came = U(row), I(limits.bankroll) << _HAND_BITS
    begin = worth << _HAND_BITS
    if cause != GOES_ON or blocks == 0:
        for i in range(count):
            alone_from(tables, start, limits, dice, U(sessions[i]), out, i)
        return
    i0 = i1 = i2 = -1
    n0 = n1 = n2 = I(0)
    coming = live = 0
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = c0 = c1 = c2 = c3 = U(0)
    o0 = o1 = o2 = U(PARKED)
    q0 = q1 = q2 = p0 = p1 = p2 = t0 = t1 = t2 = f0 = f1 = f2 = I(0)
    while True:
        if n0 == 0 or o0 == U(PARKED):
            if o0 != U(PARKED):
                last_throws(tables, limits, dice, o0, q0, blocks * ELEVEN, a0, a1, a2, a3, out, i0, p0, t0, f0)
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
                last_throws(tables, limits, dice, o1, q1, blocks * ELEVEN, b0, b1, b2, b3, out, i1, p1, t1, f1)
                o1 = U(PARKED)
            live -= i1 >= 0
            i1 = -1
            if coming < count:
                i1, n1, o1, q1, p1, t1, f1 = coming, blocks, first, begin, came, came, I(0)
                b0, b1, b2, b3 = seeded(dice.seed, U(sessions[coming]))
                coming += 1
                live += 1
        if n2 == 0 or o2 == U(PARKED):
            if o2 != U(PARKED):
                last_throws(tables, limits, dice, o2, q2, blocks * ELEVEN, c0, c1, c2, c3, out, i2, p2, t2, f2)
                o2 = U(PARKED)
            live -= i2 >= 0
            i2 = -1
            if coming < count:
                i2, n2, o2, q2, p2, t2, f2 = coming, blocks, first, begin, came, came, I(0)
                c0, c1, c2, c3 = seeded(dice.seed, U(sessions[coming]))
                coming += 1
                live += 1
        if live == 0:
            return
        r0, a0, a1, a2, a3 = next_word(a0, a1, a2, a3)
        r1, b0, b1, b2, b3 = next_word(b0, b1, b2, b3)
        r2, c0, c1, c2, c3 = next_word(c0, c1, c2, c3)
        for j in range(ELEVEN):
            p0, t0 = max(p0, q0), min(t0, q0)
            p1, t1 = max(p1, q1), min(t1, q1)
            p2, t2 = max(p2, q2), min(t2, q2)
            f0, f1, f2 = max(f0, p0 - q0), max(f1, p1 - q1), max(f2, p2 - q2)
            s0 = o0 + U(column[high_of_36_times(r0)])
            s1 = o1 + U(column[high_of_36_times(r1)])
            s2 = o2 + U(column[high_of_36_times(r2)])
            r0, r1, r2 = r0 * _36, r1 * _36, r2 * _36
            w0, w1, w2 = words[s0], words[s1], words[s2]
            q0 += w0 >> _PLACE_BITS
            q1 += w1 >> _PLACE_BITS
            q2 += w2 >> _PLACE_BITS
            o0, o1, o2 = U(w0) & PLACE, U(w1) & PLACE, U(w2) & PLACE
            if q0 < words[o0] or q0 >= high:
                o0, q0 = look_closely(
                    tables, limits, dice, s0, o0, q0, (blocks - n0) * ELEVEN + j + 1, r0, I(ELEVEN - 1 - j),
                    (a0, a1, a2, a3), out, i0, p0, t0, f0,
                )  # fmt: skip
            if q1 < words[o1] or q1 >= high:
                o1, q1 = look_closely(
                    tables, limits, dice, s1, o1, q1, (blocks - n1) * ELEVEN + j + 1, r1, I(ELEVEN - 1 - j),
                    (b0, b1, b2, b3), out, i1, p1, t1, f1,
                )  # fmt: skip
            if q2 < words[o2] or q2 >= high:
                o2, q2 = look_closely(
                    tables, limits, dice, s2, o2, q2, (blocks - n2) * ELEVEN + j + 1, r2, I(ELEVEN - 1 - j),
                    (c0, c1, c2, c3), out, i2, p2, t2, f2,
                )  # fmt: skip
        n0 -= 1
        n1 -= 1
        n2 -= 1


@compiled
def alone_from(tables: Any, start: Any, limits: Any, dice: Any, session: Any, out: Any, i: Any) -> None:
    """Play a short session by itself."""
    alone(tables, start, limits, dice, session, I(0), out, i)
