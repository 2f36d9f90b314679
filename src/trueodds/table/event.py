"""Events: what happened at a table.

Every event is a frozen dataclass. Events carry every cent that moved, so `apply_event` can rebuild the position and
`money_movements` the ledger. The names of these classes and of their fields are stored in journals.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from trueodds.dice import Roll
from trueodds.money import ZERO, Cents, Odds, format_money
from trueodds.rulebook import Citation, Spot, format_citation
from trueodds.table.fast_constructor import fast_constructor
from trueodds.table.position import Custody, HandStage, Markers
from trueodds.wagers import OddsBet, Phase, Result, ShareResult, Wager, WorkingCall


class MoneyMovement(NamedTuple):
    """How one step changed four accounts. The four changes always add up to zero."""

    player: str
    rack_cents: int
    layout_cents: int
    house_cents: int
    vig_cents: int


class Settlement(NamedTuple):
    """What one roll did to one wager or one odds bet, with the money and the citation.

    `net_cents` is what was won or lost, after breakage and before vigorish. `paid_cents` is what goes to the player.
    `wager_after` is what stays on the layout. `vig_on_win` tells whether the vigorish was taken from the winnings.
    """

    name: str
    spot: Spot
    stake_cents: Cents
    total: int
    result: Result
    cite: Citation
    net_cents: Cents = ZERO
    vig_cents: Cents = ZERO
    paid_cents: Cents = ZERO
    odds: Odds | None = None
    shares: tuple[ShareResult, ...] = ()
    breakage_cents: Fraction = Fraction(0)
    moved_to: int | None = None
    stays_up: bool = False
    wager_after: Wager | None = None
    currency: str = "USD"
    vig_on_win: bool = False

    @property
    def sentence(self) -> str:
        """A sentence for the player, like "Place 6 wins $14 on $12 at 7 to 6: N.J.A.C. 19:47-1.4(b)"."""
        stake = format_money(self.stake_cents, self.currency)
        match self.result:
            case Result.WIN:
                amount = f"{format_money(self.net_cents, self.currency)} on {stake}"
                text = f"{self.name} wins {amount}{self._odds_text()}{self._details_text()}"
            case Result.LOSE:
                text = f"{self.name} loses {stake} to {self.total}"
            case Result.PUSH:
                text = f"{self.name} is void on {self.total}, {stake} returned"
            case Result.RETURNED:
                text = f"{self.name} was off, {stake} returned"
            case Result.MOVED:
                text = f"{self.name} travels to {self.moved_to}"
            case Result.OFF:
                text = f"{self.name} is off"
            case Result.NO_ACTION:
                text = f"{self.name} stays up, no decision on {self.total}"
        return f"{text}: {format_citation(self.cite)}"

    def _odds_text(self) -> str:
        if self.odds:
            return f" at {self.odds}"
        wins = dict.fromkeys(f"{share.name} at {share.odds}" for share in self.shares if share.odds)
        return f" ({', '.join(wins)})" if wins else ""

    def _details_text(self) -> str:
        text = ""
        if self.vig_cents:
            reason = " for staying up" if self.stays_up and not self.vig_on_win else ""
            text += f", vigorish {format_money(self.vig_cents, self.currency)}{reason}"
        if self.breakage_cents:
            label = "breakage" if self.breakage_cents > 0 else "rounded up by"
            text += f", {label} {_mixed_fraction(abs(self.breakage_cents))} cents"
        return text + (", and stays up" if self.stays_up else "")


def _mixed_fraction(amount: Fraction) -> str:
    """Return a fraction as a mixed number, like "83 1/3"."""
    units, rest = divmod(amount, 1)
    return " ".join(str(number) for number in (units, rest) if number)


class SettledWager(NamedTuple):
    """The settlement of one player's wager or odds bet."""

    player: str
    tag: str
    settlement: Settlement

    @property
    def sentence(self) -> str:
        """A sentence for the player: what happened and by which clause."""
        return self.settlement.sentence

    def money_movement(self) -> MoneyMovement:
        """Return where the cents of this settlement went."""
        settlement = self.settlement
        match settlement.result:
            case Result.WIN:
                layout = 0 if settlement.stays_up else -settlement.stake_cents
                return MoneyMovement(
                    self.player, settlement.paid_cents, layout, -settlement.net_cents, settlement.vig_cents
                )
            case Result.LOSE:
                return MoneyMovement(self.player, 0, -settlement.stake_cents, settlement.stake_cents, 0)
            case _:
                return MoneyMovement(self.player, settlement.paid_cents, -settlement.paid_cents, 0, 0)


@fast_constructor
@dataclass(frozen=True, slots=True)
class BetMade:
    """A player made a bet: a wager, or odds behind the wager tagged `base_tag`.

    Exactly one of `wager` and `odds` is set. `split_from` is the tag of the bet if the dealer split it into several
    wagers, of which this is one.
    """

    player: str
    tag: str
    name: str
    wager: Wager | None
    odds: OddsBet | None
    base_tag: str | None
    vig_cents: Cents
    cite: Citation
    split_from: str | None
    currency: str
    tender: str = "chips"
    confirmed_by: tuple[str, ...] = ()

    @property
    def stake_cents(self) -> Cents:
        """The stake of the wager or of the odds."""
        bet = self.odds or self.wager
        return bet.stake if bet else ZERO

    @property
    def rack_change_cents(self) -> Cents:
        """The change of the player's rack: minus the stake and the vigorish paid up front."""
        return Cents(-self.stake_cents - self.vig_cents)

    @property
    def sentence(self) -> str:
        """A sentence for the player: what bet was accepted."""
        charged = f", vigorish {format_money(self.vig_cents, self.currency)}" if self.vig_cents else ""
        return f"{self.name} for {format_money(self.stake_cents, self.currency)}{charged}: {format_citation(self.cite)}"

    def money_movement(self) -> MoneyMovement:
        """Return where the cents of this bet went."""
        return MoneyMovement(self.player, self.rack_change_cents, self.stake_cents, 0, self.vig_cents)


@dataclass(frozen=True, slots=True)
class BetResized:
    """A wager changed its size, or the odds behind the wager tagged `base_tag` did.

    `after` is None if the bet was taken down. `markers` is set if a fire or bonus bet was taken down: the markers that
    remain. A negative `vig_cents` is a refund. `bars_replacement` is set if a don't bet got smaller or came down in a
    house that lets the player make no other before the next roll.
    """

    player: str
    tag: str
    name: str
    spot: Spot
    base_tag: str | None
    old_stake_cents: Cents
    after: Wager | OddsBet | None
    vig_cents: Cents
    cite: Citation
    currency: str
    markers: Markers | None = None
    bars_replacement: bool = False

    @property
    def new_stake_cents(self) -> Cents:
        """The stake after the change, or zero if the bet was taken down."""
        return self.after.stake if self.after else ZERO

    @property
    def rack_change_cents(self) -> Cents:
        """The change of the player's rack, including vigorish charged or refunded."""
        return Cents(self.old_stake_cents - self.new_stake_cents - self.vig_cents)

    @property
    def sentence(self) -> str:
        """A sentence for the player: what changed."""
        old, new = format_money(self.old_stake_cents, self.currency), format_money(self.new_stake_cents, self.currency)
        change = f"goes from {old} to {new}" if self.after else f"for {old} comes down"
        vig = f", vigorish {format_money(self.vig_cents, self.currency)}" if self.vig_cents > 0 else ""
        vig = f", vigorish {format_money(-self.vig_cents, self.currency)} refunded" if self.vig_cents < 0 else vig
        return f"{self.name} {change}{vig}: {format_citation(self.cite)}"

    def money_movement(self) -> MoneyMovement:
        """Return where the cents of this change went."""
        layout = self.new_stake_cents - self.old_stake_cents
        return MoneyMovement(self.player, self.rack_change_cents, layout, 0, self.vig_cents)


@dataclass(frozen=True, slots=True)
class BetToggled:
    """A player called a wager or an odds bet on or off."""

    player: str
    tag: str
    name: str
    call: WorkingCall
    cite: Citation

    @property
    def sentence(self) -> str:
        """A sentence for the player: whether the bet is on or off."""
        return f"{self.name} is {self.call}: {format_citation(self.cite)}"


PuckChange = Literal["point_set", "point_made", "seven_out", ""]
"""What a roll did to the puck. The empty text means that the puck did not move."""


@fast_constructor
@dataclass(frozen=True, slots=True)
class Rolled:
    """A valid roll and everything it did. `settled` covers every wager and odds bet on the layout, in order.

    `roll` is how `dice` were read: they differ if a cocked die was read by its opposite face. `phase` is the phase
    before the roll and `puck_after` the puck after it. `irregularity` is the code of what was wrong with the roll, and
    `cite` the clause by which it counts all the same. `fire_points` and `bonus_numbers` are None if no such bet is up.
    """

    dice: Roll
    roll: Roll
    phase: Phase
    puck_after: Phase
    hand_stage: HandStage
    seven_out: bool
    settled: tuple[SettledWager, ...]
    fire_points: tuple[int, ...] | None
    bonus_numbers: tuple[int, ...] | None
    markers: Markers
    custody: Custody | None = None
    player: str | None = None
    irregularity: str | None = None
    cite: Citation = ()

    @property
    def total(self) -> int:
        """The total of the dice as they were read."""
        return self.roll.total

    @property
    def puck_change(self) -> PuckChange:
        """What the roll did to the puck."""
        if self.seven_out:
            return "seven_out"
        if self.puck_after > 0 and self.phase <= 0:
            return "point_set"
        return "point_made" if self.phase > 0 and self.puck_after == 0 else ""

    @property
    def ends_hand(self) -> bool:
        """Whether the hand is over, so that the next roll starts a new one."""
        return self.seven_out

    @property
    def sentence(self) -> str:
        """A sentence for the table: the roll and what it did to the puck."""
        text = f"{self.roll}, {self.total}"
        if self.roll != self.dice:
            text += f" (read from {self.dice}: {format_citation(self.cite)})"
        match self.puck_change:
            case "seven_out":
                return f"{text}: seven out, the line is away"
            case "point_set":
                return f"{text}: the point is {self.puck_after}"
            case "point_made":
                return f"{text}: the point is made"
            case _:
                return text


@dataclass(frozen=True, slots=True)
class NoRoll:
    """A roll that does not count. Nothing on the layout changed."""

    dice: Roll
    reason: str
    cite: Citation
    player: str | None = None
    called_by: str | None = None

    @property
    def sentence(self) -> str:
        """A sentence for the table: why the roll does not count."""
        by = f", called by the {self.called_by}" if self.called_by else ""
        return f"No roll ({self.reason.replace('_', ' ')}{by}): {format_citation(self.cite)}"


@dataclass(frozen=True, slots=True)
class SeatingChanged:
    """A player sat down or stood up."""

    player: str
    seated: bool

    @property
    def sentence(self) -> str:
        """A sentence for the table: who sat down or stood up."""
        return f"{self.player} {'sits down' if self.seated else 'gets up'}"


CustodyChange = Literal[
    "opened",
    "accepted",
    "declined",
    "passed",
    "ordered_to_pass",
    "line_declined",
    "come_settlement_started",
    "come_settlement_ended",
]
"""Why the custody of the dice changed."""


@dataclass(frozen=True, slots=True)
class CustodyChanged:
    """The dice were offered, accepted, declined or given up.

    `frozen_fire_tags` are the tags of fire bets that count no further points because the shooter changed.
    """

    change: CustodyChange
    player: str | None
    custody: Custody
    hand_stage: HandStage
    frozen_fire_tags: tuple[str, ...]
    cite: Citation
    ordered_by: str | None = None
    cause: str | None = None

    @property
    def ends_hand(self) -> bool:
        """Whether the hand is over: the shooter gave up the dice, or another player accepted them."""
        if self.change == "accepted":
            return self.hand_stage == "new"
        return self.change in {"passed", "ordered_to_pass", "line_declined"} and not self.custody.for_come_settlement

    @property
    def sentence(self) -> str:
        """A sentence for the table: what happened to the dice."""
        text = _CUSTODY_SENTENCES[self.change].format(self.player)
        if self.ordered_by and self.cause:
            text += f" by the {self.ordered_by} for {self.cause.replace('_', ' ')}"
        if self.custody.offered_to:
            text += f", the dice are offered to {self.custody.offered_to}"
        elif self.custody.shooter is None:
            text += ", nobody takes the dice"
        return f"{text}: {format_citation(self.cite)}"


_CUSTODY_SENTENCES: Final[dict[CustodyChange, str]] = {
    "opened": "The table is open",
    "accepted": "{} is the shooter",
    "declined": "{} declines",
    "passed": "{} passes the dice",
    "ordered_to_pass": "{} is ordered to pass the dice",
    "line_declined": "{} makes no line bet",
    "come_settlement_started": "{} rolls only to decide the come bets, the puck is off on the don't pass line",
    "come_settlement_ended": "The come bets are decided and {} needs a line bet again",
}


@dataclass(frozen=True, slots=True)
class SurveillanceNotified:
    """Surveillance was notified because enough fire points were made that the book demands it."""

    points: tuple[int, ...]
    cite: Citation

    @property
    def sentence(self) -> str:
        """A sentence for the table: how many fire points were made."""
        return f"{len(self.points)} fire points made, surveillance is notified: {format_citation(self.cite)}"


@dataclass(frozen=True, slots=True)
class ProcedurePerformed:
    """The staff performed a procedure of the book, in a house that records them.

    `procedure` is its id in the book, `by` who performs it, and `details` what it was performed on.
    """

    procedure: str
    title: str
    by: tuple[str, ...]
    details: tuple[str, ...]
    cite: Citation

    @property
    def sentence(self) -> str:
        """A sentence for the table: what the staff did."""
        by = f" ({', '.join(self.by)})" if self.by else ""
        return f"{self.title}{by} - {', '.join(self.details)}: {format_citation(self.cite)}"


@dataclass(frozen=True, slots=True)
class PlayerJoined:
    """A player joined the table, at a seat counted clockwise from 0."""

    player: str
    seat_index: int

    @property
    def sentence(self) -> str:
        """A sentence for the table: who joined."""
        return f"{self.player} comes to the table"


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A player left the table."""

    player: str

    @property
    def sentence(self) -> str:
        """A sentence for the table: who left."""
        return f"{self.player} leaves the table"


Event = (
    BetMade
    | BetResized
    | BetToggled
    | Rolled
    | NoRoll
    | SeatingChanged
    | CustodyChanged
    | SurveillanceNotified
    | ProcedurePerformed
    | PlayerJoined
    | PlayerLeft
)


def money_movements(event: Event) -> tuple[MoneyMovement, ...]:
    """Return where every cent that an event moved went."""
    match event:
        case BetMade() | BetResized():
            return (event.money_movement(),)
        case Rolled():
            return tuple(settled.money_movement() for settled in event.settled)
        case _:
            return ()
