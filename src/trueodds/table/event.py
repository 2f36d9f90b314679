"""What happened at a table. Events are frozen, and carry every cent that moved."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

from trueodds.dice import Roll
from trueodds.money import ZERO, Cents, Odds, money
from trueodds.rulebook import Cite, Spot, say
from trueodds.table.position import Custody, Hand, Markers
from trueodds.wagers import Call, OddsBet, Part, Phase, Result, Wager


class Movement(NamedTuple):
    """Where cents went in one step, seen from each account; the four always add up to nothing."""

    player: str
    rack: int
    layout: int
    house: int
    vigorish: int


class Ruling(NamedTuple):
    """What one throw did to one wager or to one odds bet, with the money and the reason.

    `net` is what was won or lost after breakage and before vigorish, `cash` what goes to the player, `after`
    what is left on the layout, `at_win` whether vigorish was taken from the win. Odds name their base's fate only
    through their own result.
    """

    name: str
    spot: Spot
    stake: Cents
    total: int
    result: Result
    cite: Cite
    net: Cents = ZERO
    vig: Cents = ZERO
    cash: Cents = ZERO
    odds: Odds | None = None
    parts: tuple[Part, ...] = ()
    breakage: Fraction = Fraction(0)
    to: int | None = None
    stays: bool = False
    after: Wager | None = None
    currency: str = "USD"
    at_win: bool = False

    @property
    def sentence(self) -> str:
        """Tell the player, e.g. "Place 6 wins $14 on $12 at 7 to 6: N.J.A.C. 19:47-1.4(b)"."""
        stake, why = money(self.stake, self.currency), say(self.cite)
        match self.result:
            case Result.WIN:
                won = f"{money(self.net, self.currency)} on {stake}"
                told = f"{self.name} wins {won}{self._at()}{self._small_print()}"
            case Result.LOSE:
                told = f"{self.name} loses {stake} to {self.total}"
            case Result.PUSH:
                told = f"{self.name} is void on {self.total}, {stake} returned"
            case Result.RETURNED:
                told = f"{self.name} was off, {stake} returned"
            case Result.MOVED:
                told = f"{self.name} travels to {self.to}"
            case Result.OFF:
                told = f"{self.name} is off"
            case Result.NO_ACTION:
                told = f"{self.name} stays up, no decision on {self.total}"
        return f"{told}: {why}"

    def _at(self) -> str:
        if self.odds:
            return f" at {self.odds}"
        won = dict.fromkeys(f"{part.name} at {part.odds}" for part in self.parts if part.odds)
        return f" ({', '.join(won)})" if won else ""

    def _small_print(self) -> str:
        said = ""
        if self.vig:
            why = " for staying up" if self.stays and not self.at_win else ""
            said += f", vigorish {money(self.vig, self.currency)}{why}"
        if self.breakage:
            kept = "breakage" if self.breakage > 0 else "rounded up by"
            said += f", {kept} {_mixed(abs(self.breakage))} cents"
        return said + (", and stays up" if self.stays else "")


def _mixed(amount: Fraction) -> str:
    """Write a fraction of cents as people do: 83 1/3."""
    whole, part = divmod(amount, 1)
    return " ".join(str(one) for one in (whole, part) if one)


class Settled(NamedTuple):
    """A ruling on a player's wager or odds."""

    player: str
    tag: str
    ruling: Ruling

    @property
    def sentence(self) -> str:
        """Tell the player what happened and why."""
        return self.ruling.sentence

    def movement(self) -> Movement:
        """Account for the cents of this settlement."""
        ruling = self.ruling
        match ruling.result:
            case Result.WIN:
                freed = 0 if ruling.stays else -ruling.stake
                return Movement(self.player, ruling.cash, freed, -ruling.net, ruling.vig)
            case Result.LOSE:
                return Movement(self.player, 0, -ruling.stake, ruling.stake, 0)
            case _:
                return Movement(self.player, ruling.cash, -ruling.cash, 0, 0)


class Made(NamedTuple):
    """A wager was put on the layout, or odds behind one (`on` names it and `odds` is the bet)."""

    player: str
    tag: str
    name: str
    wager: Wager | None
    odds: OddsBet | None
    on: str | None
    vig: Cents
    cite: Cite
    part_of: str | None
    currency: str
    tender: str = "chips"
    confirmed_by: tuple[str, ...] = ()

    @property
    def stake(self) -> Cents:
        """What was put up."""
        bet = self.odds or self.wager
        return bet.stake if bet else ZERO

    @property
    def cash(self) -> Cents:
        """What moved to (+) or from (-) the player."""
        return Cents(-self.stake - self.vig)

    @property
    def sentence(self) -> str:
        """Tell the player what was accepted."""
        charged = f", vigorish {money(self.vig, self.currency)}" if self.vig else ""
        return f"{self.name} for {money(self.stake, self.currency)}{charged}: {say(self.cite)}"

    def movement(self) -> Movement:
        """Account for the cents of this bet."""
        return Movement(self.player, self.cash, self.stake, 0, self.vig)


class Changed(NamedTuple):
    """A wager changed size, or odds behind the wager tagged `on`; `after` is None when nothing is left.

    `markers` says what stays in the fire and bonus areas when the last such bet came down.
    """

    player: str
    tag: str
    name: str
    spot: Spot
    on: str | None
    before: Cents
    after: Wager | OddsBet | None
    vig: Cents
    cite: Cite
    currency: str
    markers: Markers | None = None

    @property
    def left(self) -> Cents:
        """What still stands."""
        return self.after.stake if self.after else ZERO

    @property
    def cash(self) -> Cents:
        """What moved to (+) or from (-) the player; refunded vigorish is a negative `vig`."""
        return Cents(self.before - self.left - self.vig)

    @property
    def sentence(self) -> str:
        """Tell the player what changed."""
        was, now = money(self.before, self.currency), money(self.left, self.currency)
        did = f"goes from {was} to {now}" if self.after else f"for {was} comes down"
        vig = f", vigorish {money(self.vig, self.currency)}" if self.vig > 0 else ""
        vig = f", vigorish {money(-self.vig, self.currency)} refunded" if self.vig < 0 else vig
        return f"{self.name} {did}{vig}: {say(self.cite)}"

    def movement(self) -> Movement:
        """Account for the cents of this change."""
        return Movement(self.player, self.cash, self.left - self.before, 0, self.vig)


@dataclass(frozen=True, slots=True)
class Called:
    """A player called a wager or odds on or off."""

    player: str
    tag: str
    name: str
    call: Call
    cite: Cite

    @property
    def sentence(self) -> str:
        """Tell the player."""
        return f"{self.name} is {self.call}: {say(self.cite)}"


Mark = Literal["point", "made", "out", ""]
"""What a throw did to the puck: a point was set or made, the shooter sevened out, or nothing."""


class Rolled(NamedTuple):
    """A valid throw and everything it did. `settled` has a ruling for every wager and odds that was up.

    `roll` is how `dice` were read; `irregular` names what was odd about the throw and `cite` why it counts.
    """

    dice: Roll
    roll: Roll
    phase: Phase
    puck: Phase
    hand: Hand
    seven_out: bool
    settled: tuple[Settled, ...]
    fire_points: tuple[int, ...] | None
    bonus_marked: tuple[int, ...] | None
    markers: Markers
    custody: Custody | None = None
    player: str | None = None
    irregular: str | None = None
    cite: Cite = ()

    @property
    def total(self) -> int:
        """What the stick calls."""
        return self.roll.total

    @property
    def mark(self) -> Mark:
        """What became of the puck."""
        if self.seven_out:
            return "out"
        if self.puck > 0 and self.phase <= 0:
            return "point"
        return "made" if self.phase > 0 and self.puck == 0 else ""

    @property
    def new_hand(self) -> bool:
        """Whether the next throw begins a hand."""
        return self.seven_out

    @property
    def sentence(self) -> str:
        """Call the throw."""
        said = f"{self.roll}, {self.total}"
        if self.roll != self.dice:
            said += f" (read from {self.dice}: {say(self.cite)})"
        match self.mark:
            case "out":
                return f"{said}: seven out, the line is away"
            case "point":
                return f"{said}: the point is {self.puck}"
            case "made":
                return f"{said}: the point is made"
            case _:
                return said


@dataclass(frozen=True, slots=True)
class NoRoll:
    """An invalid throw: nothing moved."""

    dice: Roll
    reason: str
    cite: Cite
    player: str | None = None
    called_by: str | None = None

    @property
    def sentence(self) -> str:
        """Call it."""
        by = f", called by the {self.called_by}" if self.called_by else ""
        return f"No roll ({self.reason.replace('_', ' ')}{by}): {say(self.cite)}"


@dataclass(frozen=True, slots=True)
class Seated:
    """A player sat down or got up."""

    player: str
    seated: bool

    @property
    def sentence(self) -> str:
        """Tell the table."""
        return f"{self.player} {'sits down' if self.seated else 'gets up'}"


@dataclass(frozen=True, slots=True)
class DiceMoved:
    """The dice were offered, taken, declined or given up. `frozen` names fire bets whose count stops here."""

    what: str
    player: str | None
    custody: Custody
    hand: Hand
    frozen: tuple[str, ...]
    cite: Cite
    by: str | None = None
    cause: str | None = None

    @property
    def new_hand(self) -> bool:
        """Whether the next throw begins a hand: the shooter gave the dice up, or they came to another one."""
        if self.what == "accepted":
            return self.hand == "new"
        return self.what in {"passed", "ordered", "line_declined"} and not self.custody.puck_off

    @property
    def sentence(self) -> str:
        """Tell the table."""
        told = _DICE_WORDS[self.what].format(self.player)
        if self.by and self.cause:
            told += f" by the {self.by} for {self.cause.replace('_', ' ')}"
        if self.custody.offer_to:
            told += f", the dice are offered to {self.custody.offer_to}"
        elif self.custody.shooter is None:
            told += ", nobody takes the dice"
        return f"{told}: {say(self.cite)}"


_DICE_WORDS = {
    "opened": "The table is open",
    "accepted": "{} is the shooter",
    "declined": "{} declines",
    "passed": "{} passes the dice",
    "ordered": "{} is ordered to pass the dice",
    "line_declined": "{} makes no line bet",
    "puck_off": "{} throws only to decide the come bets, the puck is off on the don't pass line",
    "round_over": "The come bets are decided and {} needs a line bet again",
}


@dataclass(frozen=True, slots=True)
class SurveillanceTold:
    """Surveillance was told of the fire bets, because so many different points were made."""

    points: tuple[int, ...]
    cite: Cite

    @property
    def sentence(self) -> str:
        """Tell the table."""
        return f"{len(self.points)} fire points made, surveillance is notified: {say(self.cite)}"


@dataclass(frozen=True, slots=True)
class Joined:
    """A player came to the table."""

    player: str
    place: int

    @property
    def sentence(self) -> str:
        """Tell the table."""
        return f"{self.player} comes to the table"


@dataclass(frozen=True, slots=True)
class Left:
    """A player left the table."""

    player: str

    @property
    def sentence(self) -> str:
        """Tell the table."""
        return f"{self.player} leaves the table"


Event = Made | Changed | Called | Rolled | NoRoll | Seated | DiceMoved | SurveillanceTold | Joined | Left


def movements(event: Event) -> tuple[Movement, ...]:
    """Account for every cent an event moved."""
    match event:
        case Made() | Changed():
            return (event.movement(),)
        case Rolled():
            return tuple(settled.movement() for settled in event.settled)
        case _:
            return ()
