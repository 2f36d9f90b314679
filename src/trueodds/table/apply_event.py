"""Applying events to positions. A position is the result of its events; nothing else changes it."""

from __future__ import annotations

from collections.abc import Callable

from trueodds.errors import TrueoddsError
from trueodds.table.event import (
    BetMade,
    BetResized,
    BetToggled,
    CustodyChanged,
    Event,
    NoRoll,
    PlayerJoined,
    PlayerLeft,
    ProcedurePerformed,
    Rolled,
    SeatingChanged,
    SurveillanceNotified,
)
from trueodds.table.position import BarredBet, Position, Seat, TaggedWager
from trueodds.wagers import FROZEN, OddsBet, Wager


class EventError(TrueoddsError, ValueError):
    """Raised for an event that cannot have happened in a position."""


def apply_event(position: Position, event: Event) -> Position:
    """Return the position after an event. Raise `EventError` if the event does not fit the position."""
    match event:
        case Rolled():
            return _apply_roll(position, event)
        case BetMade():
            return _apply_bet(position, event)
        case BetResized():
            return _apply_resize(position, event)
        case BetToggled():
            return _apply_toggle(position, event)
        case SeatingChanged():
            return _apply_seating(position, event)
        case CustodyChanged():
            after = _freeze_fire_bets(position, event.frozen_fire_tags)
            return after._replace(custody=event.custody, hand_stage=event.hand_stage)
        case PlayerJoined():
            before, after_seat = position.seats[: event.seat_index], position.seats[event.seat_index :]
            return position._replace(seats=(*before, Seat(event.player), *after_seat))
        case PlayerLeft():
            return _apply_leave(position, event.player)
        case NoRoll() | SurveillanceNotified() | ProcedurePerformed():
            return position
    msg = f"expected an event, got {event!r}"  # type: ignore[unreachable]  # from untyped callers
    raise EventError(msg)


def _require(position: Position, player: str, tag: str | None) -> None:
    """Raise `EventError` unless the player, and the bet if a tag is given, are at the table."""
    seat = position.find_seat(player)
    if seat is None:
        raise EventError(f"{player!r} is not at this table")
    if tag is not None and not any(tag == tagged.tag or tag in tagged.odds_tags for tagged in seat.wagers):
        raise EventError(f"{player} has no bet tagged {tag!r}")


def _apply_seating(position: Position, event: SeatingChanged) -> Position:
    _require(position, event.player, None)
    seats = [seat._replace(seated=event.seated) if seat.player == event.player else seat for seat in position.seats]
    return position._replace(seats=tuple(seats))


def _apply_roll(position: Position, event: Rolled) -> Position:
    settled, index = event.settled, 0
    seats: list[Seat] = []
    for seat in position.seats:
        player, seated, wagers = seat
        remaining: list[TaggedWager] = []
        changed = False
        for tagged in wagers:
            tag, wager, odds_tags = tagged
            if index >= len(settled):
                raise EventError(f"a roll must settle every wager, but {tag!r} of {player} is missing")
            settled_player, settled_tag, settlement = settled[index]
            if settled_tag != tag or settled_player != player:
                raise EventError(
                    f"a roll must settle wagers in order: expected {tag!r} of {player}, "
                    f"got {settled_tag!r} of {settled_player}"
                )
            index += 1 + len(odds_tags)
            wager_after = settlement.wager_after
            if wager_after is wager:
                remaining.append(tagged)
                continue
            changed = True
            if wager_after is not None:
                remaining.append(TaggedWager(tag, wager_after, odds_tags))
        seats.append(Seat(player, seated, tuple(remaining)) if changed else seat)
    if index != len(settled):
        raise EventError(f"a roll must settle every bet once: expected {index} settlements, got {len(settled)}")
    return Position(
        event.puck_after, event.hand_stage, tuple(seats), event.markers, position.wagers_made, event.custody
    )


def _apply_leave(position: Position, player: str) -> Position:
    """Remove a seat. If the previous shooter leaves, the neighbor on the right takes that place in the order.

    Only the previous shooter can roll the round that decides the come bets, so it cannot take place any more.
    """
    _require(position, player, None)
    seats = tuple(seat for seat in position.seats if seat.player != player)
    custody = position.custody
    if custody is not None:
        custody = custody._replace(declined_by=tuple(name for name in custody.declined_by if name != player))
        if custody.previous_shooter == player:
            index = next(index for index, seat in enumerate(position.seats) if seat.player == player)
            neighbor = position.seats[index - 1].player if seats else None
            custody = custody._replace(previous_shooter=neighbor, for_come_settlement=False)
    return position._replace(seats=seats, custody=custody)


def _freeze_fire_bets(position: Position, tags: tuple[str, ...]) -> Position:
    """Mark fire bets so that they count no further points."""
    if not tags:
        return position
    seats = []
    for seat in position.seats:
        wagers = [_freeze(tagged) if tagged.tag in tags else tagged for tagged in seat.wagers]
        seats.append(seat._replace(wagers=tuple(wagers)))
    return position._replace(seats=tuple(seats))


def _freeze(tagged: TaggedWager) -> TaggedWager:
    marks = tuple(sorted({FROZEN, *tagged.wager.marks}))
    return tagged._replace(wager=tagged.wager._replace(marks=marks))


def _apply_bet(position: Position, event: BetMade) -> Position:
    puck, stage, seats, markers, wagers_made, custody, barred = position
    seat = position.find_seat(event.player)
    if seat is None:
        raise EventError(f"{event.player!r} is not at this table")
    if event.wager is not None:
        wagers = (*seat.wagers, TaggedWager(event.tag, event.wager))
    else:
        _require(position, event.player, event.base_tag)
        wagers = tuple([_add_odds(tagged, event) if tagged.tag == event.base_tag else tagged for tagged in seat.wagers])
    changed = Seat(seat.player, seat.seated, wagers)
    seats = tuple([changed if other is seat else other for other in seats])
    return Position(puck, stage, seats, markers, wagers_made + 1, custody, barred)


def _add_odds(tagged: TaggedWager, event: BetMade) -> TaggedWager:
    wager = tagged.wager
    odds = wager.odds_bets + ((event.odds,) if event.odds else ())
    backed = Wager(wager.spot, wager.stake, wager.call, wager.reduced, wager.marks, wager.vig, odds)
    return TaggedWager(tagged.tag, backed, (*tagged.odds_tags, event.tag))


def _change_wagers(position: Position, player: str, change: Callable[[TaggedWager], TaggedWager | None]) -> Position:
    """Change every wager of a player. A wager for which `change` returns None is removed."""
    seats = []
    for seat in position.seats:
        if seat.player == player:
            wagers = [after for tagged in seat.wagers if (after := change(tagged)) is not None]
            seats.append(seat._replace(wagers=tuple(wagers)))
        else:
            seats.append(seat)
    return position._replace(seats=tuple(seats))


def _apply_resize(position: Position, event: BetResized) -> Position:
    _require(position, event.player, event.tag)
    tag, bet_after = event.tag, event.after

    def resize(tagged: TaggedWager) -> TaggedWager | None:
        if tagged.tag == tag:
            return tagged._replace(wager=bet_after) if isinstance(bet_after, Wager) else None
        if tag not in tagged.odds_tags:
            return tagged
        index = tagged.odds_tags.index(tag)
        odds_after = (bet_after,) if isinstance(bet_after, OddsBet) else ()
        odds = tagged.wager.odds_bets[:index] + odds_after + tagged.wager.odds_bets[index + 1 :]
        tags = tagged.odds_tags if odds_after else tagged.odds_tags[:index] + tagged.odds_tags[index + 1 :]
        return TaggedWager(tagged.tag, tagged.wager._replace(odds_bets=odds), tags)

    after = _change_wagers(position, event.player, resize)
    if event.bars_replacement:
        barred = BarredBet(event.player, event.spot.kind)
        after = after._replace(barred=tuple(sorted({*position.barred, barred})))
    return after if event.markers is None else after._replace(markers=event.markers)


def _apply_toggle(position: Position, event: BetToggled) -> Position:
    _require(position, event.player, event.tag)
    tag, call = event.tag, event.call

    def toggle(tagged: TaggedWager) -> TaggedWager:
        if tagged.tag == tag:
            return tagged._replace(wager=tagged.wager._replace(call=call))
        if tag not in tagged.odds_tags:
            return tagged
        index = tagged.odds_tags.index(tag)
        odds = tagged.wager.odds_bets
        odds = (*odds[:index], odds[index]._replace(call=call), *odds[index + 1 :])
        return tagged._replace(wager=tagged.wager._replace(odds_bets=odds))

    return _change_wagers(position, event.player, toggle)
