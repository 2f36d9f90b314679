"""Playing a case and comparing every answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from trueodds.conformance.cases import Case, CaseError, applicable
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import HouseError, Spot
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    CallWager,
    Changed,
    DeclineDice,
    DeclineLine,
    DiceMoved,
    Event,
    Made,
    NoRoll,
    OpenTable,
    OrderPass,
    PassDice,
    Position,
    Press,
    Reduce,
    Refusal,
    Rolled,
    Ruling,
    Sit,
    Stand,
    Table,
    TakeDown,
    Throw,
)
from trueodds.wagers import Rules

Answer = dict[str, Any]
DEFAULT_PLAYER: Final = "A"


class Difference(NamedTuple):
    """Where a table answered something else than a case expects."""

    case: str
    step: str
    where: str
    expected: Any
    got: Any

    def __str__(self) -> str:
        return f"{self.case} {self.step} {self.where}: expected {self.expected!r}, got {self.got!r}"


class Report(NamedTuple):
    """How one case went."""

    case: str
    differences: tuple[Difference, ...]

    @property
    def passed(self) -> bool:
        """Whether every answer was the expected one."""
        return not self.differences


def run_case(case: Case) -> Report:
    """Play a case on a fresh table and compare every step and the final state."""
    try:
        play = _Play(case)
        for step in case.steps:
            play.step(step)
        play.finish()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        msg = f"case {case.id}: {error}"
        raise CaseError(msg) from error
    return Report(case.id, tuple(play.differences))


class _Play:
    """One case being played."""

    def __init__(self, case: Case) -> None:
        self.case = case
        seats = dict.fromkeys(player for step in case.steps for player in step.get("seats", ()))
        named = dict.fromkeys(step.get("player", DEFAULT_PLAYER) for step in case.steps)
        players = tuple(seats or named) or (DEFAULT_PLAYER,)
        self.table = Table(case.house(), players)
        self.default_player = DEFAULT_PLAYER if DEFAULT_PLAYER in players else players[0]
        self.cash = 0
        self.differences: list[Difference] = []

    def step(self, step: Mapping[str, Any]) -> None:
        act, label = step["act"], f"step {step['n']}"
        answer = self._configure(step["set"]) if act == "configure" else self._act(step)
        self.cash += answer.get("cash", 0)
        self._compare(label, "", _without_clauses(step["expect"]), answer)

    def finish(self) -> None:
        """Compare the final state."""
        position = self.table.position
        stakes: dict[str, int] = {}
        for entry in (entry for seat in position.seats for entry in seat.entries):
            stakes[entry.tag] = entry.wager.stake
            stakes |= {tag: bet.stake for tag, bet in zip(entry.odds_tags, entry.wager.odds, strict=True)}
        got = {"player_net": self.cash, "open_bets": stakes, "point": position.point}
        self._compare("final", "", self.case.final, got)

    def _act(self, step: Mapping[str, Any]) -> Answer:
        action = self._action(step)
        refusal = self.table.verify(action)
        if refusal is not None:
            self._demand_reason(refusal)
            return {"result": "refused", "reason": str(refusal.code), "cash": 0}
        before = self.table.position
        return _answer(step["act"], self.table.do(action), before)

    def _action(self, step: Mapping[str, Any]) -> Action:
        make = ACTIONS.get(step["act"])
        if make is None:
            msg = f"unknown act {step['act']!r}"
            raise CaseError(msg)
        player = step.get("player") or self.table.position.owner_of(step.get("id", "")) or self.default_player
        return make(step, player)

    def _demand_reason(self, refusal: Refusal) -> None:
        if not refusal.cite and not refusal.option:
            self.differences.append(Difference(self.case.id, "refusal", str(refusal.code), "a clause or option", None))

    def _configure(self, changes: Mapping[str, Any]) -> Answer:
        rules = self.table.rules
        try:
            house = rules.house.change(applicable(rules.book, changes))
        except HouseError as error:
            return {"result": "refused", "reason": error.code, "cash": 0}
        self.table = Table(Rules(house), position=self.table.position)
        return {"result": "accepted"}

    def _compare(self, step: str, where: str, expected: Any, got: Any) -> None:
        """Compare key by key; what a case does not mention must be nothing."""
        if isinstance(expected, Mapping) and isinstance(got, Mapping):
            for key in sorted({*expected, *got}):
                path = f"{where}.{key}" if where else str(key)
                if key in expected:
                    self._compare(step, path, expected[key], got.get(key))
                elif got[key]:
                    self.differences.append(Difference(self.case.id, step, path, None, got[key]))
        elif expected != got:
            self.differences.append(Difference(self.case.id, step, where, expected, got))


def _without_clauses(expect: Mapping[str, Any]) -> Answer:
    """Drop clause strings: they inform the reader of a case and are not compared."""
    bets = {
        tag: {key: value for key, value in bet.items() if key != "clause"}
        for tag, bet in expect.get("bets", {}).items()
    }
    return {**expect, "bets": bets} if "bets" in expect else dict(expect)


def _bet(step: Mapping[str, Any], player: str) -> Action:
    pick = step.get("pair") or [step[key] for key in ("number", "high") if key in step]
    return Bet(
        player,
        Spot(step["wager"], tuple(sorted(pick))),
        step["amount"],
        step.get("on"),
        step["id"],
        step.get("tender", "chips"),
        step.get("confirmed", False),
        step.get("timing", "open"),
        tuple(step.get("confirmed_by", ())),
    )


def _throw(step: Mapping[str, Any], _player: str) -> Action:
    cocked = step.get("cocked")
    return Throw(
        Roll(*step["dice"]),
        step.get("player"),
        step.get("irregular"),
        step.get("called_by"),
        step.get("ruling"),
        (cocked["die"], cocked["resting_face"]) if cocked else None,
    )


ACTIONS: Final[Mapping[str, Callable[[Mapping[str, Any], str], Action]]] = {
    "bet": _bet,
    "roll": _throw,
    "remove": lambda step, player: TakeDown(player, step["id"], step.get("timing", "open")),
    "reduce": lambda step, player: Reduce(player, step["id"], Cents(step["to"]), step.get("timing", "open")),
    "increase": lambda step, player: Press(
        player, step["id"], Cents(step["to"]), step.get("timing", "open"), tuple(step.get("confirmed_by", ()))
    ),
    "call": lambda step, player: CallWager(player, step["id"], step["state"]),
    "open": lambda _step, _player: OpenTable(),
    "accept": lambda _step, player: AcceptDice(player),
    "decline": lambda _step, player: DeclineDice(player),
    "pass_dice": lambda _step, player: PassDice(player),
    "order_pass": lambda step, _player: OrderPass(step["by"], step["cause"]),
    "decline_line": lambda _step, player: DeclineLine(player),
    "stand": lambda _step, player: Stand(player),
    "sit": lambda _step, player: Sit(player),
}


def _answer(act: str, events: tuple[Event, ...], before: Position) -> Answer:
    """Put what happened into the words of a case."""
    first = events[-1] if act == "roll" and isinstance(events[0], DiceMoved) else events[0]
    match first:
        case Rolled():
            return _rolled(first, before)
        case DiceMoved():
            return _dice_moved(act, first)
        case NoRoll():
            return {"valid": False, "result": "no_roll", "reason": first.reason, "bets": {}, "cash": 0}
        case Made():
            return _made([event for event in events if isinstance(event, Made)])
        case Changed():
            return _changed([event for event in events if isinstance(event, Changed)])
        case _:
            return {"result": "accepted", "cash": 0}


def _made(events: list[Made]) -> Answer:
    answer: Answer = {
        "result": "accepted",
        "vig": sum(event.vig for event in events),
        "cash": sum(event.cash for event in events),
    }
    if events[0].part_of is not None:
        answer["components"] = [
            {"id": event.tag, "wager": event.wager.spot.kind if event.wager else "", "amount": event.stake}
            for event in events
        ]
    return answer


def _changed(events: list[Changed]) -> Answer:
    *fallen, main = events
    return {
        "result": "accepted",
        "vig": main.vig,
        "cash": sum(event.cash for event in events),
        "also_returned": {event.tag: event.cash for event in fallen},
    }


def _dice_moved(act: str, event: DiceMoved) -> Answer:
    custody = event.custody
    if act == "accept":
        return {"result": "accepted", "shooter": custody.shooter}
    answer: Answer = {"offer_to": custody.offer_to}
    if act in ("pass_dice", "order_pass"):
        answer |= {"result": "accepted", "fire_pending": custody.fire_pending}
    if event.what == "puck_off":
        answer |= {"mode": custody.mode, "shooter": custody.shooter, "puck": "off_on_dont_pass"}
    return answer


def _rolled(event: Rolled, before: Position) -> Answer:
    custody, was = event.custody, before.custody
    return {
        "offer_to": custody.offer_to if custody and event.seven_out else None,
        "mode": custody.mode if custody and was and was.mode != "normal" else None,
        "valid": True,
        "total": event.total,
        "phase": "point" if event.phase > 0 else "come_out",
        "point_before": before.point,
        "point_after": event.puck if event.puck > 0 else None,
        "shooter_out": event.seven_out,
        "cash": sum(one.ruling.cash for one in event.settled),
        "bets": {one.tag: _ruling(one.ruling) for one in event.settled},
        "fire_points": None if event.fire_points is None else list(event.fire_points),
        "bonus_marked": None if event.bonus_marked is None else list(event.bonus_marked),
    }


def _ruling(ruling: Ruling) -> Answer:
    answer: Answer = {
        "result": str(ruling.result),
        "net": int(ruling.net),
        "vig": int(ruling.vig),
        "cash": int(ruling.cash),
    }
    if not ruling.cite:
        answer["no_clause"] = True
    if ruling.odds:
        answer["odds"] = str(ruling.odds)
    if ruling.parts:
        answer["parts"] = [
            [
                part.kind,
                str(part.share * ruling.stake),
                "win" if part.odds else "lose",
                str(part.odds) if part.odds else None,
            ]
            for part in ruling.parts
        ]
    if ruling.breakage:
        answer["breakage"] = str(ruling.breakage)
    if ruling.to:
        answer["to"] = ruling.to
    if ruling.stays:
        answer["stays"] = True
    return answer
