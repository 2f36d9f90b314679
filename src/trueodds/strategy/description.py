"""A strategy in plain words, play by play, with the names a book has for its bets."""

from __future__ import annotations

from collections.abc import Iterable

from trueodds.money import money
from trueodds.rulebook import Spot
from trueodds.strategy.account import Ahead, Stopped
from trueodds.strategy.amount import Amount, Ladder, Move
from trueodds.strategy.condition import All, AnyOf, Condition, Counted, Last, NewShooter, Not, Puck, Up, always
from trueodds.strategy.part import Part, Strategy
from trueodds.strategy.parts import Adjust, BackWithOdds, CallAll, Keep, TakeDownAll
from trueodds.strategy.progression import Grind, Parlay
from trueodds.wagers import WINDOWS, LineRule, Result, Rules

_DECIDED = {Result.WIN: "won", Result.LOSE: "lost", Result.PUSH: "pushed"}


def explain(strategy: Strategy, rules: Rules) -> list[str]:
    """Say what each play does, and when.

    >>> from trueodds.rulebook import House, load_book
    >>> from trueodds.strategy import Pass, keep, odds
    >>> for line in explain(keep(Pass(10)) + odds("2x", behind="pass"), Rules(House(load_book("maryland")))):
    ...     print(line)
    Always: keep Pass up with $10 (made before a come-out).
    Always: put odds behind Pass once it has a number: 2 times the bet.
    """
    words = _Words(rules)
    return [f"{words.when(part.condition)}: {words.does(part)}." for part in strategy.parts]


class _Words:
    """What things are called under some rules."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def _name(self, what: Spot) -> str:
        """Name a spot as a dealer does; a kind by its title; what the book does not have as it is written."""
        rule = self._rules.spots.get(what)
        if rule is not None:
            return f"{rule.name} on {what.selection}" if isinstance(rule, LineRule) and what.pick else rule.name
        text = self._rules.book.wagers.get(what.kind)
        if text is None or what.pick:
            return str(what)
        return text.title if what.kind in self._rules.odds else f"any {text.title}"

    def _names(self, spots: Iterable[Spot]) -> str:
        return _listed([self._name(spot) for spot in spots], "and")

    def _money(self, amount: int) -> str:
        return money(amount, self._rules.house.currency)

    # ------------------------------------------------------------------------------------------------- what is done

    def does(self, part: Part) -> str:
        match part:
            case Keep():
                return self._keep(part)
            case BackWithOdds():
                return self._odds(part)
            case Adjust():
                return self._adjust(part)
            case TakeDownAll():
                return f"take {self._name(part.what)} down"
            case CallAll():
                return f"call {self._name(part.what)} {part.call}"
            case _:
                return "do what a function decides"

    def _keep(self, part: Keep) -> str:
        spot, amount = part.stake.spot, self._amount(part.stake.amount)
        rule = self._rules.spots.get(spot)
        made = f" (made {WINDOWS[rule.window]})" if rule is not None and rule.window != "any" else ""
        if part.up_to == 1:
            return f"keep {self._name(spot)} up with {amount}{made}"
        return f"keep {part.up_to} bets on {self._name(spot)} up, each with {amount}{made}"

    def _amount(self, amount: Amount) -> str:
        match amount:
            case Ladder() if amount.varies:
                return self._ladder(amount)
            case Parlay():
                share = "wholly" if amount.ride == 100 else f"by {amount.ride} %"
                return (
                    f"{self._money(amount.stake)}, letting wins ride {share} in steps of {self._money(amount.step)} "
                    f"until {amount.wins} in a row are won; a loss starts again"
                )
            case Grind():
                return (
                    f"{self._money(amount.unit)} by Oscar's grind: a unit more after a win until the cycle is a unit "
                    f"ahead, given up when it is {self._money(amount.give_up)} behind"
                )
            case _:
                return self._money(amount.at(amount.start()))

    def _ladder(self, ladder: Ladder) -> str:
        stakes = _listed([self._money(rung) for rung in ladder.rungs], "or")
        what = "its own decisions" if ladder.follow is None else f"the decisions on {self._name(ladder.follow)}"
        results = (("a win", ladder.win), ("a loss", ladder.lose))
        moves = [f"{result} moves {_moves(move)}" for result, move in results if move]
        ends = ["past the end it starts again" if ladder.past_end == "start" else "at the end it stays"]
        shooters = ["every shooter starts at the bottom"] if ladder.each_shooter else []
        return f"{stakes}, moved by {what} ({', '.join(moves + ends + shooters)})"

    def _odds(self, part: BackWithOdds) -> str:
        behind = self._names(map(Spot, part.behind)) if part.behind else "every bet that can have them"
        return f"put odds behind {behind} once it has a number: {self._times(part)}"

    def _times(self, part: BackWithOdds) -> str:
        if part.amount is not None:
            return self._money(part.amount)
        if part.times is None:
            return "the most that is taken and paid in full"
        of = "what wins {} times the bet" if part.to_win else "{} times the bet"
        numbers: dict[int, list[str]] = {}
        for number, times in part.times:
            numbers.setdefault(times, []).append(str(number))
        if len(numbers) == 1 and len(part.times) == 6:
            return of.format(*numbers)
        return ", ".join(f"{of.format(times)} on {_listed(which, 'and')}" for times, which in numbers.items())

    def _adjust(self, part: Adjust) -> str:
        verb, limit = ("press", "up to") if part.grow else ("regress", "down to")
        if part.to is not None:
            return f"{verb} {self._name(part.what)} to {self._money(part.to)}"
        return f"{verb} {self._name(part.what)} by {self._money(part.by or 0)}, {limit} {self._money(part.limit or 0)}"

    # ------------------------------------------------------------------------------------------------------- when

    def when(self, condition: Condition) -> str:
        """Say what must hold, and after it what must not."""
        if condition is always:
            return "Always"
        parts = list(_flat(condition, All))
        if [type(part) for part in parts] == [AnyOf]:
            return f"When {self._holds(parts[0])[1:-1]}"
        held = [self._holds(one) for one in parts if not isinstance(one, Not)]
        barred = [self._holds(one) for part in parts if isinstance(part, Not) for one in _flat(part.condition, AnyOf)]
        said = ([f"when {' and '.join(held)}"] if held else []) + ([f"unless {' or '.join(barred)}"] if barred else [])
        text = ", ".join(said)
        return text[0].upper() + text[1:]

    def _holds(self, condition: Condition) -> str:
        match condition:
            case All():
                word = " or " if type(condition) is AnyOf else " and "
                return f"({word.join(map(self._holds, condition.conditions))})"
            case Not():
                return f"not: {self._holds(condition.condition)}"
            case Puck():
                numbers = _listed(list(map(str, sorted(condition.points))), "or")
                return f"the point is {numbers}" if numbers else f"the puck is {'on' if condition.on else 'off'}"
            case NewShooter():
                return "a new shooter begins"
            case Up():
                name = self._name(condition.what)
                return f"{name} is up" if condition.least == 1 else f"at least {condition.least} bets on {name} are up"
            case Last():
                done = _DECIDED[condition.result]
                name = self._name(condition.what)
                return f"{name} has just {done}" if condition.just else f"the last decision on {name} {done}"
            case _:
                return self._since(condition)

    def _since(self, condition: Condition) -> str:
        """Say what is counted from the beginning of a hand."""
        match condition:
            case Counted():
                return self._counted(condition)
            case Ahead():
                verb = "is" if len(condition.of) == 1 else "are"
                return f"{self._names(condition.of)} {verb} {self._ahead(condition.by)} with this shooter"
            case Stopped():
                verb = "has" if len(condition.of) == 1 else "have"
                win, lose = self._money(condition.win), self._money(condition.lose)
                return f"{self._names(condition.of)} {verb} been {win} ahead or {lose} behind with this shooter"
            case _:
                return "always"

    def _ahead(self, by: int) -> str:
        return f"at least {self._money(by)} ahead" if by > 0 else f"no more than {self._money(-by)} behind"

    def _counted(self, counted: Counted) -> str:
        often = "at least once" if counted.least == 1 else f"at least {counted.least} times"
        if counted.of is not None:
            done = _DECIDED[next(iter(counted.results))] if len(counted.results) == 1 else "been decided"
            return f"{self._name(counted.of)} has {done} {often} with this shooter"
        if counted.totals:
            return f"{_listed(list(map(str, sorted(counted.totals))), 'or')} has come {often} with this shooter"
        return f"this shooter has {'made a point' if counted.points else 'thrown'} {often}"


def _flat(condition: Condition, kind: type[All]) -> Iterable[Condition]:
    """Take apart what must hold together, or what is enough by itself."""
    if type(condition) is kind:
        for one in condition.conditions:
            yield from _flat(one, kind)
    else:
        yield condition


def _moves(move: Move) -> str:
    if move == "start":
        return "to the start"
    rungs = "1 rung" if abs(move) == 1 else f"{abs(move)} rungs"
    return f"{rungs} {'up' if move > 0 else 'down'}"


def _listed(names: list[str], word: str) -> str:
    *most, last = names or [""]
    return f"{', '.join(most)} {word} {last}" if most else last
