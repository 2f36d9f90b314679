"""Custody of the dice: who is offered them, who shoots, and what happens when the shooter gives them up.

If a shooter declines to make a line bet while come bets are on numbers, some books let the table roll a round that only
decides the come bets. It is called the come settlement here. Custody is an optional part of a position: without it,
every player may roll.
"""

from __future__ import annotations

from dataclasses import replace

from trueodds.rulebook import Citation
from trueodds.table.action import (
    AcceptDice,
    CustodyAction,
    DeclineDice,
    DeclineLine,
    OpenTable,
    OrderPass,
    PassDice,
    RollDice,
)
from trueodds.table.event import CustodyChange, CustodyChanged, NoRoll, Rolled
from trueodds.table.position import Custody, HandStage, Position, Seat
from trueodds.table.refusal import Refusal, RefusalCode
from trueodds.wagers import BonusRule, FireRule, LineRule, TableRules


def verify_custody(rules: TableRules, position: Position, action: CustodyAction) -> Refusal | None:
    """Return why an action with the dice is refused, or None if it is allowed."""
    custody = position.custody
    if isinstance(action, OpenTable):
        if custody is not None and (custody.shooter or custody.offered_to):
            return Refusal(RefusalCode.WINDOW, "the dice are already held or offered", _cite(rules, "first_offer"))
        return None
    match action:
        case AcceptDice() | DeclineDice():
            if custody is None or custody.offered_to != action.player:
                reason = f"the dice are not offered to {action.player}"
                return Refusal(RefusalCode.NOT_OFFERED_DICE, reason, _cite(rules, "next_offer"))
            return None
        case OrderPass():
            return _verify_order(rules, custody, action)
        case PassDice() | DeclineLine():
            if custody is None or custody.shooter != action.player:
                return Refusal(
                    RefusalCode.NOT_SHOOTER, f"{action.player} is not the shooter", _cite(rules, "pass_after")
                )
    if isinstance(action, DeclineLine) and (position.puck or _has_line_bet(rules, position, action.player)):
        reason = "a shooter can only decline a line bet before a come-out and without having one"
        return Refusal(RefusalCode.WINDOW, reason, _cite(rules, "puck_off_round"))
    return None


def order_authorities(rules: TableRules) -> tuple[str, ...]:
    """Return who may order the dice to be passed at this game."""
    order_by = rules.book.custody.order_by
    return order_by.value.get(rules.game.name, ()) if order_by else ()


def _verify_order(rules: TableRules, custody: Custody | None, order: OrderPass) -> Refusal | None:
    if order.ordered_by not in order_authorities(rules):
        reason = f"the {order.ordered_by} may not order the dice to be passed at this game"
        return Refusal(RefusalCode.NO_AUTHORITY, reason, _cite(rules, "order_by"))
    causes = rules.book.custody.order_causes
    if causes is None or order.cause not in causes.value:
        reason = f"{order.cause.replace('_', ' ')} is not a cause to order the dice to be passed"
        return Refusal(RefusalCode.NO_CAUSE, reason, _cite(rules, "order_causes"))
    if custody is None or custody.shooter is None:
        return Refusal(RefusalCode.NOT_SHOOTER, "nobody holds the dice", _cite(rules, "pass_after"))
    return None


def change_custody(rules: TableRules, position: Position, action: CustodyAction) -> CustodyChanged:
    """Return the event of an action with the dice that was verified before."""
    custody = position.custody or Custody()
    match action:
        case OpenTable():
            first = _next_offer(rules, position, None, (), for_come_settlement=False)
            opened = Custody(offered_to=first, fire_pending=custody.fire_pending, bonus_pending=custody.bonus_pending)
            return CustodyChanged("opened", first, opened, position.hand_stage, (), _cite(rules, "first_offer"))
        case AcceptDice():
            return make_shooter(rules, position, custody, action.player)
        case DeclineDice():
            return _decline(rules, position, custody, action.player)
        case PassDice():
            return _give_up_dice(rules, position, custody, "passed", _cite(rules, "pass_after"))
        case OrderPass():
            custody_after = _give_up_dice(rules, position, custody, "ordered_to_pass", _cite(rules, "order_causes"))
            return replace(custody_after, ordered_by=action.ordered_by, cause=action.cause)
        case DeclineLine():
            return _decline_line(rules, position, custody)


def make_shooter(rules: TableRules, position: Position, custody: Custody, player: str) -> CustodyChanged:
    """Return the event that makes a player the shooter. A new shooter starts a new hand; pending side bets stay up."""
    same = player == custody.previous_shooter and custody.for_come_settlement
    stage: HandStage = position.hand_stage if same else "new"
    frozen_tags = _frozen_fire_tags(rules, position) if custody.for_come_settlement and not same else ()
    custody_after = Custody(
        shooter=player,
        fire_pending=custody.fire_pending
        or (not same and custody.for_come_settlement and _has_bet(rules, position, FireRule)),
        bonus_pending=custody.bonus_pending
        or (not same and custody.for_come_settlement and _has_bet(rules, position, BonusRule)),
    )
    return CustodyChanged("accepted", player, custody_after, stage, frozen_tags, _cite(rules, "next_offer"))


def _decline(rules: TableRules, position: Position, custody: Custody, player: str) -> CustodyChanged:
    declined = (*custody.declined_by, player)
    following = _next_offer(
        rules, position, custody.previous_shooter, declined, for_come_settlement=custody.for_come_settlement
    )
    if following is None and custody.for_come_settlement:
        return _all_declined(rules, position, custody)
    custody_after = custody._replace(offered_to=following, declined_by=declined)
    return CustodyChanged("declined", player, custody_after, position.hand_stage, (), _cite(rules, "next_offer"))


def _all_declined(rules: TableRules, position: Position, custody: Custody) -> CustodyChanged:
    """Return the event when all have declined: a player with a line bet shoots, or the come settlement starts."""
    players = _clockwise(position, custody.previous_shooter)
    holder = next((player for player in players if _has_line_bet(rules, position, player)), None)
    if holder is not None:
        return make_shooter(rules, position, custody, holder)
    custody_after = custody._replace(
        shooter=custody.previous_shooter, offered_to=None, mode="come_settlement", declined_by=()
    )
    return CustodyChanged(
        "come_settlement_started",
        custody.previous_shooter,
        custody_after,
        position.hand_stage,
        (),
        _cite(rules, "puck_off_round"),
    )


def _give_up_dice(
    rules: TableRules, position: Position, custody: Custody, change: CustodyChange, cite: Citation
) -> CustodyChanged:
    """Return the event when the shooter gives up the dice before a seven. The point and all bets stay."""
    custody_after = offer_to_next(
        rules, position, custody, custody.shooter,
        fire=_has_bet(rules, position, FireRule), bonus=_has_bet(rules, position, BonusRule),
    )  # fmt: skip
    return CustodyChanged(change, custody.shooter, custody_after, "new", _frozen_fire_tags(rules, position), cite)


def _decline_line(rules: TableRules, position: Position, custody: Custody) -> CustodyChanged:
    cite = _cite(rules, "puck_off_round")
    round_rule = rules.book.custody.puck_off_round
    if not (round_rule and round_rule.value and has_come_bets_on_numbers(rules, position.seats)):
        return _give_up_dice(rules, position, custody, "line_declined", cite)
    following = _next_offer(rules, position, custody.shooter, (), for_come_settlement=True)
    custody_after = custody._replace(
        shooter=None, previous_shooter=custody.shooter, offered_to=following, declined_by=(), for_come_settlement=True
    )
    if following is None:
        return _all_declined(rules, position, custody_after)
    return CustodyChanged("line_declined", custody.shooter, custody_after, position.hand_stage, (), cite)


def offer_to_next(
    rules: TableRules, position: Position, custody: Custody, shooter: str | None, *, fire: bool, bonus: bool
) -> Custody:
    """Return the custody when the dice are offered to the player on the left of the previous shooter."""
    following = _next_offer(rules, position, shooter, (), for_come_settlement=False)
    return Custody(
        offered_to=following, previous_shooter=shooter,
        fire_pending=custody.fire_pending or fire, bonus_pending=custody.bonus_pending or bonus,
    )  # fmt: skip


def custody_after_roll(
    rules: TableRules, position: Position, seats: tuple[Seat, ...], rolled: Rolled
) -> Custody | None:
    """Return the custody after a valid roll. `seats` are the seats after its settlement."""
    custody = position.custody
    if custody is None:
        return None
    custody = custody._replace(
        fire_pending=custody.fire_pending and _any_bet(rules, seats, FireRule),
        bonus_pending=custody.bonus_pending and rolled.total != rules.seven,
    )
    if rolled.seven_out:
        after = position._replace(seats=seats, puck=0)
        return offer_to_next(rules, after, custody, custody.shooter, fire=False, bonus=False)
    if custody.mode == "come_settlement" and not has_come_bets_on_numbers(rules, seats):
        return custody._replace(mode="normal", for_come_settlement=False)
    return custody


def after_line_bet(rules: TableRules, position: Position, player: str) -> CustodyChanged | None:
    """Return the event when a line bet ends the come settlement: its player becomes the shooter."""
    custody = position.custody
    if custody is None or custody.mode == "normal":
        return None
    return make_shooter(rules, position, custody, player)


def after_take_down(rules: TableRules, position: Position) -> CustodyChanged | None:
    """Return the event when taking down the last come bet ends the come settlement."""
    custody = position.custody
    if custody is None or not custody.for_come_settlement or has_come_bets_on_numbers(rules, position.seats):
        return None
    custody_after = custody._replace(mode="normal", for_come_settlement=False)
    return CustodyChanged(
        "come_settlement_ended", custody.shooter, custody_after, position.hand_stage, (), _cite(rules, "puck_off_round")
    )


def take_dice_by_rolling(rules: TableRules, position: Position, action: RollDice) -> CustodyChanged | None:
    """Return the event when a player with a line bet rolls while the dice are offered for a come settlement."""
    custody = position.custody
    if custody is None or custody.shooter is not None or not custody.for_come_settlement:
        return None
    player = action.player or custody.offered_to or ""
    return make_shooter(rules, position, custody, player) if _has_line_bet(rules, position, player) else None


def check_shooter(rules: TableRules, position: Position, action: RollDice) -> NoRoll | None:
    """Return `NoRoll` if the player may not roll: not the shooter, or a shooter without a required line bet."""
    custody = position.custody
    if custody is None:
        return None
    player = action.player or custody.shooter
    if custody.shooter is None or player != custody.shooter:
        return NoRoll(action.dice, "wrong_shooter", rules.book.irregular_throws["wrong_shooter"].cite, player)
    line_bet = rules.book.custody.line_bet
    required = line_bet is None or bool(rules.house.resolve(line_bet.value))
    exempt = position.puck or custody.mode == "come_settlement" or not required
    if exempt or _has_line_bet(rules, position, custody.shooter):
        return None
    return NoRoll(action.dice, "no_line_bet", rules.book.irregular_throws["no_line_bet"].cite, player)


def _next_offer(
    rules: TableRules, position: Position, previous: str | None, declined: tuple[str, ...], *, for_come_settlement: bool
) -> str | None:
    """Return the next player to be offered the dice: clockwise, from the left of the previous shooter.

    The previous shooter comes last, and for a come settlement not at all. Where the book has no exception to the line
    bet, only players who have one are asked while a point is on.
    """
    players = _clockwise(position, previous)
    if for_come_settlement and players and players[-1] == previous:
        players.pop()
    waived = rules.book.custody.line_bet_waived
    if position.puck and waived and waived.value == "nobody_holds_one":
        holders = [player for player in players if player != previous and _has_line_bet(rules, position, player)]
        players = holders or players
    return next((player for player in players if player not in declined), None)


def _clockwise(position: Position, previous: str | None) -> list[str]:
    """Return all players clockwise, from the left of the previous shooter around to the previous shooter."""
    players = [seat.player for seat in position.seats]
    if previous not in players:
        return players
    start = players.index(previous) + 1
    return players[start:] + players[:start]


def _has_line_bet(rules: TableRules, position: Position, player: str) -> bool:
    seat = position.find_seat(player)
    return seat is not None and any(
        isinstance(rule := rules.wager_rules[tagged.wager.spot], LineRule) and not rule.travels
        for tagged in seat.wagers
    )


def has_come_bets_on_numbers(rules: TableRules, seats: tuple[Seat, ...]) -> bool:
    """Return whether there is a come or don't come bet on a number."""
    return any(
        tagged.wager.spot.pick and isinstance(rules.wager_rules[tagged.wager.spot], LineRule)
        for seat in seats for tagged in seat.wagers
    )  # fmt: skip


def _any_bet(rules: TableRules, seats: tuple[Seat, ...], family: type) -> bool:
    return any(isinstance(rules.wager_rules[tagged.wager.spot], family) for seat in seats for tagged in seat.wagers)


def _has_bet(rules: TableRules, position: Position, family: type) -> bool:
    return _any_bet(rules, position.seats, family)


def _frozen_fire_tags(rules: TableRules, position: Position) -> tuple[str, ...]:
    """Return the tags of fire bets to which the points of a new shooter do not count, where the house says so."""
    return tuple(
        tagged.tag
        for seat in position.seats
        for tagged in seat.wagers
        if isinstance(rule := rules.wager_rules[tagged.wager.spot], FireRule) and rule.freezes_on_surrender
    )


def _cite(rules: TableRules, name: str) -> Citation:
    return rules.book.custody.cite(name) or rules.refusal_cite("not_offered")
