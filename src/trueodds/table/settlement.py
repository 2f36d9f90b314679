"""Settling one wager on one throw: is it working, what does its family say, and what is that in cents."""

from __future__ import annotations

from fractions import Fraction

from trueodds.dice import Roll
from trueodds.money import ZERO, Cents, Odds, pay
from trueodds.rulebook import Cite, Spot
from trueodds.table.event import Ruling
from trueodds.wagers import Call, OddsBet, OddsRule, Phase, Result, Rule, Rules, Verdict, Wager

Rulings = tuple[Ruling, ...]
"""The ruling on a wager, then one for each of its odds in order."""


def working(rules: Rules, kind: str, call: Call, phase: Phase) -> bool:
    """Tell whether a wager takes part in a throw: as called, or else as the house has it on a come-out."""
    if call:
        return call == "on"
    return phase > 0 or kind not in rules.comeout_off


def call_cite(rules: Rules, kind: str, call: Call) -> Cite:
    """Where the right to call a wager on or off comes from."""
    name = "call_on" if call == "on" and kind in rules.call_on else "call_off"
    option = rules.book.options.get(name)
    return option.cite if option else rules.refusal_cite("not_callable")


def settle(rules: Rules, wager: Wager, phase: Phase, roll: Roll) -> Rulings:
    """Rule on a wager and its odds. Reads nothing but its arguments."""
    rule = rules.spots[wager.spot]
    lapses = _calls_lapse(rules, phase, roll)
    if working(rules, wager.spot.kind, wager.call, phase):
        verdict = rule.decide(wager, phase, roll)
    else:
        cite = call_cite(rules, wager.spot.kind, wager.call) if wager.call else rule.cite("working")
        verdict = Verdict(Result.OFF, cite)
    number = rule.number_of(wager, phase)
    behind = tuple(_settle_odds(rules, bet, number, verdict.result, phase, roll) for bet in wager.odds)
    kept = _lapsed(wager) if lapses else wager
    return (_settle_flat(rules, rule, wager, kept, verdict, roll), *behind)


def _calls_lapse(rules: Rules, phase: Phase, roll: Roll) -> bool:
    """Tell whether on and off calls end with this throw."""
    if rules.call_scope == "phase":
        return (rules.puck_after(phase, roll.total) > 0) != (phase > 0)
    return rules.call_scope == "roll"


def _lapsed(wager: Wager) -> Wager:
    if not (wager.call or any(bet.call for bet in wager.odds)):
        return wager
    return wager._replace(call="", odds=tuple(bet._replace(call="") for bet in wager.odds))


def _settle_flat(rules: Rules, rule: Rule, wager: Wager, kept: Wager, verdict: Verdict, roll: Roll) -> Ruling:
    name, total, currency = _name(rule, wager), roll.total, rules.house.currency
    cite = tuple(dict.fromkeys(verdict.cite)) if len(verdict.cite) > 1 else verdict.cite
    if verdict.result in (Result.NO_ACTION, Result.OFF):  # by far the most
        if verdict.marks is not None and verdict.marks != kept.marks:
            kept = kept._replace(marks=verdict.marks)
        return Ruling(name, wager.spot, wager.stake, total, verdict.result, cite, after=kept, currency=currency)
    told = Ruling(name, wager.spot, wager.stake, total, verdict.result, cite, currency=currency)
    match verdict.result:
        case Result.WIN:
            return _win(rules, rule, wager, kept, verdict, told)
        case Result.LOSE:
            return told._replace(net=Cents(-wager.stake))
        case Result.PUSH:
            return told._replace(cash=wager.stake)
        case Result.MOVED:
            moved = kept._replace(spot=Spot(wager.spot.kind, (verdict.to or 0,)))
            return told._replace(to=verdict.to, after=moved)
        case _:
            raise AssertionError(verdict.result)  # odds alone are returned


def _name(rule: Rule, wager: Wager) -> str:
    """Call a come bet by the number it has travelled to."""
    if wager.spot == rule.spot:
        return rule.name
    return f"{rule.name} on {wager.spot.selection}"


def _win(rules: Rules, rule: Rule, wager: Wager, kept: Wager, verdict: Verdict, told: Ruling) -> Ruling:
    exact = (verdict.ratio or Fraction(0)) * wager.stake
    net, breakage = pay(exact, rules.pay_unit, rules.unpayable)
    vig, after = ZERO, None
    if rule.vig and (rule.vig.at_win or rule.stays_up):
        vig = rule.vig.charge(wager.stake, rule.vig_odds)
    if rule.stays_up:
        after = kept._replace(vig=ZERO if not rule.vig or rule.vig.at_win else vig)
    cash = Cents(net - vig + (0 if rule.stays_up else wager.stake))
    return told._replace(
        net=net,
        vig=vig,
        cash=cash,
        odds=verdict.odds,
        parts=verdict.parts,
        breakage=breakage,
        stays=rule.stays_up,
        after=after,
        at_win=bool(rule.vig and rule.vig.at_win),
    )


def _settle_odds(rules: Rules, bet: OddsBet, number: int | None, base: Result, phase: Phase, roll: Roll) -> Ruling:
    """Rule on odds: they share the fate of their base, or go back if they were off when it was decided."""
    rule: OddsRule = rules.odds[bet.kind]
    on = working(rules, bet.kind, bet.call, phase)
    result = {Result.WIN: Result.WIN, Result.LOSE: Result.LOSE}.get(base, Result.NO_ACTION)
    if not on:
        result = Result.OFF if result is Result.NO_ACTION else Result.RETURNED
    facet = {Result.WIN: "win", Result.LOSE: "lose", Result.RETURNED: "returned", Result.OFF: "working"}
    cite = rule.cite(facet.get(result, "idle")) or rule.cite("def")
    if result is Result.OFF and bet.call:
        cite = call_cite(rules, bet.kind, bet.call)
    told = Ruling(
        rule.text.short_of(str(number)),
        Spot(bet.kind),
        bet.stake,
        roll.total,
        result,
        cite,
        currency=rules.house.currency,
    )
    match result:
        case Result.WIN:
            odds: Odds = rule.pays[number or 0].odds
            net, breakage = pay(odds.winnings(bet.stake), rules.pay_unit, rules.unpayable)
            cite = tuple(dict.fromkeys(cite + rule.pays[number or 0].cite))
            return told._replace(net=net, cash=Cents(bet.stake + net), odds=odds, breakage=breakage, cite=cite)
        case Result.LOSE:
            return told._replace(net=Cents(-bet.stake))
        case Result.RETURNED:
            return told._replace(cash=bet.stake)
        case _:
            return told
