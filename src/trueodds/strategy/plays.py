"""What players do: keep a bet up, back it with odds, press and regress, take down, call on and off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from trueodds.money import Cents
from trueodds.rulebook import Spot
from trueodds.strategy.amount import Amount, amount_of, cents
from trueodds.strategy.condition import Memory
from trueodds.strategy.errors import StrategyError
from trueodds.strategy.part import Part, Strategy
from trueodds.strategy.step import Down, Put, Resize, Say, Step
from trueodds.strategy.view import Outcome, View, base_of, spot_of
from trueodds.wagers import OddsRule, Rules, Wager


@dataclass(frozen=True, slots=True)
class Stake:
    """A bet a player wants: where, and how much."""

    spot: Spot
    amount: Amount


def bet(spot: Spot | str, amount: Any) -> Stake:
    """Name any spot of any book: bet("horn", 4), bet("place:6", 12)."""
    return Stake(spot_of(spot), amount_of(amount))


def _plain(kind: str) -> Callable[[Any], Stake]:
    return lambda amount: bet(Spot(kind), amount)


def _numbered(kind: str) -> Callable[[int, Any], Stake]:
    return lambda number, amount: bet(Spot(kind, (number,)), amount)


Pass, DontPass, Come, DontCome, Field = map(_plain, ("pass", "dont_pass", "come", "dont_come", "field"))
Place, Buy, Lay, Hard = map(_numbered, ("place", "buy", "lay", "hard"))


@dataclass(frozen=True, kw_only=True)
class Keep(Part):
    """Keep so many bets on a spot up; one that stays up is brought to the stake that its progression is at."""

    stake: Stake
    up_to: int = 1

    def touched(self, rules: Rules) -> frozenset[Spot]:
        """Touch the spot, what it is broken down into where the layout has no box for it, and what it follows."""
        rule = rules.spots.get(self.stake.spot)
        broken = (spot for spot, _ in (rule.breakdown if rule else ()))
        return frozenset({self.stake.spot, base_of(rules, self._followed), *broken})

    @property
    def _followed(self) -> Spot:
        return self.stake.amount.followed(self.stake.spot)

    def names(self) -> frozenset[Spot]:
        """Name what its progression follows, if that is something else."""
        return frozenset({self._followed} - {self.stake.spot})

    def acts(self, view: View, memory: Any) -> Iterable[Step]:
        """Put one up where one is missing and can be made; press or regress what stands at another stake."""
        spot, stake = self.stake.spot, self.stake.amount.at(memory)
        there = view.up(spot)
        if len(there) < self.up_to and view.is_open(spot):
            yield Put(spot, stake)
        rule = view.rules.spots.get(spot)
        if self.stake.amount.varies and rule is not None and rule.stays_up:
            yield from (Resize(wager, stake) for wager in there if wager.stake != stake)

    def check(self, rules: Rules) -> None:
        """Refuse a progression on a bet that the layout breaks down: its parts win and lose each for itself."""
        super().check(rules)
        rule = rules.spots.get(self._followed)
        if self.stake.amount.varies and rule is not None and rule.breakdown:
            raise self.error(f"{rule.name} is broken down into several wagers here, so nothing can follow what it wins")

    def own_start(self) -> Memory:
        """Begin with the first stake."""
        return self.stake.amount.start()

    def own_remember(self, memory: Any, outcome: Outcome) -> Memory:
        """Go by what was decided."""
        return self.stake.amount.remember(memory, self.stake.spot, outcome)


def keep(stake: Stake | object, up_to: int = 1) -> Part:
    """Keep a bet up: make it whenever it is not there and its window is open."""
    if type(up_to) is not int or not 1 <= up_to <= 20:
        msg = f"a player keeps from 1 to 20 bets of a kind up, not {up_to!r}"
        raise StrategyError(msg)
    if not isinstance(stake, Stake):
        msg = f"keep takes a bet like Pass(10), not {stake!r}"
        raise StrategyError(msg)
    return Keep(stake=stake, up_to=up_to)


def across(stakes: Mapping[int, Any], kind: str = "place") -> Strategy:
    """Keep bets of a kind on several numbers: across({6: 12, 8: 12}).

    >>> [str(part.stake.spot) for part in across({6: 12, 8: 12}).parts]
    ['place:6', 'place:8']
    """
    return Strategy(tuple(keep(bet(Spot(kind, (number,)), amount)) for number, amount in stakes.items()))


@dataclass(frozen=True, kw_only=True)
class BackWithOdds(Part):
    """Put odds behind every line bet of some kinds that has a number and none behind it yet."""

    times: tuple[tuple[int, int], ...] | None
    amount: Cents | None = None
    behind: tuple[str, ...] = ()
    to_win: bool = False
    """Whether the times are of what the odds win, not of what they are."""

    def touched(self, rules: Rules) -> frozenset[Spot]:
        """Touch the bets that can have odds."""
        return frozenset(Spot(rule.base) for rule in self._odds(rules))

    def names(self) -> frozenset[Spot]:
        """Name what to stand behind."""
        return frozenset(map(Spot, self.behind))

    def check(self, rules: Rules) -> None:
        """Refuse odds behind what has none, and on what is no point."""
        super().check(rules)
        strange = sorted(set(self.behind) - {rule.base for rule in rules.odds.values()})
        if strange:
            raise self.error(f"no odds stand behind {', '.join(strange)} in {rules.book.title}", Spot(strange[0]))
        numbers = sorted({number for number, _ in self.times or ()} - rules.points)
        if numbers:
            raise self.error(f"no odds are taken on {', '.join(map(str, numbers))}")

    def _odds(self, rules: Rules) -> list[OddsRule]:
        return [rule for rule in rules.odds.values() if not self.behind or rule.base in self.behind]

    def acts(self, view: View, memory: Any) -> Iterable[Step]:
        """Back what has a number."""
        for rule in self._odds(view.rules):
            if not rule.offer.given and not self.behind:
                continue
            for wager in view.up(Spot(rule.base)):
                number = view.number_of(wager)
                if number is not None and not wager.odds and (stake := self._stake(rule, wager, number)):
                    yield Put(Spot(rule.kind), stake, behind=wager)

    def _stake(self, rule: OddsRule, wager: Wager, number: int) -> Cents:
        if self.amount is not None:
            return self.amount
        if self.times is None:
            return rule.full(wager.stake, number)
        wanted = dict(self.times).get(number, 0) * wager.stake
        return _stake_to_win(rule, wanted, number) if self.to_win else Cents(wanted)


def _stake_to_win(rule: OddsRule, wanted: int, number: int) -> Cents:
    """Give the least odds that win so much and are paid in full."""
    step = rule.step(number)
    return Cents(int(-(-wanted // (rule.pays[number].odds.ratio * step))) * step)


def odds(times: str | int | Mapping[int, int], behind: Iterable[str] | object = ()) -> Part:
    """Back line bets with odds: "3-4-5", "2x", "full" (the most that is taken and paid in full), or an amount.

    "3-4-5" is three times the flat bet on 4 and 10, four on 5 and 9, five on 6 and 8. "win 2x" is what wins two
    times the flat bet, as those who lay odds count. A mapping gives the times by number. `behind` names the kinds of
    bets; without it, every bet that can have odds.
    """
    kinds = _kinds(behind)
    if type(times) is int:
        return BackWithOdds(times=None, amount=cents(times), behind=kinds)
    if isinstance(times, str) and times.startswith("win "):
        return BackWithOdds(times=_times_in_words(times, times.removeprefix("win ")), behind=kinds, to_win=True)
    return BackWithOdds(times=_times(times), behind=kinds)


def _kinds(behind: object) -> tuple[str, ...]:
    kinds = tuple(behind) if isinstance(behind, Iterable) and not isinstance(behind, str) else (behind,)
    if not all(isinstance(kind, str) for kind in kinds):
        msg = f"behind names kinds of bets, not {behind!r}"
        raise StrategyError(msg)
    return tuple(kinds)


def _times(times: object) -> tuple[tuple[int, int], ...] | None:
    if times == "full":
        return None
    if isinstance(times, Mapping):
        whole = all(type(key) is int and type(value) is int and 0 <= value <= 1000 for key, value in times.items())
        if not times or not whole:
            msg = f"times by number are whole numbers, not {dict(times)!r}"
            raise StrategyError(msg)
        return tuple(sorted(times.items()))
    return _times_in_words(times, times)


def _times_in_words(said: object, times: object) -> tuple[tuple[int, int], ...]:
    if isinstance(times, str):
        parts = times.removesuffix("x").split("-") if times.endswith("x") or "-" in times else []
        if len(parts) in (1, 3) and all(re.fullmatch("[1-9][0-9]{0,2}", part) for part in parts):
            four, five, six = (int(part) for part in (parts if len(parts) == 3 else parts * 3))
            return ((4, four), (5, five), (6, six), (8, six), (9, five), (10, four))
    msg = f'odds are "3-4-5", "2x", "win 2x", "full" or an amount, not {said!r}'
    raise StrategyError(msg)


@dataclass(frozen=True, kw_only=True)
class ChangeUp(Part):
    """Something done to wagers that are up on a spot or of a kind, or to odds by their kind."""

    what: Spot

    def touched(self, rules: Rules) -> frozenset[Spot]:
        """Touch those, or the bets that such odds stand behind."""
        return frozenset({base_of(rules, self.what)})

    def names(self) -> frozenset[Spot]:
        """Name them."""
        return frozenset({self.what})


@dataclass(frozen=True, kw_only=True)
class Adjust(ChangeUp):
    """Press (`grow`) or regress wagers that are up: to a stake, or by so much but not past a limit."""

    grow: bool
    to: Cents | None = None
    by: Cents | None = None
    limit: Cents | None = None

    def acts(self, view: View, memory: Any) -> Iterable[Step]:
        """Bring each to its new stake, if that is a change in the right direction."""
        for wager, behind in view.meant(self.what):
            now = behind.stake if behind else wager.stake
            stake = self._wanted(now)
            if (stake > now) if self.grow else (stake < now):
                yield Resize(wager, Cents(stake), behind)

    def _wanted(self, stake: Cents) -> int:
        if self.to is not None:
            return self.to
        wanted = stake + (self.by or 0) * (1 if self.grow else -1)
        if self.limit is None:
            return wanted
        return min(wanted, self.limit) if self.grow else max(wanted, self.limit)


def press(what: Spot | str, *, to: Any = None, by: Any = None, up_to: Any = None) -> Part:
    """Press a bet that is up to a stake, or by so much up to a limit."""
    return _adjust(what, True, to, by, up_to)


def regress(what: Spot | str, *, to: Any = None, by: Any = None, down_to: Any = None) -> Part:
    """Regress a bet that is up to a stake, or by so much down to a limit."""
    return _adjust(what, False, to, by, down_to)


def _adjust(what: Spot | str, grow: bool, to: Any, by: Any, limit: Any) -> Part:
    verb = "press" if grow else "regress"
    if (to is None) == (by is None):
        raise StrategyError(f"{verb} {what} either to a stake or by an amount")
    if (by is None) != (limit is None):
        raise StrategyError(f"{verb} {what} by an amount needs a limit, and only then one")
    read = [None if value is None else cents(value) for value in (to, by, limit)]
    return Adjust(what=spot_of(what), grow=grow, to=read[0], by=read[1], limit=read[2])


@dataclass(frozen=True, kw_only=True)
class TakeDownAll(ChangeUp):
    """Take wagers down, or odds of a kind."""

    def acts(self, view: View, memory: Any) -> Iterable[Step]:
        """Take down whatever is up."""
        return [Down(wager, behind) for wager, behind in view.meant(self.what)]


def down(what: Spot | str) -> Part:
    """Take down every wager on a spot or of a kind, or odds by their kind."""
    return TakeDownAll(what=spot_of(what))


@dataclass(frozen=True, kw_only=True)
class CallAll(ChangeUp):
    """Call wagers, or odds of a kind, on or off."""

    call: Literal["on", "off"]

    def acts(self, view: View, memory: Any) -> Iterable[Step]:
        """Call what is called otherwise."""
        for wager, behind in view.meant(self.what):
            if (behind or wager).call != self.call:
                yield Say(wager, self.call, behind)


def call(what: Spot | str, on_or_off: Literal["on", "off"]) -> Part:
    """Call every wager on a spot or of a kind, or odds by their kind, on or off."""
    if on_or_off not in ("on", "off"):
        msg = f"a call is on or off, not {on_or_off!r}"
        raise StrategyError(msg)
    return CallAll(what=spot_of(what), call=on_or_off)
