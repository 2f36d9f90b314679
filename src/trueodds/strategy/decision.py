"""Apply the decision of a strategy to a position: the actions for the dealer, and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from trueodds.money import Cents, MoneyError
from trueodds.notation import write_action, write_position
from trueodds.rulebook import Spot
from trueodds.strategy.conditions import Memory
from trueodds.strategy.decision_steps import CallBet, DecisionStep, MakeBet, ResizeBet, TakeDownBet
from trueodds.strategy.errors import StrategyError, StrategyRefusedError
from trueodds.strategy.play_base import Play, Strategy
from trueodds.strategy.player_view import PlayerView, RollOutcome, make_outcome, spot_matches
from trueodds.table import (
    Action,
    ActionError,
    Bet,
    BetMade,
    BetResized,
    Dealer,
    Event,
    Position,
    Press,
    Reduce,
    Refused,
    Rolled,
    Seat,
    Situation,
    TaggedWager,
    TakeDown,
    ToggleBet,
    money_movements,
    player_situation,
)
from trueodds.wagers import OddsBet, Wager

PLAYER = "player"


class Decision(NamedTuple):
    """What a strategy does before a roll: the position afterwards, the net cost, and the actions in dealing order.

    Take-downs and reductions come first, so a rack that covers the net cost covers every action.
    """

    position: Position
    cost_cents: Cents
    actions: tuple[Action, ...]


def position_from_situation(situation: Situation) -> Position:
    """Return a position with one player in this situation. The wagers get numbers as tags."""
    wagers, tag = [], 0
    for wager in situation.wagers:
        tags = tuple(str(tag + 1 + index) for index in range(len(wager.odds_bets) + 1))
        wagers.append(TaggedWager(tags[0], wager, tags[1:]))
        tag += len(tags)
    return Position(situation.puck, situation.hand_stage, (Seat(PLAYER, True, tuple(wagers)),), wagers_made=tag)


def decide(
    dealer: Dealer,
    position: Position,
    plays: Iterable[Play],
    memories: Iterable[Memory],
    player: str = PLAYER,
    name: str = "the strategy",
) -> Decision:
    """Return the decision of the plays, applied one after the other to a position.

    Raise StrategyRefusedError if the dealer refuses an action, and StrategyError if a step is invalid.
    """
    start, cost, taken = position, 0, list[tuple[Action, tuple[Event, ...]]]()
    for play, memory in zip(plays, memories, strict=True):
        view = _player_view(dealer, play, player_situation(position, player))
        for step in play.decide(view, memory):
            try:
                action = _to_action(position, player, step)
                position, events = dealer.act(position, action)
            except (ActionError, MoneyError, TypeError) as error:
                raise play.located_error(f"{name}: invalid step {step!r}: {error}") from None
            except Refused as refused:
                situation = player_situation(start, player)
                raise StrategyRefusedError(
                    name,
                    write_action(action),
                    refused.refusal,
                    situation,
                    write_position(position_from_situation(situation)),
                    play.source.describe() if play.source else "",
                ) from None
            cost -= sum(movement.rack_cents for event in events for movement in money_movements(event))
            taken.append((action, events))
    return Decision(position, Cents(cost), simplify_and_order(taken))


def simplify_and_order(taken: list[tuple[Action, tuple[Event, ...]]]) -> tuple[Action, ...]:
    """Return the actions with take-downs and reductions first, without actions that cancel each other.

    A wager that is taken down is not resized before, and not made at all if this decision made it. A wager that is made
    and then resized is made at its final stake, and one that is resized twice is resized once, unless the wager would
    remember the reduction.
    """
    taken = _merge_resizes(taken)
    taken_down = {action.tag for action, _ in taken if isinstance(action, TakeDown)}
    made = {event.tag for _, events in taken for event in events if isinstance(event, BetMade)}
    kept: dict[int, Action] = {}
    bet_indexes: dict[str, int] = {}
    for index, (action, events) in enumerate(taken):
        tag = getattr(action, "tag", None)
        if isinstance(action, Bet):
            tags = [event.tag for event in events if isinstance(event, BetMade)]
            if len(tags) == 1:
                # With an explicit tag, leaving out another bet does not change the tag of this one.
                tag, bet_indexes[tags[0]] = tags[0], index
                action = replace(action, tag=tag)  # noqa: PLW2901
        tags_used = {tag, getattr(action, "base_tag", None)}
        if tags_used & taken_down and not (isinstance(action, TakeDown) and tag not in made):
            continue
        bet = kept.get(bet_indexes.get(tag or "", -1))
        if isinstance(bet, Bet) and isinstance(action, Press | Reduce) and not _marks_wager_as_reduced(events):
            kept[bet_indexes[action.tag]] = replace(bet, stake_cents=action.new_stake_cents)
        else:
            kept[index] = action
    changes = Counter(getattr(action, "tag", None) for action in kept.values())
    return tuple(
        sorted(
            kept.values(),
            key=lambda action: not _returns_chips(action) or changes[getattr(action, "tag", None)] > 1,
        )
    )


def _merge_resizes(taken: list[tuple[Action, tuple[Event, ...]]]) -> list[tuple[Action, tuple[Event, ...]]]:
    """Return the actions with all resizes of a bet as one, where only its stake changes."""
    resizes: dict[str, list[int]] = {}
    for index, (action, _) in enumerate(taken):
        if isinstance(action, Press | Reduce):
            resizes.setdefault(action.tag, []).append(index)
    merged = dict(enumerate(taken))
    for tag, indexes in resizes.items():
        events = [event for index in indexes for event in taken[index][1] if isinstance(event, BetResized)]
        if len(indexes) == 1 or any(event.vig_cents for event in events) or _marks_wager_as_reduced(events):
            continue
        first, last = events[0], events[-1]
        for index in indexes:
            del merged[index]
        if last.new_stake_cents != first.old_stake_cents:
            change = Press if last.new_stake_cents > first.old_stake_cents else Reduce
            merged[indexes[-1]] = change(first.player, tag, last.new_stake_cents), taken[indexes[-1]][1]
    return [merged[index] for index in sorted(merged)]


def _marks_wager_as_reduced(events: Iterable[Event]) -> bool:
    return any(
        isinstance(event, BetResized) and isinstance(event.after, Wager) and event.after.reduced for event in events
    )


def _returns_chips(action: Action) -> bool:
    return isinstance(action, TakeDown | Reduce)


def _player_view(dealer: Dealer, play: Play, situation: Situation) -> PlayerView:
    """Return what a play sees: the wagers on its watched spots."""
    watched = play.watched_spots(dealer.rules)
    if watched is None:
        return PlayerView(dealer.rules, *situation)
    wagers = tuple(wager for wager in situation.wagers if any(spot_matches(target, wager.spot) for target in watched))
    return PlayerView(dealer.rules, situation.puck, situation.hand_stage, wagers)


def _to_action(position: Position, player: str, step: DecisionStep) -> Action:
    """Return the table action for a step."""
    match step:
        case MakeBet(spot, behind):
            base_tag = None if behind is None else _find_tag(position, player, behind, None)
            return Bet(player, spot, step.stake_cents, base_tag=base_tag)
        case TakeDownBet(wager, odds_bet):
            return TakeDown(player, _find_tag(position, player, wager, odds_bet))
        case ResizeBet(wager, odds_bet):
            tag = _find_tag(position, player, wager, odds_bet)
            stake = odds_bet.stake if odds_bet else _find_wager(position, player, wager).wager.stake
            change = Press if step.stake_cents > stake else Reduce
            return change(player, tag, step.stake_cents)
        case CallBet(wager, call, odds_bet):
            return ToggleBet(player, _find_tag(position, player, wager, odds_bet), call)
    msg = f"a decision is made of steps such as MakeBet, got {step!r}"  # type: ignore[unreachable]  # untyped callers
    raise StrategyError(msg)


def _find_tag(position: Position, player: str, wager: Wager | Spot, odds_bet: OddsBet | None) -> str:
    found = _find_wager(position, player, wager)
    if odds_bet is None:
        return found.tag
    if odds_bet not in found.wager.odds_bets:
        raise StrategyError(f"no odds {odds_bet!r} are behind {found.wager!r}")
    return found.odds_tags[found.wager.odds_bets.index(odds_bet)]


def _find_wager(position: Position, player: str, wager: Wager | Spot) -> TaggedWager:
    """Return the player's wager with this value, or the first on this spot."""
    seat = position.find_seat(player)
    for tagged in seat.wagers if seat else ():
        if wager in (_with_sorted_odds(tagged.wager), tagged.wager, tagged.wager.spot):
            return tagged
    raise StrategyError(f"{wager!r} is not up")


def _with_sorted_odds(wager: Wager) -> Wager:
    return wager if len(wager.odds_bets) < 2 else wager._replace(odds_bets=tuple(sorted(wager.odds_bets)))


def outcome_from_event(event: Rolled, player: str = PLAYER) -> RollOutcome:
    """Return a roll as a strategy remembers it."""
    settlements = [settled.settlement for settled in event.settled if settled.player == player]
    return make_outcome(event.roll, event.phase, event.puck_after, event.seven_out, settlements)


def next_memories(strategy: Strategy, memories: tuple[Memory, ...], outcome: RollOutcome) -> tuple[Memory, ...]:
    """Return the memory of each play after a roll."""
    return tuple(play.next_memory(memory, outcome) for play, memory in zip(strategy.plays, memories, strict=True))
