"""Sessions played roll by roll at a table, from single actions and the dealer's events.

This is a second implementation of what a session is, independent of `trueodds.sessions.reference`, to test it against.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House
from trueodds.strategy import Strategy, decide, next_memories, outcome_from_event
from trueodds.table import Dealer, Position, Rolled, Seat, TakeDown, money_movements, player_situation
from trueodds.table.position import NO_MARKERS
from trueodds.wager_odds.exact_odds import with_winners_down
from trueodds.wagers import TableRules

PLAYER = "player"


class TableStops(NamedTuple):
    """What ends a session besides the number of rolls, with worths in cents."""

    stop_win_worth: int | None = None
    stop_loss_worth: int | None = None
    shooters: int | None = None


class TableState(NamedTuple):
    """Everything that carries over from one roll to the next."""

    position: Position
    memory: tuple[object, ...]
    rack: int
    shooters: int = 0
    ended_by: str = ""


def begin(strategy: Strategy, bankroll: int) -> TableState:
    return TableState(Position(seats=(Seat(PLAYER),)), strategy.initial_memories(), bankroll)


def stop_or_bet(dealer: Dealer, strategy: Strategy, state: TableState, stops: TableStops) -> TableState:
    """Check the stops and bet."""
    worth = state.rack + sum(wager.total_stake for wager in player_situation(state.position, PLAYER).wagers)
    if stops.shooters is not None and state.shooters >= stops.shooters:
        return state._replace(ended_by="shooters")
    if stops.stop_loss_worth is not None and worth <= stops.stop_loss_worth:
        return state._replace(ended_by="stop_loss")
    if stops.stop_win_worth is not None and worth >= stops.stop_win_worth:
        return state._replace(ended_by="stop_win")
    decision = decide(dealer, state.position, strategy.plays, state.memory, name=strategy.name)
    if state.rack < max(0, decision.cost_cents):
        return state if state.position.seats[0].wagers else state._replace(ended_by="ruin")
    position, rack = state.position, state.rack
    for action in decision.actions:
        position, events = dealer.act(position, action)
        rack += sum(movement.rack_cents for event in events for movement in money_movements(event))
        assert rack >= 0
    assert player_situation(position, PLAYER) == player_situation(decision.position, PLAYER)
    return state._replace(position=position, rack=rack)


def roll_dice(dealer: Dealer, strategy: Strategy, state: TableState, roll: Roll) -> TableState:
    position, (event, *_) = dealer.roll(state.position, roll)
    assert isinstance(event, Rolled)
    rack = state.rack + sum(movement.rack_cents for movement in money_movements(event))
    memory = next_memories(strategy, state.memory, outcome_from_event(event))
    return TableState(position, memory, rack, state.shooters + event.seven_out)


def play(
    dealer: Dealer, strategy: Strategy, bankroll: int, dice: Iterator[Roll], rolls: int, stops: TableStops
) -> list[TableState]:
    """Play a session. Return the state before each roll, after betting, and the last state."""
    state, seen = begin(strategy, bankroll), []
    for _ in range(rolls):
        state = stop_or_bet(dealer, strategy, state, stops)
        seen.append(state)
        if state.ended_by:
            return seen
        state = roll_dice(dealer, strategy, state, next(dice))
    return [*seen, state._replace(ended_by="rolls")]


def without_tags(state: TableState) -> TableState:
    """Number the tags of the wagers from 1, so that states with the same wagers are equal."""
    seat, count = state.position.seats[0], 0
    entries = []
    for entry in sorted(seat.wagers, key=lambda entry: entry.wager):
        tags = tuple(str(count + 1 + index) for index in range(len(entry.wager.odds_bets) + 1))
        count += len(tags)
        entries.append(entry._replace(tag=tags[0], odds_tags=tags[1:]))
    return state._replace(
        position=state.position._replace(
            seats=(seat._replace(wagers=tuple(entries)),), wagers_made=count, markers=NO_MARKERS
        )
    )


def all_roll_sequences(
    dealer: Dealer, strategy: Strategy, bankroll: int, rolls: int, stops: TableStops
) -> dict[TableState, Fraction]:
    """Return the final states of all 36**n roll sequences with their chances. Equal states are merged on the way."""
    current: Counter[TableState] = Counter({begin(strategy, bankroll): 1})
    ended: dict[TableState, Fraction] = {}
    for rolled in range(rolls):
        following: Counter[TableState] = Counter()
        for state, ways in current.items():
            ready = stop_or_bet(dealer, strategy, state, stops)
            if ready.ended_by:
                ended[ready] = ended.get(ready, Fraction(0)) + Fraction(ways, 36**rolled)
                continue
            for roll in ROLLS:
                following[without_tags(roll_dice(dealer, strategy, ready, roll))] += ways
        current = following
    for state, ways in current.items():
        last = state._replace(ended_by="rolls")
        ended[last] = ended.get(last, Fraction(0)) + Fraction(ways, 36**rolls)
    return ended


class TableCloseout:
    """Closing out: bets that may come down do, the rest is rolled until it is decided, and winners come down."""

    def __init__(self, house: House) -> None:
        self._dealer = Dealer(TableRules(with_winners_down(house)))
        self._known: dict[Position, dict[int, Fraction]] = {}

    def take_down_all(self, position: Position) -> tuple[Position, int]:
        """Take down every bet that may come down. Return the position after it and the cents returned."""
        cash = 0
        for entry in position.seats[0].wagers:
            for tag in (entry.tag, *entry.odds_tags):
                gone = position.find_owner(tag) is None
                if not gone and self._dealer.verify(position, TakeDown(PLAYER, tag)) is None:
                    position, events = self._dealer.act(position, TakeDown(PLAYER, tag))
                    cash += sum(movement.rack_cents for event in events for movement in money_movements(event))
        return without_tags(TableState(position, (), 0)).position._replace(hand_stage="under_way"), cash

    def all_rolls(self, position: Position) -> list[tuple[Position, int]]:
        """Return the position and the cents returned after each of the 36 rolls."""
        results = []
        for roll in ROLLS:
            after, (event, *_) = self._dealer.roll(position, roll)
            cash = sum(movement.rack_cents for movement in money_movements(event))
            after, more = self.take_down_all(after)
            results.append((after, cash + more))
        return results

    def result(self, position: Position) -> dict[int, Fraction]:
        """Return the chance of each amount that closing out returns, by Gaussian elimination over all positions."""
        first, cash = self.take_down_all(position)
        if first not in self._known:
            self._solve(first)
        return {cash + more: chance for more, chance in self._known[first].items()}

    def _solve(self, first: Position) -> None:
        rows: dict[Position, list[tuple[Position, int]]] = {}
        todo = [first]
        while todo:
            position = todo.pop()
            if position in rows or not position.seats[0].wagers:
                continue
            rows[position] = self.all_rolls(position)
            todo += [after for after, _ in rows[position]]
        if not rows:
            self._known[first] = {0: Fraction(1)}
            return
        size: dict[Position, int] = {position: len(position.seats[0].wagers) for position in rows}
        for count in sorted(set(size.values())):
            self._eliminate([position for position in rows if size[position] == count], rows)

    def _eliminate(self, group: list[Position], rows: dict[Position, list[tuple[Position, int]]]) -> None:
        """Solve the positions with the same number of wagers. Those with fewer wagers are known."""
        inner = {position: dict[Position, Fraction]() for position in group}
        outer = {position: dict[int, Fraction]() for position in group}
        for position in group:
            for after, cash in rows[position]:
                if after in inner:
                    assert cash == 0
                    inner[position][after] = inner[position].get(after, Fraction(0)) + Fraction(1, 36)
                    continue
                further = self._known.get(after, {0: Fraction(1)})
                for more, chance in further.items():
                    outer[position][cash + more] = outer[position].get(cash + more, Fraction(0)) + chance / 36
        for index, position in enumerate(group):
            stay = 1 - inner[position].pop(position, Fraction(0))
            inner[position] = {other: chance / stay for other, chance in inner[position].items()}
            outer[position] = {cash: chance / stay for cash, chance in outer[position].items()}
            for other in group[index + 1 :]:
                self._substitute(inner, outer, other, position)
        for index in range(len(group) - 1, -1, -1):
            for later in group[index + 1 :]:
                self._substitute(inner, outer, group[index], later)
            assert not inner[group[index]]
            self._known[group[index]] = outer[group[index]]

    @staticmethod
    def _substitute(
        inner: dict[Position, dict[Position, Fraction]],
        outer: dict[Position, dict[int, Fraction]],
        into: Position,
        solved: Position,
    ) -> None:
        """Substitute the equation of one position into that of another."""
        share = inner[into].pop(solved, Fraction(0))
        if not share:
            return
        for other, chance in inner[solved].items():
            inner[into][other] = inner[into].get(other, Fraction(0)) + share * chance
        for cash, chance in outer[solved].items():
            outer[into][cash] = outer[into].get(cash, Fraction(0)) + share * chance
