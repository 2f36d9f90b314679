"""Line bets: pass, don't pass, come and don't come. The first roll decides them or gives them a number."""

from __future__ import annotations

from dataclasses import dataclass

from trueodds.dice import TOTALS, Roll
from trueodds.rulebook import Spot
from trueodds.rulebook.wager_definition import read_totals
from trueodds.wagers.rule_builder import RuleBuilder
from trueodds.wagers.wager import Phase, Result, Wager
from trueodds.wagers.wager_rule import RollEffect, SinglePayoutRule, WagerRule


@dataclass(frozen=True, eq=False, kw_only=True)
class LineRule(SinglePayoutRule):
    """A bet on the shooter's point, or (if it `travels`) on a number of its own that the next roll gives it.

    `first_win`, `first_lose` and `bar` are totals of the first roll.
    """

    travels: bool
    first_win: frozenset[int]
    first_lose: frozenset[int]
    bar: int | None
    bar_stays: bool
    wins_on_number: bool
    seven: int

    def number_of(self, wager: Wager, phase: Phase) -> int | None:
        """Return the point of a line bet, or the number a come bet has traveled to."""
        if wager.spot.pick:
            return wager.spot.pick[0]
        return phase if phase > 0 and not self.travels else None

    def betting_spot(self, spot: Spot) -> Spot:
        """Return the come box for a come bet on a number."""
        return Spot(spot.kind) if self.travels else spot

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> RollEffect:
        """Decide the first roll, then the number against the seven."""
        total, number = roll.total, self.number_of(wager, phase)
        if number is None:
            return self._first_roll_effect(total)
        if total not in (number, self.seven):
            return self.no_effect()
        if (total == number) == self.wins_on_number:
            return self.win_effect("then_win")
        return RollEffect(Result.LOSE, self.cite("then_lose"))

    def _first_roll_effect(self, total: int) -> RollEffect:
        if total == self.bar:
            return RollEffect(Result.NO_ACTION if self.bar_stays else Result.PUSH, self.cite("push"))
        if total in self.first_win:
            return self.win_effect("first_win")
        if total in self.first_lose:
            return RollEffect(Result.LOSE, self.cite("first_lose"))
        if self.travels:
            return RollEffect(Result.MOVED, self.cite("def"), moves_to=total)
        return self.no_effect()


def build_line_bet(builder: RuleBuilder) -> dict[Spot, WagerRule]:
    """Build the rule of a line bet, with a spot for each number it can travel to."""
    reader, kind, book = builder.reader, builder.definition.kind, builder.book
    common = builder.common_fields(Spot(kind))
    first, then = reader.table("first"), reader.table("then")
    win, lose = set(read_totals(first, "win")), frozenset(read_totals(first, "lose"))
    bar = first.integer("bar") if first.has("bar") else None
    bar_stays = first.choice("bar_result", ("stays", "returned"), "returned") == "stays"
    win.discard(bar or 0)
    claimed = sorted([*win, *lose, *book.points, *([bar] if bar else [])])
    if claimed != list(TOTALS):
        first.fail("win", f"win, lose, bar and the points must cover each total from 2 to 12 once, got {claimed}")
    wins = then.choice("win", ("number", "seven"))
    then.choice("lose", ("seven",) if wins == "number" else ("number",))
    first.reject_unknown_keys()
    then.reject_unknown_keys()
    travels = reader.boolean("travels", False)
    rule: WagerRule = LineRule(
        **common,
        spot=Spot(kind),
        travels=travels,
        first_win=frozenset(win),
        first_lose=lose,
        bar=bar,
        bar_stays=bar_stays,
        wins_on_number=wins == "number",
        seven=book.seven,
        payout=builder.payout(reader.take("pays")),
    )
    reader.reject_unknown_keys()
    numbers = book.points if travels else ()
    return {Spot(kind): rule} | {Spot(kind, (number,)): rule for number in numbers}
