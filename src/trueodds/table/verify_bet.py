"""Verification of new bets: may this bet be made now, and if not, why?

The checks run in a fixed order, and the first that fails gives the refusal: offered, selection, tender, timing,
seating, chip unit, window or base, minimum and maximum, unit, odds limit, payability. Bets are verified here alone,
whether the bet is to be made or a user interface wants to show what is possible.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from string import ascii_lowercase
from typing import Final, NamedTuple

from trueodds.money import Cents, format_money
from trueodds.rulebook import Citation, Spot
from trueodds.table.action import Bet
from trueodds.table.position import Position, Seat, TaggedWager
from trueodds.table.refusal import Refusal, RefusalCode
from trueodds.table.spot_limits import check_maximum, check_minimum, check_odds_maximum, point_number
from trueodds.wagers import WINDOW_DESCRIPTIONS, BonusRule, FireRule, OddsRule, TableRules, WagerRule

BetCheck = Callable[["BetContext"], "Refusal | None"]


class BetContext(NamedTuple):
    """A bet with everything it is checked against. Once it is known to be offered, one of `rule` and `odds` is set."""

    rules: TableRules
    position: Position
    seat: Seat
    bet: Bet
    rule: WagerRule | None
    odds: OddsRule | None

    @property
    def name(self) -> str:
        """The name of the bet, as a dealer calls it."""
        definition = self.odds.definition if self.odds else self.rule.definition if self.rule else None
        return definition.spot_name(self.bet.spot.selection) if definition else str(self.bet.spot)

    @property
    def base(self) -> TaggedWager | None:
        """The wager that odds would stand behind."""
        for tagged in self.seat.wagers:
            if tagged.tag == self.bet.base_tag:
                return tagged
        return None

    def refuse(self, code: RefusalCode, problem: str, cite: Citation, option: str | None = None) -> Refusal:
        """Return a refusal whose reason starts with the name of the bet."""
        return Refusal(code, f"{self.name} {problem}", cite, option)


def verify_bet(rules: TableRules, position: Position, bet: Bet) -> Refusal | None:
    """Return why a new bet is refused, or None if it is allowed."""
    seat = position.find_seat(bet.player)
    if seat is None:
        return no_such_player(bet.player)
    for tag in split_tags(rules, bet.spot, bet.tag) if bet.tag is not None else ():
        if position.find_owner(tag) is not None:
            return Refusal(RefusalCode.TAG_IN_USE, f"there is already a bet tagged {tag!r}")
    context = BetContext(
        rules, position, seat, bet, rules.wager_rules.get(bet.spot), rules.odds_rules.get(bet.spot.kind)
    )
    for check in BET_CHECKS:
        refusal = check(context)
        if refusal is not None:
            return refusal
    return None


def split_tags(rules: TableRules, spot: Spot, tag: str) -> tuple[str, ...]:
    """Return the tags of the wagers that a bet makes: its tag, or one for each wager it is split into."""
    rule = rules.wager_rules.get(spot)
    if rule is None or not rule.breakdown:
        return (tag,)
    return tuple(f"{tag}.{letter}" for letter, _ in zip(ascii_lowercase, rule.breakdown, strict=False))


def no_such_player(player: str) -> Refusal:
    """Return the refusal for a player who is not at the table."""
    return Refusal(RefusalCode.NO_SUCH_PLAYER, f"{player!r} is not at this table")


def _check_offered(context: BetContext) -> Refusal | None:
    rules, kind = context.rules, context.bet.spot.kind
    definition = rules.book.wagers.get(kind)
    if definition is None:
        reason = f"{rules.book.title} has no wager called {kind}"
        return Refusal(RefusalCode.NOT_OFFERED, reason, rules.refusal_cite("not_offered"))
    availability = context.odds.availability if context.odds else rules.wager_rules[definition.spots()[0]].availability
    if not availability.offered:
        option = definition.option("offered") or "game"
        return Refusal(
            RefusalCode.NOT_OFFERED, f"{definition.title} is not offered at this table", availability.cite, option
        )
    return None


def _check_selection(context: BetContext) -> Refusal | None:
    spot = context.bet.spot
    definition = context.rules.book.wagers[spot.kind]
    spots = definition.spots()
    if context.bet.base_tag is not None and context.odds is None:
        cite = definition.cite("def", spot.selection) or definition.cite("def", spots[0].selection)
        return context.refuse(RefusalCode.BAD_SELECTION, "cannot stand behind another wager", cite)
    if spot in spots:
        return None
    choices = ", ".join(other.selection for other in spots if other.pick) or "no number"
    cite = definition.cite("selection", spots[0].selection) or definition.cite("def", spots[0].selection)
    selection = f"on {spot.selection}" if spot.pick else "without a number"
    return Refusal(
        RefusalCode.BAD_SELECTION, f"{definition.title} {selection} is not on the layout; it takes {choices}", cite
    )


def _check_tender(context: BetContext) -> Refusal | None:
    bet = context.bet
    tender = context.rules.book.tenders[bet.tender]
    if tender.accepts == "all" or (tender.accepts == "confirmed" and bet.confirmed_aloud):
        return None
    if tender.accepts == "confirmed":
        return context.refuse(
            RefusalCode.UNCONFIRMED, "without chips needs cash and the dealer's confirmation", tender.cite
        )
    if bet.tender == "credit":
        return context.refuse(
            RefusalCode.CALL_BET, "without chips or cash is a call bet, and call bets are not accepted", tender.cite
        )
    if bet.spot.kind in tender.accepts and tender.accepts != "none":
        return None
    return context.refuse(RefusalCode.TENDER, f"cannot be made with {bet.tender.replace('_', ' ')}", tender.cite)


def _check_timing(context: BetContext) -> Refusal | None:
    bet = context.bet
    if bet.timing == "open" or allows_late_bet(context.rules, bet.timing, bet.confirmed_by):
        return None
    return late_refusal(context.rules, context.name)


def allows_late_bet(rules: TableRules, timing: str, confirmed_by: tuple[str, ...]) -> bool:
    """Return whether a bet made with the dice in the air counts: the house allows it and all staff have confirmed."""
    needed = rules.game.late_bet_confirmers
    return (
        timing == "in_air"
        and rules.house["late_bets"] == "until_rest_confirmed"
        and bool(needed)
        and set(needed) <= set(confirmed_by)
    )


def late_refusal(rules: TableRules, name: str) -> Refusal:
    """Return the refusal for a bet or change made after the dice left the shooter's hand."""
    needed = rules.game.late_bet_confirmers
    unless = ""
    if rules.house["late_bets"] == "until_rest_confirmed" and needed:
        unless = f" unless {' and '.join(needed)} confirm it before they rest"
    cite = rules.refusal_cite("late") + rules.game.cites["late_bet_confirmers"]
    return Refusal(RefusalCode.LATE, f"{name} comes after the dice were rolled{unless}", cite, "late_bets")


def _check_seating(context: BetContext) -> Refusal | None:
    if context.seat.seated or not context.rules.game.seated:
        return None
    return context.refuse(
        RefusalCode.NOT_SEATED, "is only for seated players", context.rules.refusal_cite("not_seated")
    )


def _check_chip_unit(context: BetContext) -> Refusal | None:
    return check_chip_unit(context.rules, context.name, context.bet.stake_cents)


def check_chip_unit(rules: TableRules, name: str, stake: Cents) -> Refusal | None:
    """Refuse a stake that is not a multiple of the smallest chip."""
    if stake % rules.chip_unit == 0:
        return None
    unit = format_money(rules.chip_unit, rules.house.currency)
    reason = f"{name} for {format_money(stake, rules.house.currency)} is not a multiple of the {unit} chip"
    return Refusal(RefusalCode.UNIT, reason, rules.refusal_cite("unit"), "chip_unit")


def _check_window(context: BetContext) -> Refusal | None:
    if context.odds is not None:
        return _check_base(context, context.odds)
    rule = context.rule
    if rule is None:
        return None
    if is_window_open(context.position, rule.window):
        return _check_barred(context, rule) or _check_fire_area(context, rule) or _check_pending(context, rule)
    puck = f"with the point on {context.position.point}" if context.position.point else "with the puck off"
    option = rule.definition.option("window")
    return context.refuse(
        RefusalCode.WINDOW,
        f"cannot be made {puck}: it is made {WINDOW_DESCRIPTIONS[rule.window]}",
        rule.cite("def"),
        option,
    )


def _check_barred(context: BetContext, rule: WagerRule) -> Refusal | None:
    """Refuse to replace a don't bet that was reduced or taken down since the last roll, in a house that is strict."""
    if (context.bet.player, rule.spot.kind) not in context.position.barred:
        return None
    problem = "was reduced or taken down and cannot be replaced before the next roll"
    return context.refuse(
        RefusalCode.WINDOW, problem, rule.cite("increase"), rule.definition.option("replace_after_removal")
    )


def _check_fire_area(context: BetContext, rule: WagerRule) -> Refusal | None:
    """Refuse a fire bet by a player whose seat has no numbered fire area."""
    spots = context.rules.book.custody.fire_spots
    if spots is None or not isinstance(rule, FireRule):
        return None
    if fire_area_number(context.position, context.bet.player) <= spots.value:
        return None
    return context.refuse(
        RefusalCode.NOT_OFFERED, f"has {spots.value} numbered areas and none at this seat", spots.cite
    )


def _check_pending(context: BetContext, rule: WagerRule) -> Refusal | None:
    """Refuse fire and bonus bets while such bets on an earlier shooter wait for a seven."""
    custody = context.position.custody
    if custody is None or not isinstance(rule, FireRule | BonusRule):
        return None
    if custody.fire_pending if isinstance(rule, FireRule) else custody.bonus_pending:
        return context.refuse(
            RefusalCode.WINDOW, "cannot be made while such bets on an earlier shooter are up", rule.cite("surrender")
        )
    return None


def fire_area_number(position: Position, player: str) -> int:
    """Return the number of a player's fire area. They are numbered clockwise from the first seat."""
    return 1 + next(index for index, seat in enumerate(position.seats) if seat.player == player)


def is_window_open(position: Position, window: str) -> bool:
    """Return whether wagers with this window can be made now."""
    match window:
        case "any":
            return True
        case "come_out" | "any_come_out":
            return position.phase <= 0
        case "point":
            return position.phase > 0
        case "new_shooter":
            return position.phase == 0 and position.hand_stage == "new"
        case _:
            return position.phase == 0 and position.hand_stage != "under_way"


def _check_base(context: BetContext, odds: OddsRule) -> Refusal | None:
    base = context.base
    if base is None or base.wager.spot.kind != odds.base_kind:
        needed = context.rules.book.wagers[odds.base_kind].title
        return context.refuse(
            RefusalCode.NO_BASE, f"needs a {needed} of the same player to stand behind", odds.cite("def")
        )
    if point_number(context.rules, base, context.position) is None:
        return context.refuse(RefusalCode.WINDOW, "cannot be made before its bet has a point", odds.cite("def"))
    return None


def _check_limits(context: BetContext) -> Refusal | None:
    rules, seat, stake = context.rules, context.seat, context.bet.stake_cents
    if context.odds is not None:
        number = point_number(rules, context.base, context.position) if context.base else None
        return check_odds_maximum(rules, context.position, seat, context.odds, number or 0, stake)
    if context.rule is None:
        return None
    return check_minimum(rules, context.rule, stake) or check_maximum(rules, seat, context.bet.spot, stake)


def _check_unit(context: BetContext) -> Refusal | None:
    return check_unit(context.rules, context.rule, context.bet.stake_cents) if context.rule else None


def check_unit(rules: TableRules, rule: WagerRule, stake: Cents) -> Refusal | None:
    """Refuse a stake that is not a multiple of the wager's own unit, or that cannot be split where it must be."""
    bet = f"{rule.name} for {format_money(stake, rules.house.currency)}"
    if stake % rule.stake_unit:
        reason = f"{bet} is not a multiple of {format_money(rule.stake_unit, rules.house.currency)}"
        return Refusal(RefusalCode.UNIT, reason, rule.cite("unit"), rule.definition.option("unit", "of"))
    for spot, share in rule.break_down(stake):
        component = rules.wager_rules[spot]
        if share % rules.chip_unit or share % component.stake_unit:
            reason = f"{bet} cannot be split into its wagers"
            return Refusal(RefusalCode.UNIT, reason, rule.cite("box") + component.cite("def"))
    return None


def _check_odds_limit(context: BetContext) -> Refusal | None:
    if context.odds is None or context.base is None:
        return None
    return check_odds_limit(
        context.rules, context.odds, context.position, context.base, context.bet.stake_cents, Cents(0)
    )


def check_odds_limit(
    rules: TableRules, odds: OddsRule, position: Position, base: TaggedWager, stake: Cents, replaced_cents: Cents
) -> Refusal | None:
    """Refuse odds that exceed the limit, together with the other odds behind the same wager."""
    number = point_number(rules, base, position)
    if number is None:
        return None
    flat, currency = base.wager.stake, rules.house.currency
    limit = odds.max_odds(flat, number)
    if base.wager.odds_stake - replaced_cents + stake <= limit:
        return None
    other_odds = base.wager.odds_stake - replaced_cents
    together = f" with the {format_money(other_odds, currency)} already there" if other_odds else ""
    reason = (
        f"{odds.definition.short_name} for {format_money(stake, currency)}{together} behind "
        f"{format_money(flat, currency)} on {number} is above the limit of {format_money(limit, currency)}"
    )
    return Refusal(RefusalCode.ODDS_LIMIT, reason, odds.cite("cap"), odds.definition.option("cap", "times"))


def _check_payable(context: BetContext) -> Refusal | None:
    if context.odds is not None and context.base is not None:
        number = point_number(context.rules, context.base, context.position)
        return check_odds_payable(context.rules, context.odds, number or 0, context.bet.stake_cents)
    return check_payable(context.rules, context.rule, context.bet.stake_cents) if context.rule else None


def check_payable(rules: TableRules, rule: WagerRule, stake: Cents) -> Refusal | None:
    """Refuse a stake whose winnings are not a multiple of the pay unit, if the house refuses such stakes."""
    if rules.unpayable != "refuse":
        return None
    shares = [(rules.wager_rules[spot], amount) for spot, amount in rule.break_down(stake)]
    for share_rule, amount in shares or [(rule, Fraction(stake))]:
        if amount % share_rule.payable_step:
            return _unpayable_refusal(rules, rule.name, stake, share_rule.payable_step)
    return None


def check_odds_payable(rules: TableRules, odds: OddsRule, number: int, stake: Cents) -> Refusal | None:
    """Refuse odds whose winnings are not a multiple of the pay unit, if the house refuses such stakes."""
    if rules.unpayable != "refuse" or stake % odds.stake_step(number) == 0:
        return None
    return _unpayable_refusal(rules, odds.definition.spot_name(str(number)), stake, odds.stake_step(number))


def _unpayable_refusal(rules: TableRules, name: str, stake: Cents, step: int) -> Refusal:
    currency = rules.house.currency
    stakes = f"{format_money(stake, currency)} cannot be paid in full; multiples of {format_money(step, currency)} can"
    return Refusal(RefusalCode.UNPAYABLE, f"{name} for {stakes}", rules.refusal_cite("unpayable"), "pay_unit")


BET_CHECKS: Final[tuple[BetCheck, ...]] = (
    _check_offered,
    _check_selection,
    _check_tender,
    _check_timing,
    _check_seating,
    _check_chip_unit,
    _check_window,
    _check_limits,
    _check_unit,
    _check_odds_limit,
    _check_payable,
)
"""The order in which a new bet is checked."""
