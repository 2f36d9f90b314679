"""An exercise: wagers and a throw, made from a number by playing. Only what the verifier lets pass is up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from trueodds.dice import ROLLS, Roll
from trueodds.drill.chance import Chance
from trueodds.drill.level import Level
from trueodds.rulebook import Spot
from trueodds.table import Choice, Dealer, Position, Rolled, new_position
from trueodds.table.layout import list_choices
from trueodds.wagers import BonusRule, FireRule, LineRule, Result

PLAYER: Final = "player"
"""Whose wagers they are."""

IDLE: Final = frozenset({Result.NO_ACTION, Result.OFF})


class Exercise(NamedTuple):
    """How a layout stands and what is thrown; the same for the same house, level and number."""

    level: Level
    number: int
    position: Position
    roll: Roll

    def settled(self, dealer: Dealer) -> Rolled:
        """Let the dealer settle the throw."""
        return _throw(dealer, self.position, self.roll)


def make_exercise(dealer: Dealer, level: Level, number: int) -> Exercise:
    """Make the exercise of a number."""
    making = _Making(dealer, level, Chance(f"{dealer.rules.book.id}/{level.number}/{number}"))
    making.play()
    return Exercise(level, number, making.position, making.last_roll())


class _Making:
    """A game that is played up to the throw that is asked about."""

    def __init__(self, dealer: Dealer, level: Level, chance: Chance) -> None:
        self.dealer = dealer
        self.level = level
        self.chance = chance
        self.position = new_position((PLAYER,))

    def play(self) -> None:
        """Bet on the come-out, mostly set a point, let come bets travel, fill the layout."""
        self._bet(1 + self.chance.below(2), self._is_for_a_hand)
        if not self.chance.once_in(4):
            self._throw_one_of(self.dealer.rules.book.points)
            self._travel()
        self._bet(self._missing())
        if self.level.calls:
            self._go_on()
        if not self._deciding():  # everything is off: a line bet is not
            self._bet(1, self._is_for_a_hand)

    def last_roll(self) -> Roll:
        """Choose a throw that decides something, most often with something to pay."""
        results = self._deciding()
        deciding = list(results)
        paying = [roll for roll in deciding if Result.WIN in results[roll]]
        busy = [roll for roll in paying if sum(one not in IDLE for one in results[roll]) > 1]
        wanted = deciding if self.chance.once_in(5) else busy or paying or deciding
        return self.chance.pick(wanted)

    def _deciding(self) -> dict[Roll, list[Result]]:
        """Give the throws that decide something, with what each does."""
        results = {roll: _results(self.dealer, self.position, roll) for roll in ROLLS}
        return {roll: all_of for roll, all_of in results.items() if not IDLE.issuperset(all_of)}

    # ------------------------------------------------------------------------------------------- steps

    def _travel(self) -> None:
        """Send a come bet or two to their numbers."""
        point = self.position.point
        numbers = [number for number in self.dealer.rules.book.points if number != point]
        for _ in range(self.chance.below(3)):
            if self._bet(1, self._travels):
                self._throw_one_of(numbers)

    def _go_on(self) -> None:
        """Now and then make the point, so that some bets are off, and call something on or off."""
        if self.position.point and self.chance.once_in(4):
            self._throw_one_of((self.position.point,))
            self._bet(self._missing())
        calls = [choice for choice in self._choices() if choice.do in {"call_on", "call_off"}]
        if calls and self.chance.once_in(3):
            self._do(self.chance.pick(calls))

    def _throw_one_of(self, totals: Sequence[int]) -> None:
        roll = self.chance.pick([roll for roll in ROLLS if roll.total in totals])
        self.position, _ = self.dealer.roll(self.position, roll)

    def _bet(self, count: int, wanted: Callable[[Spot], bool] = lambda _spot: True) -> bool:
        """Make so many bets, as far as there are any, and say whether one was made."""
        made = False
        for _ in range(count):
            open_now = [choice for choice in self._bets() if choice.spot and wanted(choice.spot)]
            new = [choice for choice in open_now if choice.spot and self.level.is_new(choice.spot)]
            bets = new if new and not self.chance.once_in(3) else open_now
            if not bets:
                break
            # First the kind, then the spot: the many hops would crowd everything else out.
            kind = self.chance.pick(list(dict.fromkeys(choice.spot.kind for choice in bets if choice.spot)))
            self._do(self.chance.pick([choice for choice in bets if choice.spot and choice.spot.kind == kind]))
            made = True
        return made

    def _do(self, choice: Choice) -> None:
        action = choice.action(PLAYER, self._stake(choice))
        if self.dealer.verify(self.position, action) is None:
            self.position, _ = self.dealer.act(self.position, action)

    def _stake(self, choice: Choice) -> int | None:
        stakes = choice.stakes
        if stakes is None:
            return None
        step = stakes.even if self.level.even else stakes.step
        least = -(-stakes.least // step) * step
        most = least + step * self.level.span if stakes.most is None else stakes.most
        if most < least:
            return stakes.least
        return least + step * self.chance.below(min(self.level.span, (most - least) // step + 1))

    # ----------------------------------------------------------------------------------- what there is

    def _choices(self) -> tuple[Choice, ...]:
        return list_choices(self.dealer, self.position, PLAYER)

    def _bets(self) -> list[Choice]:
        """List the bets of the level that are open, each spot once and odds behind each bet once."""
        entries = self.position.seats[0].entries
        taken = {str(entry.wager.spot) for entry in entries}
        backed = {entry.tag for entry in entries if entry.odds_tags}
        return [
            choice for choice in self._choices()
            if choice.do == "bet" and choice.spot and self.level.takes(choice.spot)
            and str(choice.spot) not in taken and choice.on not in backed
        ]  # fmt: skip

    def _missing(self) -> int:
        up = sum(1 + len(entry.odds_tags) for entry in self.position.seats[0].entries)
        return max(0, self.level.wagers - up)

    def _is_for_a_hand(self, spot: Spot) -> bool:
        rule = self.dealer.rules.spots.get(spot)
        return isinstance(rule, FireRule | BonusRule) or (isinstance(rule, LineRule) and not rule.travels)

    def _travels(self, spot: Spot) -> bool:
        rule = self.dealer.rules.spots.get(spot)
        return isinstance(rule, LineRule) and rule.travels


def _throw(dealer: Dealer, position: Position, roll: Roll) -> Rolled:
    _, (rolled, *_) = dealer.roll(position, roll)
    if not isinstance(rolled, Rolled):  # nobody has custody of these dice, so every throw counts
        raise TypeError(rolled)
    return rolled


def _results(dealer: Dealer, position: Position, roll: Roll) -> list[Result]:
    return [one.ruling.result for one in _throw(dealer, position, roll).settled]
