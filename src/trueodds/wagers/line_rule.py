"""Line bets: pass, don't pass, come, don't come. The first throw decides, or gives a number to play for."""

from __future__ import annotations

from dataclasses import dataclass

from trueodds.dice import TOTALS, Roll
from trueodds.rulebook import Spot
from trueodds.wagers.terms import Maker, Rule, SinglePayRule, Verdict
from trueodds.wagers.wager import Phase, Result, Wager


@dataclass(frozen=True, eq=False, kw_only=True)
class LineRule(SinglePayRule):
    """A bet on the shooter's line (`travels` false) or one that starts its own line with the next throw."""

    travels: bool
    first_win: frozenset[int]
    first_lose: frozenset[int]
    bar: int | None
    bar_stays: bool
    wins_on_number: bool
    seven: int

    def number_of(self, wager: Wager, phase: Phase) -> int | None:
        """Give the point of a line bet, or the number a come bet has travelled to."""
        if wager.spot.pick:
            return wager.spot.pick[0]
        return phase if phase > 0 and not self.travels else None

    def home_of(self, spot: Spot) -> Spot:
        """A come bet on a number began in the come box."""
        return Spot(spot.kind) if self.travels else spot

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> Verdict:
        """Settle the first throw, then the number against the seven."""
        total, number = roll.total, self.number_of(wager, phase)
        if number is None:
            return self._first(total)
        if total not in (number, self.seven):
            return self.idle()
        if (total == number) == self.wins_on_number:
            return self.won("then_win")
        return Verdict(Result.LOSE, self.cite("then_lose"))

    def _first(self, total: int) -> Verdict:
        if total == self.bar:
            return Verdict(Result.NO_ACTION if self.bar_stays else Result.PUSH, self.cite("push"))
        if total in self.first_win:
            return self.won("first_win")
        if total in self.first_lose:
            return Verdict(Result.LOSE, self.cite("first_lose"))
        if self.travels:
            return Verdict(Result.MOVED, self.cite("def"), to=total)
        return self.idle()


def make_line(maker: Maker) -> dict[Spot, Rule]:
    """Build a line bet, with a spot for each number it can travel to."""
    reader, kind, book = maker.reader, maker.text.kind, maker.book
    common = maker.common(Spot(kind))
    first, then = reader.table("first"), reader.table("then")
    win, lose = set(first.totals("win")), frozenset(first.totals("lose"))
    bar = first.whole("bar") if first.has("bar") else None
    bar_stays = first.choice("bar_result", ("stays", "returned"), "returned") == "stays"
    win.discard(bar or 0)
    claimed = sorted([*win, *lose, *book.points, *([bar] if bar else [])])
    if claimed != list(TOTALS):
        first.fail("win", f"win, lose, bar and points must share out the totals 2 to 12, not {claimed}")
    wins = then.choice("win", ("number", "seven"))
    then.choice("lose", ("seven",) if wins == "number" else ("number",))
    first.done()
    then.done()
    travels = reader.flag("travels", False)
    rule: Rule = LineRule(
        **common,
        travels=travels,
        first_win=frozenset(win),
        first_lose=lose,
        bar=bar,
        bar_stays=bar_stays,
        wins_on_number=wins == "number",
        seven=book.seven,
        pay=maker.pay(reader.take("pays")),
    )
    reader.done()
    numbers = book.points if travels else ()
    return {Spot(kind): rule} | {Spot(kind, (number,)): rule for number in numbers}
