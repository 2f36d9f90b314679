"""All house options: what each means, and what type of value it has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from trueodds.money import MAX_STAKE_CENTS
from trueodds.rulebook.value_types import (
    BooleanType,
    ChoiceType,
    IntegerType,
    MapType,
    NameType,
    ValueType,
    WagerListType,
)


class OptionSpec(NamedTuple):
    """What an option is: its group, its title, its description, and the type of its value."""

    group: str
    title: str
    description: str
    value_type: ValueType


_UNIT: Final = IntegerType("cents", 1, MAX_STAKE_CENTS, "a whole number of cents, at least 1")
_CENTS: Final = IntegerType("cents", 0, MAX_STAKE_CENTS, "a whole number of cents")
_LIMIT: Final = IntegerType("cents", 1, MAX_STAKE_CENTS, 'a whole number of cents, or "none"', allows_none=True)
_MULTIPLES: Final = MapType(
    IntegerType("times", 0, 1_000_000, "a whole multiple"), "a map from number to multiple", str.isdecimal
)
_TIMING: Final = MapType(
    ChoiceType(("on_bet", "on_win")),
    'a map like { buy = "on_bet", buy4 = "on_win" }',
    lambda key: key.rstrip("0123456789").isidentifier(),
)
_PAYTABLE: Final = MapType(NameType(), 'a map like { field12 = "3 to 1" }', bool)


class OptionGroup(NamedTuple):
    """A group of options. Operators seldom change those of a group that is not common."""

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
        "center": OptionGroup("Center of the layout", common=False),
        "pays": OptionGroup("Pay table", common=False),
    }
)
"""The groups of options, in the order of the form for a new table."""

OPTION_SPECS: Final[Mapping[str, OptionSpec]] = MappingProxyType(
    {
        "game": OptionSpec("game", "Game", "The game that is played, out of those of the book.", NameType()),
        "chip_unit": OptionSpec(
            "limits", "Stakes are multiples of", "Stakes must be multiples of this many cents.", _UNIT
        ),
        "pay_unit": OptionSpec(
            "limits", "Winnings are multiples of", "The smallest amount the house pays, in cents.", _UNIT
        ),
        "unpayable": OptionSpec(
            "limits",
            "Other winnings",
            "What happens if winnings are not a multiple of the pay unit.",
            ChoiceType(("refuse", "round_down", "round_up")),
        ),
        "min_bet": OptionSpec("limits", "Minimum bet", "Table minimum, in cents.", _CENTS),
        "max_bet": OptionSpec("limits", "Maximum bet", "Table maximum, in cents, or none.", _LIMIT),
        "prop_min": OptionSpec(
            "limits",
            "Minimum on hardway, one-roll and bonus bets",
            "Minimum of hardway, one-roll and bonus bets, in cents; with none, the table minimum.",
            _LIMIT,
        ),
        "odds_max_bet": OptionSpec(
            "limits", "Maximum odds bet", "Maximum of odds on one number, in cents, or none.", _LIMIT
        ),
        "prop_unit": OptionSpec(
            "center",
            "Unit of horn and whirl bets",
            "One unit of a horn, horn high or whirl bet, in cents.",
            _UNIT,
        ),
        "horn_unit_rule": OptionSpec(
            "center", "Horn bets in fours", "Horn bets must be multiples of four units.", BooleanType()
        ),
        "horn_high_unit_rule": OptionSpec(
            "center", "Horn high bets in fives", "Horn high bets must be multiples of five units.", BooleanType()
        ),
        "whirl_unit_rule": OptionSpec(
            "center", "Whirl bets in fives", "Whirl bets must be multiples of five units.", BooleanType()
        ),
        "horn_high_area": OptionSpec(
            "center", "Box for horn high", "Whether the layout has a box for horn high bets.", BooleanType()
        ),
        "whirl_area": OptionSpec(
            "center", "Box for whirl", "Whether the layout has a box for whirl bets.", BooleanType()
        ),
        "fire_offered": OptionSpec("fire", "Fire bet", "Whether fire bets are offered.", BooleanType()),
        "fire_table": OptionSpec("fire", "Pay table", "The pay table of fire bets.", NameType()),
        "fire_min": OptionSpec("fire", "Minimum fire bet", "Minimum fire bet, in cents.", _UNIT),
        "fire_max": OptionSpec("fire", "Maximum fire bet", "Maximum fire bet, in cents.", _UNIT),
        "fire_unit": OptionSpec(
            "fire", "Fire bets are multiples of", "Fire bets must be multiples of this many cents.", _UNIT
        ),
        "fire_ends_on": OptionSpec(
            "fire", "Settled at", "The 7 that settles fire bets.", ChoiceType(("loser_7", "any_7"))
        ),
        "fire_successor_points": OptionSpec(
            "fire",
            "Points of the next shooter",
            "Whether points count for fire bets on a shooter who gave up the dice.",
            ChoiceType(("count", "freeze")),
        ),
        "bonus_offered": OptionSpec("bonus", "Bonus wagers", "Whether bonus wagers are offered.", BooleanType()),
        "bonus_window": OptionSpec(
            "bonus",
            "When they can be made",
            "When bonus wagers can be made.",
            ChoiceType(("new_shooter", "after_any_seven", "any_come_out")),
        ),
        "bonus_removal": OptionSpec(
            "bonus", "Taking them down", "Whether a bonus wager may be taken down.", ChoiceType(("refuse", "allow"))
        ),
        "buy_offered": OptionSpec("wagers", "Buy bets", "Whether buy bets are offered.", BooleanType()),
        "lay_offered": OptionSpec("wagers", "Lay bets", "Whether lay bets are offered.", BooleanType()),
        "place_lose_offered": OptionSpec(
            "wagers", "Place bets to lose", "Whether place bets to lose are offered.", BooleanType()
        ),
        "six_seven_eight_offered": OptionSpec(
            "wagers", "The 6-7-8 bet", "Whether the 6-7-8 bet is offered.", BooleanType()
        ),
        "vig_bp": OptionSpec(
            "vigorish",
            "Vigorish",
            "Vigorish in basis points (hundredths of a percent).",
            IntegerType("basis_points", 0, 10_000, "0 to 10000"),
        ),
        "vig_timing": OptionSpec(
            "vigorish", "When it is charged", "When vigorish is charged, by wager or by wager and number.", _TIMING
        ),
        "lay_vig_basis": OptionSpec(
            "vigorish",
            "Vigorish of lay bets is a percentage of the",
            "The amount that the vigorish of a lay bet is a percentage of.",
            ChoiceType(("wager", "win")),
        ),
        "vig_unit": OptionSpec(
            "vigorish",
            "Rounded down to multiples of",
            "Vigorish is rounded down to a multiple of this many cents.",
            _UNIT,
        ),
        "free_vig": OptionSpec(
            "vigorish",
            "A bet whose vigorish rounds to nothing",
            "Whether a buy or lay bet is accepted if its vigorish rounds down to nothing.",
            ChoiceType(("allow", "refuse")),
        ),
        "vig_refund": OptionSpec(
            "vigorish",
            "Refund when a bet comes down",
            "Whether vigorish is refunded when the bet comes down undecided.",
            BooleanType(),
        ),
        "odds_offered": OptionSpec("odds", "Odds offered", "The odds wagers that are offered.", WagerListType()),
        "odds_take": OptionSpec(
            "odds",
            "Maximum odds, as a multiple",
            "Maximum odds on pass, come and put bets, as a multiple of the bet.",
            _MULTIPLES,
        ),
        "odds_lay": OptionSpec(
            "odds",
            "Maximum winnings of lay odds, as a multiple",
            "Maximum winnings of odds on don't bets, as a multiple of the bet.",
            _MULTIPLES,
        ),
        "odds_facilitate": OptionSpec(
            "odds",
            "Round odds up to a stake that pays exactly",
            "Whether odds may exceed the limit up to the next stake that pays exactly.",
            BooleanType(),
        ),
        "comeout_off": OptionSpec(
            "calls", "Off on a come-out", "Wagers that are off on a come-out unless called on.", WagerListType()
        ),
        "call_on": OptionSpec("calls", "May be called on", "Wagers that a player may call on.", WagerListType()),
        "call_off": OptionSpec(
            "calls", "May be called off", "Wagers that a player may call off, and on again.", WagerListType()
        ),
        "call_scope": OptionSpec(
            "calls", "How long a call lasts", "How long a call lasts.", ChoiceType(("roll", "phase", "until_changed"))
        ),
        "dont_bar": OptionSpec(
            "line",
            "Don't bets are barred on",
            "The total that bars the don't bets.",
            IntegerType("total", 2, 12, "2 to 12"),
        ),
        "dont_bar_result": OptionSpec(
            "line",
            "A barred don't bet",
            "What happens to a don't bet on the barred total.",
            ChoiceType(("returned", "stays")),
        ),
        "dont_replace": OptionSpec(
            "line",
            "A don't bet after a reduction or removal",
            "Whether a player may make another don't bet of that kind at once (free) or after the next roll (strict).",
            ChoiceType(("free", "strict")),
        ),
        "contract_from": OptionSpec(
            "line",
            "Pass and come are contract bets from",
            "From when on pass and come bets cannot be reduced or taken down.",
            ChoiceType(("point", "placement")),
        ),
        "contract_increase": OptionSpec(
            "line",
            "Pass and come may be increased",
            "Whether pass and come bets may be increased after their point.",
            BooleanType(),
        ),
        "put_removable": OptionSpec(
            "line", "Put bets may be taken down", "Whether put bets may be taken down.", BooleanType()
        ),
        "after_win": OptionSpec(
            "calls",
            "A winning place, buy, lay or hardway bet",
            "Whether a winning place, buy, lay, hardway or big bet stays up or comes down.",
            ChoiceType(("down", "up")),
        ),
        "late_bets": OptionSpec(
            "game",
            "Late bets",
            "Whether bets are taken while the dice are in the air.",
            ChoiceType(("none", "until_rest_confirmed")),
        ),
        "shooter_line_required": OptionSpec(
            "game", "The shooter needs a line bet", "Whether the shooter needs a pass or don't pass bet.", BooleanType()
        ),
        "record_procedures": OptionSpec(
            "game",
            "Record what the staff do",
            "Whether the log records what the staff do: opening, calls, gathering and marking side bets.",
            BooleanType(),
        ),
        "paytable": OptionSpec(
            "pays", "Changed odds", "Odds that differ from the book's, by the key of their row.", _PAYTABLE
        ),
    }
)
"""Every option by name. A book lists the ones it uses, each with its default, its bounds and its clause."""
