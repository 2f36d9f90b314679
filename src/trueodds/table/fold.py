"""The position is the fold of its events: nothing else changes one."""

from __future__ import annotations

from collections.abc import Callable

from trueodds.table.event import Called, Changed, Event, Made, NoRoll, Rolled, Seated
from trueodds.table.position import Entry, Position, Seat
from trueodds.wagers import Call, OddsBet, Wager

_EntryChange = Callable[[Entry], Entry | None]


def fold(position: Position, event: Event) -> Position:
    """Give the position after an event."""
    match event:
        case Rolled():
            return _roll(position, event)
        case Made():
            return _make(position, event)
        case Changed():
            return _with_entries(position, event.player, lambda entry: _change(entry, event.tag, event.after))
        case Called():
            return _with_entries(position, event.player, lambda entry: _call(entry, event.tag, event.call))
        case Seated():
            return position._replace(seats=tuple(
                seat._replace(seated=event.seated) if seat.player == event.player else seat
                for seat in position.seats
            ))
        case NoRoll():
            return position


def _roll(position: Position, event: Rolled) -> Position:
    settled, index, seats = event.settled, 0, []
    for seat in position.seats:
        entries = []
        for entry in seat.entries:
            after = settled[index].ruling.after
            index += 1 + len(entry.odds_tags)
            if after is entry.wager:
                entries.append(entry)
            elif after is not None:
                entries.append(Entry(entry.tag, after, entry.odds_tags))
        seats.append(Seat(seat.player, seat.seated, tuple(entries)))
    return position._replace(puck=event.puck, hand=event.hand, seats=tuple(seats), markers=event.markers)


def _make(position: Position, event: Made) -> Position:
    seats = []
    for seat in position.seats:
        if seat.player == event.player:
            if event.wager is not None:
                seat = seat._replace(entries=(*seat.entries, Entry(event.tag, event.wager)))
            elif event.odds is not None:
                odds = event.odds
                seat = seat._replace(entries=tuple(
                    Entry(
                        entry.tag, entry.wager._replace(odds=(*entry.wager.odds, odds)),
                        (*entry.odds_tags, event.tag),
                    ) if entry.tag == event.on else entry
                    for entry in seat.entries
                ))
        seats.append(seat)
    return position._replace(seats=tuple(seats), serial=position.serial + 1)


def _with_entries(position: Position, player: str, change: _EntryChange) -> Position:
    seats = []
    for seat in position.seats:
        if seat.player == player:
            changed = (change(entry) for entry in seat.entries)
            seat = seat._replace(entries=tuple(entry for entry in changed if entry is not None))
        seats.append(seat)
    return position._replace(seats=tuple(seats))


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
