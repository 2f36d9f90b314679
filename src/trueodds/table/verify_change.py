"""The one verifier, for wagers that are up: taking down, reducing, pressing, calling; and for getting up.

A change is checked in this order: the bet exists, timing, contract or window, direction, then the amount
checks of a new bet on the new stake (the odds limit only when it grows).
"""

from __future__ import annotations

from typing import NamedTuple

from trueodds.money import Cents, money
from trueodds.table.action import CallWager, Join, Leave, Press, Reduce, Stand, TakeDown
from trueodds.table.legality import (
    check_chips,
    check_limits,
    check_odds_limit,
    check_odds_payable,
    check_payable,
    check_unit,
    late,
    may_be_late,
    no_player,
    number_of,
)
from trueodds.table.position import Entry, Position
from trueodds.table.refusal import Code, Refusal
from trueodds.wagers import OddsBet, Rule, Rules


class Held(NamedTuple):
    """A wager or odds found by tag: the entry, and which of the odds behind it when the tag names odds."""

    entry: Entry
    behind: int | None

    @property
    def odds(self) -> OddsBet | None:
        """The odds bet, if the tag names odds."""
        return None if self.behind is None else self.entry.wager.odds[self.behind]

    @property
    def stake(self) -> Cents:
        """What stands on it."""
        return self.odds.stake if self.odds else self.entry.wager.stake


def find(position: Position, player: str, tag: str) -> Held | None:
    """Find a player's wager or odds."""
    seat = position.seat_of(player)
    for entry in seat.entries if seat else ():
        if entry.tag == tag:
            return Held(entry, None)
        if tag in entry.odds_tags:
            return Held(entry, entry.odds_tags.index(tag))
    return None


def verify_change(rules: Rules, position: Position, change: TakeDown | Reduce | Press) -> Refusal | None:
    """Check a wager's removal, reduction or increase."""
    if position.seat_of(change.player) is None:
        return no_player(change.player)
    held = find(position, change.player, change.tag)
    if held is None:
        return _no_bet(rules, change.tag)
    name = held_name(rules, held)
    confirmed = change.confirmed_by if isinstance(change, Press) else ()
    if change.timing != "open" and not (confirmed and may_be_late(rules, change.timing, confirmed)):
        return late(rules, f"changing {name}")
    refusal = None if held.odds else _contract(rules, position, held.entry, change)
    if refusal is not None or isinstance(change, TakeDown):
        return refusal
    grows = isinstance(change, Press)
    if not (change.to > held.stake if grows else 0 < change.to < held.stake):
        wrong = "is not more than" if grows else "is not between nothing and"
        currency = rules.house.currency
        what = f"{money(change.to, currency)} {wrong} the {money(held.stake, currency)} on {name}"
        return Refusal(Code.BAD_AMOUNT, what, rules.refusal_cite("bad_amount"))
    return _check_amount(rules, position, held, change.to, grows=grows)


def _no_bet(rules: Rules, tag: str) -> Refusal:
    return Refusal(Code.NO_SUCH_BET, f"no wager tagged {tag!r} of this player is up", rules.refusal_cite("no_such_bet"))


def held_name(rules: Rules, held: Held) -> str:
    """Say what a dealer would call it."""
    if held.odds:
        return rules.odds[held.odds.kind].text.short
    spot = held.entry.wager.spot
    return rules.book.wagers[spot.kind].short_of(spot.selection)


def _contract(rules: Rules, position: Position, entry: Entry, change: TakeDown | Reduce | Press) -> Refusal | None:
    rule = rules.spots[entry.wager.spot]
    has_number = rule.number_of(entry.wager, position.phase) is not None
    if isinstance(change, Press):
        return _increase(rule, entry, has_number)
    lock = rule.remove if isinstance(change, TakeDown) else rule.reduce
    if lock == "placement" or (lock == "point" and has_number):
        key = "remove" if isinstance(change, TakeDown) else "reduce"
        since = "once it is made" if lock == "placement" else "once its point is established"
        option = str(rule.text.terms.get(key, ""))
        did = "taken down" if isinstance(change, TakeDown) else "reduced"
        return Refusal(
            Code.CONTRACT,
            f"{rule.name} cannot be {did} {since}",
            rule.cite("change"),
            option.removeprefix("$") if option.startswith("$") else None,
        )
    return None


def _increase(rule: Rule, entry: Entry, has_number: bool) -> Refusal | None:
    cite = rule.cite("increase")
    if rule.increase == "placement":
        return Refusal(Code.CONTRACT, f"{rule.name} cannot be increased", cite)
    if entry.wager.cut and not rule.increase_after_cut:
        return Refusal(Code.WINDOW, f"{rule.name} cannot be increased after it was reduced", cite)
    if rule.increase == "point" and has_number and not rule.increase_after_point:
        option = "contract_increase" if "increase_after_point" in rule.text.terms else None
        return Refusal(Code.WINDOW, f"{rule.name} cannot be increased once its point is established", cite, option)
    return None


def _check_amount(rules: Rules, position: Position, held: Held, to: Cents, *, grows: bool) -> Refusal | None:
    """Run the amount checks of a new bet on the new stake; the odds limit only when it grows."""
    refusal = check_chips(rules, held_name(rules, held), to)
    if refusal is not None:
        return refusal
    if held.odds is None:
        rule = rules.spots[held.entry.wager.spot]
        return check_limits(rules, rule, to) or check_unit(rules, rule, to) or check_payable(rules, rule, to)
    odds = rules.odds[held.odds.kind]
    number = number_of(rules, held.entry, position) or 0
    if grows and (refusal := check_odds_limit(rules, odds, position, held.entry, to, held.stake)):
        return refusal
    return check_odds_payable(rules, odds, number, to)


def verify_call(rules: Rules, position: Position, call: CallWager) -> Refusal | None:
    """Check an on or off call."""
    if position.seat_of(call.player) is None:
        return no_player(call.player)
    held = find(position, call.player, call.tag)
    if held is None:
        return _no_bet(rules, call.tag)
    kind = held.odds.kind if held.odds else held.entry.wager.spot.kind
    if kind in rules.call_off or (call.call == "on" and kind in rules.call_on):
        return None
    what = f"{held_name(rules, held)} cannot be called {call.call}"
    return Refusal(Code.NOT_CALLABLE, what, rules.refusal_cite("not_callable"), f"call_{call.call}")


def verify_stand(rules: Rules, position: Position, stand: Stand) -> Refusal | None:
    """Check getting up: at a seated game, not with a wager undecided."""
    seat = position.seat_of(stand.player)
    if seat is None:
        return no_player(stand.player)
    if rules.game.seated and seat.entries:
        what = f"{stand.player} stays seated until every wager is decided"
        return Refusal(Code.MUST_REMAIN_SEATED, what, rules.refusal_cite("must_remain_seated"))
    return None


def verify_coming_and_going(rules: Rules, position: Position, action: Join | Leave) -> Refusal | None:
    """Check coming to the table (there is a place) and leaving it (no wager is up)."""
    seat = position.seat_of(action.player)
    if isinstance(action, Leave):
        if seat is None:
            return no_player(action.player)
        if seat.entries:
            return Refusal(Code.WAGERS_UP, f"{action.player} still has wagers on the layout")
        return None
    if seat is not None:
        return Refusal(Code.SEAT_TAKEN, f"{action.player!r} is at this table already")
    most = rules.game.seats
    if most is not None and len(position.seats) >= most:
        return Refusal(Code.TABLE_FULL, f"all {most} seats are taken", rules.game.cites["seats"])
    return None
