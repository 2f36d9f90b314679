"""Playing a decision at a table: from what a strategy wants to what the dealer is asked, and what it costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from trueodds.money import Cents, MoneyError
from trueodds.notation import write_action, write_position
from trueodds.strategy.condition import Memory
from trueodds.strategy.errors import StrategyError, StrategyRefusedError
from trueodds.strategy.part import Part, Strategy
from trueodds.strategy.step import Down, Put, Resize, Say, Step
from trueodds.strategy.view import Outcome, View, make_outcome, matches
from trueodds.table import (
    Action,
    ActionError,
    Bet,
    CallWager,
    Changed,
    Dealer,
    Entry,
    Event,
    Made,
    Position,
    Press,
    Reduce,
    Refused,
    Rolled,
    Seat,
    Situation,
    TakeDown,
    movements,
    situation,
)
from trueodds.wagers import OddsBet, Wager

PLAYER = "player"


class Decision(NamedTuple):
    """What a strategy does before a throw: the position after it, its net cost, and the actions in dealing order.

    Take-downs and reductions come first, so that a rack which covers the net cost covers every step.
    """

    position: Position
    cost: Cents
    actions: tuple[Action, ...]


def lay_out(seen: Situation) -> Position:
    """Set a table with one player's situation on it, under numbered tags."""
    entries, tag = [], 0
    for wager in seen.wagers:
        tags = tuple(str(tag + 1 + index) for index in range(len(wager.odds) + 1))
        entries.append(Entry(tags[0], wager, tags[1:]))
        tag += len(tags)
    return Position(seen.puck, seen.hand, (Seat(PLAYER, True, tuple(entries)),), serial=tag)


def decide(
    dealer: Dealer,
    position: Position,
    parts: Iterable[Part],
    memories: Iterable[Memory],
    player: str = PLAYER,
    name: str = "the strategy",
) -> Decision:
    """Let the parts act one after the other on a position. What the dealer refuses is an error that says where."""
    first, cost, done = position, 0, list[tuple[Action, tuple[Event, ...]]]()
    for part, memory in zip(parts, memories, strict=True):
        seen = situation(position, player)
        for step in part.decide(_view(dealer, part, seen), memory):
            try:
                action = _action(position, player, step)
                position, events = dealer.act(position, action)
            except (ActionError, MoneyError, TypeError) as error:
                raise part.error(f"{name} decides on something that makes no sense: {step!r}: {error}") from None
            except Refused as refused:
                who = str(part.error(name))
                where = write_position(lay_out(situation(first, player)))
                raise StrategyRefusedError(
                    who, write_action(action), refused.refusal, situation(first, player), where
                ) from None
            cost -= sum(movement.rack for event in events for movement in movements(event))
            done.append((action, events))
    return Decision(position, Cents(cost), in_dealing_order(done))


def in_dealing_order(done: list[tuple[Action, tuple[Event, ...]]]) -> tuple[Action, ...]:
    """Put take-downs and reductions first, so that a rack which covers the net cost covers every step.

    A wager that is taken down in the end is not changed before, and not put up at all if this decision put it up. One
    that is put up and then resized is put up as it ends, if that leaves no trace on it.
    """
    gone = {action.tag for action, _ in done if isinstance(action, TakeDown)}
    made = {event.tag for _, events in done for event in events if isinstance(event, Made)}
    kept: dict[int, Action] = {}
    puts: dict[str, int] = {}
    for index, (action, events) in enumerate(done):
        tag = getattr(action, "tag", None)
        if isinstance(action, Bet):
            tags = [event.tag for event in events if isinstance(event, Made)]
            if len(tags) == 1:
                tag, puts[tags[0]] = tags[0], index
                action = action._replace(tag=tag)  # noqa: PLW2901  named, so that leaving another out changes nothing
        if {tag, getattr(action, "on", None)} & gone and not (isinstance(action, TakeDown) and tag not in made):
            continue
        put = kept.get(puts.get(tag or "", -1))
        if isinstance(put, Bet) and isinstance(action, Press | Reduce) and not _leaves_a_trace(events):
            kept[puts[action.tag]] = put._replace(stake=action.to)
        else:
            kept[index] = action
    times = Counter(getattr(action, "tag", None) for action in kept.values())
    return tuple(sorted(kept.values(), key=lambda one: not _gives_back(one) or times[getattr(one, "tag", None)] > 1))


def _leaves_a_trace(events: tuple[Event, ...]) -> bool:
    """Tell whether a reduction is remembered by the wager."""
    return any(isinstance(event, Changed) and isinstance(event.after, Wager) and event.after.cut for event in events)


def _gives_back(action: Action) -> bool:
    return isinstance(action, TakeDown | Reduce)


def _view(dealer: Dealer, part: Part, seen: Situation) -> View:
    touched = part.touches(dealer.rules)
    if touched is None:
        return View(dealer.rules, *seen)
    mine = tuple(wager for wager in seen.wagers if any(matches(what, wager.spot) for what in touched))
    return View(dealer.rules, seen.puck, seen.hand, mine)


def _action(position: Position, player: str, step: Step) -> Action:
    """Say a step in the table's terms."""
    match step:
        case Put(spot, stake, None):
            return Bet(player, spot, stake)
        case Put(spot, stake, base):
            return Bet(player, spot, stake, on=_tag(position, player, base, None))
        case Down(wager, odds):
            return TakeDown(player, _tag(position, player, wager, odds))
        case Resize(wager, to, odds):
            tag = _tag(position, player, wager, odds)
            now = odds.stake if odds else _entry(position, player, wager).wager.stake
            return Press(player, tag, to) if to > now else Reduce(player, tag, to)
        case Say(wager, called, odds):
            return CallWager(player, _tag(position, player, wager, odds), called)
    msg = f"a decision is made of steps, not {step!r}"  # type: ignore[unreachable]  # from callers without types
    raise StrategyError(msg)


def _tag(position: Position, player: str, wager: Wager | object, odds: OddsBet | None) -> str:
    entry = _entry(position, player, wager)
    if odds is None:
        return entry.tag
    if odds not in entry.wager.odds:
        msg = f"no odds {odds!r} stand behind {entry.wager!r}"
        raise StrategyError(msg)
    return entry.odds_tags[entry.wager.odds.index(odds)]


def _entry(position: Position, player: str, wager: Wager | object) -> Entry:
    """Find a wager by value, or the first on a spot."""
    seat = position.seat_of(player)
    for entry in seat.entries if seat else ():
        if wager in (_sorted(entry.wager), entry.wager, entry.wager.spot):
            return entry
    msg = f"{wager!r} is not up"
    raise StrategyError(msg)


def _sorted(wager: Wager) -> Wager:
    return wager if len(wager.odds) < 2 else wager._replace(odds=tuple(sorted(wager.odds)))


def outcome_of(event: Rolled, player: str = PLAYER) -> Outcome:
    """Tell a throw as a strategy may remember it."""
    rulings = [one.ruling for one in event.settled if one.player == player]
    return make_outcome(event.roll, event.phase, event.puck, event.seven_out, rulings)


def remember(strategy: Strategy, memories: tuple[Memory, ...], outcome: Outcome) -> tuple[Memory, ...]:
    """Give every part's memory after a throw."""
    return tuple(part.remember(memory, outcome) for part, memory in zip(strategy.parts, memories, strict=True))
