"""A wager in plain words: when it is made, what it wins, loses and pays on, each with its clause."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from trueodds.dice import ROLLS
from trueodds.money import money
from trueodds.rulebook import Cite, Spot
from trueodds.wagers import (
    WINDOWS,
    BonusRule,
    FireRule,
    HardwayRule,
    LineRule,
    NumberRule,
    OddsRule,
    OneRollRule,
    PartsRule,
    Rule,
    Rules,
    SinglePayRule,
)


class Statement(NamedTuple):
    """One thing a book says about a wager."""

    topic: str
    text: str
    cite: Cite


class Sheet(NamedTuple):
    """Everything a book says about one kind of wager."""

    kind: str
    title: str
    aliases: tuple[str, ...]
    offered: bool
    statements: tuple[Statement, ...]


_LOCKS = {
    "never_locked": "Whenever the player likes, before the throw that decides it.",
    "point": "Until its number is established; never after.",
    "placement": "Never, once it is made.",
}


def sheet_of(rules: Rules, kind: str) -> Sheet:
    """Describe a kind of wager under a house."""
    text = rules.book.wagers[kind]
    odds = rules.odds.get(kind)
    if odds is not None:
        return Sheet(kind, text.title, text.aliases, odds.offer.given, tuple(_odds(rules, odds)))
    members = [rules.spots[spot] for spot in text.spots()]
    return Sheet(kind, text.title, text.aliases, members[0].offer.given, tuple(_flat(rules, members)))


def _flat(rules: Rules, members: list[Rule]) -> Iterable[Statement]:
    first = members[0]
    yield Statement("when", f"{WINDOWS[first.window].capitalize()}.", _all(members, "def"))
    yield from _decided(members)
    yield from _pays(members)
    if first.vig:
        yield Statement("vigorish", _vigorish(first), first.cite("vig"))
    yield from _units(rules, members)
    if first.may_be_off:
        off = first.spot.kind in rules.comeout_off
        yield Statement(
            "come-out",
            "Off on a come-out unless the player calls it on." if off else "Works on a come-out.",
            _all(members, "working"),
        )
    yield Statement("take down", _LOCKS[first.remove], _all(members, "change"))
    if first.reduce != first.remove:
        yield Statement("reduce", _LOCKS[first.reduce], _all(members, "change"))
    yield Statement("increase", _increase(first), _all(members, "increase"))
    if "after_win" in first.text.terms:
        stays = "Stays up and is paid." if first.stays_up else "Comes down with its stake."
        yield Statement("after a win", stays, _all(members, "after_win"))


def _all(members: list[Rule], facet: str) -> Cite:
    """Gather the citations of all numbers, each once."""
    return tuple(dict.fromkeys(part for rule in members for part in rule.cite(facet)))


def _decided(members: list[Rule]) -> Iterable[Statement]:
    first = members[0]
    match first:
        case LineRule():
            yield from _line(first)
        case NumberRule():
            for_it = "Its number is thrown before a {}.", "A {} is thrown before its number."
            win, lose = for_it if first.wins_on_number else for_it[::-1]
            yield Statement("wins", win.format(first.seven), _all(members, "win"))
            yield Statement("loses", lose.format(first.seven), _all(members, "lose"))
        case HardwayRule():
            win = f"The number is thrown as a pair before it is thrown any other way and before a {first.seven}."
            lose = f"The number is thrown any other way, or a {first.seven} comes, before the pair."
            yield Statement("wins", win, _all(members, "win"))
            yield Statement("loses", lose, _all(members, "lose"))
        case FireRule():
            seven = "any 7" if first.any_seven else "the loser 7"
            least = min(first.pays)
            win = f"At least {least} different points were made when {seven} comes; settled then, once."
            yield Statement("wins", win, first.cite("win"))
            yield Statement("loses", f"Fewer than {least} were made when {seven} comes.", first.cite("lose"))
            counts = "do not count" if first.freezes else "count"
            late = f"Stays up when the shooter gives the dice up; a successor's points {counts}."
            yield Statement("dice given up", late, first.cite("surrender"))
        case BonusRule():
            wanted = _numbers(first.wanted)
            yield Statement("wins", f"All of {wanted} are thrown before any 7; paid at once.", first.cite("win"))
            yield Statement("loses", "Any 7 comes first, on a come-out or not.", first.cite("lose"))
            yield Statement("dice given up", "Goes on, and new ones wait for a 7.", first.cite("surrender"))
        case _:
            yield Statement("wins", _winning_throws(members), _all(members, "win"))
            yield Statement("loses", "Any other throw.", _all(members, "lose"))


def _line(rule: LineRule) -> Iterable[Statement]:
    start = "the next throw" if rule.travels else "the come-out"
    yield Statement("wins", f"{_numbers(rule.first_win)} on {start}.", rule.cite("first_win"))
    won = f"then its number before a {rule.seven}" if rule.wins_on_number else f"then a {rule.seven} before its number"
    yield Statement(
        "wins later",
        f"Any other number {'is where it travels' if rule.travels else 'is the point'}; {won}.",
        rule.cite("then_win"),
    )
    yield Statement("loses", f"{_numbers(rule.first_lose)} on {start}.", rule.cite("first_lose"))
    lost = f"A {rule.seven} before its number." if rule.wins_on_number else f"Its number before a {rule.seven}."
    yield Statement("loses later", lost, rule.cite("then_lose"))
    if rule.bar is not None:
        fate = "stays where it is, nothing happens" if rule.bar_stays else "void, the stake goes back"
        yield Statement("barred", f"{rule.bar} on {start}: {fate}.", rule.cite("push"))


def _winning_throws(members: list[Rule]) -> str:
    first = members[0]
    if len(members) > 1 and isinstance(first, OneRollRule):
        return "The pair is thrown, in either order, on the next throw."
    if isinstance(first, OneRollRule):
        rolls = set(first.wins)
    else:
        rolls = {roll for rule, _ in first.shares for roll in rule.wins} if isinstance(first, PartsRule) else set()
    totals = {roll.total for roll in rolls}
    whole = {roll for roll in ROLLS if roll.total in totals} == rolls
    named = _numbers(totals) if whole else ", ".join(sorted({"-".join(map(str, roll.pair)) for roll in rolls}))
    return f"{named} on the next throw."


def _numbers(numbers: Iterable[int]) -> str:
    *most, last = map(str, sorted(numbers))
    return f"{', '.join(most)} or {last}" if most else last


def _pays(members: list[Rule]) -> Iterable[Statement]:
    groups: dict[tuple[tuple[str, str], ...], list[Rule]] = {}
    for rule in members:
        groups.setdefault(rule.pay_words, []).append(rule)
    parts = []
    for words, rules in groups.items():
        on = "" if len(groups) == 1 else " on " + ", ".join(rule.spot.selection for rule in rules)
        parts.append("; ".join(f"{odds}{' (' + when + ')' if when else ''}" for when, odds in words) + on)
    cites = tuple(dict.fromkeys(part for rule in members for part in pay_cite(rule)))
    yield Statement("pays", ". ".join(parts) + ".", cites)


def pay_cite(rule: Rule) -> Cite:
    """Where the book says what a spot pays."""
    match rule:
        case SinglePayRule():
            return rule.pay.cite
        case FireRule():
            return tuple(dict.fromkeys(part for pay in rule.pays.values() for part in pay.cite))
        case OneRollRule():
            return tuple(dict.fromkeys(part for pay in rule.wins.values() for part in pay.cite))
        case _:
            return rule.cite("pays")


def _vigorish(rule: Rule) -> str:
    vig = rule.vig
    if vig is None:
        return ""
    of = "the amount it can win" if vig.on_win_amount else "the wager"
    when = "taken from a win" if vig.at_win else "when it is made"
    back = "" if vig.at_win else (", refunded when it comes down undecided" if vig.refund else ", not refunded")
    return f"{vig.basis_points / 100:g} % of {of}, {when}{back}; rounded down."


def _units(rules: Rules, members: list[Rule]) -> Iterable[Statement]:
    first, currency = members[0], rules.house.currency
    if first.unit > 1:
        yield Statement("unit", f"In multiples of {money(first.unit, currency)}.", first.cite("unit"))
    if first.breakdown:
        parts = " and ".join(
            f"{units} on {'the chosen number' if len(members) > 1 and index else rules.spots[spot].name}"
            for index, (spot, units) in enumerate(first.breakdown)
        )
        yield Statement("no box", f"Broken down into units: {parts}.", first.cite("box"))


def _increase(rule: Rule) -> str:
    said = _LOCKS[rule.increase]
    if rule.increase == "point" and rule.increase_after_point:
        said = "Whenever the player likes, also after its number is established."
    return said if rule.increase_after_cut else f"{said} Not at all after it was reduced."


def _odds(rules: Rules, odds: OddsRule) -> Iterable[Statement]:
    base = rules.book.wagers[odds.base].title
    yield Statement("when", f"Behind a {base} that has a number.", odds.cite("def"))
    yield Statement("wins", f"With the {base}.", odds.cite("win"))
    yield Statement("loses", f"With the {base}.", odds.cite("lose"))
    pays: dict[str, list[int]] = {}
    for number, pay in odds.pays.items():
        pays.setdefault(str(pay.odds), []).append(number)
    said = ", ".join(f"{words} on {_numbers(numbers)}" for words, numbers in pays.items())
    yield Statement("pays", f"{said}.", tuple(dict.fromkeys(p for pay in odds.pays.values() for p in pay.cite)))
    limits: dict[int, list[int]] = {}
    for number, times in odds.times.items():
        limits.setdefault(times, []).append(number)
    what = "winnings" if odds.of_winnings else "stake"
    said = ", ".join(f"{times}x on {_numbers(numbers)}" for times, numbers in limits.items())
    beyond = " Beyond it only up to the next stake that pays exactly." if odds.facilitate else ""
    yield Statement("limit", f"Its {what} up to {said} of the flat bet.{beyond}", odds.cite("cap"))
    off = odds.kind in rules.comeout_off
    yield Statement(
        "come-out",
        "Off on a come-out unless called on; returned if its bet is decided meanwhile."
        if off
        else "Works on a come-out.",
        odds.cite("working") or odds.cite("def"),
    )
    yield Statement("take down", _LOCKS["never_locked"], odds.cite("change"))


def spots_in_words(rules: Rules, kind: str) -> str:
    """List what can be picked for a wager, if anything."""
    picks = [spot.selection for spot in rules.book.wagers[kind].spots() if spot.pick]
    return ", ".join(picks)


def find_kind(rules: Rules, word: str) -> str | None:
    """Find a wager by kind, title, short name or alias, whatever its case."""
    wanted = word.strip().lower().replace("_", " ")
    for kind, text in rules.book.wagers.items():
        names = (kind, text.title, text.short, *text.aliases, *text.titles.values())
        if wanted in {name.lower().replace("_", " ") for name in names}:
            return kind
    try:
        spot = Spot.parse(word)
    except ValueError:
        return None
    return spot.kind if spot.kind in rules.book.wagers else None
