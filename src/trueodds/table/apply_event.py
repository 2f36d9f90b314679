"""The position is the fold of its events: nothing else changes one."""

from __future__ import annotations

from collections.abc import Callable

from trueodds.table.event import (
    Called,
    Changed,
    DiceMoved,
    Event,
    Joined,
    Left,
    Made,
    NoRoll,
    Rolled,
    Seated,
    SurveillanceTold,
)
from trueodds.table.position import Entry, Position, Seat
from trueodds.wagers import FROZEN, Call, OddsBet, Wager

_EntriesChange = Callable[[tuple[Entry, ...]], tuple[Entry, ...]]


class FoldError(ValueError):
    """An event that cannot have happened in a position."""


def fold(position: Position, event: Event) -> Position:
    """Give the position after an event; an event of another position is a `FoldError`."""
    match event:
        case Rolled():
            return _roll(position, event)
        case Made():
            return _make(position, event)
        case Changed():
            _known(position, event.player, event.tag)
            changed = _with_entries(position, event.player, lambda entry: _change(entry, event.tag, event.after))
            return changed if event.markers is None else changed._replace(markers=event.markers)
        case Called():
            _known(position, event.player, event.tag)
            return _with_entries(position, event.player, lambda entry: _call(entry, event.tag, event.call))
        case Seated():
            _known(position, event.player, None)
            return _sit(position, event)
        case DiceMoved():
            return _freeze(position, event.frozen)._replace(custody=event.custody, hand=event.hand)
        case Joined():
            before, after = position.seats[: event.place], position.seats[event.place :]
            return position._replace(seats=(*before, Seat(event.player), *after))
        case Left():
            _known(position, event.player, None)
            return _leave(position, event.player)
        case NoRoll() | SurveillanceTold():
            return position
    msg = f"{event!r} is no event"  # type: ignore[unreachable]  # from callers without types
    raise FoldError(msg)


def _known(position: Position, player: str, tag: str | None) -> None:
    """Make sure that the player, and the wager if one is named, are there."""
    seat = position.seat_of(player)
    if seat is None:
        msg = f"{player!r} is not at this table"
        raise FoldError(msg)
    if tag is not None and not any(tag == entry.tag or tag in entry.odds_tags for entry in seat.entries):
        msg = f"no wager tagged {tag!r} of {player} is up"
        raise FoldError(msg)


def _sit(position: Position, event: Seated) -> Position:
    seats = [seat._replace(seated=event.seated) if seat.player == event.player else seat for seat in position.seats]
    return position._replace(seats=tuple(seats))


def _roll(position: Position, event: Rolled) -> Position:
    rulings, seats = iter(event.settled), []
    try:
        for seat in position.seats:
            entries = []
            for entry in seat.entries:
                player, tag, ruling = next(rulings)
                if tag != entry.tag or player != seat.player:
                    msg = f"a ruling on {tag!r} of {player} stands where {entry.tag!r} of {seat.player} is up"
                    raise FoldError(msg)
                for _ in entry.odds_tags:
                    next(rulings)
                after = ruling.after
                if after is entry.wager:
                    entries.append(entry)
                elif after is not None:
                    entries.append(Entry(tag, after, entry.odds_tags))
            seats.append(Seat(seat.player, seat.seated, tuple(entries)))
    except StopIteration:
        raise FoldError("a throw must rule on every wager that is up") from None
    if next(rulings, None) is not None:
        raise FoldError("a throw rules on wagers that are up and on no others")
    return Position(event.puck, event.hand, tuple(seats), event.markers, position.serial, event.custody)


def _leave(position: Position, player: str) -> Position:
    """Close the gap; who gave the dice up last is then the neighbour at the right of who left.

    The round that only decides come bets is thrown by the previous shooter, so without him there is none.
    """
    seats = tuple(seat for seat in position.seats if seat.player != player)
    custody = position.custody
    if custody is not None:
        custody = custody._replace(declined=tuple(name for name in custody.declined if name != player))
        if custody.previous == player:
            place = next(index for index, seat in enumerate(position.seats) if seat.player == player)
            right = position.seats[place - 1].player if seats else None
            custody = custody._replace(previous=right, puck_off=False)
    return position._replace(seats=seats, custody=custody)


def _freeze(position: Position, tags: tuple[str, ...]) -> Position:
    """Mark fire bets as counting no further points."""
    if not tags:
        return position
    seats = []
    for seat in position.seats:
        entries = [_frozen(entry) if entry.tag in tags else entry for entry in seat.entries]
        seats.append(seat._replace(entries=tuple(entries)))
    return position._replace(seats=tuple(seats))


def _frozen(entry: Entry) -> Entry:
    marks = tuple(sorted({FROZEN, *entry.wager.marks}))
    return entry._replace(wager=entry.wager._replace(marks=marks))


def _make(position: Position, event: Made) -> Position:
    seats = list(position.seats)
    for index, seat in enumerate(seats):
        if seat.player == event.player:
            if event.wager is not None:
                entries = (*seat.entries, Entry(event.tag, event.wager))
            else:
                _known(position, event.player, event.on)
                entries = tuple(_back(entry, event) if entry.tag == event.on else entry for entry in seat.entries)
            seats[index] = Seat(seat.player, seat.seated, entries)
            break
    else:
        _known(position, event.player, None)
    return Position(position.puck, position.hand, tuple(seats), position.markers, position.serial + 1, position.custody)


def _back(entry: Entry, event: Made) -> Entry:
    """Put odds behind a wager."""
    wager = entry.wager
    odds = wager.odds + ((event.odds,) if event.odds else ())
    backed = Wager(wager.spot, wager.stake, wager.call, wager.cut, wager.marks, wager.vig, odds)
    return Entry(entry.tag, backed, (*entry.odds_tags, event.tag))


def _with_seat(position: Position, player: str, change: _EntriesChange) -> Position:
    return position._replace(
        seats=tuple(
            seat._replace(entries=change(seat.entries)) if seat.player == player else seat for seat in position.seats
        )
    )


def _with_entries(position: Position, player: str, change: Callable[[Entry], Entry | None]) -> Position:
    return _with_seat(
        position,
        player,
        lambda entries: tuple(kept for entry in entries if (kept := change(entry)) is not None),
    )


def _change(entry: Entry, tag: str, after: Wager | OddsBet | None) -> Entry | None:
    if entry.tag == tag:
        return entry._replace(wager=after) if isinstance(after, Wager) else None
    if tag not in entry.odds_tags:
        return entry
    index = entry.odds_tags.index(tag)
    kept = (after,) if isinstance(after, OddsBet) else ()
    odds = entry.wager.odds[:index] + kept + entry.wager.odds[index + 1 :]
    tags = entry.odds_tags if kept else entry.odds_tags[:index] + entry.odds_tags[index + 1 :]
    return Entry(entry.tag, entry.wager._replace(odds=odds), tags)


def _call(entry: Entry, tag: str, call: Call) -> Entry:
    if entry.tag == tag:
        return entry._replace(wager=entry.wager._replace(call=call))
    if tag not in entry.odds_tags:
        return entry
    index = entry.odds_tags.index(tag)
    odds = entry.wager.odds
    return entry._replace(
        wager=entry.wager._replace(odds=(*odds[:index], odds[index]._replace(call=call), *odds[index + 1 :]))
    )
