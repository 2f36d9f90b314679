"""Rules that a book states in words: procedures, definitions, and clauses that no software can follow."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final, NamedTuple

from trueodds.rulebook.citation import Citation, CitationParser
from trueodds.rulebook.toml_reader import TomlReader

PROCEDURE_TOPICS: Final = (
    "equipment",
    "layout",
    "dice",
    "staff",
    "opening",
    "closing",
    "betting",
    "calls",
    "settlement",
    "fire",
    "bonus",
    "seating",
    "notices",
    "documents",
    "records",
)
"""What a procedure may be about, in the order in which pages show them."""

PROCEDURE_TRIGGERS: Final = (
    "table_opened",
    "shooter_chosen",
    "fire_gathered",
    "bonus_gathered",
    "rolled",
    "fire_marked",
    "bonus_marked",
    "dice_passed",
)
"""The moments at which a table can record that a procedure was performed.

Side bets are gathered before the first roll of a hand, if there are any, and marked whenever a roll adds a number.
"""

_PROCEDURE_ID: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


class Procedure(NamedTuple):
    """What people do at the table, in steps.

    `when` and `by` say when it is done and who does it, and are empty where the text does not say. `options` are the
    house options it depends on. `games` are the games it belongs to; none means all of them. `trigger` is the moment
    at which a table records that it was performed, or empty if none does.
    """

    id: str
    topic: str
    title: str
    when: str
    by: tuple[str, ...]
    steps: tuple[str, ...]
    options: tuple[str, ...]
    games: tuple[str, ...]
    trigger: str
    cite: Citation


class Definition(NamedTuple):
    """A term that the text defines, in our words."""

    term: str
    meaning: str
    cite: Citation


class NotForSoftware(NamedTuple):
    """Clauses that trueodds does not carry out, and the reason."""

    about: str
    reason: str
    cite: Citation


def read_procedures(
    readers: tuple[TomlReader, ...], citations: CitationParser, options: Container[str], games: Container[str]
) -> tuple[Procedure, ...]:
    """Read every `[[procedure]]` of a book that has these options and games."""
    procedures: dict[str, Procedure] = {}
    for reader in readers:
        procedure = Procedure(
            reader.string("id"),
            reader.choice("topic", PROCEDURE_TOPICS),
            _read_text(reader, "title"),
            reader.string("when", ""),
            _read_texts(reader, "by", ()),
            _read_texts(reader, "steps"),
            reader.strings("options", ()),
            reader.strings("games", ()),
            reader.choice("trigger", PROCEDURE_TRIGGERS) if reader.has("trigger") else "",
            citations.take(reader, "cite"),
        )
        reader.reject_unknown_keys()
        if not _PROCEDURE_ID.fullmatch(procedure.id):
            reader.fail("id", f"expected small letters, digits and single underscores, got {procedure.id!r}")
        if procedure.id in procedures:
            reader.fail("id", f"{procedure.id} is used twice")
        if not procedure.steps:
            reader.fail("steps", "a procedure needs at least one step")
        for name in procedure.options:
            if name not in options:
                reader.fail("options", f"this book has no option {name!r}")
        for game in procedure.games:
            if game not in games:
                reader.fail("games", f"this book has no game {game!r}")
        procedures[procedure.id] = procedure
    return tuple(procedures.values())


def read_definitions(readers: tuple[TomlReader, ...], citations: CitationParser) -> tuple[Definition, ...]:
    """Read every `[[definition]]` of a book."""
    definitions: dict[str, Definition] = {}
    for reader in readers:
        definition = Definition(
            _read_text(reader, "term"), _read_text(reader, "meaning"), citations.take(reader, "cite")
        )
        reader.reject_unknown_keys()
        if definition.term.lower() in definitions:
            reader.fail("term", f"{definition.term} is defined twice")
        definitions[definition.term.lower()] = definition
    return tuple(definitions.values())


def read_not_for_software(readers: tuple[TomlReader, ...], citations: CitationParser) -> tuple[NotForSoftware, ...]:
    """Read every `[[not_for_software]]` of a book."""
    rows: dict[str, NotForSoftware] = {}
    for reader in readers:
        row = NotForSoftware(_read_text(reader, "about"), _read_text(reader, "reason"), citations.take(reader, "cite"))
        reader.reject_unknown_keys()
        if row.about.lower() in rows:
            reader.fail("about", f"{row.about} is used twice")
        rows[row.about.lower()] = row
    return tuple(rows.values())


def _read_text(reader: TomlReader, key: str) -> str:
    text = reader.string(key)
    if not text.strip():
        reader.fail(key, "must not be empty")
    return text


def _read_texts(reader: TomlReader, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
    texts = reader.strings(key) if default is None else reader.strings(key, default)
    if not all(text.strip() for text in texts):
        reader.fail(key, f"no line may be empty, got {list(texts)!r}")
    return texts
