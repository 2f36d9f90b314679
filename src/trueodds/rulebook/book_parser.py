"""Parse a book: every key is known, every value has the right type, every rule cites a clause or a silence."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from trueodds.dice import TOTALS
from trueodds.money import MoneyError, Odds
from trueodds.rulebook.book import Book, CitedValue, CustodyRules, GameVariant, IrregularThrow, PayTableRow, Tender
from trueodds.rulebook.citation import Citation, CitationParser, Silence
from trueodds.rulebook.errors import BookError, HouseError
from trueodds.rulebook.option import BOUND_KINDS, Bound, Option
from trueodds.rulebook.option_specs import OPTION_SPECS
from trueodds.rulebook.toml_reader import Location, TomlReader, TomlTable, freeze_table
from trueodds.rulebook.wager_definition import CitationsByFacet, read_citations, read_totals, read_wager
from trueodds.rulebook.written_rules import read_definitions, read_not_for_software, read_procedures

BOOK_SCHEMA: Final = "trueodds-book/1"
THROW_RULINGS: Final = ("void", "called", "valid", "opposite", "decided")
CONSTRAINTS: Final = ("fixed", "minimum", "free")
REFUSAL_KEYS: Final = (
    "not_offered",
    "late",
    "not_seated",
    "must_remain_seated",
    "unit",
    "no_such_bet",
    "bad_amount",
    "not_callable",
    "unpayable",
    "odds_wording",
    "bad_paytable",
)
SEATED_REFUSAL_KEYS: Final = ("not_seated", "must_remain_seated")
TENDER_KINDS: Final = ("chips", "verbal_cash", "match_play", "credit")
REQUIRED_OPTIONS: Final = (
    "game", "chip_unit", "pay_unit", "unpayable", "min_bet", "max_bet", "call_scope", "late_bets", "paytable",
)  # fmt: skip
REQUIRED_THROWS: Final = ("no_line_bet", "wrong_shooter")

BookFinder = Callable[[str], Book]
"""Returns a book by its id; used for the books whose procedures another book adopts."""


def parse_book(table: TomlTable, find_book: BookFinder) -> Book:
    """Make a book from a parsed TOML table.

    Raise BookError if the table is not a complete book. `find_book` returns the books whose procedures it adopts.
    """
    return read_book(TomlReader(table, Location(BookError.at)), find_book)


def read_book(reader: TomlReader, find_book: BookFinder) -> Book:
    """Make a book from the reader of a book file; `parse_book` does the same without a file."""
    try:
        return _read_book(reader, find_book)
    except (TypeError, AttributeError, KeyError, IndexError) as error:
        raise BookError.at(reader.location, f"a value has the wrong type: {error!r}") from error


def _read_book(reader: TomlReader, find_book: BookFinder) -> Book:
    raw = reader.remaining()
    head = reader.table("book")
    head.choice("schema", (BOOK_SCHEMA,))
    names = {key: head.string(key) for key in ("id", "code", "title", "source", "clause", "operator", "currency")}
    citations = CitationParser(names["clause"])
    head.reject_unknown_keys()

    adopted: list[Book] = []

    def adopt(name: str) -> Book:
        adopted.append(find_book(name))
        return adopted[-1]

    points, seven, game_cites, games = _read_games(reader.table("game"), citations)
    refusal_cites = _read_refusals(reader.table("refusal"), games, citations)
    tenders = _read_tenders(reader.table("tender"), citations)
    custody = _read_custody(reader.table("custody"), citations, adopt)
    throws = _read_irregular_throws(reader.table("throw"), games, citations, adopt)
    options = _read_options(reader.table("option"), citations)
    pay_table = _read_pay_tables(reader.tables("pay_table"), citations)
    common, common_cites = _read_common(reader.table("common"), citations)
    wagers = {
        kind: read_wager(kind, row, common, common_cites, citations)
        for kind, row in reader.table("wager").named_tables().items()
    }
    procedures = read_procedures(reader.tables("procedure", ()), citations, options, games)
    definitions = read_definitions(reader.tables("definition", ()), citations)
    not_for_software = read_not_for_software(reader.tables("not_for_software", ()), citations)
    silences = _read_silences(reader.tables("silence", ()), options)
    default_house = _read_default_house(reader.table("default_house"), options)
    reader.reject_unknown_keys()
    _check_silences(reader.location_of("silence"), citations.cited_silences, set(silences))
    book = Book(
        **names,
        points=points,
        seven=seven,
        game_cites=game_cites,
        games=games,
        refusal_cites=refusal_cites,
        tenders=tenders,
        custody=custody,
        irregular_throws=throws,
        options=options,
        default_house=default_house,
        pay_table=pay_table,
        wagers=MappingProxyType(wagers),
        procedures=procedures,
        definitions=definitions,
        not_for_software=not_for_software,
        silences=MappingProxyType(_adopted_silences(custody, throws, adopted) | silences),
        digest=_digest(raw, reader.location),
        raw=freeze_table(raw),
        location=reader.location,
    )
    _check_complete(book)
    return book


def _digest(table: TomlTable, location: Location) -> str:
    try:
        return hashlib.sha256(json.dumps(table, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
    except TypeError as error:
        raise BookError.at(location, f"expected only strings, numbers, lists and tables: {error}") from None


def _read_games(
    reader: TomlReader, citations: CitationParser
) -> tuple[tuple[int, ...], int, Mapping[str, Citation], Mapping[str, GameVariant]]:
    points, seven = read_totals(reader, "points"), reader.integer("seven")
    if not points or len(set(points)) != len(points) or seven in points or seven not in TOTALS:
        reader.fail("points", f"points must differ from each other and from the seven, got {points} and {seven}")
    cites = _read_cites(reader, ("points", "seven"), citations)
    games = {}
    for name, row in reader.named_tables().items():
        optional_keys = tuple(key for key in ("max_seats", "table_feet") if row.has(key))
        games[name] = GameVariant(
            name,
            row.boolean("seated"),
            row.strings("late_bet_confirmers"),
            row.integer("max_seats") if row.has("max_seats") else None,
            row.number("table_feet") if row.has("table_feet") else None,
            _read_cites(row, ("seated", "late_bet_confirmers", *optional_keys), citations),
        )
        row.reject_unknown_keys()
    if not games:
        reader.fail("craps", "a book needs at least one game")
    return tuple(sorted(points)), seven, cites, MappingProxyType(games)


def _read_cites(reader: TomlReader, keys: tuple[str, ...], citations: CitationParser) -> Mapping[str, Citation]:
    """Read `cite`: one citation for the whole row, or a table with one for each key."""
    value = reader.take("cite")
    location = reader.location_of("cite")
    if not isinstance(value, Mapping):
        return MappingProxyType(dict.fromkeys(keys, citations.parse(value, location)))
    table = TomlReader(value, location)
    cites = {key: citations.take(table, key) for key in keys}
    table.reject_unknown_keys()
    return MappingProxyType(cites)


def _read_refusals(
    reader: TomlReader, games: Mapping[str, GameVariant], citations: CitationParser
) -> Mapping[str, Citation]:
    seated = any(game.seated for game in games.values())
    keys = [key for key in REFUSAL_KEYS if seated or key not in SEATED_REFUSAL_KEYS]
    cites = {key: citations.take(reader, key) for key in keys}
    reader.reject_unknown_keys()
    return MappingProxyType(cites)


def _read_tenders(reader: TomlReader, citations: CitationParser) -> Mapping[str, Tender]:
    tenders = {}
    for name in TENDER_KINDS:
        row = reader.table(name)
        accepts = row.take("accepts")
        if isinstance(accepts, list):
            accepts = tuple(accepts)
        elif accepts not in ("all", "confirmed", "none") or not isinstance(accepts, str):
            row.fail("accepts", f"expected all, confirmed, none or a list of wagers, got {accepts!r}")
        tenders[name] = Tender(accepts, citations.take(row, "cite"))
        row.reject_unknown_keys()
    reader.reject_unknown_keys()
    return MappingProxyType(tenders)


def _read_adoption(
    reader: TomlReader, citations: CitationParser, find_book: BookFinder
) -> tuple[Book, Citation] | None:
    if not reader.has("adopt"):
        return None
    row = reader.table("adopt")
    book_id, cite = row.string("from"), citations.take(row, "cite")
    row.reject_unknown_keys()
    return find_book(book_id), cite


def _read_custody(reader: TomlReader, citations: CitationParser, find_book: BookFinder) -> CustodyRules:
    adoption = _read_adoption(reader, citations, find_book)
    adopted: dict[str, CitedValue[object]] = {}
    if adoption:
        source, adoption_cite = adoption
        adopted = {
            name: CitedValue(rule.value, adoption_cite + rule.cite) for name, rule in source.custody.stated().items()
        }
    own = tuple(name for name in CUSTODY_READERS if reader.has(name))
    values = {name: CUSTODY_READERS[name](reader, name) for name in own}
    cites = _read_cites(reader, own, citations) if own else {}
    reader.reject_unknown_keys()
    rules = adopted | {name: CitedValue(values[name], cites[name]) for name in own}
    return CustodyRules(**rules)  # type: ignore[arg-type]  # each was read by the reader of its type


def _read_flag_or_option(reader: TomlReader, key: str) -> bool | str:
    value = reader.take(key)
    if not isinstance(value, bool) and not (isinstance(value, str) and value.startswith("$")):
        reader.fail(key, f'expected true, false or an option like "$game", got {value!r}')
    return value


def _read_strings_by_game(reader: TomlReader, key: str) -> Mapping[str, str]:
    table = reader.table(key)
    return MappingProxyType({game: table.string(game) for game in table.keys})


def _read_lists_by_game(reader: TomlReader, key: str) -> Mapping[str, tuple[str, ...]]:
    table = reader.table(key)
    return MappingProxyType({game: table.strings(game) for game in table.keys})


CUSTODY_READERS: Final[Mapping[str, Callable[[TomlReader, str], object]]] = {
    "line_bet": _read_flag_or_option,
    "line_bet_waived": TomlReader.string,
    "pass_after": TomlReader.string,
    "next_offer": TomlReader.string,
    "puck_off_round": TomlReader.boolean,
    "order_causes": TomlReader.strings,
    "order_by": _read_lists_by_game,
    "first_offer": _read_strings_by_game,
    "dice_kept_by": _read_strings_by_game,
    "dice_at_least": TomlReader.integer,
    "surveillance_at_points": TomlReader.integer,
    "fire_spots": TomlReader.integer,
}
"""How each rule of `CustodyRules` is read."""


def _read_irregular_throws(
    reader: TomlReader, games: Mapping[str, GameVariant], citations: CitationParser, find_book: BookFinder
) -> Mapping[str, IrregularThrow]:
    adoption = _read_adoption(reader, citations, find_book)
    throws: dict[str, IrregularThrow] = {}
    if adoption:
        source, adoption_cite = adoption
        throws = {
            code: throw._replace(cite=adoption_cite + throw.cite) for code, throw in source.irregular_throws.items()
        }
    for code, row in reader.named_tables().items():
        ruling = row.choice("ruling", THROW_RULINGS)
        officials: dict[str, tuple[str, ...]] = {}
        keys: tuple[str, ...] = ("ruling",)
        if ruling in ("called", "decided"):
            by = row.table("by")
            officials = {game: by.strings(game, ()) for game in games}
            by.reject_unknown_keys()
            keys = ("ruling", "by")
        cites = _read_cites(row, keys, citations)
        row.reject_unknown_keys()
        cite = tuple(dict.fromkeys(clause for key in keys for clause in cites[key]))
        throws[code] = IrregularThrow(code, ruling, MappingProxyType(officials), cite)
    return MappingProxyType(throws)


def _read_options(reader: TomlReader, citations: CitationParser) -> Mapping[str, Option]:
    options = {}
    for name, row in reader.named_tables().items():
        spec = OPTION_SPECS.get(name)
        if spec is None:
            row.location.fail("no such option")
        default = row.take("default")
        try:
            default = spec.value_type.parse(default)
        except ValueError as error:
            row.fail("default", f"expected {error}, got {default!r}")
        bounds = tuple(_read_bound(bound, citations) for bound in row.tables("bounds", ()))
        allows = row.table("allows", {})
        allowed = {value: citations.take(allows, value) for value in allows.keys}
        options[name] = Option(name, default, bounds, MappingProxyType(allowed), citations.take(row, "cite"))
        row.reject_unknown_keys()
    return MappingProxyType(options)


def _read_bound(reader: TomlReader, citations: CitationParser) -> Bound:
    kind = next((name for name in BOUND_KINDS if reader.has(name)), None)
    if kind is None:
        reader.location.fail(f"a bound needs one of {', '.join(BOUND_KINDS)}")
    limit = _read_limit(kind, reader)
    conditions = reader.table("unless", {})
    unless = {name: _read_condition(conditions, name) for name in conditions.keys}
    bound = Bound(kind, limit, reader.string("code"), citations.take(reader, "clause"), MappingProxyType(unless))
    reader.reject_unknown_keys()
    return bound


def _read_condition(reader: TomlReader, name: str) -> bool | str:
    value = reader.take(name)
    if not isinstance(value, bool | str):
        reader.fail(name, f"expected true, false or a word, got {value!r}")
    return value


def _read_limit(kind: str, reader: TomlReader) -> bool | int | tuple[bool | int | str, ...]:
    if kind.endswith("_default"):
        return reader.boolean(kind)
    if kind in ("at_least", "at_most"):
        return reader.integer(kind)
    limits = reader.array(kind)
    for limit in limits:
        if not isinstance(limit, bool | int | str):
            reader.fail(kind, f"expected true, false, whole numbers or strings, got {limit!r}")
    return tuple(limit for limit in limits if isinstance(limit, bool | int | str))


def _read_default_house(reader: TomlReader, options: Mapping[str, Option]) -> TomlTable:
    location, values = reader.location, reader.take_all()
    for name, value in values.items():
        if name not in options:
            location.child(name).fail("no such option in this book")
        try:
            options[name].check(value, name)
        except HouseError as error:
            location.child(name).fail(error.problem)
    return freeze_table(values)


def _read_pay_tables(readers: tuple[TomlReader, ...], citations: CitationParser) -> Mapping[str, PayTableRow]:
    rows: dict[str, PayTableRow] = {}
    for reader in readers:
        constraint, clause = reader.choice("constraint", CONSTRAINTS), citations.take(reader, "clause")
        row_cites = reader.table("cite", {})
        odds = reader.table("odds")
        for key in odds.keys:
            if key in rows:
                odds.fail(key, "is in another pay table already")
            cite = citations.take(row_cites, key) if row_cites.has(key) else clause
            with odds.location_of(key).errors_located_here(MoneyError):
                rows[key] = PayTableRow(Odds.parse(odds.take(key)), constraint, clause, cite)
        row_cites.reject_unknown_keys()
        reader.reject_unknown_keys()
    return MappingProxyType(rows)


def _read_common(reader: TomlReader, citations: CitationParser) -> tuple[TomlTable, CitationsByFacet]:
    cites = read_citations(reader.table("cite"), citations)
    return reader.take_all(), cites


def _read_silences(readers: tuple[TomlReader, ...], options: Mapping[str, Option]) -> dict[str, Silence]:
    silences: dict[str, Silence] = {}
    for reader in readers:
        option = reader.take("option", [])
        names = tuple(option) if isinstance(option, list) else (option,)
        silence = Silence(
            reader.string("id"),
            reader.string("about"),
            reader.string("says"),
            reader.string("we_do"),
            reader.string("why"),
            tuple(map(str, names)),
        )
        reader.reject_unknown_keys()
        if silence.id in silences:
            reader.fail("id", f"{silence.id} is used twice")
        for name in silence.options:
            if name not in options:
                reader.fail("option", f"this book has no option {name!r}")
        silences[silence.id] = silence
    return silences


def _check_silences(location: Location, cited: set[str], defined: set[str]) -> None:
    if missing := sorted(cited - defined):
        location.fail(f"cited but not defined: {', '.join(missing)}")
    if unused := sorted(defined - cited):
        location.fail(f"defined but never cited: {', '.join(unused)}")


def _adopted_silences(
    custody: CustodyRules, throws: Mapping[str, IrregularThrow], adopted: list[Book]
) -> dict[str, Silence]:
    """Return the silences of adopted books that their procedures cite."""
    cites = [rule.cite for rule in custody.stated().values()] + [throw.cite for throw in throws.values()]
    cited = {clause for cite in cites for clause in cite}
    return {name: silence for book in adopted for name, silence in book.silences.items() if name in cited}


def _check_complete(book: Book) -> None:
    """Raise BookError unless the book has every option and throw that a table needs."""
    for name in REQUIRED_OPTIONS:
        if name not in book.options:
            book.location.child("option", name).fail("missing: every book needs it")
    for code in REQUIRED_THROWS:
        if code not in book.irregular_throws:
            book.location.child("throw", code).fail("missing: every book needs it")
