"""Explain the procedures of a book in words: the dice, the seats, and everything that people do at the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from trueodds.explain.anchor import anchor
from trueodds.explain.wager_sheet import RuleStatement
from trueodds.rulebook import PROCEDURE_TOPICS, Book, Bound, GameVariant, IrregularThrow, Option, Procedure


class AnchoredStatement(NamedTuple):
    """A statement, and the anchor it has on the page of its book."""

    anchor: str
    statement: RuleStatement


def explain_procedures(book: Book) -> tuple[RuleStatement, ...]:
    """Explain who holds the dice, how a table is set up and what people do there, as far as the book says.

    Procedures come by topic, then the terms that the book defines and the clauses that are not for software.
    """
    rows = [*dice_and_seats(book), *written_procedures(book), *definitions(book), *not_for_software(book)]
    return tuple(row.statement for row in rows)


def dice_and_seats(book: Book) -> Iterator[AnchoredStatement]:
    """Yield the rules about dice and seats that the engine applies."""
    points = _value_text(tuple(map(str, book.points)), book)
    yield AnchoredStatement(
        anchor("table", "points"), RuleStatement("the points are", points, book.game_cites["points"])
    )
    seven = RuleStatement("the number that ends a hand is", str(book.seven), book.game_cites["seven"])
    yield AnchoredStatement(anchor("table", "seven"), seven)
    for name, rule in book.custody.stated().items():
        statement = RuleStatement(_CUSTODY_TOPICS[name], _value_text(rule.value, book), rule.cite)
        yield AnchoredStatement(anchor("dice", name), statement)
    for game in book.games.values():
        yield from _game_statements(book, game)


def _game_statements(book: Book, game: GameVariant) -> Iterator[AnchoredStatement]:
    texts = {
        "seated": ("players sit", _value_text(game.seated, book)),
        "late_bet_confirmers": ("who confirms a late bet", _value_text(game.late_bet_confirmers or "nobody", book)),
        "max_seats": ("maximum seats", str(game.max_seats)),
        "table_feet": ("maximum table length in feet", str(game.table_feet)),
    }
    for key, cite in game.cites.items():
        topic, text = texts[key]
        statement = RuleStatement(f"{game.name.replace('_', ' ')}: {topic}", text, cite)
        yield AnchoredStatement(anchor("table", game.name, key), statement)


def written_procedures(book: Book) -> Iterator[AnchoredStatement]:
    """Yield the procedures that the book states in words, by topic."""
    for topic in PROCEDURE_TOPICS:
        for procedure in book.procedures:
            if procedure.topic == topic:
                statement = RuleStatement(f"{topic}: {procedure.title}", procedure_text(procedure), procedure.cite)
                yield AnchoredStatement(anchor("procedure", procedure.id), statement)


def procedure_text(procedure: Procedure) -> str:
    """Return a procedure as lines: in which games, when and by whom, then the steps, then its house options."""
    games = f"in {_listed(procedure.games)}" if procedure.games else ""
    head = ", ".join(part for part in (games, procedure.when, _listed(procedure.by)) if part)
    lines = [f"{head[0].upper()}{head[1:]}:"] if head else []
    lines += procedure.steps
    if procedure.options:
        plural = "s" if len(procedure.options) > 1 else ""
        lines.append(f"Depends on the house option{plural} {', '.join(procedure.options)}.")
    return "\n".join(lines)


def _listed(names: tuple[str, ...]) -> str:
    return " and ".join(name.replace("_", " ") for name in names)


def definitions(book: Book) -> Iterator[AnchoredStatement]:
    """Yield the terms that the book defines."""
    for definition in book.definitions:
        statement = RuleStatement(f"definition: {definition.term}", definition.meaning, definition.cite)
        yield AnchoredStatement(anchor("definition", definition.term), statement)


def not_for_software(book: Book) -> Iterator[AnchoredStatement]:
    """Yield the clauses that trueodds does not carry out, with the reason."""
    for row in book.not_for_software:
        statement = RuleStatement(f"not for software: {row.about}", row.reason, row.cite)
        yield AnchoredStatement(anchor("not-for-software", row.about), statement)


def officials_text(throw: IrregularThrow) -> str:
    """Return who may rule on a throw in each game, or "" if nobody has to."""
    return "; ".join(
        f"{game.replace('_', ' ')}: {', '.join(people) or 'nobody'}" for game, people in throw.officials.items()
    )


_CUSTODY_TOPICS: Final = {
    "line_bet": "the shooter needs a line bet",
    "line_bet_waived": "the line bet is waived when",
    "pass_after": "the shooter may give up the dice after",
    "next_offer": "the dice are offered next to",
    "puck_off_round": "come bets are decided without a line bet when nobody makes one",
    "order_causes": "reasons to order the dice passed",
    "order_by": "who may order it",
    "first_offer": "the dice are first offered",
    "dice_kept_by": "who keeps the dice",
    "dice_at_least": "minimum number of dice at the table",
    "surveillance_at_points": "fire points at which surveillance is notified",
    "fire_spots": "maximum number of fire spots",
}


def _value_text(value: object, book: Book) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return "; ".join(f"{key.replace('_', ' ')}: {_value_text(item, book)}" for key, item in value.items())
    if isinstance(value, tuple):
        return ", ".join(_value_text(item, book) for item in value) or "none"
    text = str(value)
    return _option_text(book.options[text[1:]], book) if text.startswith("$") else text.replace("_", " ")


def _option_text(option: Option, book: Book) -> str:
    """Return the value that a book orders for an option, or its default where a house may choose."""
    ordered = next((bound for bound in option.bounds if _is_order(bound)), None)
    if ordered is None:
        return f"{_value_text(option.default, book)}, unless the house changes its option {option.name}"
    exceptions = [f"{name} is {_value_text(value, book)}" for name, value in ordered.unless.items()]
    return _value_text(ordered.limits[0], book) + (f", unless {' or '.join(exceptions)}" if exceptions else "")


def _is_order(bound: Bound) -> bool:
    return bound.kind == "one_of" and len(bound.limits) == 1
