"""The one verifier, for bets: may this be made now? For enforcement and for every hint a UI shows.

The checks on a new bet run in a fixed order and the first that fails answers: offered, selection, tender,
timing, seating, chip unit, window or base, minimum and maximum, unit, odds limit, payability.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from string import ascii_lowercase
from typing import Final, NamedTuple

from trueodds.money import Cents, money
from trueodds.rulebook import Cite, Spot
from trueodds.table.action import Bet
from trueodds.table.position import Entry, Position, Seat
from trueodds.table.refusal import Code, Refusal
from trueodds.wagers import WINDOWS, BonusRule, FireRule, OddsRule, Rule, Rules

Check = Callable[["Asked"], "Refusal | None"]


class Asked(NamedTuple):
    """A bet with what it is held against: exactly one of `rule` and `odds` once it is known to be offered."""

    rules: Rules
    position: Position
    seat: Seat
    bet: Bet
    rule: Rule | None
    odds: OddsRule | None

    @property
    def name(self) -> str:
        """What the player asked for."""
        kind = self.odds.text if self.odds else self.rule.text if self.rule else None
        return kind.short_of(self.bet.spot.selection) if kind else str(self.bet.spot)

    @property
    def base(self) -> Entry | None:
        """The flat wager that odds would stand behind."""
        for entry in self.seat.entries:
            if entry.tag == self.bet.on:
                return entry
        return None

    def no(self, code: Code, what: str, cite: Cite, option: str | None = None) -> Refusal:
        """Refuse."""
        return Refusal(code, f"{self.name} {what}", cite, option)


def verify_bet(rules: Rules, position: Position, bet: Bet) -> Refusal | None:
    """Check a new bet."""
    seat = position.seat_of(bet.player)
    if seat is None:
        return no_player(bet.player)
    for tag in tags_of(rules, bet.spot, bet.tag) if bet.tag is not None else ():
        if position.owner_of(tag) is not None:
            return Refusal(Code.TAG_IN_USE, f"a wager tagged {tag!r} is up already")
    asked = Asked(rules, position, seat, bet, rules.spots.get(bet.spot), rules.odds.get(bet.spot.kind))
    for check in BET_CHECKS:
        refusal = check(asked)
        if refusal is not None:
            return refusal
    return None


def tags_of(rules: Rules, spot: Spot, tag: str) -> tuple[str, ...]:
    """Name what a bet will be called: its tag, or one for each wager it is broken down into."""
    rule = rules.spots.get(spot)
    if rule is None or not rule.breakdown:
        return (tag,)
    return tuple(f"{tag}.{letter}" for letter, _ in zip(ascii_lowercase, rule.breakdown, strict=False))


def no_player(player: str) -> Refusal:
    """Refuse somebody who is not at the table."""
    return Refusal(Code.NO_SUCH_PLAYER, f"{player!r} is not at this table")


def _offered(asked: Asked) -> Refusal | None:
    rules, kind = asked.rules, asked.bet.spot.kind
    text = rules.book.wagers.get(kind)
    if text is None:
        return asked.no(Code.NOT_OFFERED, f"is no wager of {rules.book.title}", rules.refusal_cite("not_offered"))
    offer = asked.odds.offer if asked.odds else rules.spots[text.spots()[0]].offer
    if not offer.given:
        option = str(text.terms.get("offered", "$game")).removeprefix("$")
        return Refusal(Code.NOT_OFFERED, f"{text.title} is not offered at this table", offer.cite, option)
    return None


def _selection(asked: Asked) -> Refusal | None:
    spot = asked.bet.spot
    text = asked.rules.book.wagers[spot.kind]
    spots = text.spots()
    if asked.bet.on is not None and asked.odds is None:
        cite = text.cite("def", spot.selection) or text.cite("def", spots[0].selection)
        return asked.no(Code.BAD_SELECTION, "stands by itself, not behind another wager", cite)
    if spot in spots:
        return None
    choices = ", ".join(one.selection for one in spots if one.pick) or "no number"
    cite = text.cite("selection", spots[0].selection) or text.cite("def", spots[0].selection)
    said = f"on {spot.selection}" if spot.pick else "without a number"
    return Refusal(Code.BAD_SELECTION, f"{text.title} {said} is not on the layout; it takes {choices}", cite)


def _tender(asked: Asked) -> Refusal | None:
    bet = asked.bet
    tender = asked.rules.book.tenders[bet.tender]
    if tender.takes == "all" or (tender.takes == "confirmed" and bet.confirmed):
        return None
    if tender.takes == "confirmed":
        return asked.no(Code.UNCONFIRMED, "by word of mouth needs cash and the dealer's confirmation", tender.cite)
    if bet.tender == "credit":
        return asked.no(Code.CALL_BET, "without chips or cash is a call bet, and those are not taken", tender.cite)
    if bet.spot.kind in tender.takes and tender.takes != "none":
        return None
    return asked.no(Code.TENDER, f"cannot be made with {bet.tender.replace('_', ' ')}", tender.cite)


def _timing(asked: Asked) -> Refusal | None:
    bet = asked.bet
    if bet.timing == "open" or may_be_late(asked.rules, bet.timing, bet.confirmed_by):
        return None
    return late(asked.rules, asked.name)


def may_be_late(rules: Rules, timing: str, confirmed_by: tuple[str, ...]) -> bool:
    """Tell whether a bet in the air counts: the house allows it and everyone needed has confirmed it."""
    needed = rules.game.confirm_late
    return (
        timing == "in_air"
        and rules.house["late_bets"] == "until_rest_confirmed"
        and bool(needed)
        and set(needed) <= set(confirmed_by)
    )


def late(rules: Rules, name: str) -> Refusal:
    """Refuse what comes after the dice left the hand."""
    needed = rules.game.confirm_late
    unless = ""
    if rules.house["late_bets"] == "until_rest_confirmed" and needed:
        unless = f" unless {' and '.join(needed)} confirm it before they rest"
    cite = rules.refusal_cite("late") + rules.game.cites["confirm_late"]
    return Refusal(Code.LATE, f"{name} comes after the dice were thrown{unless}", cite, "late_bets")


def _seating(asked: Asked) -> Refusal | None:
    if asked.seat.seated or not asked.rules.game.seated:
        return None
    return asked.no(Code.NOT_SEATED, "is only for seated players", asked.rules.refusal_cite("not_seated"))


def _chips(asked: Asked) -> Refusal | None:
    return check_chips(asked.rules, asked.name, asked.bet.stake)


def check_chips(rules: Rules, name: str, stake: Cents) -> Refusal | None:
    """Refuse a stake that cannot be put up in the table's chips."""
    if stake % rules.chip_unit == 0:
        return None
    unit = money(rules.chip_unit, rules.house.currency)
    what = f"for {money(stake, rules.house.currency)} is not a multiple of the {unit} chip"
    return Refusal(Code.UNIT, f"{name} {what}", rules.refusal_cite("unit"), "chip_unit")


def _window(asked: Asked) -> Refusal | None:
    if asked.odds is not None:
        return _base(asked, asked.odds)
    rule = asked.rule
    if rule is None:
        return None
    if window_open(asked.position, rule.window):
        return _pending(asked, rule)
    where = f"with the point on {asked.position.point}" if asked.position.point else "with the puck off"
    option = "bonus_window" if rule.text.terms.get("window") == "$bonus_window" else None
    return asked.no(
        Code.WINDOW,
        f"cannot be made {where}: it is made {WINDOWS[rule.window]}",
        rule.cite("def"),
        option,
    )


def _pending(asked: Asked, rule: Rule) -> Refusal | None:
    """Refuse fire and bonus bets while earlier ones wait for the seven of a shooter who took the dice over."""
    custody = asked.position.custody
    if custody is None or not isinstance(rule, FireRule | BonusRule):
        return None
    if custody.fire_pending if isinstance(rule, FireRule) else custody.bonus_pending:
        return asked.no(Code.WINDOW, "waits: bets made on an earlier shooter are still up", rule.cite("surrender"))
    return _fire_spot(asked) if isinstance(rule, FireRule) else None


def _fire_spot(asked: Asked) -> Refusal | None:
    """Refuse a fire bet from a place without one of the numbered areas."""
    spots = asked.rules.book.custody.get("fire_spots")
    if spots is None or fire_spot(asked.position, asked.bet.player) <= spots.value:
        return None
    return asked.no(Code.NOT_OFFERED, f"has {spots.value} numbered areas and none at this place", spots.cite)


def fire_spot(position: Position, player: str) -> int:
    """Number the fire areas clockwise from the first place."""
    return 1 + next(index for index, seat in enumerate(position.seats) if seat.player == player)


def window_open(position: Position, window: str) -> bool:
    """Tell whether a kind of wager can be made now."""
    match window:
        case "any":
            return True
        case "come_out" | "any_come_out":
            return position.phase <= 0
        case "point":
            return position.phase > 0
        case "new_shooter":
            return position.phase == 0 and position.hand == "new"
        case _:
            return position.phase == 0 and position.hand != "under_way"


def _base(asked: Asked, odds: OddsRule) -> Refusal | None:
    base = asked.base
    if base is None or base.wager.spot.kind != odds.base:
        needed = asked.rules.book.wagers[odds.base].title
        return asked.no(Code.NO_BASE, f"needs a {needed} of the same player to stand behind", odds.cite("def"))
    if number_of(asked.rules, base, asked.position) is None:
        return asked.no(Code.WINDOW, "waits until its bet has a point", odds.cite("def"))
    return None


def number_of(rules: Rules, entry: Entry, position: Position) -> int | None:
    """Give the number a wager on the layout stands on, if it has one yet."""
    return rules.spots[entry.wager.spot].number_of(entry.wager, position.phase)


def _limits(asked: Asked) -> Refusal | None:
    return check_limits(asked.rules, asked.rule, asked.bet.stake) if asked.rule else None


def check_limits(rules: Rules, rule: Rule, stake: Cents) -> Refusal | None:
    """Refuse a stake below the minimum or above the maximum of its wager."""
    if stake < rule.least:
        code, than, bound = Code.BELOW_MIN, "less than the least", rule.least
        option = str(rule.text.terms.get("least", ""))
        if option == "$prop_min" and rules.house["prop_min"] is None:
            option = "$min_bet"
    elif rule.most is not None and stake > rule.most:
        code, than, bound, option = (
            Code.ABOVE_MAX,
            "more than the most",
            rule.most,
            str(rule.text.terms.get("most", "")),
        )
    else:
        return None
    currency = rules.house.currency
    what = f"{rule.name} for {money(stake, currency)} is {than} the table takes, {money(bound, currency)}"
    return Refusal(code, what, rule.cite("limits"), option.removeprefix("$") or None)


def _unit(asked: Asked) -> Refusal | None:
    return check_unit(asked.rules, asked.rule, asked.bet.stake) if asked.rule else None


def check_unit(rules: Rules, rule: Rule, stake: Cents) -> Refusal | None:
    """Refuse a stake that is not in the wager's own units, or cannot be broken down where it must be."""
    currency = rules.house.currency
    if stake % rule.unit:
        what = f"{rule.name} for {money(stake, currency)} is not a multiple of {money(rule.unit, currency)}"
        return Refusal(Code.UNIT, what, rule.cite("unit"), str(rule.text.terms["unit"].get("of", "")).removeprefix("$"))
    for spot, share in rule.broken_down(stake):
        component = rules.spots[spot]
        if share % rules.chip_unit or share % component.unit:
            what = f"{rule.name} for {money(stake, currency)} cannot be broken down into its wagers"
            return Refusal(Code.UNIT, what, rule.cite("box") + component.cite("def"))
    return None


def _odds_limit(asked: Asked) -> Refusal | None:
    if asked.odds is None or asked.base is None:
        return None
    return check_odds_limit(asked.rules, asked.odds, asked.position, asked.base, asked.bet.stake, Cents(0))


def check_odds_limit(
    rules: Rules, odds: OddsRule, position: Position, base: Entry, stake: Cents, replaced: Cents
) -> Refusal | None:
    """Refuse odds that with the others behind the same bet pass the limit."""
    number = number_of(rules, base, position)
    if number is None:
        return None
    flat, currency = base.wager.stake, rules.house.currency
    limit = odds.limit(flat, number)
    if base.wager.total_odds - replaced + stake <= limit:
        return None
    there = base.wager.total_odds - replaced
    with_it = f" with the {money(there, currency)} already there" if there else ""
    what = f"{odds.text.short} for {money(stake, currency)}{with_it} behind {money(flat, currency)} on {number}"
    option = str(odds.text.terms["cap"]["times"]).removeprefix("$")
    return Refusal(Code.ODDS_LIMIT, f"{what} passes the limit of {money(limit, currency)}", odds.cite("cap"), option)


def _payable(asked: Asked) -> Refusal | None:
    if asked.odds is not None and asked.base is not None:
        number = number_of(asked.rules, asked.base, asked.position)
        return check_odds_payable(asked.rules, asked.odds, number or 0, asked.bet.stake)
    return check_payable(asked.rules, asked.rule, asked.bet.stake) if asked.rule else None


def check_payable(rules: Rules, rule: Rule, stake: Cents) -> Refusal | None:
    """Where unpayable amounts are refused: refuse a stake with a win that is no multiple of the pay unit."""
    if rules.unpayable != "refuse":
        return None
    parts = [(rules.spots[spot], share) for spot, share in rule.broken_down(stake)]
    for part, amount in parts or [(rule, Fraction(stake))]:
        if amount % part.step:
            return _unpayable(rules, rule.name, stake, part.step)
    return None


def check_odds_payable(rules: Rules, odds: OddsRule, number: int, stake: Cents) -> Refusal | None:
    """The same for odds."""
    if rules.unpayable != "refuse" or stake % odds.step(number) == 0:
        return None
    return _unpayable(rules, odds.text.short_of(str(number)), stake, odds.step(number))


def _unpayable(rules: Rules, name: str, stake: Cents, step: int) -> Refusal:
    currency = rules.house.currency
    what = f"{name} for {money(stake, currency)} cannot be paid in full"
    what = f"{what}; multiples of {money(step, currency)} can"
    return Refusal(Code.UNPAYABLE, what, rules.refusal_cite("unpayable"), "pay_unit")


BET_CHECKS: Final[tuple[Check, ...]] = (
    _offered,
    _selection,
    _tender,
    _timing,
    _seating,
    _chips,
    _window,
    _limits,
    _unit,
    _odds_limit,
    _payable,
)
"""The order in which a new bet is checked."""
