"""Number bets: place, buy, lay, put, big 6 and 8. A number against the seven, for it or against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from trueodds.dice import Roll
from trueodds.rulebook import Spot, WagerText
from trueodds.rulebook.reader import Reader
from trueodds.wagers.terms import Maker, Rule, SinglePayRule, Verdict, Vig
from trueodds.wagers.wager import Phase, Result, Wager


@dataclass(frozen=True, eq=False, kw_only=True)
class NumberRule(SinglePayRule):
    """A bet that one number comes before the seven, or the seven before the number."""

    number: int
    wins_on_number: bool
    seven: int

    def number_of(self, wager: Wager, phase: Phase) -> int | None:
        """Give the number, which is the spot's own."""
        return self.number

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> Verdict:
        """Settle on the number or the seven, leave every other throw alone."""
        total = roll.total
        if total not in (self.number, self.seven):
            return self.idle()
        if (total == self.number) == self.wins_on_number:
            return self.won()
        return Verdict(Result.LOSE, self.cite("lose"))


def make_number(maker: Maker) -> dict[Spot, Rule]:
    """Build a number bet for each of its numbers."""
    reader, text, book = maker.reader, maker.text, maker.book
    common = maker.common(Spot(text.kind))
    wins = reader.choice("wins", ("number", "seven"))
    pays = reader.take("pays")
    vig_row = reader.table("vig") if reader.has("vig") else None
    single = reader.whole("number") if reader.has("number") else None
    numbers = reader.totals("numbers") if single is None else (single,)
    reader.done()
    vig = _read_vig(vig_row, text) if vig_row else None
    rules: dict[Spot, Rule] = {}
    for number in numbers:
        if number == book.seven:
            reader.fail("numbers", f"{number} is the seven of this book")
        spot = Spot(text.kind) if single else Spot(text.kind, (number,))
        key = pays.get(str(number)) if isinstance(pays, Mapping) else pays
        rules[spot] = NumberRule(
            **{**common, "spot": spot},
            number=number,
            wins_on_number=wins == "number",
            seven=book.seven,
            pay=maker.pay(key, spot.selection),
            vig=vig and vig(number),
        )
    return rules


def _read_vig(row: Reader, text: WagerText) -> Callable[[int], Vig]:
    """Read how vigorish is counted; the timing may differ from number to number."""
    timing: Mapping[str, str] = row.take("timing")
    basis = row.choice("basis", ("wager", "win"))
    points, unit, refund = row.whole("bp"), row.whole("unit"), row.flag("refund")
    row.done()

    def of(number: int) -> Vig:
        when = timing.get(f"{text.kind}{number}", timing.get(text.kind))
        return Vig(points, basis == "win", when == "on_win", unit, refund, text.cite("vig"))

    return of
