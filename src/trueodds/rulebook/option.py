"""The options an operator may set, what each value looks like, and what a book allows."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final, NamedTuple

from trueodds.money import STAKE_LIMIT
from trueodds.rulebook.cite import Cite
from trueodds.rulebook.errors import HouseError
from trueodds.rulebook.shape import NONE, Flag, Name, OneOf, Shape, Table, Value, Wagers, Whole


class OptionType(NamedTuple):
    """What an option is: where it belongs, what it is called and means, and what its value looks like."""

    group: str
    title: str
    meaning: str
    shape: Shape


_UNIT: Final = Whole("cents", 1, STAKE_LIMIT, "a whole number of cents, at least 1")
_CENTS: Final = Whole("cents", 0, STAKE_LIMIT, "a whole number of cents")
_LIMIT: Final = Whole("cents", 1, STAKE_LIMIT, 'a whole number of cents, or "none"', or_none=True)
_MULTIPLES: Final = Table(
    Whole("times", 0, 1_000_000, "a whole multiple"), "a map from number to multiple", str.isdecimal
)
_TIMING: Final = Table(
    OneOf(("on_bet", "on_win")),
    'a map like { buy = "on_bet", buy4 = "on_win" }',
    lambda key: key.rstrip("0123456789").isidentifier(),
)
_PAYTABLE: Final = Table(Name(), 'a map like { field12 = "3 to 1" }', bool)


class OptionGroup(NamedTuple):
    """Where options belong together; those that few change are not common."""

    title: str
    common: bool = True


OPTION_GROUPS: Final[Mapping[str, OptionGroup]] = MappingProxyType(
    {
        "limits": OptionGroup("Limits"),
        "odds": OptionGroup("Odds"),
        "vigorish": OptionGroup("Vigorish"),
        "wagers": OptionGroup("Wagers offered"),
        "fire": OptionGroup("Fire bet"),
        "bonus": OptionGroup("Bonus wagers"),
        "game": OptionGroup("Game and dice", common=False),
        "line": OptionGroup("Line bets", common=False),
        "calls": OptionGroup("On, off and after a win", common=False),
        "centre": OptionGroup("Centre of the layout", common=False),
        "pays": OptionGroup("Pay table", common=False),
    }
)
"""Groups in the order in which they are asked for."""

OPTION_TYPES: Final[Mapping[str, OptionType]] = MappingProxyType(
    {
        "game": OptionType("game", "Game", "Which of the book's games is played.", Name()),
        "chip_unit": OptionType("limits", "Stakes are multiples of", "Stakes are multiples of this many cents.", _UNIT),
        "pay_unit": OptionType(
            "limits", "Winnings are multiples of", "The smallest amount the house pays, in cents.", _UNIT
        ),
        "unpayable": OptionType(
            "limits",
            "Winnings that are no such multiple",
            "What happens to a winning amount that is not a multiple of the pay unit.",
            OneOf(("refuse", "round_down", "round_up")),
        ),
        "min_bet": OptionType("limits", "Minimum bet", "Posted minimum wager, in cents.", _CENTS),
        "max_bet": OptionType("limits", "Maximum bet", "Posted maximum wager, in cents, or none.", _LIMIT),
        "prop_min": OptionType(
            "limits",
            "Minimum on hardway, one-roll and bonus bets",
            "Least stake on hardway, one-roll and bonus wagers; none: the minimum.",
            _LIMIT,
        ),
        "prop_unit": OptionType(
            "centre",
            "Unit of horn and whirl bets",
            "What one unit of a horn, horn high or whirl bet is, in cents.",
            _UNIT,
        ),
        "horn_unit_rule": OptionType(
            "centre", "Horn by four units", "Horn bets come in multiples of four units.", Flag()
        ),
        "horn_high_unit_rule": OptionType(
            "centre", "Horn high by five units", "Horn high bets come in multiples of five units.", Flag()
        ),
        "whirl_unit_rule": OptionType(
            "centre", "Whirl by five units", "Whirl bets come in multiples of five units.", Flag()
        ),
        "horn_high_area": OptionType("centre", "Box for horn high", "The layout has a box for horn high bets.", Flag()),
        "whirl_area": OptionType("centre", "Box for whirl", "The layout has a box for whirl bets.", Flag()),
        "fire_offered": OptionType("fire", "Fire bet", "The fire bet is offered.", Flag()),
        "fire_table": OptionType("fire", "Pay table", "Which fire pay table is used.", Name()),
        "fire_min": OptionType("fire", "Least fire bet", "Least fire bet, in cents.", _UNIT),
        "fire_max": OptionType("fire", "Largest fire bet", "Largest fire bet, in cents.", _UNIT),
        "fire_unit": OptionType(
            "fire", "Fire bets are multiples of", "Fire bets are multiples of this many cents.", _UNIT
        ),
        "fire_ends_on": OptionType(
            "fire", "The 7 that settles", "The 7 that settles fire bets.", OneOf(("loser_7", "any_7"))
        ),
        "fire_successor_points": OptionType(
            "fire",
            "Points of a successor",
            "Whether points of a successor count for fire bets made on the shooter before.",
            OneOf(("count", "freeze")),
        ),
        "bonus_offered": OptionType("bonus", "Bonus wagers", "The bonus wagers are offered.", Flag()),
        "bonus_window": OptionType(
            "bonus",
            "When they are taken",
            "When bonus wagers are taken.",
            OneOf(("new_shooter", "after_any_seven", "any_come_out")),
        ),
        "bonus_removal": OptionType(
            "bonus", "Taking them down", "Whether a bonus wager may be taken down.", OneOf(("refuse", "allow"))
        ),
        "buy_offered": OptionType("wagers", "Buy bets", "Buy bets are offered.", Flag()),
        "lay_offered": OptionType("wagers", "Lay bets", "Lay bets are offered.", Flag()),
        "place_lose_offered": OptionType("wagers", "Place bets to lose", "Place bets to lose are offered.", Flag()),
        "six_seven_eight_offered": OptionType("wagers", "The 6-7-8 bet", "The 6-7-8 bet is offered.", Flag()),
        "vig_bp": OptionType(
            "vigorish",
            "Vigorish",
            "Vigorish in hundredths of a percent.",
            Whole("basis_points", 0, 10_000, "0 to 10000"),
        ),
        "vig_timing": OptionType(
            "vigorish", "When it is taken", "When vigorish is taken, by wager or by wager and number.", _TIMING
        ),
        "lay_vig_basis": OptionType(
            "vigorish",
            "Vigorish of a lay bet is of the",
            "What a lay bet's vigorish is a percentage of.",
            OneOf(("wager", "win")),
        ),
        "vig_unit": OptionType(
            "vigorish", "Rounded down to multiples of", "Vigorish is rounded down to this many cents.", _UNIT
        ),
        "vig_refund": OptionType(
            "vigorish",
            "Refund when a bet comes down",
            "Vigorish is refunded when the bet comes down undecided.",
            Flag(),
        ),
        "odds_offered": OptionType("odds", "Odds are offered behind", "Which odds wagers are offered.", Wagers()),
        "odds_take": OptionType(
            "odds", "Largest odds, as a multiple", "Largest odds behind pass, come and put, as a multiple.", _MULTIPLES
        ),
        "odds_lay": OptionType(
            "odds",
            "Largest winnings of odds laid, as a multiple",
            "Largest winnings of odds behind the don'ts, as a multiple.",
            _MULTIPLES,
        ),
        "odds_facilitate": OptionType(
            "odds",
            "Up to the next stake that pays exactly",
            "Odds may pass the limit up to the next stake that pays exactly.",
            Flag(),
        ),
        "comeout_off": OptionType(
            "calls", "Off on a come-out", "Wagers that are off on a come-out unless called on.", Wagers()
        ),
        "call_on": OptionType("calls", "May be called on", "Wagers a player may call on.", Wagers()),
        "call_off": OptionType("calls", "May be called off", "Wagers a player may call off, and on again.", Wagers()),
        "call_scope": OptionType(
            "calls", "How long a call lasts", "How long a call lasts.", OneOf(("roll", "phase", "until_changed"))
        ),
        "dont_bar": OptionType(
            "line",
            "The don't bets are barred on",
            "The total that bars the don't bets.",
            Whole("total", 2, 12, "2 to 12"),
        ),
        "dont_bar_result": OptionType(
            "line", "A barred don't bet", "What the barred total does to a don't bet.", OneOf(("returned", "stays"))
        ),
        "contract_from": OptionType(
            "line", "Pass and come bind from", "When pass and come bets become binding.", OneOf(("point", "placement"))
        ),
        "contract_increase": OptionType(
            "line", "Pass and come may grow", "Pass and come bets may grow after their point.", Flag()
        ),
        "put_removable": OptionType("line", "Put bets may come down", "Put bets may be taken down.", Flag()),
        "after_win": OptionType(
            "calls",
            "A winning place, buy, lay or hardway bet",
            "What a winning place, buy, lay, hardway or big bet does.",
            OneOf(("down", "up")),
        ),
        "late_bets": OptionType(
            "game", "Bets in the air", "Whether wagers are taken in the air.", OneOf(("none", "until_rest_confirmed"))
        ),
        "shooter_line_required": OptionType(
            "game", "The shooter needs a line bet", "The shooter needs a pass or don't pass bet.", Flag()
        ),
        "paytable": OptionType(
            "pays", "Other odds than the book's", "Odds that differ from the book's, by key.", _PAYTABLE
        ),
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
        shape = OPTION_TYPES[self.name].shape
        if isinstance(shape, Table) and isinstance(value, Mapping):
            value = {str(key) if type(key) is int else key: item for key, item in value.items()}
        if isinstance(shape, Table) and isinstance(value, Mapping) and isinstance(self.default, Mapping):
            value = {**self.default, **value}
        try:
            value = shape.read(value)
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
