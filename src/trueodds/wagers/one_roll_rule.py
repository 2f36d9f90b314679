"""One-roll bets: field, any seven, craps numbers, hops, 6-7-8. The next valid throw decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from trueodds.dice import ROLLS, DiceError, Roll
from trueodds.rulebook import Spot
from trueodds.rulebook.reader import Reader
from trueodds.wagers.terms import Maker, Pay, Rule, Verdict
from trueodds.wagers.wager import Phase, Result, Wager


@dataclass(frozen=True, eq=False, kw_only=True)
class OneRollRule(Rule):
    """A bet that names, for each throw, what it pays; a throw it does not name loses."""

    by_pair: ClassVar[bool] = True

    wins: Mapping[Roll, Pay]
    words: tuple[tuple[str, Pay], ...]

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> Verdict:
        """Look the throw up."""
        pay = self.wins.get(roll)
        if pay is None:
            return Verdict(Result.LOSE, self.cite("lose"))
        return Verdict(Result.WIN, self.cite("win") + pay.cite, pay.odds.ratio, pay.odds)

    def ratios(self) -> tuple[Fraction, ...]:
        """Give every net a win can bring."""
        return tuple({pay.odds.ratio for pay in self.wins.values()})

    @property
    def pay_words(self) -> tuple[tuple[str, str], ...]:
        """Say the odds for each group of throws."""
        return tuple((on, str(pay.odds)) for on, pay in self.words)


def make_one_roll(maker: Maker) -> dict[Spot, Rule]:
    """Build the bet: for hops a spot a pair, otherwise one spot."""
    reader, text = maker.reader, maker.text
    common = maker.common(Spot(text.kind))
    if reader.has("pairs"):
        pairs, pays = reader.texts("pairs"), reader.table("pays")
        keys = {True: pays.text("hard"), False: pays.text("easy")}
        pays.done()
        reader.done()
        return {spot: _hop(maker, common, spot, keys) for spot in _pair_spots(maker, pairs)}
    wins: dict[Roll, Pay] = {}
    words: list[tuple[str, Pay]] = []
    for index, table in enumerate(reader.take("wins")):
        row = Reader(table, reader.at(f"wins[{index}]"))
        pay, on = maker.pay(row.take("pays")), row.take("on")
        row.done()
        for roll in _rolls(maker, on):
            if roll in wins:
                reader.fail("wins", f"{roll} is named twice")
            wins[roll] = pay
        words.append((", ".join(map(str, on)), pay))
    reader.done()
    if not words:
        reader.fail("wins", "a wager must win on something")
    spot = Spot(text.kind)
    return {spot: OneRollRule(**common, wins=wins, words=tuple(words) if len(words) > 1 else (("", words[0][1]),))}


def _pair_spots(maker: Maker, pairs: tuple[str, ...]) -> list[Spot]:
    spots = []
    for pair in pairs:
        try:
            spots.append(Spot(maker.text.kind, Roll.parse(pair).pair))
        except DiceError as error:
            maker.reader.fail("pairs", str(error))
    return spots


def _hop(maker: Maker, common: dict[str, Any], spot: Spot, keys: Mapping[bool, str]) -> Rule:
    rolls = [roll for roll in ROLLS if roll.pair == spot.pick]
    pay = maker.pay(keys[rolls[0].is_pair], spot.selection)
    return OneRollRule(**{**common, "spot": spot}, wins=dict.fromkeys(rolls, pay), words=(("", pay),))


def _rolls(maker: Maker, on: object) -> list[Roll]:
    """Read what a row wins on: totals like 7, pairs like "3-3"."""
    found: list[Roll] = []
    for one in on if isinstance(on, list | tuple) else (on,):
        if type(one) is int and 2 <= one <= 12:
            found += [roll for roll in ROLLS if roll.total == one]
        elif isinstance(one, str):
            try:
                pair = Roll.parse(one).pair
            except DiceError as error:
                maker.reader.fail("wins", str(error))
            found += [roll for roll in ROLLS if roll.pair == pair]
        else:
            maker.reader.fail("wins", f"expected totals or pairs, not {one!r}")
    return found
