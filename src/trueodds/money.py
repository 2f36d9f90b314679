"""Money: whole cents, dollars as people write them, exact odds, and the two places where money is rounded.

Amounts are integers in the smallest unit of the currency. Odds are exact ratios. Payments are rounded in
`round_payment` and vigorish in `vigorish`; no other code rounds money.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import lcm
from typing import Final, Literal, NamedTuple, NewType

from trueodds.errors import TrueoddsError

Cents = NewType("Cents", int)
"""An amount of money in the smallest unit of its currency."""

Dollars = int | Decimal | str
"""An amount as the public API takes it: 12, Decimal("12.50") or "12.50". Floats are refused."""

ZERO: Final = Cents(0)
MAX_STAKE_CENTS: Final = Cents(10**15)
"""The largest amount that is accepted. It keeps every sum of money far inside 64 bits."""

UnpayablePolicy = Literal["refuse", "round_down", "round_up"]

CURRENCY_SYMBOLS: Final = {"USD": "$", "SGD": "S$", "EUR": "€", "GBP": "£"}


class MoneyError(TrueoddsError, ValueError):
    """Raised for an amount of money or odds that cannot be used."""


class OddsWordingError(MoneyError):
    """Raised for odds stated with "for", which counts the stake as part of the winnings."""


_ODDS: Final = re.compile(r"([1-9][0-9]{0,8}) (to|for) ([1-9][0-9]{0,8})")
_DOLLARS: Final = re.compile(r"(?:S?\$|€|£)?([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,18})(?:\.([0-9]{1,2}))?")


class Odds(NamedTuple):
    """What a winner is paid for a stake, always stated with "to".

    >>> str(Odds.parse("9 to 5"))
    '9 to 5'
    >>> Odds(7, 6).winnings(Cents(100))
    Fraction(350, 3)
    """

    win: int
    stake: int

    @classmethod
    def parse(cls, text: object) -> Odds:
        """Parse odds like ``"9 to 5"``. This is the inverse of ``str``."""
        match = _ODDS.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise MoneyError(f'odds must be written like "9 to 5", got {text!r}')
        if match[2] == "for":
            raise OddsWordingError(f'odds must be stated with "to", not "for", got {text!r}')
        return cls(int(match[1]), int(match[3]))

    @property
    def ratio(self) -> Fraction:
        """Winnings per unit of stake."""
        return Fraction(self.win, self.stake)

    def winnings(self, stake: Cents) -> Fraction:
        """Return the exact winnings on a stake, before any rounding."""
        return self.ratio * stake

    def __str__(self) -> str:
        return f"{self.win} to {self.stake}"


class Payment(NamedTuple):
    """A rounded payment, and the breakage: what the rounding kept back (+) or added (-)."""

    net_cents: Cents
    breakage_cents: Fraction


def round_payment(exact: Fraction, pay_unit: int, policy: UnpayablePolicy) -> Payment:
    """Round the winnings of a wager to a multiple of the smallest unit the house pays.

    Under the policy ``refuse`` the table only accepts stakes that win whole units, so nothing is left to round.

    >>> round_payment(Fraction(350, 3), 1, "round_down")
    Payment(net_cents=116, breakage_cents=Fraction(2, 3))
    """
    units = exact / pay_unit
    count = -(-units.numerator // units.denominator) if policy == "round_up" else units // 1
    net = Cents(count * pay_unit)
    return Payment(net, exact - net)


def vigorish(basis: Fraction, basis_points: int, unit: int) -> Cents:
    """Return a percentage of the basis, rounded down: the books set the percentage as a ceiling.

    >>> vigorish(Fraction(725), 500, 1)
    36
    """
    return Cents(basis * basis_points // (10_000 * unit) * unit)


def format_percent(basis_points: int) -> str:
    """Format hundredths of a percent for people.

    >>> format_percent(500), format_percent(475)
    ('5%', '4.75%')
    """
    return f"{basis_points / 100:g}%"


def payable_step(ratios: tuple[Fraction, ...], pay_unit: int) -> int:
    """Return the smallest stake that wins whole pay units at every ratio.

    Exactly the multiples of this step are payable without rounding.

    >>> payable_step((Fraction(7, 6),), 100)
    600
    """
    return lcm(1, *((ratio / pay_unit).denominator for ratio in ratios))


def format_money(cents: int, currency: str = "USD") -> str:
    """Format an amount for people. Whole units are written without decimals.

    >>> format_money(1400), format_money(1450), format_money(-50), format_money(2500, "SGD")
    ('$14', '$14.50', '-$0.50', 'S$25')
    """
    sign, units, rest = "-" if cents < 0 else "", abs(cents) // 100, abs(cents) % 100
    symbol = CURRENCY_SYMBOLS.get(currency, currency + " ")
    return f"{sign}{symbol}{units:,}" + (f".{rest:02}" if rest else "")


def parse_dollars(amount: Dollars, label: str = "amount", *, allow_zero: bool = False) -> Cents:
    """Return the cents of an amount in dollars: a whole number, a `Decimal` or text.

    Floats are refused because most amounts of cents have no exact float. `label` names the amount in errors.

    >>> parse_dollars(12), parse_dollars("$1,012.50"), parse_dollars(Decimal("0.5"))
    (1200, 101250, 50)
    >>> parse_dollars(12.5)
    Traceback (most recent call last):
    trueodds.money.MoneyError: amount must be whole dollars, a Decimal or text like "12.50", got the float 12.5
    """
    cents = _dollars_to_cents(amount, label)
    if cents < 0 or (cents == 0 and not allow_zero):
        raise MoneyError(f"{label} must {'not be negative' if allow_zero else 'be positive'}, got {amount}")
    if cents > MAX_STAKE_CENTS:
        raise MoneyError(f"{label} must be at most {format_money(MAX_STAKE_CENTS)}, got {amount}")
    return Cents(cents)


def is_dollar_text(text: str) -> bool:
    """Return whether a text is an amount in dollars, like "12", "-12.50" or "$1,012.50"."""
    return _match_dollars(text) is not None


def _match_dollars(text: str) -> re.Match[str] | None:
    return _DOLLARS.fullmatch(text.strip().removeprefix("-"))


def _dollars_to_cents(amount: object, label: str) -> int:
    if isinstance(amount, str):
        match = _match_dollars(amount)
        if match is None:
            raise MoneyError(f"{label} must be written like 12 or 12.50, got {amount!r}")
        cents = int(match[1].replace(",", "")) * 100 + int((match[2] or "0").ljust(2, "0"))
        return -cents if amount.strip().startswith("-") else cents
    if isinstance(amount, Decimal):
        # A Decimal with a huge exponent would take all memory as an integer, so its size is checked first.
        if not amount.is_finite() or amount.adjusted() > 18 or (amount * 100) % 1:
            raise MoneyError(f"{label} must be a whole number of cents, got {amount!r}")
        return int(amount * 100)
    if isinstance(amount, int) and not isinstance(amount, bool):
        return amount * 100
    given = f"the {type(amount).__name__} {amount!r}"
    raise MoneyError(f'{label} must be whole dollars, a Decimal or text like "12.50", got {given}')


def validate_stake(cents: object, label: str = "stake") -> Cents:
    """Return a positive whole number of cents unchanged. Raise `MoneyError` for anything else."""
    if type(cents) is not int:
        raise MoneyError(f"{label} must be a whole number of cents, got {cents!r}")
    if cents <= 0:
        raise MoneyError(f"{label} must be positive, got {format_money(cents)}")
    if cents > MAX_STAKE_CENTS:
        raise MoneyError(f"{label} must be at most {format_money(MAX_STAKE_CENTS)}, got {format_money(cents)}")
    return Cents(cents)
