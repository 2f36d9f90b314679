"""Play conformance cases and compare every result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from trueodds.conformance.case_files import Case, CaseError, Step, known_options
from trueodds.dice import Roll
from trueodds.money import Cents
from trueodds.rulebook import HouseError, Spot
from trueodds.table import (
    AcceptDice,
    Action,
    Bet,
    BetMade,
    BetResized,
    CustodyChanged,
    Dealer,
    DeclineDice,
    DeclineLine,
    Event,
    NoRoll,
    OpenTable,
    OrderPass,
    PassDice,
    Position,
    Press,
    Reduce,
    Refusal,
    RollDice,
    Rolled,
    Settlement,
    Sit,
    Stand,
    TakeDown,
    ToggleBet,
    new_position,
)
from trueodds.table.validate_position import validate_position
from trueodds.wagers import TableRules

StepResult = dict[str, object]
"""What a step did, in the words of a case file."""

DEFAULT_PLAYER: Final = "A"


class Mismatch(NamedTuple):
    """A value that differs from what a case expects."""

    case: str
    step: str
    path: str
    expected: object
    got: object

    def __str__(self) -> str:
        return f"{self.case} {self.step} {self.path}: expected {self.expected!r}, got {self.got!r}"


class CaseReport(NamedTuple):
    """The result of one case."""

    case: str
    mismatches: tuple[Mismatch, ...]

    @property
    def passed(self) -> bool:
        """Whether everything was as expected."""
        return not self.mismatches


def run_case(case: Case) -> CaseReport:
    """Play a case on a new table and compare every step and the final state.

    Raise CaseError if a step cannot be played.
    """
    try:
        runner = _CaseRunner(case)
        for step in case.steps:
            runner.run_step(step)
        runner.check_final()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise CaseError(f"case {case.id}: {error}") from error
    return CaseReport(case.id, tuple(runner.mismatches))


class _CaseRunner:
    """Plays one case and collects the mismatches."""

    def __init__(self, case: Case) -> None:
        self.case = case
        seats = dict.fromkeys(player for step in case.steps for player in step.get("seats", ()))
        named = dict.fromkeys(step.get("player", DEFAULT_PLAYER) for step in case.steps)
        players = tuple(seats or named) or (DEFAULT_PLAYER,)
        self.dealer = Dealer(TableRules(case.house()))
        self.position = new_position(players)
        self.default_player = DEFAULT_PLAYER if DEFAULT_PLAYER in players else players[0]
        self.cash = 0
        self.mismatches: list[Mismatch] = []

    def run_step(self, step: Step) -> None:
        """Play a step and compare its result."""
        result = self._configure(step["set"]) if step["act"] == "configure" else self._act(step)
        cash = result.get("cash", 0)
        self.cash += cash if isinstance(cash, int) else 0
        self._compare(f"step {step['n']}", "", _without_clauses(step["expect"]), result)

    def check_final(self) -> None:
        """Compare the final state."""
        stakes: dict[str, int] = {}
        for tagged in (tagged for seat in self.position.seats for tagged in seat.wagers):
            stakes[tagged.tag] = tagged.wager.stake
            stakes |= {tag: odds.stake for tag, odds in zip(tagged.odds_tags, tagged.wager.odds_bets, strict=True)}
        got = {"player_net": self.cash, "open_bets": stakes, "point": self.position.point}
        self._compare("final", "", self.case.final, got)

    def _act(self, step: Step) -> StepResult:
        action = self._action(step)
        refusal = self.dealer.verify(self.position, action)
        if refusal is not None:
            self._check_reason(refusal)
            return {"result": "refused", "reason": str(refusal.code), "cash": 0}
        before = self.position
        self.position, events = self.dealer.act(before, action)
        return _step_result(step["act"], events, before)

    def _action(self, step: Step) -> Action:
        build = ACTION_BUILDERS.get(step["act"])
        if build is None:
            raise CaseError(f"unknown act {step['act']!r}")
        player = step.get("player") or self.position.find_owner(step.get("id", "")) or self.default_player
        return build(step, player)

    def _check_reason(self, refusal: Refusal) -> None:
        if not refusal.cite and not refusal.option:
            self.mismatches.append(Mismatch(self.case.id, "refusal", str(refusal.code), "a clause or option", None))

    def _configure(self, changes: Mapping[str, object]) -> StepResult:
        house = self.dealer.rules.house
        try:
            changed = house.with_changes(known_options(house.book, changes))
        except HouseError as error:
            return {"result": "refused", "reason": error.code, "cash": 0}
        self.dealer = Dealer(TableRules(changed))
        validate_position(self.dealer.rules, self.position)
        return {"result": "accepted"}

    def _compare(self, step: str, path: str, expected: object, got: object) -> None:
        """Compare key by key. A key that the case does not mention must have a false value."""
        if isinstance(expected, Mapping) and isinstance(got, Mapping):
            for key in sorted({*expected, *got}):
                key_path = f"{path}.{key}" if path else str(key)
                if key in expected:
                    self._compare(step, key_path, expected[key], got.get(key))
                elif got[key]:
                    self.mismatches.append(Mismatch(self.case.id, step, key_path, None, got[key]))
        elif expected != got:
            self.mismatches.append(Mismatch(self.case.id, step, path, expected, got))


def _without_clauses(expect: Mapping[str, object]) -> Mapping[str, object]:
    """Return the expected result without clauses: they are for readers and are not compared."""
    bets = expect.get("bets")
    if not isinstance(bets, Mapping):
        return expect
    compared = {tag: {key: value for key, value in bet.items() if key != "clause"} for tag, bet in bets.items()}
    return {**expect, "bets": compared}


def _bet_action(step: Step, player: str) -> Action:
    pick = step.get("pair") or [number for number in (step.get("number"), step.get("high")) if number is not None]
    return Bet(
        player,
        Spot(step["wager"], tuple(sorted(pick))),
        Cents(step["amount"]),
        step.get("on"),
        step["id"],
        step.get("tender", "chips"),
        step.get("confirmed", False),
        step.get("timing", "open"),
        tuple(step.get("confirmed_by", ())),
    )


def _roll_action(step: Step, _player: str) -> Action:
    cocked = step.get("cocked")
    return RollDice(
        Roll(*step["dice"]),
        step.get("player"),
        step.get("irregular"),
        step.get("called_by"),
        step.get("ruling"),
        (cocked["die"], cocked["resting_face"]) if cocked else None,
    )


ACTION_BUILDERS: Final[Mapping[str, Callable[[Step, str], Action]]] = {
    "bet": _bet_action,
    "roll": _roll_action,
    "remove": lambda step, player: TakeDown(player, step["id"], step.get("timing", "open")),
    "reduce": lambda step, player: Reduce(player, step["id"], Cents(step["to"]), step.get("timing", "open")),
    "increase": lambda step, player: Press(
        player, step["id"], Cents(step["to"]), step.get("timing", "open"), tuple(step.get("confirmed_by", ()))
    ),
    "call": lambda step, player: ToggleBet(player, step["id"], step["state"]),
    "open": lambda _step, _player: OpenTable(),
    "accept": lambda _step, player: AcceptDice(player),
    "decline": lambda _step, player: DeclineDice(player),
    "pass_dice": lambda _step, player: PassDice(player),
    "order_pass": lambda step, _player: OrderPass(step["by"], step["cause"]),
    "decline_line": lambda _step, player: DeclineLine(player),
    "stand": lambda _step, player: Stand(player),
    "sit": lambda _step, player: Sit(player),
}
"""How each act of a case becomes an action."""


def _step_result(act: str, events: tuple[Event, ...], before: Position) -> StepResult:
    """Return what happened in the words of a case file."""
    first = events[-1] if act == "roll" and isinstance(events[0], CustodyChanged) else events[0]
    match first:
        case Rolled():
            return _roll_result(first, before)
        case CustodyChanged():
            return _dice_moved_result(act, first)
        case NoRoll():
            return {"valid": False, "result": "no_roll", "reason": first.reason, "bets": {}, "cash": 0}
        case BetMade():
            return _bets_result([event for event in events if isinstance(event, BetMade)])
        case BetResized():
            return _changes_result([event for event in events if isinstance(event, BetResized)])
        case _:
            return {"result": "accepted", "cash": 0}


def _bets_result(events: list[BetMade]) -> StepResult:
    result: StepResult = {
        "result": "accepted",
        "vig": sum(event.vig_cents for event in events),
        "cash": sum(event.rack_change_cents for event in events),
    }
    if events[0].split_from is not None:
        result["components"] = [
            {"id": event.tag, "wager": event.wager.spot.kind if event.wager else "", "amount": event.stake_cents}
            for event in events
        ]
    return result


def _changes_result(events: list[BetResized]) -> StepResult:
    *returned, main = events
    return {
        "result": "accepted",
        "vig": main.vig_cents,
        "cash": sum(event.rack_change_cents for event in events),
        "also_returned": {event.tag: event.rack_change_cents for event in returned},
    }


def _dice_moved_result(act: str, event: CustodyChanged) -> StepResult:
    custody = event.custody
    if act == "accept":
        return {"result": "accepted", "shooter": custody.shooter}
    result: StepResult = {"offer_to": custody.offered_to}
    if act in ("pass_dice", "order_pass"):
        result |= {"result": "accepted", "fire_pending": custody.fire_pending}
    if event.change == "come_settlement_started":
        result |= {"mode": custody.mode, "shooter": custody.shooter, "puck": "off_on_dont_pass"}
    return result


def _roll_result(event: Rolled, before: Position) -> StepResult:
    custody, previous = event.custody, before.custody
    return {
        "offer_to": custody.offered_to if custody and event.seven_out else None,
        "mode": custody.mode if custody and previous and previous.mode != "normal" else None,
        "valid": True,
        "total": event.total,
        "phase": "point" if event.phase > 0 else "come_out",
        "point_before": before.point,
        "point_after": event.puck_after if event.puck_after > 0 else None,
        "shooter_out": event.seven_out,
        "cash": sum(settled.settlement.paid_cents for settled in event.settled),
        "bets": {settled.tag: _settlement_result(settled.settlement) for settled in event.settled},
        "fire_points": None if event.fire_points is None else list(event.fire_points),
        "bonus_marked": None if event.bonus_numbers is None else list(event.bonus_numbers),
    }


def _settlement_result(settlement: Settlement) -> StepResult:
    result: StepResult = {
        "result": str(settlement.result),
        "net": int(settlement.net_cents),
        "vig": int(settlement.vig_cents),
        "cash": int(settlement.paid_cents),
    }
    if not settlement.cite:
        result["no_clause"] = True
    if settlement.odds:
        result["odds"] = str(settlement.odds)
    if settlement.shares:
        result["parts"] = [
            [
                share.kind,
                str(share.fraction * settlement.stake_cents),
                "win" if share.odds else "lose",
                str(share.odds) if share.odds else None,
            ]
            for share in settlement.shares
        ]
    if settlement.breakage_cents:
        result["breakage"] = str(settlement.breakage_cents)
    if settlement.moved_to:
        result["to"] = settlement.moved_to
    if settlement.stays_up:
        result["stays"] = True
    return result
