"""Exercises of the drill: wagers and a roll, generated from a number by playing. All wagers are legal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from trueodds.dice import ROLLS, Roll
from trueodds.drill.hash_random import HashRandom
from trueodds.drill.levels import Level
from trueodds.rulebook import Spot
from trueodds.table import Dealer, LegalAction, Position, Rolled, new_position
from trueodds.table.legal_actions import list_legal_actions
from trueodds.wagers import BonusRule, FireRule, LineRule, Result

DRILL_PLAYER: Final = "player"
"""The player who owns the wagers of an exercise."""

UNDECIDED: Final = frozenset({Result.NO_ACTION, Result.OFF})


class Exercise(NamedTuple):
    """A position and a roll. House, level and number determine an exercise."""

    level: Level
    number: int
    position: Position
    roll: Roll

    def settle(self, dealer: Dealer) -> Rolled:
        """Return the settled roll."""
        return _roll(dealer, self.position, self.roll)


def make_exercise(dealer: Dealer, level: Level, number: int) -> Exercise:
    """Return the exercise with a number."""
    builder = _ExerciseBuilder(dealer, level, HashRandom(f"{dealer.rules.book.id}/{level.number}/{number}"))
    builder.set_up()
    return Exercise(level, number, builder.position, builder.choose_roll())


class _ExerciseBuilder:
    """Plays a game up to the roll of the exercise."""

    def __init__(self, dealer: Dealer, level: Level, random: HashRandom) -> None:
        self.dealer = dealer
        self.level = level
        self.random = random
        self.position = new_position((DRILL_PLAYER,))

    def set_up(self) -> None:
        """Bet on the come-out roll, usually set a point, move come bets to their numbers, and fill the layout."""
        self._bet(1 + self.random.below(2), self._is_line_or_hand_bet)
        if not self.random.one_in(4):
            self._roll_one_of(self.dealer.rules.book.points)
            self._roll_come_bets()
        self._bet(self._missing_wagers())
        if self.level.has_calls:
            self._add_calls()
        if not self._deciding_rolls():  # all wagers are off: add a line bet, which never is
            self._bet(1, self._is_line_or_hand_bet)

    def choose_roll(self) -> Roll:
        """Return a roll that decides a wager, usually one that wins."""
        results = self._deciding_rolls()
        deciding = list(results)
        paying = [roll for roll in deciding if Result.WIN in results[roll]]
        busy = [roll for roll in paying if sum(result not in UNDECIDED for result in results[roll]) > 1]
        return self.random.choice(deciding if self.random.one_in(5) else busy or paying or deciding)

    def _deciding_rolls(self) -> dict[Roll, list[Result]]:
        """Return the rolls that decide a wager, with the results of all wagers."""
        results = {roll: _results(self.dealer, self.position, roll) for roll in ROLLS}
        return {roll: of_roll for roll, of_roll in results.items() if not UNDECIDED.issuperset(of_roll)}

    # ------------------------------------------------------------------------------------------- steps

    def _roll_come_bets(self) -> None:
        """Move up to two come bets to their numbers."""
        point = self.position.point
        numbers = [number for number in self.dealer.rules.book.points if number != point]
        for _ in range(self.random.below(3)):
            if self._bet(1, self._travels):
                self._roll_one_of(numbers)

    def _add_calls(self) -> None:
        """Sometimes make the point, so that some wagers are off, and call a wager on or off."""
        if self.position.point and self.random.one_in(4):
            self._roll_one_of((self.position.point,))
            self._bet(self._missing_wagers())
        calls = [action for action in self._legal_actions() if action.verb in {"call_on", "call_off"}]
        if calls and self.random.one_in(3):
            self._apply(self.random.choice(calls))

    def _roll_one_of(self, totals: Sequence[int]) -> None:
        roll = self.random.choice([roll for roll in ROLLS if roll.total in totals])
        self.position, _ = self.dealer.roll(self.position, roll)

    def _bet(self, count: int, wanted: Callable[[Spot], bool] = lambda _spot: True) -> bool:
        """Make up to `count` bets on the wanted spots. Return whether any was made."""
        has_bet = False
        for _ in range(count):
            open_bets = [action for action in self._open_bets() if action.spot and wanted(action.spot)]
            focused = [action for action in open_bets if action.spot and self.level.is_focus(action.spot)]
            bets = focused if focused and not self.random.one_in(3) else open_bets
            if not bets:
                break
            # Choose the kind first, then the spot: otherwise the many hop bets would dominate.
            kind = self.random.choice(list(dict.fromkeys(action.spot.kind for action in bets if action.spot)))
            self._apply(self.random.choice([action for action in bets if action.spot and action.spot.kind == kind]))
            has_bet = True
        return has_bet

    def _apply(self, legal: LegalAction) -> None:
        action = legal.to_action(DRILL_PLAYER, self._stake(legal))
        if self.dealer.verify(self.position, action) is None:
            self.position, _ = self.dealer.act(self.position, action)

    def _stake(self, legal: LegalAction) -> int | None:
        stakes = legal.stake_range
        if stakes is None:
            return None
        step = stakes.exact_step_cents if self.level.even_stakes else stakes.step_cents
        lowest = -(-stakes.min_cents // step) * step
        highest = lowest + step * self.level.stake_sizes if stakes.max_cents is None else stakes.max_cents
        if highest < lowest:
            return stakes.min_cents
        return lowest + step * self.random.below(min(self.level.stake_sizes, (highest - lowest) // step + 1))

    # ----------------------------------------------------------------------------------------- queries

    def _legal_actions(self) -> tuple[LegalAction, ...]:
        return list_legal_actions(self.dealer, self.position, DRILL_PLAYER)

    def _open_bets(self) -> list[LegalAction]:
        """Return the legal bets of the level: each spot once, and odds once per bet."""
        wagers = self.position.seats[0].wagers
        used_spots = {str(tagged.wager.spot) for tagged in wagers}
        with_odds = {tagged.tag for tagged in wagers if tagged.odds_tags}
        return [
            action for action in self._legal_actions()
            if action.verb == "bet" and action.spot and self.level.allows(action.spot)
            and str(action.spot) not in used_spots and action.base_tag not in with_odds
        ]  # fmt: skip

    def _missing_wagers(self) -> int:
        count = sum(1 + len(tagged.odds_tags) for tagged in self.position.seats[0].wagers)
        return max(0, self.level.wager_count - count)

    def _is_line_or_hand_bet(self, spot: Spot) -> bool:
        rule = self.dealer.rules.wager_rules.get(spot)
        return isinstance(rule, FireRule | BonusRule) or (isinstance(rule, LineRule) and not rule.travels)

    def _travels(self, spot: Spot) -> bool:
        rule = self.dealer.rules.wager_rules.get(spot)
        return isinstance(rule, LineRule) and rule.travels


def _roll(dealer: Dealer, position: Position, roll: Roll) -> Rolled:
    _, (rolled, *_) = dealer.roll(position, roll)
    if not isinstance(rolled, Rolled):  # there is no dice custody here, so every roll counts
        raise TypeError(rolled)
    return rolled


def _results(dealer: Dealer, position: Position, roll: Roll) -> list[Result]:
    return [wager.settlement.result for wager in _roll(dealer, position, roll).settled]
