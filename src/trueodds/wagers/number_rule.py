"""Number bets: place, buy, lay, put, big 6 and big 8. A number against the seven, or the seven against a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trueodds.dice import Roll
from trueodds.rulebook import Spot, WagerDefinition
from trueodds.rulebook.toml_reader import TomlReader
from trueodds.rulebook.wager_definition import read_totals
from trueodds.wagers.rule_builder import RuleBuilder
from trueodds.wagers.wager import Phase, Result, Wager
from trueodds.wagers.wager_rule import RollEffect, SinglePayoutRule, Vig, WagerRule


@dataclass(frozen=True, eq=False, kw_only=True)
class NumberRule(SinglePayoutRule):
    """A bet that a number is rolled before the seven, or the seven before the number."""

    number: int
    wins_on_number: bool
    seven: int

    def number_of(self, wager: Wager, phase: Phase) -> int | None:
        """Return the number of the spot."""
        return self.number

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> RollEffect:
        """Decide on the number or the seven; other rolls have no effect."""
        total = roll.total
        if total not in (self.number, self.seven):
            return self.no_effect()
        if (total == self.number) == self.wins_on_number:
            return self.win_effect()
        return RollEffect(Result.LOSE, self.cite("lose"))


def build_number_bets(builder: RuleBuilder) -> dict[Spot, WagerRule]:
    """Build the rule of each number of a number bet."""
    reader, kind, book = builder.reader, builder.definition.kind, builder.book
    common = builder.common_fields(Spot(kind))
    wins = reader.choice("wins", ("number", "seven"))
    pays = reader.take("pays")
    vig_of = _read_vig(reader.table("vig"), builder.definition) if reader.has("vig") else None
    single = reader.integer("number") if reader.has("number") else None
    numbers = read_totals(reader, "numbers") if single is None else (single,)
    reader.reject_unknown_keys()
    rules: dict[Spot, WagerRule] = {}
    for number in numbers:
        if number == book.seven:
            reader.fail("numbers", f"{number} is the seven of this book")
        spot = Spot(kind) if single else Spot(kind, (number,))
        key = pays.get(str(number)) if isinstance(pays, Mapping) else pays
        rules[spot] = NumberRule(
            **common,
            spot=spot,
            number=number,
            wins_on_number=wins == "number",
            seven=book.seven,
            payout=builder.payout(key, spot.selection),
            vig=vig_of(number) if vig_of else None,
        )
    return rules


def _read_vig(reader: TomlReader, definition: WagerDefinition) -> Callable[[int], Vig]:
    """Read how vigorish is computed. It may be charged at another time for each number."""
    timing = reader.table("timing").take_all()
    basis = reader.choice("basis", ("wager", "win"))
    basis_points, unit, refundable = reader.integer("bp"), reader.integer("unit"), reader.boolean("refund")
    may_round_to_zero = reader.choice("free", ("allow", "refuse"), "allow") == "allow"
    reader.reject_unknown_keys()

    def vig_of(number: int) -> Vig:
        when = timing.get(f"{definition.kind}{number}", timing.get(definition.kind))
        return Vig(
            basis_points, basis == "win", when == "on_win", unit, refundable, may_round_to_zero, definition.cite("vig")
        )

    return vig_of
