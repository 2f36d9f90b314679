"""Describe a strategy in English, play by play, with the names a book uses for its bets."""

from __future__ import annotations

from collections.abc import Iterable

from trueodds.money import format_money
from trueodds.rulebook import Spot
from trueodds.strategy.conditions import (
    AllOf,
    AnyOf,
    BetsUp,
    Condition,
    CountAtLeast,
    LastResult,
    NewShooter,
    Not,
    PuckState,
    always,
)
from trueodds.strategy.play_base import Play, Strategy
from trueodds.strategy.plays import BackWithOdds, CallAll, Keep, ResizeAll, TakeDownAll
from trueodds.strategy.profit_conditions import ProfitAtLeast, ProfitStop
from trueodds.strategy.progressions import Grind, Parlay
from trueodds.strategy.staking import Ladder, RungMove, StakingPlan
from trueodds.wagers import WINDOW_DESCRIPTIONS, LineRule, Result, TableRules

_RESULT_NOUNS = {Result.WIN: "a win", Result.LOSE: "a loss", Result.PUSH: "a push"}
_RESULT_VERBS = {Result.WIN: "won", Result.LOSE: "lost", Result.PUSH: "pushed"}


def describe(strategy: Strategy, rules: TableRules) -> list[str]:
    """Return one sentence for each play: when it acts, and what it does.

    >>> from trueodds.rulebook import House, load_book
    >>> from trueodds.strategy import Pass, keep, odds
    >>> for line in describe(keep(Pass(10)) + odds("2x", behind="pass"), TableRules(House(load_book("maryland")))):
    ...     print(line)
    Always: keep Pass up with $10 (made before a come-out).
    Always: put odds behind Pass once it has a point: 2 times the bet.
    """
    describer = _Describer(rules)
    return [f"{describer.condition(play.condition)}: {describer.play(play)}." for play in strategy.plays]


class _Describer:
    """Describes plays and conditions under the rules of one table."""

    def __init__(self, rules: TableRules) -> None:
        self._rules = rules

    def _spot_name(self, target: Spot) -> str:
        """Return the name of a spot, the title of a kind, or the text of a target the book does not have."""
        rule = self._rules.wager_rules.get(target)
        if rule is not None:
            return f"{rule.name} on {target.selection}" if isinstance(rule, LineRule) and target.pick else rule.name
        wager = self._rules.book.wagers.get(target.kind)
        if wager is None or target.pick:
            return str(target)
        return wager.title if target.kind in self._rules.odds_rules else f"any {wager.title}"

    def _spot_names(self, spots: Iterable[Spot]) -> str:
        return _join_names([self._spot_name(spot) for spot in spots], "and")

    def _money(self, cents: int) -> str:
        return format_money(cents, self._rules.house.currency)

    # -------------------------------------------------------------------------------------------------------- plays

    def play(self, play: Play) -> str:
        match play:
            case Keep():
                return self._keep(play)
            case BackWithOdds():
                return self._odds(play)
            case ResizeAll():
                return self._resize(play)
            case TakeDownAll():
                return f"take {self._spot_name(play.target)} down"
            case CallAll():
                return f"call {self._spot_name(play.target)} {play.call}"
            case _:
                return "do what a function decides"

    def _keep(self, play: Keep) -> str:
        name, stake = self._spot_name(play.bet.spot), self._staking(play.bet.staking)
        rule = self._rules.wager_rules.get(play.bet.spot)
        window = f" (made {WINDOW_DESCRIPTIONS[rule.window]})" if rule is not None and rule.window != "any" else ""
        if play.up_to == 1:
            return f"keep {name} up with {stake}{window}"
        return f"keep {play.up_to} bets on {name} up, each with {stake}{window}"

    def _staking(self, staking: StakingPlan) -> str:
        match staking:
            case Ladder() if staking.varies:
                return self._ladder(staking)
            case Parlay():
                first, step = self._money(staking.first_stake_cents), self._money(staking.step_cents)
                return (
                    f"{first}, letting {staking.ride_percent}% of each win ride in steps of {step} until "
                    f"{staking.wins} wins in a row; a loss starts over"
                )
            case Grind():
                unit, give_up = self._money(staking.unit_cents), self._money(staking.give_up_cents)
                return (
                    f"{unit} by Oscar's grind: one unit more after a win until the cycle is one unit ahead; the cycle "
                    f"is given up when it is {give_up} behind"
                )
            case _:
                return self._money(staking.stake_cents_at(staking.initial_memory()))

    def _ladder(self, ladder: Ladder) -> str:
        stakes = _join_names([self._money(rung) for rung in ladder.rungs_cents], "or")
        followed = "its own results" if ladder.follow is None else f"the results of {self._spot_name(ladder.follow)}"
        results = (("a win", ladder.win), ("a loss", ladder.lose))
        moves = [f"{result} moves {_move_text(move)}" for result, move in results if move]
        ends = ["past the last rung it starts over" if ladder.past_end == "start" else "it stays on the last rung"]
        shooters = ["each shooter starts on the first rung"] if ladder.restart_each_shooter else []
        return f"{stakes}, following {followed} ({', '.join(moves + ends + shooters)})"

    def _odds(self, play: BackWithOdds) -> str:
        behind = self._spot_names(map(Spot, play.behind)) if play.behind else "every bet that can have them"
        subject = "they have" if len(play.behind) > 1 else "it has"
        return f"put odds behind {behind} once {subject} a point: {self._odds_size(play)}"

    def _odds_size(self, play: BackWithOdds) -> str:
        if play.stake_cents is not None:
            return self._money(play.stake_cents)
        if play.multiples is None:
            return "the most the house allows and pays in full"
        size = "enough to win {} times the bet" if play.multiples_are_of_winnings else "{} times the bet"
        numbers: dict[int, list[str]] = {}
        for number, multiple in play.multiples:
            numbers.setdefault(multiple, []).append(str(number))
        if len(numbers) == 1 and len(play.multiples) == 6:
            return size.format(*numbers)
        return ", ".join(f"{size.format(multiple)} on {_join_names(on, 'and')}" for multiple, on in numbers.items())

    def _resize(self, play: ResizeAll) -> str:
        verb, direction = ("press", "up to") if play.is_press else ("regress", "down to")
        name = self._spot_name(play.target)
        if play.to_cents is not None:
            return f"{verb} {name} to {self._money(play.to_cents)}"
        by, limit = self._money(play.by_cents or 0), self._money(play.limit_cents or 0)
        return f"{verb} {name} by {by}, {direction} {limit}"

    # --------------------------------------------------------------------------------------------------- conditions

    def condition(self, condition: Condition) -> str:
        """Return "Always", or "When ..., unless ..."."""
        if condition == always:
            return "Always"
        conditions = list(_flatten(condition, AllOf))
        if [type(part) for part in conditions] == [AnyOf]:
            return f"When {self._clause(conditions[0])[1:-1]}"
        required = [self._clause(part) for part in conditions if not isinstance(part, Not)]
        excluded = [
            self._clause(part)
            for negated in conditions
            if isinstance(negated, Not)
            for part in _flatten(negated.condition, AnyOf)
        ]
        clauses = [f"when {' and '.join(required)}"] if required else []
        clauses += [f"unless {' or '.join(excluded)}"] if excluded else []
        text = ", ".join(clauses)
        return text[0].upper() + text[1:]

    def _clause(self, condition: Condition) -> str:
        match condition:
            case AllOf():
                word = " or " if type(condition) is AnyOf else " and "
                return f"({word.join(map(self._clause, condition.conditions))})"
            case Not():
                clause = self._clause(condition.condition)
                return f"not {clause}" if clause.startswith("(") else f"not ({clause})"
            case PuckState():
                numbers = _join_names(list(map(str, sorted(condition.points))), "or")
                return f"the point is {numbers}" if numbers else f"the puck is {'on' if condition.on else 'off'}"
            case NewShooter():
                return "a new shooter begins"
            case BetsUp(target, 1):
                return f"{self._spot_name(target)} is up"
            case BetsUp(target, at_least):
                return f"at least {at_least} bets on {self._spot_name(target)} are up"
            case LastResult(target, result, last_roll_only=True):
                return f"{self._spot_name(target)} has just {_RESULT_VERBS[result]}"
            case LastResult(target, result):
                return f"the last result of {self._spot_name(target)} was {_RESULT_NOUNS[result]}"
            case _:
                return self._per_shooter_clause(condition)

    def _per_shooter_clause(self, condition: Condition) -> str:
        """Describe a condition that counts from the start of the shooter's hand."""
        match condition:
            case CountAtLeast():
                return self._count(condition)
            case ProfitAtLeast(spots, by):
                profit = f"at least {self._money(by)} ahead" if by > 0 else f"at most {self._money(-by)} behind"
                return f"{self._spot_names(spots)} {'is' if len(spots) == 1 else 'are'} {profit} with this shooter"
            case ProfitStop(spots, win, loss):
                bounds = f"{self._money(win)} ahead or {self._money(loss)} behind"
                return (
                    f"{self._spot_names(spots)} {'has' if len(spots) == 1 else 'have'} been {bounds} with this shooter"
                )
            case _:
                return "always"

    def _count(self, count: CountAtLeast) -> str:
        times = "at least once" if count.at_least == 1 else f"at least {count.at_least} times"
        if count.target is not None:
            verb = _RESULT_VERBS[next(iter(count.results))] if len(count.results) == 1 else "been resolved"
            return f"{self._spot_name(count.target)} has {verb} {times} with this shooter"
        if count.totals:
            totals = _join_names(list(map(str, sorted(count.totals))), "or")
            return f"this shooter has rolled {totals} {times}"
        return f"this shooter has {'made a point' if count.points_made else 'rolled'} {times}"


def _flatten(condition: Condition, kind: type[AllOf]) -> Iterable[Condition]:
    """Yield the conditions that are joined by AllOf, or by AnyOf, at any depth."""
    if type(condition) is kind:
        for part in condition.conditions:
            yield from _flatten(part, kind)
    else:
        yield condition


def _move_text(move: RungMove) -> str:
    if move == "start":
        return "to the first rung"
    rungs = "1 rung" if abs(move) == 1 else f"{abs(move)} rungs"
    return f"{'up' if move > 0 else 'down'} {rungs}"


def _join_names(names: list[str], word: str) -> str:
    *most, last = names or [""]
    return f"{', '.join(most)} {word} {last}" if most else last
