"""Who holds the dice: offers, acceptance, surrender, and the round that only decides come bets.

Custody is an optional part of a position. Without it the shooter is nobody in particular and always eligible.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from trueodds.rulebook import Cite
from trueodds.table.action import (
    AcceptDice,
    CustodyAction,
    DeclineDice,
    DeclineLine,
    OpenTable,
    OrderPass,
    PassDice,
    Throw,
)
from trueodds.table.event import DiceMoved, NoRoll, Rolled
from trueodds.table.position import Custody, Hand, Position, Seat
from trueodds.table.refusal import Code, Refusal
from trueodds.wagers import BonusRule, FireRule, LineRule, Rules


def verify_custody(rules: Rules, position: Position, action: CustodyAction) -> Refusal | None:
    """Check an action on the dice."""
    custody = position.custody
    if isinstance(action, OpenTable):
        if custody is not None and (custody.shooter or custody.offer_to):
            return Refusal(Code.WINDOW, "the dice are out already", _cite(rules, "first_offer"))
        return None
    match action:
        case AcceptDice() | DeclineDice():
            if custody is None or custody.offer_to != action.player:
                what = f"the dice are not offered to {action.player}"
                return Refusal(Code.NOT_OFFERED_DICE, what, _cite(rules, "next_offer"))
            return None
        case OrderPass():
            return _verify_order(rules, custody, action)
        case PassDice() | DeclineLine():
            if custody is None or custody.shooter != action.player:
                return Refusal(Code.NOT_SHOOTER, f"{action.player} is not the shooter", _cite(rules, "pass_after"))
    if isinstance(action, DeclineLine) and (position.puck or _holds_line(rules, position, action.player)):
        what = "a line bet is declined before a come-out, by a shooter who has none"
        return Refusal(Code.WINDOW, what, _cite(rules, "puck_off_round"))
    return None


def who_orders(rules: Rules) -> tuple[str, ...]:
    """Name who may order the dice passed at this game, by the book."""
    return tuple(_value(rules, "order_by", {}).get(rules.game.name, ()))


def _verify_order(rules: Rules, custody: Custody | None, order: OrderPass) -> Refusal | None:
    if order.by not in who_orders(rules):
        what = f"the {order.by} may not order the dice passed at this game"
        return Refusal(Code.NO_AUTHORITY, what, _cite(rules, "order_by"))
    if order.cause not in _value(rules, "order_causes", ()):
        what = f"{order.cause.replace('_', ' ')} is no cause to order the dice passed"
        return Refusal(Code.NO_CAUSE, what, _cite(rules, "order_causes"))
    if custody is None or custody.shooter is None:
        return Refusal(Code.NOT_SHOOTER, "nobody has the dice", _cite(rules, "pass_after"))
    return None


def move_dice(rules: Rules, position: Position, action: CustodyAction) -> DiceMoved:
    """Do a verified action on the dice."""
    custody = position.custody or Custody()
    match action:
        case OpenTable():
            first = _next_offer(rules, position, None, (), puck_off=False)
            opened = Custody(offer_to=first, fire_pending=custody.fire_pending, bonus_pending=custody.bonus_pending)
            return DiceMoved("opened", first, opened, position.hand, (), _cite(rules, "first_offer"))
        case AcceptDice():
            return accept(rules, position, custody, action.player)
        case DeclineDice():
            return _decline(rules, position, custody, action.player)
        case PassDice():
            return _surrender(rules, position, custody, "passed", _cite(rules, "pass_after"))
        case OrderPass():
            moved = _surrender(rules, position, custody, "ordered", _cite(rules, "order_causes"))
            return replace(moved, by=action.by, cause=action.cause)
        case DeclineLine():
            return _decline_line(rules, position, custody)


def accept(rules: Rules, position: Position, custody: Custody, player: str) -> DiceMoved:
    """Make a player the shooter: a new one starts a new hand, pending side bets stay with the table."""
    same = player == custody.previous and custody.puck_off
    hand: Hand = position.hand if same else "new"
    frozen = _frozen(rules, position) if custody.puck_off and not same else ()
    moved = Custody(
        shooter=player,
        fire_pending=custody.fire_pending or (not same and custody.puck_off and _up(rules, position, FireRule)),
        bonus_pending=custody.bonus_pending or (not same and custody.puck_off and _up(rules, position, BonusRule)),
    )
    return DiceMoved("accepted", player, moved, hand, frozen, _cite(rules, "next_offer"))


def _decline(rules: Rules, position: Position, custody: Custody, player: str) -> DiceMoved:
    declined = (*custody.declined, player)
    following = _next_offer(rules, position, custody.previous, declined, puck_off=custody.puck_off)
    if following is None and custody.puck_off:
        return _nobody_left(rules, position, custody)
    moved = custody._replace(offer_to=following, declined=declined)
    return DiceMoved("declined", player, moved, position.hand, (), _cite(rules, "next_offer"))


def _nobody_left(rules: Rules, position: Position, custody: Custody) -> DiceMoved:
    """Go on when all have declined: whoever holds a line bet shoots, or else a round for the come bets begins."""
    around = _clockwise(position, custody.previous)
    holder = next((one for one in around if _holds_line(rules, position, one)), None)
    if holder is not None:
        return accept(rules, position, custody, holder)
    moved = custody._replace(shooter=custody.previous, offer_to=None, mode="come_settlement", declined=())
    return DiceMoved("puck_off", custody.previous, moved, position.hand, (), _cite(rules, "puck_off_round"))


def _surrender(rules: Rules, position: Position, custody: Custody, what: str, cite: Cite) -> DiceMoved:
    """Take the dice from the shooter before a seven: the point and all bets stand."""
    moved = offered_on(
        rules, position, custody, custody.shooter,
        fire=_up(rules, position, FireRule), bonus=_up(rules, position, BonusRule),
    )  # fmt: skip
    return DiceMoved(what, custody.shooter, moved, "new", _frozen(rules, position), cite)


def _decline_line(rules: Rules, position: Position, custody: Custody) -> DiceMoved:
    cite = _cite(rules, "puck_off_round")
    if not (_value(rules, "puck_off_round", False) and come_bets_up(rules, position.seats)):
        return _surrender(rules, position, custody, "line_declined", cite)
    following = _next_offer(rules, position, custody.shooter, (), puck_off=True)
    moved = custody._replace(shooter=None, previous=custody.shooter, offer_to=following, declined=(), puck_off=True)
    if following is None:
        return _nobody_left(rules, position, moved)
    return DiceMoved("line_declined", custody.shooter, moved, position.hand, (), cite)


def offered_on(
    rules: Rules, position: Position, custody: Custody, shooter: str | None, *, fire: bool, bonus: bool
) -> Custody:
    """Offer the dice to the player at the left of the shooter who gives them up."""
    following = _next_offer(rules, position, shooter, (), puck_off=False)
    return Custody(
        offer_to=following, previous=shooter,
        fire_pending=custody.fire_pending or fire, bonus_pending=custody.bonus_pending or bonus,
    )  # fmt: skip


def after_throw(rules: Rules, position: Position, seats: tuple[Seat, ...], rolled: Rolled) -> Custody | None:
    """Give custody after a valid throw whose settlement left `seats`."""
    custody = position.custody
    if custody is None:
        return None
    custody = custody._replace(
        fire_pending=custody.fire_pending and _any(rules, seats, FireRule),
        bonus_pending=custody.bonus_pending and rolled.total != rules.seven,
    )
    if rolled.seven_out:
        after = position._replace(seats=seats, puck=0)
        return offered_on(rules, after, custody, custody.shooter, fire=False, bonus=False)
    if custody.mode == "come_settlement" and not come_bets_up(rules, seats):
        return custody._replace(mode="normal", puck_off=False)
    return custody


def after_line_bet(rules: Rules, position: Position, player: str) -> DiceMoved | None:
    """Let a line bet end the round that only decides come bets: whoever made it is the shooter."""
    custody = position.custody
    if custody is None or custody.mode == "normal":
        return None
    return accept(rules, position, custody, player)


def after_change(rules: Rules, position: Position) -> DiceMoved | None:
    """End that round when the last come bet was taken down."""
    custody = position.custody
    if custody is None or not custody.puck_off or come_bets_up(rules, position.seats):
        return None
    over = custody._replace(mode="normal", puck_off=False)
    return DiceMoved("round_over", custody.shooter, over, position.hand, (), _cite(rules, "puck_off_round"))


def take_up(rules: Rules, position: Position, throw: Throw) -> DiceMoved | None:
    """Let a player with a line bet take the dice by throwing, while they are offered for that round."""
    custody = position.custody
    if custody is None or custody.shooter is not None or not custody.puck_off:
        return None
    player = throw.player or custody.offer_to or ""
    return accept(rules, position, custody, player) if _holds_line(rules, position, player) else None


def judge_shooter(rules: Rules, position: Position, throw: Throw) -> NoRoll | None:
    """Call No Roll on somebody who may not throw: not the shooter, or a shooter without a line bet."""
    custody = position.custody
    if custody is None:
        return None
    player = throw.player or custody.shooter
    if custody.shooter is None or player != custody.shooter:
        return NoRoll(throw.dice, "wrong_shooter", rules.book.throws["wrong_shooter"].cite, player)
    required = rules.house.fill(_value(rules, "line_bet", True))
    exempt = position.puck or custody.mode == "come_settlement" or not required
    if exempt or _holds_line(rules, position, custody.shooter):
        return None
    return NoRoll(throw.dice, "no_line_bet", rules.book.throws["no_line_bet"].cite, player)


def _next_offer(
    rules: Rules, position: Position, previous: str | None, declined: Iterable[str], *, puck_off: bool
) -> str | None:
    """Go clockwise from the left of the previous shooter to somebody who has not declined.

    A previous shooter is asked last; in the round that only decides come bets not at all. Where the text
    knows no exception to the line bet, players who hold one are the only ones asked while a point is on.
    """
    players = _clockwise(position, previous)
    if puck_off and players and players[-1] == previous:
        players.pop()
    if position.puck and _value(rules, "line_bet_waived", "") == "nobody_holds_one":
        holders = [one for one in players if one != previous and _holds_line(rules, position, one)]
        players = holders or players
    refused = set(declined)
    return next((player for player in players if player not in refused), None)


def _clockwise(position: Position, previous: str | None) -> list[str]:
    """List the players from the left of the previous shooter around to himself."""
    players = [seat.player for seat in position.seats]
    if previous not in players:
        return players
    start = players.index(previous) + 1
    return players[start:] + players[:start]


def _holds_line(rules: Rules, position: Position, player: str) -> bool:
    seat = position.seat_of(player)
    return seat is not None and any(
        isinstance(rule := rules.spots[entry.wager.spot], LineRule) and not rule.travels for entry in seat.entries
    )


def come_bets_up(rules: Rules, seats: tuple[Seat, ...]) -> bool:
    """Tell whether any come or don't come bet stands on a number."""
    return any(
        entry.wager.spot.pick and isinstance(rules.spots[entry.wager.spot], LineRule)
        for seat in seats for entry in seat.entries
    )  # fmt: skip


def _any(rules: Rules, seats: tuple[Seat, ...], family: type) -> bool:
    return any(isinstance(rules.spots[entry.wager.spot], family) for seat in seats for entry in seat.entries)


def _up(rules: Rules, position: Position, family: type) -> bool:
    return _any(rules, position.seats, family)


def _frozen(rules: Rules, position: Position) -> tuple[str, ...]:
    """Name the fire bets whose count a successor's points do not add to, where the house has it so."""
    return tuple(
        entry.tag
        for seat in position.seats
        for entry in seat.entries
        if isinstance(rule := rules.spots[entry.wager.spot], FireRule) and rule.freezes
    )


def _value(rules: Rules, key: str, default: Any) -> Any:
    rule = rules.book.custody.get(key)
    return default if rule is None else rule.value


def _cite(rules: Rules, key: str) -> Cite:
    rule = rules.book.custody.get(key)
    return rules.refusal_cite("not_offered") if rule is None else rule.cite
