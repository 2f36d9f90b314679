"""The plays of a strategy: keep a bet up, back it with odds, press and regress, take down, call on and off."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from trueodds.money import Cents, Dollars, format_money, parse_dollars
from trueodds.rulebook import Spot
from trueodds.strategy.conditions import Memory
from trueodds.strategy.decision_steps import CallBet, DecisionStep, MakeBet, ResizeBet, TakeDownBet
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.play_base import Play, Strategy
from trueodds.strategy.player_view import PlayerView, RollOutcome, base_spot, parse_spot
from trueodds.strategy.staking import StakingPlan, parse_staking_plan
from trueodds.wagers import LineRule, OddsRule, TableRules, Wager


@dataclass(frozen=True, slots=True)
class BetSpec:
    """A bet a strategy wants: the spot, and how much to stake."""

    spot: Spot
    staking: StakingPlan


Stake = Dollars | StakingPlan
"""A fixed stake in dollars, or a progression: `ladder`, `parlay` or `grind`."""


def bet(spot: Spot | str, stake: Stake) -> BetSpec:
    """Return a bet on a spot: bet("horn", 4) is $4 on the horn, bet("place:6", 12) is $12 on place 6."""
    return BetSpec(parse_spot(spot), parse_staking_plan(stake))


def Pass(stake: Stake) -> BetSpec:  # noqa: N802  reads like the bet's name
    """Return a pass line bet. The stake is in dollars, or a progression such as ladder(10, 20, 40, lose=1).

    >>> Pass(10).spot
    Spot(kind='pass', pick=())
    """
    return bet(Spot("pass"), stake)


def DontPass(stake: Stake) -> BetSpec:  # noqa: N802  reads like the bet's name
    """Return a don't pass bet."""
    return bet(Spot("dont_pass"), stake)


def Come(stake: Stake) -> BetSpec:  # noqa: N802  reads like the bet's name
    """Return a come bet."""
    return bet(Spot("come"), stake)


def DontCome(stake: Stake) -> BetSpec:  # noqa: N802  reads like the bet's name
    """Return a don't come bet."""
    return bet(Spot("dont_come"), stake)


def Field(stake: Stake) -> BetSpec:  # noqa: N802  reads like the bet's name
    """Return a field bet."""
    return bet(Spot("field"), stake)


def Place(number: int, stake: Stake) -> BetSpec:  # noqa: N802  reads like the bet's name
    """Return a place bet on a number.

    >>> str(Place(6, 12).spot)
    'place:6'
    """
    return bet(Spot("place", (number,)), stake)


def Buy(number: int, stake: Stake) -> BetSpec:  # noqa: N802  reads like the bet's name
    """Return a buy bet on a number."""
    return bet(Spot("buy", (number,)), stake)


def Lay(number: int, stake: Stake) -> BetSpec:  # noqa: N802  reads like the bet's name
    """Return a lay bet against a number."""
    return bet(Spot("lay", (number,)), stake)


def Hard(number: int, stake: Stake) -> BetSpec:  # noqa: N802  reads like the bet's name
    """Return a hardway bet on 4, 6, 8 or 10."""
    return bet(Spot("hard", (number,)), stake)


@dataclass(frozen=True, kw_only=True)
class Keep(Play):
    """Keep up to `up_to` bets on a spot up. With a progression, bets that stay up are resized to its stake."""

    bet: BetSpec
    up_to: int = 1

    def own_watched_spots(self, rules: TableRules) -> frozenset[Spot]:
        """Return the spot, the spots it is broken down into, and the spot its progression follows."""
        rule = rules.wager_rules.get(self.bet.spot)
        components = (spot for spot, _ in (rule.breakdown if rule else ()))
        return frozenset({self.bet.spot, base_spot(rules, self._followed_spot), *components})

    @property
    def _followed_spot(self) -> Spot:
        return self.bet.staking.followed_spot(self.bet.spot)

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the spot of the bet, and the spot its progression follows."""
        return frozenset({self.bet.spot, self._followed_spot})

    def steps(self, view: PlayerView, memory: Memory) -> Iterable[DecisionStep]:
        """Make one bet if fewer than `up_to` are up and it can be made now. Resize bets to the progression.

        Only the time at which the bet can be made is checked here. The dealer refuses a bet for any other reason.
        """
        spot, stake = self.bet.spot, self.bet.staking.stake_cents_at(memory)
        wagers = view.wagers_on(spot)
        if len(wagers) < self.up_to and view.is_window_open(spot):
            yield MakeBet(spot, stake_cents=stake)
        rule = view.rules.wager_rules.get(spot)
        if self.bet.staking.varies and rule is not None and rule.stays_up:
            yield from (ResizeBet(wager, stake_cents=stake) for wager in wagers if wager.stake != stake)

    def validate(self, rules: TableRules) -> None:
        """Raise StrategyError for a progression on a bet that is broken down, or for more than the maximum of a spot.

        The wagers of a bet that is broken down win and lose separately, so the bet has no result to follow.
        """
        super().validate(rules)
        self._validate_maximum(rules)
        rule = rules.wager_rules.get(self._followed_spot)
        if self.bet.staking.varies and rule is not None and rule.breakdown:
            raise self.located_error(
                f"a progression cannot follow {rule.name}: it is broken down into several wagers in {rules.book.title}"
            )

    def _validate_maximum(self, rules: TableRules) -> None:
        """Raise StrategyError if the bets to keep up exceed the maximum of their spot together."""
        rule = rules.wager_rules.get(self.bet.spot)
        if rule is None or rule.max_stake is None or (isinstance(rule, LineRule) and rule.travels):
            return
        stake = self.bet.staking.stake_cents_at(self.bet.staking.initial_memory())
        if self.up_to > 1 and self.up_to * stake > rule.max_stake:
            amount, limit = (format_money(cents, rules.house.currency) for cents in (stake, rule.max_stake))
            raise self.located_error(
                f"{self.up_to} bets of {amount} on {rule.name} are together above the table maximum of {limit}"
            )

    def own_initial_memory(self) -> Memory:
        """Return the first memory of the staking plan."""
        return self.bet.staking.initial_memory()

    def own_next_memory(self, memory: Memory, outcome: RollOutcome) -> Memory:
        """Return the memory of the staking plan after a roll."""
        return self.bet.staking.next_memory(memory, self.bet.spot, outcome)


def keep(bet: BetSpec, up_to: int = 1) -> Play:
    """Return a play that makes a bet before each roll if fewer than `up_to` of them are up.

    The play waits while the bet cannot be made: a pass bet waits for a come-out, a come bet for a point.
    """
    if type(up_to) is not int or not 1 <= up_to <= 20:
        raise StrategyError(f"up_to must be from 1 to 20, got {up_to!r}")
    if not isinstance(bet, BetSpec):
        msg = f"keep takes a bet such as Pass(10), got {bet!r}"  # type: ignore[unreachable]
        raise StrategyError(msg)
    return Keep(bet=bet, up_to=up_to)


def across(stakes: Mapping[int, Stake], kind: str = "place") -> Strategy:
    """Return a strategy that keeps bets of a kind up on several numbers.

    >>> [str(play.bet.spot) for play in across({6: 12, 8: 12}).plays]
    ['place:6', 'place:8']
    """
    return Strategy(tuple(keep(bet(Spot(kind, (number,)), stake)) for number, stake in stakes.items()))


@dataclass(frozen=True, kw_only=True)
class BackWithOdds(Play):
    """Put odds behind every bet of some kinds that has a point and no odds yet.

    `multiples` are multiples of the bet by number; None with no `stake_cents` means full odds.
    """

    multiples: tuple[tuple[int, int], ...] | None
    stake_cents: Cents | None = None
    behind: tuple[str, ...] = ()
    multiples_are_of_winnings: bool = False
    """Whether the odds should win these multiples of the bet, rather than be these multiples of it."""

    def own_watched_spots(self, rules: TableRules) -> frozenset[Spot]:
        """Return the kinds of bets to put odds behind."""
        return frozenset(Spot(rule.base_kind) for rule in self._odds_rules(rules))

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the kinds of bets named in `behind`."""
        return frozenset(map(Spot, self.behind))

    def validate(self, rules: TableRules) -> None:
        """Raise StrategyError for odds behind a bet that cannot have them, or on a number that is not a point."""
        super().validate(rules)
        without_odds = sorted(set(self.behind) - {rule.base_kind for rule in rules.odds_rules.values()})
        if without_odds:
            raise self.located_error(
                f"{rules.book.title} has no odds behind {', '.join(without_odds)}", Spot(without_odds[0])
            )
        numbers = sorted({number for number, _ in self.multiples or ()} - rules.points)
        if numbers:
            raise self.located_error(f"{rules.book.title} has no odds on {', '.join(map(str, numbers))}")

    def _odds_rules(self, rules: TableRules) -> list[OddsRule]:
        return [rule for rule in rules.odds_rules.values() if not self.behind or rule.base_kind in self.behind]

    def steps(self, view: PlayerView, memory: Memory) -> Iterable[DecisionStep]:
        """Put odds behind each bet that has a point and no odds yet."""
        for rule in self._odds_rules(view.rules):
            if not rule.availability.offered and not self.behind:
                continue
            for wager in view.wagers_on(Spot(rule.base_kind)):
                number = view.number_of(wager)
                if number is not None and not wager.odds_bets and (stake := self._odds_stake(rule, wager, number)):
                    yield MakeBet(Spot(rule.kind), behind=wager, stake_cents=stake)

    def _odds_stake(self, rule: OddsRule, wager: Wager, number: int) -> Cents:
        if self.stake_cents is not None:
            return self.stake_cents
        if self.multiples is None:
            return rule.max_payable_odds(wager.stake, number)
        wanted = dict(self.multiples).get(number, 0) * wager.stake
        return _stake_to_win(rule, wanted, number) if self.multiples_are_of_winnings else Cents(wanted)


def _stake_to_win(rule: OddsRule, wanted_cents: int, number: int) -> Cents:
    """Return the smallest odds that win at least the wanted amount and are paid in full."""
    step = rule.stake_step(number)
    return Cents(int(-(-wanted_cents // (rule.payouts[number].odds.ratio * step))) * step)


def odds(size: str | int | Mapping[int, int], behind: Iterable[str] = ()) -> Play:
    """Return a play that backs bets with odds.

    The size is "2x" for twice the bet, "3-4-5" for three times the bet on 4 and 10, four times on 5 and 9, and five
    times on 6 and 8, or a mapping of multiples by number, with no odds on other numbers. "win 2x" is the smallest stake
    that wins at least twice the bet and is paid in full. "full" is the largest stake the house allows and pays in full.
    A whole number is an amount in dollars.

    `behind` names the kinds of bets. By default these are all bets that can have odds in the house.
    """
    kinds = _parse_kinds(behind)
    if type(size) is int:
        return BackWithOdds(multiples=None, stake_cents=parse_dollars(size, "odds"), behind=kinds)
    if isinstance(size, str) and size.startswith("win "):
        return BackWithOdds(
            multiples=_parse_multiples_text(size, size.removeprefix("win ")),
            behind=kinds,
            multiples_are_of_winnings=True,
        )
    return BackWithOdds(multiples=_parse_multiples(size), behind=kinds)


def _parse_kinds(behind: object) -> tuple[str, ...]:
    kinds = tuple(behind) if isinstance(behind, Iterable) and not isinstance(behind, str) else (behind,)
    if not all(isinstance(kind, str) for kind in kinds):
        raise StrategyError(f"behind must name kinds of bets, got {behind!r}")
    return kinds


def _parse_multiples(size: object) -> tuple[tuple[int, int], ...] | None:
    if size == "full":
        return None
    if isinstance(size, Mapping):
        valid = all(type(key) is int and type(value) is int and 0 <= value <= 1000 for key, value in size.items())
        if not size or not valid:
            raise StrategyError(f"odds by number must be whole multiples from 0 to 1000, got {dict(size)!r}")
        return tuple(sorted(size.items()))
    return _parse_multiples_text(size, size)


def _parse_multiples_text(size: object, multiples: object) -> tuple[tuple[int, int], ...]:
    if isinstance(multiples, str):
        digits = multiples.removesuffix("x").split("-") if multiples.endswith("x") or "-" in multiples else []
        if len(digits) in (1, 3) and all(re.fullmatch("[1-9][0-9]{0,2}", text) for text in digits):
            four, five, six = (int(text) for text in (digits if len(digits) == 3 else digits * 3))
            return ((4, four), (5, five), (6, six), (8, six), (9, five), (10, four))
    raise StrategyError(f'odds must be "3-4-5", "2x", "win 2x", "full" or whole dollars, got {size!r}')


@dataclass(frozen=True, kw_only=True)
class ChangeBets(Play):
    """Base class of plays that change bets that are up: wagers on a spot or of a kind, or odds of a kind."""

    target: Spot

    def own_watched_spots(self, rules: TableRules) -> frozenset[Spot]:
        """Return the target, or the kind of bet that odds of this kind back."""
        return frozenset({base_spot(rules, self.target)})

    def referenced_spots(self) -> frozenset[Spot]:
        """Return the target."""
        return frozenset({self.target})


@dataclass(frozen=True, kw_only=True)
class ResizeAll(ChangeBets):
    """Press or regress bets that are up: to a stake, or by an amount up to a limit."""

    is_press: bool
    to_cents: Cents | None = None
    by_cents: Cents | None = None
    limit_cents: Cents | None = None

    def steps(self, view: PlayerView, memory: Memory) -> Iterable[DecisionStep]:
        """Resize each bet whose new stake differs in the right direction."""
        for wager, odds_bet in view.bets_on(self.target):
            stake = odds_bet.stake if odds_bet else wager.stake
            new_stake = self._new_stake(stake)
            if (new_stake > stake) if self.is_press else (new_stake < stake):
                yield ResizeBet(wager, odds_bet, stake_cents=Cents(new_stake))

    def _new_stake(self, stake: Cents) -> int:
        if self.to_cents is not None:
            return self.to_cents
        wanted = stake + (self.by_cents or 0) * (1 if self.is_press else -1)
        if self.limit_cents is None:
            return wanted
        return min(wanted, self.limit_cents) if self.is_press else max(wanted, self.limit_cents)


def press(
    target: Spot | str, *, to: Dollars | None = None, by: Dollars | None = None, up_to: Dollars | None = None
) -> Play:
    """Return a play that raises bets that are up: to `to` dollars, or by `by` dollars but not above `up_to` dollars.

    It acts before every roll while its condition holds, and never lowers a bet.
    """
    return _resize_all(target, True, to, by, up_to)


def regress(
    target: Spot | str, *, to: Dollars | None = None, by: Dollars | None = None, down_to: Dollars | None = None
) -> Play:
    """Return a play that lowers bets that are up: to `to` dollars, or by `by` dollars but not below `down_to` dollars.

    It acts before every roll while its condition holds, and never raises a bet.
    """
    return _resize_all(target, False, to, by, down_to)


def _resize_all(
    target: Spot | str, is_press: bool, to: Dollars | None, by: Dollars | None, limit: Dollars | None
) -> Play:
    verb, limit_name = ("press", "up_to") if is_press else ("regress", "down_to")
    if (to is None) == (by is None):
        raise StrategyError(f"{verb} {target} needs either to or by")
    if (by is None) != (limit is None):
        raise StrategyError(f"{verb} {target} needs by and {limit_name} together")
    return ResizeAll(
        target=parse_spot(target),
        is_press=is_press,
        to_cents=None if to is None else parse_dollars(to, "to"),
        by_cents=None if by is None else parse_dollars(by, "by"),
        limit_cents=None if limit is None else parse_dollars(limit, limit_name),
    )


@dataclass(frozen=True, kw_only=True)
class TakeDownAll(ChangeBets):
    """Take down wagers, or odds of a kind."""

    def steps(self, view: PlayerView, memory: Memory) -> Iterable[DecisionStep]:
        """Take down every bet on the target."""
        return [TakeDownBet(wager, odds_bet) for wager, odds_bet in view.bets_on(self.target)]


def take_down(target: Spot | str) -> Play:
    """Return a play that takes down every wager on a spot or of a kind, or odds of a kind."""
    return TakeDownAll(target=parse_spot(target))


@dataclass(frozen=True, kw_only=True)
class CallAll(ChangeBets):
    """Call wagers, or odds of a kind, on or off."""

    call: Literal["on", "off"]

    def steps(self, view: PlayerView, memory: Memory) -> Iterable[DecisionStep]:
        """Call each bet that is not called this way yet."""
        for wager, odds_bet in view.bets_on(self.target):
            if (odds_bet or wager).call != self.call:
                yield CallBet(wager, self.call, odds_bet)


def call(target: Spot | str, on_or_off: Literal["on", "off"]) -> Play:
    """Return a play that turns every wager on a spot or of a kind, or odds of a kind, on (working) or off."""
    if on_or_off not in ("on", "off"):
        raise StrategyError(f'a call must be "on" or "off", got {on_or_off!r}')
    return CallAll(target=parse_spot(target), call=on_or_off)
