"""The limits of a spot: the smallest new bet, and the most that one player may have up.

All bets of one player on one spot count together toward its maximum, for new bets and for increases. A come bet counts
at its number once it has traveled, and a bet that is broken down counts where its parts lie. The minimum holds for each
bet. Odds have a maximum of their own, if the house posts one.
"""

from __future__ import annotations

from fractions import Fraction

from trueodds.money import Cents, format_money, format_percent
from trueodds.rulebook import Spot
from trueodds.table.position import Position, Seat, TaggedWager
from trueodds.table.refusal import Refusal, RefusalCode
from trueodds.wagers import OddsRule, TableRules, WagerRule


def stake_up(seat: Seat, spot: Spot, except_tag: str | None = None) -> Cents:
    """Return what a player has up on a spot, not counting the wager tagged `except_tag`."""
    total = 0
    for tag, wager, _ in seat.wagers:
        if wager.spot == spot and tag != except_tag:
            total += wager.stake
    return Cents(total)


def odds_up(
    rules: TableRules, position: Position, seat: Seat, kind: str, number: int, except_tag: str | None = None
) -> Cents:
    """Return the odds of one kind that a player has up on a number, not counting the bet tagged `except_tag`."""
    return Cents(
        sum(
            bet.stake
            for tagged in seat.wagers
            for tag, bet in zip(tagged.odds_tags, tagged.wager.odds_bets, strict=True)
            if bet.kind == kind and tag != except_tag and point_number(rules, tagged, position) == number
        )
    )


def point_number(rules: TableRules, tagged: TaggedWager, position: Position) -> int | None:
    """Return the point number of a wager, or None if it has none yet."""
    return rules.wager_rules[tagged.wager.spot].number_of(tagged.wager, position.phase)


def check_minimum(rules: TableRules, rule: WagerRule, stake: Cents) -> Refusal | None:
    """Refuse a stake below the minimum of its wager, or one whose vigorish would round down to nothing."""
    if stake >= rule.smallest_stake:
        return None
    currency = rules.house.currency
    bet = f"{rule.name} for {format_money(stake, currency)}"
    limit = format_money(rule.smallest_stake, currency)
    if rule.vig is not None and rule.smallest_stake > rule.min_stake:
        percent = format_percent(rule.vig.basis_points)
        reason = f"{bet} is below {limit}, the smallest stake on which the {percent} vigorish is not rounded to nothing"
        return Refusal(RefusalCode.BELOW_MIN, reason, rule.vig.cite, "free_vig")
    option = rule.definition.option("min_stake")
    if option == "prop_min" and rules.house.prop_min_cents is None:
        option = "min_bet"
    return Refusal(RefusalCode.BELOW_MIN, f"{bet} is below the table minimum of {limit}", rule.cite("limits"), option)


def check_maximum(
    rules: TableRules, seat: Seat, spot: Spot, stake: Cents, except_tag: str | None = None
) -> Refusal | None:
    """Refuse a stake that exceeds the maximum together with the player's other bets on the spot.

    `except_tag` is the wager whose stake is to be replaced.
    """
    rule = rules.wager_rules[spot]
    if not rule.breakdown:
        return _check_spot_maximum(rules, seat, spot, Fraction(stake), f"{rule.name} for", except_tag)
    bet = f"{rule.name} for {format_money(stake, rules.house.currency)}"
    for part, share in rule.break_down(stake):
        words = f"{bet} cannot be split: {rules.wager_rules[part].name} for"
        refusal = _check_spot_maximum(rules, seat, part, share, words, None)
        if refusal is not None:
            return refusal
    return None


def _check_spot_maximum(
    rules: TableRules, seat: Seat, spot: Spot, stake: Fraction, words: str, except_tag: str | None
) -> Refusal | None:
    rule = rules.wager_rules[spot]
    if rule.max_stake is None:
        return None
    up = stake_up(seat, spot, except_tag)
    if up + stake <= rule.max_stake:
        return None
    option = rule.definition.option("max_stake")
    return _above_maximum(rules, words, Cents(int(stake)), up, rule.max_stake, rule.cite("limits"), option)


def check_odds_maximum(
    rules: TableRules,
    position: Position,
    seat: Seat,
    odds: OddsRule,
    number: int,
    stake: Cents,
    except_tag: str | None = None,
) -> Refusal | None:
    """Refuse odds that exceed the posted maximum together with the player's other odds of that kind on the number."""
    limit = odds.posted_maximum(number)
    if limit is None:
        return None
    up = odds_up(rules, position, seat, odds.kind, number, except_tag)
    if up + stake <= limit:
        return None
    words = f"{odds.definition.spot_name(str(number))} for"
    return _above_maximum(rules, words, stake, up, limit, odds.cite("limits"), odds.definition.option("max_stake"))


def _above_maximum(
    rules: TableRules, words: str, stake: Cents, up: Cents, limit: Cents, cite: tuple[str, ...], option: str | None
) -> Refusal:
    currency = rules.house.currency
    together = f" with the {format_money(up, currency)} already there" if up else ""
    reason = (
        f"{words} {format_money(stake, currency)}{together} is above the table maximum of "
        f"{format_money(limit, currency)}"
    )
    return Refusal(RefusalCode.ABOVE_MAX, reason, cite, option)


def free_stake(rules: TableRules, seat: Seat | None, spot: Spot, except_tag: str | None = None) -> Cents | None:
    """Return the largest stake that the maximum still leaves free on a spot, or None if there is no maximum."""
    breakdown = rules.wager_rules[spot].breakdown
    whole = sum(units for _, units in breakdown)
    free = []
    for part, share in [(part, Fraction(units, whole)) for part, units in breakdown] or [(spot, Fraction(1))]:
        limit = rules.wager_rules[part].max_stake
        if limit is not None:
            free.append(int((limit - (stake_up(seat, part, except_tag) if seat else 0)) / share))
    return Cents(max(0, min(free))) if free else None


def counted_stakes(
    rules: TableRules, position: Position, seat: Seat, spot: Spot, number: int | None
) -> tuple[int, ...]:
    """Return every stake already up that counts toward a maximum of a new bet: the answer to the bet depends on them.

    `number` is the number of the wager that odds would stand behind.
    """
    odds = rules.odds_rules.get(spot.kind)
    if odds is not None:
        if odds.max_stake is None or number is None:
            return ()
        return (odds_up(rules, position, seat, spot.kind, number),)
    rule = rules.wager_rules.get(spot)
    if rule is None or not seat.wagers:
        return ()
    if not rule.breakdown:
        return (stake_up(seat, spot),)
    return tuple(stake_up(seat, part) for part, _ in rule.breakdown)
