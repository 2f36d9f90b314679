"""The rule of one spot under one house, with every option filled in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import ClassVar, Final, Literal, NamedTuple

from trueodds.dice import Roll
from trueodds.money import ZERO, Cents, Odds, payable_step, vigorish
from trueodds.rulebook import Citation, Spot, WagerDefinition
from trueodds.wagers.wager import Phase, Result, Wager

NEVER_LOCKED: Final = "never_locked"
Lock = Literal["never_locked", "point", "placement"]
"""From when on a wager can no longer be changed: never, once its point is established, or once it is made."""

WINDOW_DESCRIPTIONS: Final = {
    "come_out": "before a come-out",
    "point": "while a point is on",
    "any": "at any time",
    "new_shooter": "before a new shooter's first come-out",
    "after_any_seven": "before a new shooter's first come-out or right after a seven",
    "any_come_out": "before any come-out",
}
"""When a wager may be made, by the names the books use, in words."""


class Payout(NamedTuple):
    """The odds a winner is paid at, with their citation."""

    odds: Odds
    cite: Citation


class ShareResult(NamedTuple):
    """What one share of a combination bet does on one roll; `odds` is None if the share lost."""

    kind: str
    fraction: Fraction
    odds: Odds | None
    name: str


class RollEffect(NamedTuple):
    """What one roll does to a working wager, before any money is counted.

    `ratio` is the exact net win per unit of stake. `moves_to` is the number a come bet travels to, `marks` the
    progress of a fire or bonus bet after the roll.
    """

    result: Result
    cite: Citation
    ratio: Fraction | None = None
    odds: Odds | None = None
    shares: tuple[ShareResult, ...] = ()
    moves_to: int | None = None
    marks: tuple[int, ...] | None = None


class Vig(NamedTuple):
    """How the vigorish of a wager is computed."""

    basis_points: int
    on_win_amount: bool
    charged_on_win: bool
    rounding_unit: int
    refundable: bool
    may_round_to_zero: bool
    cite: Citation

    def charge(self, stake: Cents, odds: Odds) -> Cents:
        """Return the vigorish on a stake."""
        basis = odds.winnings(stake) if self.on_win_amount else Fraction(stake)
        return vigorish(basis, self.basis_points, self.rounding_unit)

    def smallest_stake(self, odds: Odds) -> Cents:
        """Return the smallest stake that the house accepts: one whose vigorish does not round down to nothing."""
        if self.may_round_to_zero or not self.basis_points:
            return ZERO
        basis = Fraction(self.rounding_unit * 10_000, self.basis_points)
        return Cents(ceil(basis / odds.ratio if self.on_win_amount else basis))


class Availability(NamedTuple):
    """Whether the house offers a wager, with the citation."""

    offered: bool
    cite: Citation


@dataclass(frozen=True, eq=False, kw_only=True)
class WagerRule:
    """The rule of one spot under one house. Subclasses implement `decide`, `win_ratios` and `payout_texts`."""

    spot: Spot
    definition: WagerDefinition
    window: str
    availability: Availability
    min_stake: Cents
    max_stake: Cents | None
    stake_unit: int
    reduce_lock: Lock
    remove_lock: Lock
    increase_lock: Lock
    increase_after_point: bool
    increase_after_reduction: bool
    replace_after_removal: bool
    stays_up: bool
    may_be_off: bool
    pay_unit: int
    vig: Vig | None = None
    breakdown: tuple[tuple[Spot, int], ...] = ()

    reads_faces: ClassVar[bool] = False
    """Whether the faces of the dice can matter to this wager, or only their total."""

    reads_puck: ClassVar[bool] = True
    """Whether the puck can matter to this wager."""

    def decide(self, wager: Wager, phase: Phase, roll: Roll) -> RollEffect:
        """Return what a roll does to a working wager."""
        raise NotImplementedError(type(self).__name__)  # subclasses override it

    def win_ratios(self) -> tuple[Fraction, ...]:
        """Return every net win that is possible, per unit of stake."""
        raise NotImplementedError(type(self).__name__)  # subclasses override it

    @property
    def payout_texts(self) -> tuple[tuple[str, str], ...]:
        """What the spot pays, as pairs of what is rolled (empty if that is clear) and the odds in words."""
        raise NotImplementedError(type(self).__name__)  # subclasses override it

    def number_of(self, wager: Wager, phase: Phase) -> int | None:
        """Return the number the wager is on, or None if it has none yet."""
        return wager.spot.pick[0] if wager.spot.pick else None

    def betting_spot(self, spot: Spot) -> Spot:
        """Return the spot a wager on this spot was bet on: the same spot unless the wager travels."""
        return spot

    @property
    def collected_numbers(self) -> tuple[int, ...]:
        """The numbers that a fire or bonus bet collects; empty for all others."""
        return ()

    @cached_property
    def payable_step(self) -> int:
        """The smallest stake that wins a whole number of pay units; its multiples do too."""
        return payable_step(self.win_ratios(), self.pay_unit)

    @cached_property
    def smallest_stake(self) -> Cents:
        """The smallest stake of a new bet: the minimum, or more where its vigorish would round down to nothing."""
        return max(self.min_stake, self.vig.smallest_stake(self.vig_odds)) if self.vig else self.min_stake

    @property
    def vig_odds(self) -> Odds:
        """The odds that vigorish on the win amount is computed with."""
        raise NotImplementedError(type(self).__name__)  # only number bets have one

    def upfront_vig(self, stake: Cents) -> Cents:
        """Return the vigorish due when the wager is made."""
        return self.vig.charge(stake, self.vig_odds) if self.vig and not self.vig.charged_on_win else ZERO

    def break_down(self, stake: Cents) -> tuple[tuple[Spot, Fraction], ...]:
        """Return the wagers a stake is split into if the layout has no box for it; empty if it has one."""
        whole = sum(units for _, units in self.breakdown)
        return tuple((spot, Fraction(stake * units, whole)) for spot, units in self.breakdown)

    def cite(self, facet: str) -> Citation:
        """Return where the book states a facet of the spot."""
        return self.definition.cite(facet, self.spot.selection)

    @cached_property
    def name(self) -> str:
        """The name of the spot as a dealer says it."""
        return self.definition.spot_name(self.spot.selection)


@dataclass(frozen=True, eq=False, kw_only=True)
class SinglePayoutRule(WagerRule):
    """A wager that always pays the same odds."""

    payout: Payout

    def win_effect(self, facet: str = "win") -> RollEffect:
        """Return the effect of a winning roll, citing the clause it wins by and the one it is paid by."""
        return RollEffect(Result.WIN, self.cite(facet) + self.payout.cite, self.payout.odds.ratio, self.payout.odds)

    def no_effect(self) -> RollEffect:
        """Return the effect of a roll that does not decide the wager."""
        return RollEffect(Result.NO_ACTION, self.cite("idle") or self.cite("def"))

    def win_ratios(self) -> tuple[Fraction, ...]:
        """Return the one net win that is possible."""
        return (self.payout.odds.ratio,)

    @property
    def vig_odds(self) -> Odds:
        """The odds a win is paid at."""
        return self.payout.odds

    @property
    def payout_texts(self) -> tuple[tuple[str, str], ...]:
        """The odds in words."""
        return (("", str(self.payout.odds)),)
