"""What the staff do at a table, as events: opening it, calling rolls, gathering and marking side bets.

A book describes the procedures, and a house with `record_procedures` has them recorded where they happen. They move no
chips and change no position.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from trueodds.money import format_money
from trueodds.rulebook import Procedure
from trueodds.table.apply_event import apply_event
from trueodds.table.event import CustodyChanged, Event, ProcedurePerformed, Rolled
from trueodds.table.position import Position
from trueodds.table.verify_bet import is_window_open
from trueodds.wagers import BonusRule, FireRule, TableRules

ProceduresByTrigger = Mapping[str, tuple[Procedure, ...]]

_CUSTODY_TRIGGERS: Final = {
    "opened": "table_opened",
    "accepted": "shooter_chosen",
    "passed": "dice_passed",
    "ordered_to_pass": "dice_passed",
    "line_declined": "dice_passed",
}


def procedures_by_trigger(rules: TableRules) -> ProceduresByTrigger:
    """Return the procedures that a table records, by the moment when they are performed."""
    house = rules.house
    found: dict[str, tuple[Procedure, ...]] = {}
    if house.get("record_procedures"):
        for procedure in rules.book.procedures:
            in_game = not procedure.games or house["game"] in procedure.games
            if procedure.trigger and in_game and all(house[option] is not False for option in procedure.options):
                found[procedure.trigger] = (*found.get(procedure.trigger, ()), procedure)
    return MappingProxyType(found)


def with_procedures(
    rules: TableRules, procedures: ProceduresByTrigger, position: Position, events: tuple[Event, ...]
) -> tuple[Event, ...]:
    """Return the events with the procedures that belong to them: gathering before a roll, everything else after it."""
    recorded: list[Event] = []
    for event in events:
        if isinstance(event, Rolled):
            recorded.extend(_performed(procedures, "fire_gathered", _bets_up(rules, position, FireRule)))
            recorded.extend(_performed(procedures, "bonus_gathered", _bets_up(rules, position, BonusRule)))
            recorded.append(event)
            recorded.extend(_performed(procedures, "rolled", (str(event.total),)))
            recorded.extend(_performed(procedures, "fire_marked", _new_fire_markers(position, event)))
            recorded.extend(_performed(procedures, "bonus_marked", _new_bonus_markers(position, event)))
        else:
            recorded.append(event)
            if isinstance(event, CustodyChanged) and event.change in _CUSTODY_TRIGGERS:
                details = (event.player or "nobody",) if event.change == "accepted" else (_offered_to(event),)
                recorded.extend(_performed(procedures, _CUSTODY_TRIGGERS[event.change], details))
        position = apply_event(position, event)
    return tuple(recorded)


def _performed(procedures: ProceduresByTrigger, trigger: str, details: tuple[str, ...]) -> Iterator[ProcedurePerformed]:
    for procedure in procedures.get(trigger, ()) if details else ():
        yield ProcedurePerformed(procedure.id, procedure.title, procedure.by, details, procedure.cite)


def _offered_to(event: CustodyChanged) -> str:
    return event.custody.offered_to or "nobody"


def _bets_up(rules: TableRules, position: Position, rule_type: type[FireRule | BonusRule]) -> tuple[str, ...]:
    """Return the side bets that are gathered before a roll, in the order of the seats.

    They are those that could still be made and have counted nothing yet. Bets on an earlier shooter lie there already.
    """
    custody = position.custody
    if custody is not None and (custody.fire_pending if rule_type is FireRule else custody.bonus_pending):
        return ()
    gathered = []
    for number, seat in enumerate(position.seats, start=1):
        for _, wager, _ in seat.wagers:
            rule = rules.wager_rules[wager.spot]
            if isinstance(rule, rule_type) and not wager.marks and is_window_open(position, rule.window):
                stake = format_money(wager.stake, rules.house.currency)
                gathered.append(f"{seat.player} {rule.name} {stake} (area {number})")
    return tuple(gathered)


def _new_fire_markers(position: Position, event: Rolled) -> tuple[str, ...]:
    points = event.fire_points or ()
    return tuple(f"{point} is point {len(points)}" for point in points if point not in position.markers.fire)


def _new_bonus_markers(position: Position, event: Rolled) -> tuple[str, ...]:
    return tuple(str(number) for number in event.bonus_numbers or () if number not in position.markers.bonus)
