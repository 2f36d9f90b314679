"""The terms of a wager under one house: what families and the verifier read, with every option filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Final, NamedTuple

from trueodds.dice import Roll
from trueodds.money import ZERO, Cents, Odds, payable_step, vigorish
from trueodds.rulebook import Book, BookError, Cite, House, HouseError, Spot, WagerText
from trueodds.rulebook.reader import Reader
from trueodds.wagers.wager import Phase, Result, Wager

NEVER: Final = "never_locked"
LOCKS: Final[Mapping[Any, str]] = {
    NEVER: NEVER,
    "point": "point",
    "placement": "placement",
    True: NEVER,
    False: "placement",
    "allow": NEVER,
    "refuse": "placement",
}
WINDOWS: Final[Mapping[str, str]] = {
    "come_out": "before a come-out",
    "point": "while a point is on",
    "any": "at any time",
    "new_shooter": "before a new shooter's first come-out",
    "after_any_seven": "before a new shooter's first come-out or right after a seven",
    "any_come_out": "before any come-out",
}
"""When a wager may be made, by the names the books use, and in words."""


class Pay(NamedTuple):
    """Odds a winner is paid at, and where the book says so."""

    odds: Odds
    cite: Cite


class Part(NamedTuple):
    """One share of a combination wager on one throw; `odds` is None when the share lost."""

    kind: str
    share: Fraction
    odds: Odds | None
    name: str


class Verdict(NamedTuple):
    """What a family says one throw does to a wager that is working, before any money is counted.

    `ratio` is the exact net per unit of stake on a win. `to` is where a come bet travels, `marks` the
    progress of a fire or bonus bet after the throw.
    """

    result: Result
    cite: Cite
    ratio: Fraction | None = None
    odds: Odds | None = None
    parts: tuple[Part, ...] = ()
    to: int | None = None
    marks: tuple[int, ...] | None = None


class Vig(NamedTuple):
    """How a wager's vigorish is counted."""

    basis_points: int
    on_win_amount: bool
    at_win: bool
    unit: int
    refund: bool
    cite: Cite

    def charge(self, stake: Cents, odds: Odds) -> Cents:
        """Count the vigorish on a stake."""
        basis = odds.winnings(stake) if self.on_win_amount else Fraction(stake)
        return vigorish(basis, self.basis_points, self.unit)


class Offer(NamedTuple):
    """Whether the house offers a wager and the citation behind the answer."""

    given: bool
    cite: Cite


@dataclass(frozen=True, eq=False, kw_only=True)
class Rule:
    """One spot under one house. Families add `decide` and `ratios`."""

    spot: Spot
    text: WagerText
    window: str
    offer: Offer
    least: Cents
    most: Cents | None
    unit: int
    reduce: str
    remove: str
    increase: str
    increase_after_point: bool
    increase_after_cut: bool
    stays_up: bool
    may_be_off: bool
    pay_unit: int
    vig: Vig | None = None
    breakdown: tuple[tuple[Spot, int], ...] = ()

    by_pair: ClassVar[bool] = False
    """Whether throws of one total can differ for this wager; a family that looks at the faces says so."""

    by_phase: ClassVar[bool] = True
    """Whether it can matter to this wager where the puck is; a family that never looks says so."""

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> Verdict:
        """Say what a throw does to a working wager."""
        raise NotImplementedError(type(self).__name__)  # a family always overrides it

    def ratios(self) -> tuple[Fraction, ...]:
        """Every net a win can bring, per unit of stake."""
        raise NotImplementedError(type(self).__name__)  # a family always overrides it

    @property
    def pay_words(self) -> tuple[tuple[str, str], ...]:
        """What the spot pays, as pairs of what is thrown and odds in words."""
        raise NotImplementedError(type(self).__name__)  # a family always overrides it

    def number_of(self, wager: Wager, phase: Phase) -> int | None:
        """Which number the wager stands on, if it has one yet."""
        return wager.spot.pick[0] if wager.spot.pick else None

    def home_of(self, spot: Spot) -> Spot:
        """Which spot a wager is bet on that stands on this one: itself, but for wagers that travel."""
        return spot

    @property
    def collects(self) -> tuple[int, ...]:
        """The numbers it gathers one by one, if it does."""
        return ()

    @cached_property
    def step(self) -> int:
        """Stakes whose wins come out in whole pay units are the multiples of this."""
        return payable_step(self.ratios(), self.pay_unit)

    @property
    def vig_odds(self) -> Odds:
        """The odds a vigorish on the win amount is counted with."""
        raise NotImplementedError(type(self).__name__)  # only number bets have one

    def upfront_vig(self, stake: Cents) -> Cents:
        """Count the vigorish due when the wager is made."""
        return self.vig.charge(stake, self.vig_odds) if self.vig and not self.vig.at_win else ZERO

    def broken_down(self, stake: Cents) -> tuple[tuple[Spot, Fraction], ...]:
        """Give the wagers a stake is split into where the layout has no box; nothing where it has one."""
        whole = sum(units for _, units in self.breakdown)
        return tuple((spot, Fraction(stake * units, whole)) for spot, units in self.breakdown)

    def cite(self, facet: str) -> Cite:
        """Where the book says this about the spot."""
        return self.text.cite(facet, self.spot.selection)

    @cached_property
    def name(self) -> str:
        """What a dealer would call the spot."""
        return self.text.short_of(self.spot.selection)


@dataclass(frozen=True, eq=False, kw_only=True)
class SinglePayRule(Rule):
    """A wager whose win is always paid at the same odds."""

    pay: Pay

    def won(self, facet: str = "win") -> Verdict:
        """Say that it wins, citing the clause it wins by and the one it is paid by."""
        return Verdict(Result.WIN, self.cite(facet) + self.pay.cite, self.pay.odds.ratio, self.pay.odds)

    def idle(self) -> Verdict:
        """Say that a throw leaves it alone."""
        return Verdict(Result.NO_ACTION, self.cite("idle") or self.cite("def"))

    def ratios(self) -> tuple[Fraction, ...]:
        """Give the one net a win brings."""
        return (self.pay.odds.ratio,)

    @property
    def vig_odds(self) -> Odds:
        """The odds the win is paid at."""
        return self.pay.odds

    @property
    def pay_words(self) -> tuple[tuple[str, str], ...]:
        """Say the odds."""
        return (("", str(self.pay.odds)),)


class Maker:
    """Reads one wager's terms under a house, for the families to build their rules from."""

    def __init__(self, house: House, text: WagerText) -> None:
        self.house = house
        self.book: Book = house.book
        self.text = text
        self.where = f"wager.{text.kind}"
        try:
            self.reader = Reader(house.fill(text.terms), self.where)
        except HouseError as error:
            raise BookError(self.where, error.what) from None
        self.reader.take("family")
        self.reader.take("area")

    def pay(self, key: object, selection: str = "") -> Pay:
        """Look a row of the pay schedule up, with the house's own odds if it has any."""
        row = self.book.pays.get(key) if isinstance(key, str) else None
        if row is None:
            raise BookError(f"{self.where}.pays", f"no row {key!r} in the pay schedules")
        changed = self.house.get("paytable", {}).get(key)
        own = self.text.cite("pays", selection)
        return Pay(Odds.parse(changed) if changed else row.odds, own or row.cite)

    def lock(self, key: str) -> str:
        """Read when a change stops being allowed."""
        value = self.reader.take(key, NEVER)
        if value not in LOCKS:
            self.reader.fail(key, f"expected never_locked, point or placement, not {value!r}")
        return LOCKS[value]

    def common(self, spot: Spot) -> dict[str, Any]:
        """Read what every rule has; families take the rest and call `done`."""
        reader = self.reader
        least, most = reader.take("least", 0), reader.take("most", None)
        for key, value in (("least", least), ("most", most)):
            if value is not None and type(value) is not int:
                reader.fail(key, f"expected an amount in cents, not {value!r}")
        fallback = self.house.get("min_bet", 0)
        return {
            "spot": spot,
            "text": self.text,
            "window": reader.choice("window", WINDOWS, "any"),
            "offer": self.offer(spot),
            "least": Cents(fallback if least is None else least),
            "most": most,
            "unit": self._unit(),
            "reduce": self.lock("reduce"),
            "remove": self.lock("remove"),
            "increase": self.lock("increase"),
            "increase_after_point": reader.flag("increase_after_point", False),
            "increase_after_cut": reader.flag("increase_after_cut", True),
            "stays_up": reader.choice("after_win", ("up", "down"), "down") == "up",
            "may_be_off": reader.flag("may_be_off", False),
            "pay_unit": self.house["pay_unit"],
        }

    def offer(self, spot: Spot) -> Offer:
        """Read whether the house offers the wager in its game."""
        closed = self.book.refusals["not_offered"]
        games, offered = self.reader.take("games", None), self.reader.take("offered", True)
        if games is not None and self.house["game"] not in games:
            return Offer(False, self.text.cite("def", spot.selection))
        given = self.text.kind in offered if isinstance(offered, tuple) else bool(offered)
        return Offer(given, self.text.cite("offered", spot.selection) or closed)

    def _unit(self) -> int:
        if not self.reader.has("unit"):
            return 1
        row = self.reader.table("unit")
        units, of, when = row.whole("units"), row.whole("of"), row.flag("when")
        row.done()
        if units < 1:
            self.reader.fail("unit", f"a unit is at least 1, not {units}")
        return units * of if when else 1
