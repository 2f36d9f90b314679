"""Settlement of one wager by one roll: whether it works, what its rule decides, and the money in cents."""

from __future__ import annotations

from fractions import Fraction

from trueodds.dice import Roll
from trueodds.money import ZERO, Cents, Odds, round_payment
from trueodds.rulebook import Citation, Spot
from trueodds.table.event import Settlement
from trueodds.wagers import OddsBet, OddsRule, Phase, Result, RollEffect, TableRules, Wager, WagerRule, WorkingCall

Settlements = tuple[Settlement, ...]
"""The settlement of a wager, followed by one for each of its odds bets."""


def is_working(rules: TableRules, kind: str, call: WorkingCall, phase: Phase) -> bool:
    """Return whether a bet is working: as it was called, or else by the come-out rule of the house."""
    if call:
        return call == "on"
    return phase > 0 or kind not in rules.comeout_off


def call_cite(rules: TableRules, kind: str, call: WorkingCall) -> Citation:
    """Return the clause that lets a player call a bet on or off."""
    name = "call_on" if call == "on" and kind in rules.call_on else "call_off"
    option = rules.book.options.get(name)
    return option.cite if option else rules.refusal_cite("not_callable")


def settle(rules: TableRules, wager: Wager, phase: Phase, roll: Roll) -> Settlements:
    """Return the settlement of a wager by a roll, followed by one for each of its odds bets."""
    rule = rules.wager_rules[wager.spot]
    lapses = _calls_lapse(rules, phase, roll)
    if is_working(rules, wager.spot.kind, wager.call, phase):
        effect = rule.decide(wager, phase, roll)
    else:
        cite = call_cite(rules, wager.spot.kind, wager.call) if wager.call else rule.cite("working")
        effect = RollEffect(Result.OFF, cite)
    number = rule.number_of(wager, phase)
    odds_settlements = tuple(_settle_odds(rules, bet, number, effect.result, phase, roll) for bet in wager.odds_bets)
    remaining = _without_calls(wager) if lapses else wager
    return (_settle_wager(rules, rule, wager, remaining, effect, roll), *odds_settlements)


def _calls_lapse(rules: TableRules, phase: Phase, roll: Roll) -> bool:
    """Return whether on and off calls end with this roll."""
    if rules.call_scope == "phase":
        return (rules.puck_after(phase, roll.total) > 0) != (phase > 0)
    return rules.call_scope == "roll"


def _without_calls(wager: Wager) -> Wager:
    if not (wager.call or any(bet.call for bet in wager.odds_bets)):
        return wager
    return wager._replace(call="", odds_bets=tuple(bet._replace(call="") for bet in wager.odds_bets))


def _settle_wager(
    rules: TableRules, rule: WagerRule, wager: Wager, remaining: Wager, effect: RollEffect, roll: Roll
) -> Settlement:
    name, total, currency = _wager_name(rule, wager), roll.total, rules.house.currency
    cite = tuple(dict.fromkeys(effect.cite)) if len(effect.cite) > 1 else effect.cite
    if effect.result in (Result.NO_ACTION, Result.OFF):  # the most frequent results
        if effect.marks is not None and effect.marks != remaining.marks:
            remaining = remaining._replace(marks=effect.marks)
        return Settlement(
            name, wager.spot, wager.stake, total, effect.result, cite, wager_after=remaining, currency=currency
        )
    settlement = Settlement(name, wager.spot, wager.stake, total, effect.result, cite, currency=currency)
    match effect.result:
        case Result.WIN:
            return _win(rules, rule, wager, remaining, effect, settlement)
        case Result.LOSE:
            return settlement._replace(net_cents=Cents(-wager.stake))
        case Result.PUSH:
            return settlement._replace(paid_cents=wager.stake)
        case Result.MOVED:
            moved = remaining._replace(spot=Spot(wager.spot.kind, (effect.moves_to or 0,)))
            return settlement._replace(moved_to=effect.moves_to, wager_after=moved)
        case _:
            raise AssertionError(effect.result)  # only odds are returned


def _wager_name(rule: WagerRule, wager: Wager) -> str:
    """Return the name of a wager. A come bet is named with the number it has moved to."""
    if wager.spot == rule.spot:
        return rule.name
    return f"{rule.name} on {wager.spot.selection}"


def _win(
    rules: TableRules, rule: WagerRule, wager: Wager, remaining: Wager, effect: RollEffect, settlement: Settlement
) -> Settlement:
    exact = (effect.ratio or Fraction(0)) * wager.stake
    net, breakage = round_payment(exact, rules.pay_unit, rules.unpayable)
    if net < -wager.stake:  # the lost shares of a combination bet, rounded against the player
        net, breakage = Cents(-wager.stake), exact + wager.stake
    charge = rule.vig.charge(wager.stake, rule.vig_odds) if rule.vig else ZERO
    on_win = rule.vig is not None and rule.vig.charged_on_win
    stays_up = rule.stays_up and net >= charge  # a bet cannot stay up if its winnings do not cover its vigorish
    vig = charge if on_win or stays_up else ZERO
    return settlement._replace(
        net_cents=net,
        vig_cents=vig,
        paid_cents=Cents(net - vig + (0 if stays_up else wager.stake)),
        odds=effect.odds,
        shares=effect.shares,
        breakage_cents=breakage,
        stays_up=stays_up,
        wager_after=remaining._replace(vig=ZERO if on_win else vig) if stays_up else None,
        vig_on_win=on_win,
    )


def _settle_odds(
    rules: TableRules, bet: OddsBet, number: int | None, base: Result, phase: Phase, roll: Roll
) -> Settlement:
    """Settle an odds bet. It wins or loses with its base, but is returned if it was off when the base was decided."""
    rule: OddsRule = rules.odds_rules[bet.kind]
    on = is_working(rules, bet.kind, bet.call, phase)
    result = {Result.WIN: Result.WIN, Result.LOSE: Result.LOSE}.get(base, Result.NO_ACTION)
    if not on:
        result = Result.OFF if result is Result.NO_ACTION else Result.RETURNED
    facet = {Result.WIN: "win", Result.LOSE: "lose", Result.RETURNED: "returned", Result.OFF: "working"}
    cite = rule.cite(facet.get(result, "idle")) or rule.cite("def")
    if result is Result.OFF and bet.call:
        cite = call_cite(rules, bet.kind, bet.call)
    settlement = Settlement(
        rule.definition.spot_name(str(number)),
        Spot(bet.kind),
        bet.stake,
        roll.total,
        result,
        cite,
        currency=rules.house.currency,
    )
    match result:
        case Result.WIN:
            odds: Odds = rule.payouts[number or 0].odds
            net, breakage = round_payment(odds.winnings(bet.stake), rules.pay_unit, rules.unpayable)
            cite = tuple(dict.fromkeys(cite + rule.payouts[number or 0].cite))
            return settlement._replace(
                net_cents=net, paid_cents=Cents(bet.stake + net), odds=odds, breakage_cents=breakage, cite=cite
            )
        case Result.LOSE:
            return settlement._replace(net_cents=Cents(-bet.stake))
        case Result.RETURNED:
            return settlement._replace(paid_cents=bet.stake)
        case _:
            return settlement
