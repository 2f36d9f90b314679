"""Verification of changes: taking bets down, reducing, pressing and toggling them, and joining or leaving the table.

A change of a bet is checked in this order: the bet exists, timing, contract or window, direction, and then the amount
checks of a new bet for the new stake. Maximum and odds limit are only checked if the bet grows.
"""

from __future__ import annotations

from typing import NamedTuple

from trueodds.money import Cents, format_money
from trueodds.table.action import Join, Leave, Press, Reduce, Stand, TakeDown, ToggleBet
from trueodds.table.position import Position, TaggedWager
from trueodds.table.refusal import Refusal, RefusalCode
from trueodds.table.spot_limits import check_maximum, check_minimum, check_odds_maximum, point_number
from trueodds.table.verify_bet import (
    allows_late_bet,
    check_chip_unit,
    check_odds_limit,
    check_odds_payable,
    check_payable,
    check_unit,
    late_refusal,
    no_such_player,
)
from trueodds.wagers import OddsBet, TableRules, WagerRule


class FoundBet(NamedTuple):
    """A bet found by its tag. `odds_index` is set if the tag is that of an odds bet behind the wager."""

    tagged_wager: TaggedWager
    odds_index: int | None

    @property
    def odds(self) -> OddsBet | None:
        """The odds bet, or None if the tag is that of the wager."""
        return None if self.odds_index is None else self.tagged_wager.wager.odds_bets[self.odds_index]

    @property
    def stake_cents(self) -> Cents:
        """The stake of the wager or of the odds bet."""
        return self.odds.stake if self.odds else self.tagged_wager.wager.stake


def find_bet(position: Position, player: str, tag: str) -> FoundBet | None:
    """Return a player's wager or odds bet by its tag, or None if there is none."""
    seat = position.find_seat(player)
    for tagged in seat.wagers if seat else ():
        if tagged.tag == tag:
            return FoundBet(tagged, None)
        if tag in tagged.odds_tags:
            return FoundBet(tagged, tagged.odds_tags.index(tag))
    return None


def bet_name(rules: TableRules, found: FoundBet) -> str:
    """Return the name of a bet, as a dealer calls it."""
    if found.odds:
        return rules.odds_rules[found.odds.kind].definition.short_name
    spot = found.tagged_wager.wager.spot
    return rules.book.wagers[spot.kind].spot_name(spot.selection)


def verify_change(rules: TableRules, position: Position, action: TakeDown | Reduce | Press) -> Refusal | None:
    """Return why a bet may not be taken down, reduced or pressed, or None if it may."""
    if position.find_seat(action.player) is None:
        return no_such_player(action.player)
    found = find_bet(position, action.player, action.tag)
    if found is None:
        return _no_such_bet(rules, action.tag)
    name = bet_name(rules, found)
    confirmed_by = action.confirmed_by if isinstance(action, Press) else ()
    if action.timing != "open" and not (confirmed_by and allows_late_bet(rules, action.timing, confirmed_by)):
        return late_refusal(rules, f"changing {name}")
    refusal = None if found.odds else _check_contract(rules, position, found.tagged_wager, action)
    if refusal is not None or isinstance(action, TakeDown):
        return refusal
    old_stake, new_stake, grows = found.stake_cents, action.new_stake_cents, isinstance(action, Press)
    if not (new_stake > old_stake if grows else 0 < new_stake < old_stake):
        problem = "is not more than" if grows else "is not between zero and"
        old_text, new_text = (format_money(stake, rules.house.currency) for stake in (old_stake, new_stake))
        reason = f"{new_text} {problem} the {old_text} on {name}"
        return Refusal(RefusalCode.BAD_AMOUNT, reason, rules.refusal_cite("bad_amount"))
    return _check_amount(rules, position, action.player, found, new_stake, grows=grows)


def _no_such_bet(rules: TableRules, tag: str) -> Refusal:
    return Refusal(RefusalCode.NO_SUCH_BET, f"this player has no bet tagged {tag!r}", rules.refusal_cite("no_such_bet"))


def _check_contract(
    rules: TableRules, position: Position, tagged: TaggedWager, action: TakeDown | Reduce | Press
) -> Refusal | None:
    """Refuse to change a contract bet, or any bet that its rule locks."""
    rule = rules.wager_rules[tagged.wager.spot]
    has_number = rule.number_of(tagged.wager, position.phase) is not None
    if isinstance(action, Press):
        barred = (action.player, tagged.wager.spot.kind) in position.barred
        return _check_increase(rule, tagged, has_number, barred)
    lock = rule.remove_lock if isinstance(action, TakeDown) else rule.reduce_lock
    if lock != "placement" and not (lock == "point" and has_number):
        return None
    key, change = ("remove", "taken down") if isinstance(action, TakeDown) else ("reduce", "reduced")
    since = "once it is made" if lock == "placement" else "once its point is established"
    reason = f"{rule.name} cannot be {change} {since}"
    return Refusal(RefusalCode.CONTRACT, reason, rule.cite("change"), rule.definition.option(key))


def _check_increase(rule: WagerRule, tagged: TaggedWager, has_number: bool, barred: bool) -> Refusal | None:
    cite = rule.cite("increase")
    if rule.increase_lock == "placement":
        return Refusal(RefusalCode.CONTRACT, f"{rule.name} cannot be increased", cite)
    if tagged.wager.reduced and not rule.increase_after_reduction:
        return Refusal(RefusalCode.WINDOW, f"{rule.name} cannot be increased after it was reduced", cite)
    if barred:
        reason = f"{rule.name} was reduced or taken down and cannot be increased before the next roll"
        return Refusal(RefusalCode.WINDOW, reason, cite, rule.definition.option("replace_after_removal"))
    if rule.increase_lock == "point" and has_number and not rule.increase_after_point:
        option = "contract_increase" if "increase_after_point" in rule.definition.terms else None
        reason = f"{rule.name} cannot be increased once its point is established"
        return Refusal(RefusalCode.WINDOW, reason, cite, option)
    return None


def _check_amount(
    rules: TableRules, position: Position, player: str, found: FoundBet, stake: Cents, *, grows: bool
) -> Refusal | None:
    """Check the new stake like that of a new bet. Maximum and odds limit are only checked if the bet grows."""
    refusal = check_chip_unit(rules, bet_name(rules, found), stake)
    if refusal is not None:
        return refusal
    seat, tagged = position.find_seat(player), found.tagged_wager
    if found.odds is None:
        rule = rules.wager_rules[tagged.wager.spot]
        return (
            check_minimum(rules, rule, stake)
            or (check_maximum(rules, seat, tagged.wager.spot, stake, tagged.tag) if grows and seat else None)
            or check_unit(rules, rule, stake)
            or check_payable(rules, rule, stake)
        )
    odds = rules.odds_rules[found.odds.kind]
    number = point_number(rules, tagged, position) or 0
    if grows and seat:
        tag = tagged.odds_tags[found.odds_index or 0]
        refusal = check_odds_maximum(rules, position, seat, odds, number, stake, tag) or check_odds_limit(
            rules, odds, position, tagged, stake, found.stake_cents
        )
        if refusal is not None:
            return refusal
    return check_odds_payable(rules, odds, number, stake)


def verify_toggle(rules: TableRules, position: Position, action: ToggleBet) -> Refusal | None:
    """Return why a bet may not be called on or off, or None if it may."""
    if position.find_seat(action.player) is None:
        return no_such_player(action.player)
    found = find_bet(position, action.player, action.tag)
    if found is None:
        return _no_such_bet(rules, action.tag)
    kind = found.odds.kind if found.odds else found.tagged_wager.wager.spot.kind
    if kind in rules.call_off or (action.call == "on" and kind in rules.call_on):
        return None
    reason = f"{bet_name(rules, found)} cannot be called {action.call}"
    return Refusal(RefusalCode.NOT_CALLABLE, reason, rules.refusal_cite("not_callable"), f"call_{action.call}")


def verify_stand(rules: TableRules, position: Position, action: Stand) -> Refusal | None:
    """Return why a player may not stand up, or None if they may. At a seated game, open bets forbid it."""
    seat = position.find_seat(action.player)
    if seat is None:
        return no_such_player(action.player)
    if rules.game.seated and seat.wagers:
        reason = f"{action.player} must remain seated until every wager is decided"
        return Refusal(RefusalCode.MUST_REMAIN_SEATED, reason, rules.refusal_cite("must_remain_seated"))
    return None


def verify_join_or_leave(rules: TableRules, position: Position, action: Join | Leave) -> Refusal | None:
    """Return why a player may not join (no free seat) or leave (open bets), or None if they may."""
    seat = position.find_seat(action.player)
    if isinstance(action, Leave):
        if seat is None:
            return no_such_player(action.player)
        if seat.wagers:
            return Refusal(RefusalCode.WAGERS_UP, f"{action.player} still has wagers on the layout")
        return None
    if seat is not None:
        return Refusal(RefusalCode.SEAT_TAKEN, f"{action.player!r} is already at this table")
    max_seats = rules.game.max_seats
    if max_seats is not None and len(position.seats) >= max_seats:
        return Refusal(RefusalCode.TABLE_FULL, f"all {max_seats} seats are taken", rules.game.cites["max_seats"])
    return None
