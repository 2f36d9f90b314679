"""Explain a wager in words: when it is made, when it wins and loses, what it pays. Each statement cites its clause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from trueodds.dice import ROLLS, Roll
from trueodds.money import format_money
from trueodds.rulebook import Citation, Spot
from trueodds.wagers import (
    WINDOW_DESCRIPTIONS,
    BonusRule,
    CombinationRule,
    FireRule,
    HardwayRule,
    LineRule,
    NumberRule,
    OddsRule,
    OneRollRule,
    SinglePayoutRule,
    TableRules,
    WagerRule,
)


class RuleStatement(NamedTuple):
    """A statement about a wager or a procedure, with its citation."""

    topic: str
    text: str
    cite: Citation


class WagerSheet(NamedTuple):
    """Everything a book says about one kind of wager. `selections` are the numbers or pairs to choose from, if any."""

    kind: str
    title: str
    aliases: tuple[str, ...]
    selections: tuple[str, ...]
    offered: bool
    statements: tuple[RuleStatement, ...]


_LOCK_TEXTS: Final = {
    "never_locked": "Any time before the roll that decides it.",
    "point": "Only until its number is established.",
    "placement": "Never once it is made.",
}


def explain_wager(rules: TableRules, kind: str) -> WagerSheet:
    """Explain a kind of wager under a house."""
    wager = rules.book.wagers[kind]
    odds = rules.odds_rules.get(kind)
    spots = wager.spots()
    if odds is not None:
        offered, statements = odds.availability.offered, _odds_statements(rules, odds)
    else:
        spot_rules = [rules.wager_rules[spot] for spot in spots]
        offered, statements = spot_rules[0].availability.offered, _flat_statements(rules, spot_rules)
    selections = tuple(spot.selection for spot in spots if spot.pick)
    return WagerSheet(kind, wager.title, wager.aliases, selections, offered, tuple(statements))


def _flat_statements(rules: TableRules, spot_rules: list[WagerRule]) -> Iterable[RuleStatement]:
    first = spot_rules[0]
    when = WINDOW_DESCRIPTIONS[first.window].capitalize()
    yield RuleStatement("when", f"{when}.", _merged_citation(spot_rules, "def"))
    yield from _decision_statements(spot_rules)
    yield from _payout_statements(spot_rules)
    if isinstance(first, CombinationRule):
        yield RuleStatement("parts", _parts_text(rules, first), _merged_citation(spot_rules, "pays"))
    if isinstance(first, FireRule):
        yield from _other_fire_tables(rules, first)
    if first.vig:
        yield RuleStatement("vigorish", _vigorish_text(rules, first), first.cite("vig"))
    yield from _limit_statements(rules, spot_rules)
    if first.may_be_off:
        off = first.spot.kind in rules.comeout_off
        yield RuleStatement(
            "come-out",
            "Off on a come-out unless the player calls it on." if off else "Works on a come-out.",
            _merged_citation(spot_rules, "working"),
        )
    yield RuleStatement("take down", _LOCK_TEXTS[first.remove_lock], _merged_citation(spot_rules, "change"))
    if first.reduce_lock != first.remove_lock:
        yield RuleStatement("reduce", _LOCK_TEXTS[first.reduce_lock], _merged_citation(spot_rules, "change"))
    yield RuleStatement("increase", _increase_text(first), _merged_citation(spot_rules, "increase"))
    if "after_win" in first.definition.terms:
        stays = "Stays up and is paid." if first.stays_up else "Comes down with its stake."
        yield RuleStatement("after a win", stays, _merged_citation(spot_rules, "after_win"))


def _merged_citation(spot_rules: list[WagerRule], facet: str) -> Citation:
    """Return the references of all spots, each once."""
    return tuple(dict.fromkeys(reference for rule in spot_rules for reference in rule.cite(facet)))


def _decision_statements(spot_rules: list[WagerRule]) -> Iterable[RuleStatement]:
    first = spot_rules[0]
    match first:
        case LineRule():
            yield from _line_statements(first)
        case NumberRule():
            texts = f"Its number is rolled before a {first.seven}.", f"A {first.seven} is rolled before its number."
            win, lose = texts if first.wins_on_number else texts[::-1]
            yield RuleStatement("wins", win, _merged_citation(spot_rules, "win"))
            yield RuleStatement("loses", lose, _merged_citation(spot_rules, "lose"))
        case HardwayRule():
            win = f"The number is rolled as a pair before it is rolled any other way and before a {first.seven}."
            lose = f"The number is rolled any other way, or a {first.seven} is rolled, before the pair."
            yield RuleStatement("wins", win, _merged_citation(spot_rules, "win"))
            yield RuleStatement("loses", lose, _merged_citation(spot_rules, "lose"))
        case FireRule():
            seven = "any 7" if first.any_seven else "the loser 7"
            minimum = min(first.payouts)
            win = f"At least {minimum} different points are made before {seven}. It is settled at that 7."
            lose = f"Fewer than {minimum} different points are made before {seven}."
            yield RuleStatement("wins", win, first.cite("win"))
            yield RuleStatement("loses", lose, first.cite("lose"))
            count = "do not count" if first.freezes_on_surrender else "count"
            late = f"Stays up when the shooter gives up the dice; the next shooter's points {count}."
            yield RuleStatement("dice given up", late, first.cite("surrender"))
        case BonusRule():
            totals = _numbers_text(first.totals, "and")
            yield RuleStatement("wins", f"{totals} are all rolled before any 7. It is paid at once.", first.cite("win"))
            yield RuleStatement("loses", "A 7 is rolled first, on a come-out or not.", first.cite("lose"))
            yield RuleStatement("dice given up", "Stays up; new ones can be made after a 7.", first.cite("surrender"))
        case _:
            yield RuleStatement("wins", _winning_rolls_text(spot_rules), _merged_citation(spot_rules, "win"))
            yield RuleStatement("loses", "Any other roll.", _merged_citation(spot_rules, "lose"))
    yield from _idle_statement(_merged_citation(spot_rules, "idle"))


def _idle_statement(cite: Citation) -> Iterable[RuleStatement]:
    """Yield what happens on any other roll, where the book says so."""
    if cite:
        yield RuleStatement("no action", "Any other roll. It stays on the layout for the next roll.", cite)


def _line_statements(rule: LineRule) -> Iterable[RuleStatement]:
    start = "the next roll" if rule.travels else "the come-out"
    yield RuleStatement("wins", f"{_numbers_text(rule.first_win)} on {start}.", rule.cite("first_win"))
    won = f"then its number before a {rule.seven}" if rule.wins_on_number else f"then a {rule.seven} before its number"
    yield RuleStatement(
        "wins later",
        f"Any other number {'is the one it travels to' if rule.travels else 'is the point'}; {won}.",
        rule.cite("then_win"),
    )
    yield RuleStatement("loses", f"{_numbers_text(rule.first_lose)} on {start}.", rule.cite("first_lose"))
    lost = f"A {rule.seven} before its number." if rule.wins_on_number else f"Its number before a {rule.seven}."
    yield RuleStatement("loses later", lost, rule.cite("then_lose"))
    if rule.bar is not None:
        effect = "no action, the bet stays" if rule.bar_stays else "void, the stake is returned"
        yield RuleStatement("barred", f"{rule.bar} on {start}: {effect}.", rule.cite("push"))


def _winning_rolls_text(spot_rules: list[WagerRule]) -> str:
    first = spot_rules[0]
    if len(spot_rules) > 1 and isinstance(first, OneRollRule):
        return "The pair is rolled, in either order, on the next roll."
    rolls: set[Roll] = set()
    if isinstance(first, OneRollRule):
        rolls = set(first.payouts)
    elif isinstance(first, CombinationRule):
        rolls = {roll for rule, _ in first.shares for roll in rule.payouts}
    totals = {roll.total for roll in rolls}
    if {roll for roll in ROLLS if roll.total in totals} == rolls:
        return f"{_numbers_text(totals)} on the next roll."
    pairs = sorted({"-".join(map(str, roll.pair)) for roll in rolls})
    return f"{', '.join(pairs)} on the next roll."


def _numbers_text(numbers: Iterable[int], conjunction: str = "or") -> str:
    *others, last = map(str, sorted(numbers))
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def _payout_statements(spot_rules: list[WagerRule]) -> Iterable[RuleStatement]:
    groups: dict[tuple[tuple[str, str], ...], list[WagerRule]] = {}
    for rule in spot_rules:
        groups.setdefault(rule.payout_texts, []).append(rule)
    sentences = []
    for payout_texts, rules in groups.items():
        on = "" if len(groups) == 1 else " on " + ", ".join(rule.spot.selection for rule in rules)
        sentences.append("; ".join(f"{odds} ({rolls})" if rolls else odds for rolls, odds in payout_texts) + on)
    cites = tuple(dict.fromkeys(reference for rule in spot_rules for reference in _payout_cite(rule)))
    yield RuleStatement("pays", ". ".join(sentences) + ".", cites)


def _payout_cite(rule: WagerRule) -> Citation:
    """Return where the book says what a spot pays."""
    match rule:
        case SinglePayoutRule():
            return rule.payout.cite
        case FireRule() | OneRollRule():
            return tuple(dict.fromkeys(reference for payout in rule.payouts.values() for reference in payout.cite))
        case _:
            return rule.cite("pays")


def _parts_text(rules: TableRules, rule: CombinationRule) -> str:
    """Return how the stake of a combination bet is divided."""
    rows = rule.definition.terms["shares"]
    shares = [(str(kind), int(units)) for kind, units in rows] if isinstance(rows, tuple) else []
    *parts, last = [
        f"{units} more on the chosen number" if kind == "high" else f"{units} on {rules.wager_rules[Spot(kind)].name}"
        for kind, units in shares
    ]
    whole = sum(units for _, units in shares)
    return f"{whole} equal parts: {', '.join(parts)} and {last}. Each is paid as a bet of its own."


def _other_fire_tables(rules: TableRules, rule: FireRule) -> Iterable[RuleStatement]:
    """Yield the pay tables that the house could have chosen instead."""
    tables, option = rule.definition.terms["tables"], rule.definition.option("table")
    chosen = rules.house.get(option) if option else None
    for name, rows in tables.items() if isinstance(tables, Mapping) else ():
        if name != chosen:
            found = {count: rules.book.pay_table[key] for count, key in rows.items()}
            payouts = "; ".join(f"{row.odds} ({count} points)" for count, row in found.items())
            cite = tuple(dict.fromkeys(reference for row in found.values() for reference in row.cite))
            yield RuleStatement("other pay table", f"A house may choose table {name}: {payouts}.", cite)


def _vigorish_text(rules: TableRules, rule: WagerRule) -> str:
    vig = rule.vig
    if vig is None:
        return ""
    limits = _limits_of(rules, rule.definition.option("vig", "bp"))
    most = f" (at most {limits['at_most'] / 100:g} % is allowed)" if set(limits) == {"at_most"} else ""
    timing = rules.book.options.get(rule.definition.option("vig", "timing") or "")
    either = timing is not None and not timing.bounds and not vig.charged_on_win
    alternative = " A house may take it from wins only." if either else ""
    of = "the amount it can win" if vig.on_win_amount else "the wager"
    when = "taken from a win" if vig.charged_on_win else "when it is made"
    refund = ", refunded if it comes down undecided" if vig.refundable else ", not refunded"
    if vig.charged_on_win:
        refund = ""
    return f"{vig.basis_points / 100:g} % of {of}{most}, {when}{refund}; rounded down.{alternative}"


def _limits_of(rules: TableRules, option: str | None) -> dict[str, int]:
    """Return the numbers that the book sets as bounds of an option, by the kind of bound."""
    bounds = rules.book.options[option].bounds if option else ()
    return {bound.kind: bound.limit for bound in bounds if isinstance(bound.limit, int)}


def _limit_statements(rules: TableRules, spot_rules: list[WagerRule]) -> Iterable[RuleStatement]:
    first, currency = spot_rules[0], rules.house.currency
    least = format_money(first.min_stake, currency) if first.min_stake else ""
    most = format_money(first.max_stake, currency) if first.max_stake is not None else ""
    if least or most:
        text = f"From {least} to {most}." if least and most else f"At least {least}." if least else f"At most {most}."
        yield RuleStatement("limits", text, _merged_citation(spot_rules, "limits"))
    if first.stake_unit > 1:
        yield RuleStatement("unit", f"In multiples of {format_money(first.stake_unit, currency)}.", first.cite("unit"))
    if first.breakdown:
        parts = " and ".join(
            f"{units} on {'the chosen number' if len(spot_rules) > 1 and index else rules.wager_rules[spot].name}"
            for index, (spot, units) in enumerate(first.breakdown)
        )
        yield RuleStatement("no box", f"Broken down into units: {parts}.", first.cite("box"))


def _increase_text(rule: WagerRule) -> str:
    text = _LOCK_TEXTS[rule.increase_lock]
    if rule.increase_lock == "point" and rule.increase_after_point:
        text = "Any time, also after its number is established."
    return text if rule.increase_after_reduction else f"{text} Never after it was reduced."


def _odds_statements(rules: TableRules, odds: OddsRule) -> Iterable[RuleStatement]:
    base = rules.book.wagers[odds.base_kind].title
    yield RuleStatement("when", f"On a {base} that has a number.", odds.cite("def"))
    yield RuleStatement("wins", f"With the {base}.", odds.cite("win"))
    yield RuleStatement("loses", f"With the {base}.", odds.cite("lose"))
    yield from _idle_statement(odds.cite("idle"))
    pays: dict[str, list[int]] = {}
    for number, payout in odds.payouts.items():
        pays.setdefault(str(payout.odds), []).append(number)
    pays_text = ", ".join(f"{text} on {_numbers_text(numbers)}" for text, numbers in pays.items())
    cite = tuple(dict.fromkeys(reference for row in odds.payouts.values() for reference in row.cite))
    yield RuleStatement("pays", f"{pays_text}.", cite)
    limits: dict[int, list[int]] = {}
    for number, times in odds.multiples.items():
        limits.setdefault(times, []).append(number)
    limited = "Winnings of up to" if odds.caps_winnings else "Up to"
    limits_text = ", ".join(f"{times}x on {_numbers_text(numbers)}" for times, numbers in limits.items())
    more = " More only up to the next stake that pays exactly." if odds.rounds_up_to_payable else ""
    limit = f"{limited} {limits_text}, as multiples of the flat bet.{more}{_multiples_text(rules, odds)}"
    yield RuleStatement("limit", limit, odds.cite("cap"))
    off = odds.kind in rules.comeout_off
    yield RuleStatement(
        "come-out",
        "Off on a come-out unless the player calls it on; returned if its flat bet is decided then."
        if off
        else "Works on a come-out.",
        odds.cite("working") or odds.cite("def"),
    )
    yield RuleStatement("take down", _LOCK_TEXTS["never_locked"], odds.cite("change"))


def _multiples_text(rules: TableRules, odds: OddsRule) -> str:
    """Return what the book allows a house to choose as multiples, or "" if it does not say."""
    limits = _limits_of(rules, odds.definition.option("cap", "times"))
    if {"at_least_default", "at_most_default"} <= set(limits):
        return " A house may not change these multiples."
    if {"at_least", "at_most"} <= set(limits):
        return f" A house must allow at least {limits['at_least']}x and may allow up to {limits['at_most']}x."
    return ""
