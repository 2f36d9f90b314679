"""A whole book in plain words: its wagers, its options, its silences, and how it differs from another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from trueodds.explain.wager import Sheet, Statement, sheet_of
from trueodds.rulebook import Book, Cite, House, Option, plain
from trueodds.wagers import Rules


def sheets_of(rules: Rules) -> tuple[Sheet, ...]:
    """Describe every wager, in the book's order."""
    return tuple(sheet_of(rules, kind) for kind in rules.book.wagers)


def bare_rules(book: Book) -> Rules:
    """Read a book under its own bare options."""
    return Rules(House(book, plain_options=True, name=f"{book.title}, as written"))


class OptionSheet(NamedTuple):
    """An option of a book: what it means, what the text leaves it at, what the default house has, its range."""

    name: str
    meaning: str
    default: Any
    house: Any
    lawful: str
    cite: Cite


def option_sheets(book: Book) -> tuple[OptionSheet, ...]:
    """Describe every option of a book."""
    house = House(book)
    return tuple(
        OptionSheet(
            option.name,
            option.meaning,
            plain(option.default),
            plain(house[option.name]),
            lawful_words(option),
            option.cite,
        )
        for option in book.options.values()
    )


def lawful_words(option: Option) -> str:
    """Say what a book allows, with the clause of each bound."""
    if option.name == "paytable":
        return "keys and their law are those of the pay tables: fixed, a minimum, or free"
    if not option.lawful:
        return "the operator's choice"
    return "; ".join(f"{bound.words()} ({', '.join(bound.cite)})" for bound in option.lawful)


def procedures_of(book: Book) -> tuple[Statement, ...]:
    """Say who holds the dice and how a table is laid out, as far as the book says."""
    said = [Statement(_PROCEDURES[key], _in_words(rule.value), rule.cite) for key, rule in book.custody.items()]
    for game in book.games.values():
        name = game.name.replace("_", " ")
        said.append(Statement(f"{name}: players sit", _in_words(game.seated), game.cites["seated"]))
        late = game.confirm_late or "nobody"
        said.append(Statement(f"{name}: who confirms a late bet", _in_words(late), game.cites["confirm_late"]))
        for key, value in (("seats", game.seats), ("table_feet", game.table_feet)):
            if value is not None:
                said.append(Statement(f"{name}: at most this many {key.split('_')[-1]}", str(value), game.cites[key]))
    return tuple(said)


_PROCEDURES = {
    "line_bet": "the shooter needs a line bet",
    "line_bet_waived": "the line bet is waived when",
    "pass_after": "the shooter may give the dice up after",
    "next_offer": "the dice are offered next",
    "puck_off_round": "come bets are decided without a line bet when nobody makes one",
    "order_causes": "causes to order the dice passed",
    "order_by": "who may order it",
    "first_offer": "the dice are first offered",
    "dice_kept_by": "who keeps the dice",
    "dice_at_least": "dice at the table, at least",
    "surveillance_at_points": "surveillance is told at this many fire points",
    "fire_spots": "numbered fire spots, at most",
}


def _in_words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{key.replace('_', ' ')}: {_in_words(item)}" for key, item in value.items())
    if isinstance(value, tuple):
        return ", ".join(map(_in_words, value)) or "none"
    text = str(value)
    return f"as the house option {text[1:]} says" if text.startswith("$") else text.replace("_", " ")


class Contrast(NamedTuple):
    """A topic on which two books differ; an empty text means that the book does not have it."""

    wager: str
    topic: str
    left: str
    right: str


def contrasts(left: Rules, right: Rules, kind: str | None = None) -> tuple[Contrast, ...]:
    """List where two books say different things, of one wager or of all."""
    kinds = [kind] if kind else list(dict.fromkeys([*left.book.wagers, *right.book.wagers]))
    found: list[Contrast] = []
    for one in kinds:
        ours, theirs = _texts(left, one), _texts(right, one)
        if not ours or not theirs:
            if ours or theirs:
                found.append(Contrast(one, "offered", "yes" if ours else "", "yes" if theirs else ""))
            continue
        found += [
            Contrast(one, topic, ours.get(topic, ""), theirs.get(topic, ""))
            for topic in dict.fromkeys([*ours, *theirs])
            if ours.get(topic) != theirs.get(topic)
        ]
    return tuple(found)


def _texts(rules: Rules, kind: str) -> Mapping[str, str]:
    if kind not in rules.book.wagers:
        return {}
    sheet = sheet_of(rules, kind)
    if not sheet.offered:
        return {}
    return {"title": sheet.title} | {statement.topic: statement.text for statement in sheet.statements}
