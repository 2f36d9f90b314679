"""The options an operator may set, what each value looks like, and what a book allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from trueodds.money import STAKE_LIMIT
from trueodds.rulebook.cite import Cite
from trueodds.rulebook.errors import HouseError

Value = Any
"""A value as a house holds it: bool, int, str, None, a tuple of names, or a read-only map of such."""

NONE: Final = "none"
"""How "nothing" is written in TOML, which has no null."""


class OptionType(NamedTuple):
    """What an option means and how its value is read (`read` raises ValueError with the expectation)."""

    meaning: str
    read: Callable[[Value], Value]
    is_map: bool = False


def _flag(value: Value) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _whole(least: int, most: int, what: str) -> Callable[[Value], int]:
    def read(value: Value) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(what)
        return value

    return read


_unit = _whole(1, STAKE_LIMIT, "a whole number of cents, at least 1")
_cents = _whole(0, STAKE_LIMIT, "a whole number of cents")


def _limit(value: Value) -> int | None:
    if value is None or value == NONE:
        return None
    if type(value) is not int or not 0 < value <= STAKE_LIMIT:
        raise ValueError('a whole number of cents, or "none"')
    return value


def _one_of(*choices: str) -> Callable[[Value], str]:
    def read(value: Value) -> str:
        if value not in choices or not isinstance(value, str):
            raise ValueError("one of " + ", ".join(choices))
        return value

    return read


def _name(value: Value) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("a name")
    return value


def _names(value: Value) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(name, str) for name in value):
        raise ValueError("a list of wagers")
    if len(set(value)) != len(value):
        raise ValueError("a list that names each wager once")
    return tuple(value)


def _map(read_item: Callable[[Value], Value], what: str, key: Callable[[str], bool]) -> Callable[[Value], Value]:
    def read(value: Value) -> Value:
        if not isinstance(value, Mapping) or not all(isinstance(k, str) and key(k) for k in value):
            raise ValueError(what)
        try:
            return MappingProxyType({k: read_item(item) for k, item in value.items()})
        except ValueError as error:
            raise ValueError(f"{what}, each {error}") from None

    return read


_multiple = _whole(0, 1_000_000, "a whole multiple")
_multiples = _map(_multiple, "a map from number to multiple", str.isdecimal)
_timing = _map(
    _one_of("on_bet", "on_win"),
    'a map like { buy = "on_bet", buy4 = "on_win" }',
    lambda key: key.rstrip("0123456789").isidentifier(),
)
_paytable = _map(_name, 'a map like { field12 = "3 to 1" }', bool)

OPTION_TYPES: Final[Mapping[str, OptionType]] = MappingProxyType(
    {
        "game": OptionType("Which of the book's games is played.", _name),
        "chip_unit": OptionType("Stakes are multiples of this many cents.", _unit),
        "pay_unit": OptionType("The smallest amount the house pays, in cents.", _unit),
        "unpayable": OptionType(
            "What happens to a winning amount that is not a multiple of the pay unit.",
            _one_of("refuse", "round_down", "round_up"),
        ),
        "min_bet": OptionType("Posted minimum wager, in cents.", _cents),
        "max_bet": OptionType("Posted maximum wager, in cents, or none.", _limit),
        "prop_min": OptionType("Least stake on hardway, one-roll and bonus wagers; none: the minimum.", _limit),
        "prop_unit": OptionType("What one unit of a horn, horn high or whirl bet is, in cents.", _unit),
        "horn_unit_rule": OptionType("Horn bets come in multiples of four units.", _flag),
        "horn_high_unit_rule": OptionType("Horn high bets come in multiples of five units.", _flag),
        "whirl_unit_rule": OptionType("Whirl bets come in multiples of five units.", _flag),
        "horn_high_area": OptionType("The layout has a box for horn high bets.", _flag),
        "whirl_area": OptionType("The layout has a box for whirl bets.", _flag),
        "fire_offered": OptionType("The fire bet is offered.", _flag),
        "fire_table": OptionType("Which fire pay table is used.", _name),
        "fire_min": OptionType("Least fire bet, in cents.", _unit),
        "fire_max": OptionType("Largest fire bet, in cents.", _unit),
        "fire_unit": OptionType("Fire bets are multiples of this many cents.", _unit),
        "fire_ends_on": OptionType("The 7 that settles fire bets.", _one_of("loser_7", "any_7")),
        "fire_successor_points": OptionType(
            "Whether points of a successor count for fire bets made on the shooter before.",
            _one_of("count", "freeze"),
        ),
        "bonus_offered": OptionType("The bonus wagers are offered.", _flag),
        "bonus_window": OptionType(
            "When bonus wagers are taken.", _one_of("new_shooter", "after_any_seven", "any_come_out")
        ),
        "bonus_removal": OptionType("Whether a bonus wager may be taken down.", _one_of("refuse", "allow")),
        "buy_offered": OptionType("Buy bets are offered.", _flag),
        "lay_offered": OptionType("Lay bets are offered.", _flag),
        "place_lose_offered": OptionType("Place bets to lose are offered.", _flag),
        "six_seven_eight_offered": OptionType("The 6-7-8 bet is offered.", _flag),
        "vig_bp": OptionType("Vigorish in hundredths of a percent.", _whole(0, 10_000, "0 to 10000")),
        "vig_timing": OptionType("When vigorish is taken, by wager or by wager and number.", _timing, is_map=True),
        "lay_vig_basis": OptionType("What a lay bet's vigorish is a percentage of.", _one_of("wager", "win")),
        "vig_unit": OptionType("Vigorish is rounded down to this many cents.", _unit),
        "vig_refund": OptionType("Vigorish is refunded when the bet comes down undecided.", _flag),
        "odds_offered": OptionType("Which odds wagers are offered.", _names),
        "odds_take": OptionType("Largest odds behind pass, come and put, as a multiple.", _multiples, is_map=True),
        "odds_lay": OptionType("Largest winnings of odds behind the don'ts, as a multiple.", _multiples, is_map=True),
        "odds_facilitate": OptionType("Odds may pass the limit up to the next stake that pays exactly.", _flag),
        "comeout_off": OptionType("Wagers that are off on a come-out unless called on.", _names),
        "call_on": OptionType("Wagers a player may call on.", _names),
        "call_off": OptionType("Wagers a player may call off, and on again.", _names),
        "call_scope": OptionType("How long a call lasts.", _one_of("roll", "phase", "until_changed")),
        "dont_bar": OptionType("The total that bars the don't bets.", _whole(2, 12, "2 to 12")),
        "dont_bar_result": OptionType("What the barred total does to a don't bet.", _one_of("returned", "stays")),
        "contract_from": OptionType("When pass and come bets become binding.", _one_of("point", "placement")),
        "contract_increase": OptionType("Pass and come bets may grow after their point.", _flag),
        "put_removable": OptionType("Put bets may be taken down.", _flag),
        "after_win": OptionType("What a winning place, buy, lay, hardway or big bet does.", _one_of("down", "up")),
        "late_bets": OptionType("Whether wagers are taken in the air.", _one_of("none", "until_rest_confirmed")),
        "shooter_line_required": OptionType("The shooter needs a pass or don't pass bet.", _flag),
        "paytable": OptionType("Odds that differ from the book's, by key.", _paytable, is_map=True),
    }
)
"""Every option there is. A book lists those that mean something to it, with default, range and clause."""


class Lawful(NamedTuple):
    """One bound a book puts on an option."""

    test: str
    bound: Value
    code: str
    cite: Cite

    def allows(self, value: Value, default: Value) -> bool:
        """Check one value, or each value of a map."""
        if self.test == "contains":
            return set(self.bound) <= set(value)
        if isinstance(value, Mapping):
            return all(self._allows_item(item, default.get(key)) for key, item in value.items())
        return self._allows_item(value, default)

    def _allows_item(self, value: Value, default: Value) -> bool:
        match self.test:
            case "at_least":
                return bool(value >= self.bound)
            case "at_most":
                return bool(value <= self.bound)
            case "at_most_default":
                return default is not None and bool(value <= default)
            case _:
                return value in self.bound

    def words(self) -> str:
        """Say the bound."""
        if self.test == "at_most_default":
            return "at most the book's own multiples"
        bound = ", ".join(map(_word, self.bound)) if isinstance(self.bound, tuple) else _word(self.bound)
        return f"{self.test.replace('_', ' ')} {bound}"


def _word(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


LAWFUL_TESTS: Final = ("at_least", "at_most", "at_most_default", "one_of", "contains")


class Option(NamedTuple):
    """One choice a book leaves to the operator, with the bounds it sets and where it says so."""

    name: str
    default: Value
    lawful: tuple[Lawful, ...]
    cite: Cite

    @property
    def meaning(self) -> str:
        """What the option is about, in a sentence."""
        return OPTION_TYPES[self.name].meaning

    def check(self, value: Value, where: str, *, bounds: bool = True) -> Value:
        """Read a value and hold it against the book's bounds; the answer is the value a house keeps."""
        kind = OPTION_TYPES[self.name]
        if kind.is_map and isinstance(value, Mapping):
            value = {str(key) if type(key) is int else key: item for key, item in value.items()}
        if kind.is_map and isinstance(value, Mapping) and isinstance(self.default, Mapping):
            value = {**self.default, **value}
        try:
            value = kind.read(value)
        except ValueError as error:
            raise HouseError("malformed", where, f"expected {error}, not {value!r}") from None
        for bound in self.lawful if bounds else ():
            if not bound.allows(value, self.default):
                what = f"{plain(value)!r} is not allowed: {bound.words()}"
                raise HouseError(bound.code, where, what, bound.cite)
        return value


def plain(value: Value) -> Value:
    """Turn an option's value back into what TOML and JSON can hold (None becomes "none")."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Fraction):
        return str(value)
    return NONE if value is None else value
