"""The random number generator: a stream of rolls for each session, the same wherever and in whatever order it runs.

The contract. Session number i of a simulation with seed s has its own generator xoshiro256++ (Blackman and Vigna). Its
four words of state are the first four outputs of splitmix64 started at mix(s) + i * SESSION_STEP (all arithmetic modulo
2**64), where mix is the output function of splitmix64. Each word w of the generator makes ROLLS_PER_WORD rolls: the
digits of floor(w * 36**11 / 2**64) in base 36, highest digit first. A word is rejected if w * 36**11 mod 2**64 is less
than 2**64 mod 36**11. Then each of the 36**11 sequences comes from equally many words, and the rolls are exactly
uniform. Digit d is the roll of faces d // 6 + 1 and d % 6 + 1.

Biased dice with weights that add up to W make one roll of each word. Roll number d of the 36 is chosen if the weights
of the rolls before it times floor(2**64 / W) are at most the word, and with its own weight are more than the word.
Words beyond all of them are rejected, and so are the words that are rejected above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from trueodds.automaton.array_types import Int64Array
from trueodds.automaton.jit import jit, jit_inline, numba
from trueodds.dice import ROLLS, Roll

ROLLS_PER_WORD: Final = 11
"""36**11 is far enough below 2**64 that few words are rejected."""

WORD_RANGE: Final = 1 << 64
SEQUENCE_COUNT: Final = 36**ROLLS_PER_WORD
REJECT_BELOW: Final = WORD_RANGE % SEQUENCE_COUNT
SPLITMIX_INCREMENT: Final = 0x9E3779B97F4A7C15
SESSION_STEP: Final = 0xD1342543DE82EF95

U64 = np.uint64
UInt64Array = npt.NDArray[np.uint64]
State = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
_SEQUENCE_COUNT, _REJECT_BELOW = U64(SEQUENCE_COUNT), U64(REJECT_BELOW)
_SPLITMIX_INCREMENT, _SESSION_STEP = U64(SPLITMIX_INCREMENT), U64(SESSION_STEP)
_MIX_FACTOR_1, _MIX_FACTOR_2 = U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)
_36 = U64(36)

Word = TypeVar("Word", np.uint64, UInt64Array)


def times_36_high_numpy(word: Word) -> Word:
    """Return the upper 64 bits of 36 times a word, computed in two halves."""
    low = (word & U64(0xFFFFFFFF)) * _36
    return ((word >> U64(32)) * _36 + (low >> U64(32))) >> U64(32)


def _make_times_36_high() -> Callable[[np.uint64], np.uint64]:
    """Return the same function for compiled code, as one machine instruction through a product of 128 bits."""
    ir, types = import_module("llvmlite.ir"), import_module("numba.core.types")

    def typed(_context: object, word: object) -> tuple[object, Callable[..., object]]:
        # Numba passes objects of LLVM's untyped builder.
        def generate(_context: object, builder: Any, _signature: object, arguments: Any) -> object:
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(arguments[0], wide), ir.Constant(wide, 36))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(word), generate

    intrinsic: Callable[[np.uint64], np.uint64] = import_module("numba.extending").intrinsic(typed)
    return intrinsic


times_36_high: Callable[[np.uint64], np.uint64] = times_36_high_numpy if numba is None else _make_times_36_high()


@jit_inline
def next_digit(word: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the next roll of a word, 0 to 35, and the rest of the word."""
    return times_36_high(word), word * _36


def _mix(word: Word) -> Word:
    """Scramble a word: the output function of splitmix64."""
    word = (word ^ (word >> U64(30))) * _MIX_FACTOR_1
    word = (word ^ (word >> U64(27))) * _MIX_FACTOR_2
    return word ^ (word >> U64(31))


def _rotate_left(word: Word, bits: np.uint64) -> Word:
    return (word << bits) | (word >> (U64(64) - bits))


mix, rotate_left = jit_inline(_mix), jit_inline(_rotate_left)


@jit
def initial_state(seed: np.uint64, session: np.uint64) -> State:
    """Return the four words of state with which a session starts."""
    start = mix(seed) + session * _SESSION_STEP
    return (
        mix(start + _SPLITMIX_INCREMENT),
        mix(start + _SPLITMIX_INCREMENT * U64(2)),
        mix(start + _SPLITMIX_INCREMENT * U64(3)),
        mix(start + _SPLITMIX_INCREMENT * U64(4)),
    )


@jit_inline
def xoshiro_step(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the next word of the generator and the state after it."""
    word = rotate_left(a + d, U64(23)) + a
    c, d = c ^ a, d ^ b
    return word, a ^ d, b ^ c, c ^ (b << U64(17)), rotate_left(d, U64(45))


@jit_inline
def is_rejected(word: np.uint64) -> np.bool_:
    """Return whether a word makes no rolls."""
    return word * _SEQUENCE_COUNT < _REJECT_BELOW


@jit
def next_word(
    a: np.uint64, b: np.uint64, c: np.uint64, d: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the next word that is not rejected, and the state after it."""
    word, a, b, c, d = xoshiro_step(a, b, c, d)
    while is_rejected(word):
        word, a, b, c, d = xoshiro_step(a, b, c, d)
    return word, a, b, c, d


class NumpyGenerators:
    """The generators of many sessions at once, for NumPy."""

    def __init__(self, seed: int, sessions: Int64Array) -> None:
        start = _mix(np.array([seed], dtype=U64)) + sessions.astype(U64) * _SESSION_STEP
        self._state = np.stack([_mix(start + U64(SPLITMIX_INCREMENT * word % WORD_RANGE)) for word in (1, 2, 3, 4)])

    def next_words(self, limit: np.uint64 | None = None) -> UInt64Array:
        """Return for every session its next word that is not rejected, and is below the limit if one is given."""
        words, again = np.zeros(self._state.shape[1], dtype=U64), np.arange(self._state.shape[1])
        while len(again):
            drawn = words[again] = self._step(again)
            rejected = drawn * _SEQUENCE_COUNT < _REJECT_BELOW
            again = again[rejected if limit is None else rejected | (drawn >= limit)]
        return words

    def _step(self, indices: Int64Array) -> UInt64Array:
        a, b, c, d = self._state[:, indices]
        word: UInt64Array = _rotate_left(a + d, U64(23)) + a
        c, d = c ^ a, d ^ b
        self._state[:, indices] = a ^ d, b ^ c, c ^ (b << U64(17)), _rotate_left(d, U64(45))
        return word


def word_digits(word: int, bits: int = 64, base: int = 36, count: int = ROLLS_PER_WORD) -> tuple[int, ...] | None:
    """Return the digits that a word makes, in plain integers, or None if the word is rejected.

    >>> word_digits(2**63 + 2**20)
    (18, 0, 0, 0, 0, 0, 0, 0, 5, 27, 29)
    """
    word_range, sequences = 1 << bits, base**count
    if word * sequences % word_range < word_range % sequences:
        return None
    number = word * sequences // word_range
    return tuple(number // base ** (count - 1 - index) % base for index in range(count))


def session_rolls(seed: int, session: int, thresholds: Int64Array | None = None) -> Iterator[Roll]:
    """Yield the rolls of one session without end, by the contract, in plain integers.

    With thresholds the dice are biased: each word makes one roll, the first of the 36 whose threshold is above the
    word. Words at or above the last threshold are rejected.

    >>> from itertools import islice
    >>> [str(roll) for roll in islice(session_rolls(1, 0), 5)]
    ['6-5', '4-4', '5-1', '5-3', '2-2']
    """
    mask = WORD_RANGE - 1

    def mixed(word: int) -> int:
        word = (word ^ (word >> 30)) * int(_MIX_FACTOR_1) & mask
        word = (word ^ (word >> 27)) * int(_MIX_FACTOR_2) & mask
        return word ^ (word >> 31)

    def rotated(word: int, bits: int) -> int:
        return (word << bits | word >> (64 - bits)) & mask

    start = mixed(seed & mask) + session * SESSION_STEP & mask
    a, b, c, d = (mixed(start + SPLITMIX_INCREMENT * index & mask) for index in (1, 2, 3, 4))
    while True:
        word = rotated(a + d & mask, 23) + a & mask
        shifted = b << 17 & mask
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = rotated(d, 45)
        digits = word_digits(word)
        if digits is None:
            continue
        if thresholds is None:
            yield from (ROLLS[digit] for digit in digits)
        elif word < int(thresholds.view(np.uint64)[-1]):
            yield ROLLS[int(np.searchsorted(thresholds.view(np.uint64), U64(word), side="right"))]
