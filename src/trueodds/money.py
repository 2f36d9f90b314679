"""Whole cents, odds as exact ratios, and the two places where money is rounded.

Amounts are integers of the currency's smallest unit. Odds are exact. What a winner is paid is rounded in
`pay`, vigorish in `vigorish`, and nowhere else.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import lcm
from typing import Final, Literal, NamedTuple, NewType

Cents = NewType("Cents", int)
"""An amount of money in the smallest unit of its currency."""

ZERO: Final = Cents(0)
STAKE_LIMIT: Final = Cents(10**15)
"""More than this is a slip of the hand, not a stake: amounts stay far inside 64 bits."""

UnpayablePolicy = Literal["refuse", "round_down", "round_up"]


class MoneyError(ValueError):
    """An amount or odds that cannot be read."""


class OddsWordingError(MoneyError):
    """Odds stated with "for", which counts the stake as winnings."""


_ODDS = re.compile(r"([1-9][0-9]{0,8}) (to|for) ([1-9][0-9]{0,8})")


class Odds(NamedTuple):
    """What a winner is paid for a stake, always said with "to".

    >>> str(Odds.parse("9 to 5"))
    '9 to 5'
    >>> Odds(7, 6).winnings(Cents(100))
    Fraction(350, 3)
    """

    win: int
    stake: int

    @classmethod
    def parse(cls, text: object) -> Odds:
        """Read ``"9 to 5"``; the inverse of ``str``."""
        match = _ODDS.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            msg = f'odds are written like "9 to 5", not {text!r}'
            raise MoneyError(msg)
        if match[2] == "for":
            msg = f'odds are said with "to", never "for": {text!r}'
            raise OddsWordingError(msg)
        return cls(int(match[1]), int(match[3]))

    @property
    def ratio(self) -> Fraction:
        """Winnings per unit of stake."""
        return Fraction(self.win, self.stake)

    def winnings(self, stake: Cents) -> Fraction:
        """Exact winnings on a stake, before any rounding."""
        return self.ratio * stake

    def __str__(self) -> str:
        return f"{self.win} to {self.stake}"


class Payment(NamedTuple):
    """A rounded amount and what the rounding kept back (+) or added (-)."""

    net: Cents
    breakage: Fraction


def pay(exact: Fraction, pay_unit: int, policy: UnpayablePolicy) -> Payment:
    """Round what a whole wager wins to what the house can pay.

    Under ``refuse`` an amount that does not come out even was never accepted, so there is nothing to round.

    >>> pay(Fraction(350, 3), 1, "round_down")
    Payment(net=116, breakage=Fraction(2, 3))
    """
    units = exact / pay_unit
    count = -(-units.numerator // units.denominator) if policy == "round_up" else units // 1
    net = Cents(count * pay_unit)
    return Payment(net, exact - net)


def vigorish(basis: Fraction, basis_points: int, unit: int) -> Cents:
    """Take a percentage of the basis, rounded down: the percentage is a ceiling.

    >>> vigorish(Fraction(725), 500, 1)
    36
    """
    return Cents(basis * basis_points // (10_000 * unit) * unit)


def payable_step(ratios: tuple[Fraction, ...], pay_unit: int) -> int:
    """Find the stake whose multiples, and only they, win whole pay units at every ratio.

    >>> payable_step((Fraction(7, 6),), 100)
    600
    """
    return lcm(1, *((ratio / pay_unit).denominator for ratio in ratios))


def money(cents: int, currency: str = "USD") -> str:
    """Write an amount for people: whole units without the decimals.

    >>> money(1400), money(1450), money(-50), money(2500, "SGD")
    ('$14', '$14.50', '-$0.50', 'S$25')
    """
    sign, whole, part = "-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100
    mark = MARKS.get(currency, currency + " ")
    return f"{sign}{mark}{whole:,}" + (f".{part:02}" if part else "")


MARKS: Final = {"USD": "$", "SGD": "S$", "EUR": "€", "GBP": "£"}


def checked_stake(amount: object, what: str = "a stake") -> Cents:
    """Pass a positive whole number of cents through; anything else is a mistake of the caller."""
    if type(amount) is not int:
        msg = f"{what} is a whole number of cents, not {amount!r}"
        raise MoneyError(msg)
    if amount <= 0:
        msg = f"{what} is more than nothing, not {amount}"
        raise MoneyError(msg)
    if amount > STAKE_LIMIT:
        msg = f"{what} of {amount} cents is beyond what a table counts (at most {STAKE_LIMIT})"
        raise MoneyError(msg)
    return Cents(amount)
