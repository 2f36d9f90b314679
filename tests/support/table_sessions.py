"""Sessions played throw by throw at a real table, to hold the compiled ones against."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from trueodds.chain.odds import winners_come_down
from trueodds.dice import ROLLS, Roll
from trueodds.rulebook import House
from trueodds.strategy import Strategy, decide, outcome_of, remember
from trueodds.table import Dealer, Position, Rolled, Seat, TakeDown, movements, situation
from trueodds.table.position import NO_MARKERS
from trueodds.wagers import Rules

PLAYER = "player"


class Stops(NamedTuple):
    """What ends a session besides the number of throws; racks in cents."""

    at_least: int | None = None
    at_most: int | None = None
    shooters: int | None = None


class State(NamedTuple):
    """Everything that goes on from one throw to the next."""

    position: Position
    memory: tuple[object, ...]
    rack: int
    shooters: int = 0
    over: str = ""


def begin(strategy: Strategy, bankroll: int) -> State:
    return State(Position(seats=(Seat(PLAYER),)), strategy.start(), bankroll)


def before_throw(dealer: Dealer, strategy: Strategy, state: State, stops: Stops) -> State:
    """Test the stops and bet."""
    worth = state.rack + sum(wager.up for wager in situation(state.position, PLAYER).wagers)
    if stops.shooters is not None and state.shooters >= stops.shooters:
        return state._replace(over="shooters")
    if stops.at_most is not None and worth <= stops.at_most:
        return state._replace(over="stop_loss")
    if stops.at_least is not None and worth >= stops.at_least:
        return state._replace(over="stop_win")
    decision = decide(dealer, state.position, strategy.parts, state.memory, name=strategy.name)
    if state.rack < max(0, decision.cost):
        return state if state.position.seats[0].entries else state._replace(over="ruin")
    position, rack = state.position, state.rack
    for action in decision.actions:
        position, events = dealer.act(position, action)
        rack += sum(movement.rack for event in events for movement in movements(event))
        assert rack >= 0
    assert situation(position, PLAYER) == situation(decision.position, PLAYER)
    return state._replace(position=position, rack=rack)


def throw(dealer: Dealer, strategy: Strategy, state: State, roll: Roll) -> State:
    position, (event, *_) = dealer.roll(state.position, roll)
    assert isinstance(event, Rolled)
    rack = state.rack + sum(movement.rack for movement in movements(event))
    memory = remember(strategy, state.memory, outcome_of(event))
    return State(position, memory, rack, state.shooters + event.seven_out)


def play(
    dealer: Dealer, strategy: Strategy, bankroll: int, dice: Iterator[Roll], rolls: int, stops: Stops
) -> list[State]:
    """Play a session to its end; every state before a throw, and the last one."""
    state, seen = begin(strategy, bankroll), []
    for _ in range(rolls):
        state = before_throw(dealer, strategy, state, stops)
        seen.append(state)
        if state.over:
            return seen
        state = throw(dealer, strategy, state, next(dice))
    return [*seen, state._replace(over="rolls")]


def bare(state: State) -> State:
    """Forget the names of wagers, so that equal states are equal."""
    seat, count = state.position.seats[0], 0
    entries = []
    for entry in sorted(seat.entries, key=lambda entry: entry.wager):
        tags = tuple(str(count + 1 + index) for index in range(len(entry.wager.odds) + 1))
        count += len(tags)
        entries.append(entry._replace(tag=tags[0], odds_tags=tags[1:]))
    return state._replace(
        position=state.position._replace(
            seats=(seat._replace(entries=tuple(entries)),), serial=count, markers=NO_MARKERS
        )
    )


def every_sequence(
    dealer: Dealer, strategy: Strategy, bankroll: int, rolls: int, stops: Stops
) -> dict[State, Fraction]:
    """Follow all 36^n sequences of throws; those that meet go on together. The states at the end, with chances."""
    going: Counter[State] = Counter({begin(strategy, bankroll): 1})
    over: dict[State, Fraction] = {}
    for done in range(rolls):
        following: Counter[State] = Counter()
        for state, ways in going.items():
            ready = before_throw(dealer, strategy, state, stops)
            if ready.over:
                over[ready] = over.get(ready, Fraction(0)) + Fraction(ways, 36**done)
                continue
            for roll in ROLLS:
                following[bare(throw(dealer, strategy, ready, roll))] += ways
        going = following
    for state, ways in going.items():
        last = state._replace(over="rolls")
        over[last] = over.get(last, Fraction(0)) + Fraction(ways, 36**rolls)
    return over


class RollOut:
    """What comes back after the end: wagers come down where they may, the rest is thrown out, winners down."""

    def __init__(self, house: House) -> None:
        self._dealer = Dealer(Rules(winners_come_down(house)))
        self._known: dict[Position, dict[int, Fraction]] = {}

    def down(self, position: Position) -> tuple[Position, int]:
        """Take down what may come down."""
        cash = 0
        for entry in position.seats[0].entries:
            for tag in (entry.tag, *entry.odds_tags):
                gone = position.owner_of(tag) is None
                if not gone and self._dealer.verify(position, TakeDown(PLAYER, tag)) is None:
                    position, events = self._dealer.act(position, TakeDown(PLAYER, tag))
                    cash += sum(movement.rack for event in events for movement in movements(event))
        return bare(State(position, (), 0)).position._replace(hand="under_way"), cash

    def ways_on(self, position: Position) -> list[tuple[Position, int]]:
        """Every throw from a position of contract bets, with the money that comes back."""
        found = []
        for roll in ROLLS:
            after, (event, *_) = self._dealer.roll(position, roll)
            cash = sum(movement.rack for movement in movements(event))
            after, more = self.down(after)
            found.append((after, cash + more))
        return found

    def result(self, position: Position) -> dict[int, Fraction]:
        """How much comes back, with what chance, by plain elimination over every position that can be met."""
        first, cash = self.down(position)
        if first not in self._known:
            self._solve(first)
        return {cash + more: chance for more, chance in self._known[first].items()}

    def _solve(self, first: Position) -> None:
        rows: dict[Position, list[tuple[Position, int]]] = {}
        todo = [first]
        while todo:
            position = todo.pop()
            if position in rows or not position.seats[0].entries:
                continue
            rows[position] = self.ways_on(position)
            todo += [after for after, _ in rows[position]]
        if not rows:
            self._known[first] = {0: Fraction(1)}
            return
        size: dict[Position, int] = {position: len(position.seats[0].entries) for position in rows}
        for count in sorted(set(size.values())):
            self._eliminate([position for position in rows if size[position] == count], rows)

    def _eliminate(self, group: list[Position], rows: dict[Position, list[tuple[Position, int]]]) -> None:
        """Solve positions with equally many wagers up together: what is left of them is known already."""
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
                self._insert(inner, outer, other, position)
        for index in range(len(group) - 1, -1, -1):
            for later in group[index + 1 :]:
                self._insert(inner, outer, group[index], later)
            assert not inner[group[index]]
            self._known[group[index]] = outer[group[index]]

    @staticmethod
    def _insert(
        inner: dict[Position, dict[Position, Fraction]],
        outer: dict[Position, dict[int, Fraction]],
        into: Position,
        solved: Position,
    ) -> None:
        """Put what one position is worth into another's equation."""
        share = inner[into].pop(solved, Fraction(0))
        if not share:
            return
        for other, chance in inner[solved].items():
            inner[into][other] = inner[into].get(other, Fraction(0)) + share * chance
        for cash, chance in outer[solved].items():
            outer[into][cash] = outer[into].get(cash, Fraction(0)) + share * chance
