"""The dice of a simulation: a stream of rolls for each session, the same wherever and in whatever order it is played.

The contract. Session number i of a simulation with seed s has a generator xoshiro256++ of its own (Blackman and Vigna).
Its four words of state are the first four outputs of splitmix64 started at mix(s) + i * STEP (all arithmetic modulo
2**64), where mix is the output function of splitmix64. Each word w that the generator gives makes ELEVEN rolls: the
digits of floor(w * 36**11 / 2**64) in base 36, the first roll the highest digit. A word is passed over when
w * 36**11 mod 2**64 is less than 2**64 mod 36**11: then each of the 36**11 sequences comes from equally many words, and
the rolls are exactly uniform. Digit d is the roll of faces d // 6 + 1 and d % 6 + 1.

Loaded dice of weights that add up to W make one roll of a word: roll number d, of the 36, where the weights of the
rolls before it times floor(2**64 / W) are at most the word and with its own weight more than the word. Words beyond all
of them are passed over, and so are those that are passed over above.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trueodds.chain.compiling import compiled, inlined, numba
from trueodds.dice import ROLLS, Roll

ELEVEN: Final = 11
"""Rolls out of one word: the most that 36 to that power is below 2**64 by a wide margin."""

WORD: Final = 1 << 64
SEQUENCES: Final = 36**ELEVEN
PASS_OVER: Final = WORD % SEQUENCES
GOLDEN: Final = 0x9E3779B97F4A7C15
STEP: Final = 0xD1342543DE82EF95

U = np.uint64
_SEQUENCES, _PASS_OVER, _GOLDEN, _STEP = U(SEQUENCES), U(PASS_OVER), U(GOLDEN), U(STEP)
_FIRST, _SECOND = U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)
_36 = U(36)


def high_in_halves(word: Any) -> Any:
    """Give the upper 64 bits of 36 times a word, in two halves."""
    low = (word & U(0xFFFFFFFF)) * _36
    return ((word >> U(32)) * _36 + (low >> U(32))) >> U(32)


def _high_in_one() -> Any:
    """Make the same for the compiler: one machine instruction, through a product of 128 bits."""
    ir, types = import_module("llvmlite.ir"), import_module("numba.core.types")

    def typed(_context: Any, word: Any) -> Any:
        def make(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(arguments[0], wide), ir.Constant(wide, 36))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(word), make

    return import_module("numba.extending").intrinsic(typed)


high_of_36_times: Any = high_in_halves if numba is None else _high_in_one()


@inlined
def digit(word: Any) -> Any:
    """Give the next roll of a word, 0 to 35, and what is left of the word."""
    return high_of_36_times(word), word * _36


def _mix(word: Any) -> Any:
    """Scramble a word: the output function of splitmix64."""
    word = (word ^ (word >> U(30))) * _FIRST
    word = (word ^ (word >> U(27))) * _SECOND
    return word ^ (word >> U(31))


def _turned(word: Any, by: Any) -> Any:
    """Rotate a word to the left."""
    return (word << by) | (word >> (U(64) - by))


mix, turned = inlined(_mix), inlined(_turned)


@compiled
def seeded(seed: Any, session: Any) -> Any:
    """Give the four words of state that a session begins with."""
    start = mix(seed) + session * _STEP
    return (
        mix(start + _GOLDEN),
        mix(start + _GOLDEN * U(2)),
        mix(start + _GOLDEN * U(3)),
        mix(start + _GOLDEN * U(4)),
    )


@inlined
def step(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Give a word of the generator, and the state after it."""
    word = turned(a + d, U(23)) + a
    c, d = c ^ a, d ^ b
    return word, a ^ d, b ^ c, c ^ (b << U(17)), turned(d, U(45))


@inlined
def passed_over(word: Any) -> Any:
    """Tell whether a word makes no rolls."""
    return word * _SEQUENCES < _PASS_OVER


@compiled
def next_word(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Give the next word that is not passed over, and the state after it."""
    word, a, b, c, d = step(a, b, c, d)
    while passed_over(word):
        word, a, b, c, d = step(a, b, c, d)
    return word, a, b, c, d


class Columns:
    """The generators of many sessions at once, for NumPy."""

    def __init__(self, seed: int, sessions: npt.NDArray[np.int64]) -> None:
        start = _mix(np.array([seed], dtype=U)) + sessions.astype(U) * _STEP
        self._state = np.stack([_mix(start + U(GOLDEN * word % WORD)) for word in (1, 2, 3, 4)])

    def words(self, limit: Any = None) -> npt.NDArray[np.uint64]:
        """Give every session its next word that is not passed over, and is below a limit where there is one."""
        word, again = np.zeros(self._state.shape[1], dtype=U), np.arange(self._state.shape[1])
        while len(again):
            drawn = word[again] = self._step(again)
            refused = drawn * _SEQUENCES < _PASS_OVER
            again = again[refused if limit is None else refused | (drawn >= limit)]
        return word

    def _step(self, mine: Any) -> npt.NDArray[np.uint64]:
        a, b, c, d = self._state[:, mine]
        word: npt.NDArray[np.uint64] = _turned(a + d, U(23)) + a
        c, d = c ^ a, d ^ b
        self._state[:, mine] = a ^ d, b ^ c, c ^ (b << U(17)), _turned(d, U(45))
        return word


def sequence_of(word: int, bits: int = 64, base: int = 36, count: int = ELEVEN) -> tuple[int, ...] | None:
    """Say what the scaling step makes of a word, in plain whole numbers; None if the word is passed over.

    >>> sequence_of(2**63 + 2**20)
    (18, 0, 0, 0, 0, 0, 0, 0, 5, 27, 29)
    """
    whole, sequences = 1 << bits, base**count
    if word * sequences % whole < whole % sequences:
        return None
    number = word * sequences // whole
    return tuple(number // base ** (count - 1 - index) % base for index in range(count))


def session_rolls(seed: int, session: int, limits: npt.NDArray[np.int64] | None = None) -> Iterator[Roll]:
    """Give the rolls of one session, without end, by the contract and in plain whole numbers.

    With limits the dice are loaded: each word makes one roll, the first of the 36 whose limit is above the word; words
    at or above the last limit are passed over.

    >>> from itertools import islice
    >>> [str(roll) for roll in islice(session_rolls(1, 0), 5)]
    ['6-5', '4-4', '5-1', '5-3', '2-2']
    """
    mask = WORD - 1

    def mixed(word: int) -> int:
        word = (word ^ (word >> 30)) * int(_FIRST) & mask
        word = (word ^ (word >> 27)) * int(_SECOND) & mask
        return word ^ (word >> 31)

    def turn(word: int, by: int) -> int:
        return (word << by | word >> (64 - by)) & mask

    start = mixed(seed & mask) + session * STEP & mask
    a, b, c, d = (mixed(start + GOLDEN * index & mask) for index in (1, 2, 3, 4))
    while True:
        word = turn(a + d & mask, 23) + a & mask
        shifted = b << 17 & mask
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = turn(d, 45)
        found = sequence_of(word)
        if found is None:
            continue
        if limits is None:
            yield from (ROLLS[digit] for digit in found)
        elif word < int(limits.view(np.uint64)[-1]):
            yield ROLLS[int(np.searchsorted(limits.view(np.uint64), U(word), side="right"))]
