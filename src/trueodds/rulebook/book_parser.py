"""Reading a book's file: every key known, every value in range, every rule cited."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from trueodds.dice import TOTALS
from trueodds.money import MoneyError, Odds
from trueodds.rulebook.book import Book, Game, PayRow, Ruled, Tender, ThrowRuling
from trueodds.rulebook.cite import Cite, Citer, Silence
from trueodds.rulebook.errors import BookError, HouseError
from trueodds.rulebook.option import LAWFUL_TESTS, OPTION_TYPES, Lawful, Option
from trueodds.rulebook.reader import Reader, frozen
from trueodds.rulebook.wager import CiteMap, read_cites, read_wager

SCHEMA: Final = "trueodds-book/1"
RULINGS: Final = ("void", "called", "valid", "opposite", "decided")
LAWS: Final = ("fixed", "minimum", "free")
REFUSALS: Final = (
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
SEATED_REFUSALS: Final = ("not_seated", "must_remain_seated")
TENDERS: Final = ("chips", "verbal_cash", "match_play", "credit")
CUSTODY_KEYS: Final = (
    "line_bet",
    "line_bet_waived",
    "pass_after",
    "next_offer",
    "puck_off_round",
    "order_causes",
    "order_by",
    "first_offer",
    "dice_kept_by",
    "dice_at_least",
    "surveillance_at_points",
    "fire_spots",
)


def read_book(table: Mapping[str, Any], adopted: Callable[[str], Book]) -> Book:
    """Read a parsed TOML file; `adopted` gives the books it takes procedures from."""
    try:
        return _read_book(table, adopted)
    except (TypeError, AttributeError, KeyError, IndexError) as error:
        raise BookError("book", f"a value has the wrong shape: {error!r}") from error


def _read_book(table: Mapping[str, Any], adopted: Callable[[str], Book]) -> Book:
    top = Reader(table, "")
    head = top.table("book")
    head.choice("schema", (SCHEMA,))
    adopted_from: list[Book] = []

    def adopting(name: str) -> Book:
        adopted_from.append(adopted(name))
        return adopted_from[-1]

    names = {key: head.text(key) for key in ("id", "code", "title", "text", "operator", "currency")}
    citer = Citer(head.text("clause"))
    head.done()

    points, seven, game_cites, games = _read_games(top.table("game"), citer)
    refusals = _read_refusals(top.table("refusal"), games, citer)
    tenders = _read_tenders(top.table("tender"), citer)
    custody = _read_custody(top.table("custody"), citer, adopting)
    throws = _read_throws(top.table("throw"), games, citer, adopting)
    options = _read_options(top.table("option"), citer)
    pays = _read_schedules(top.take("schedule"), citer)
    common, common_cites = _read_common(top.table("common"), citer)
    wagers = {kind: read_wager(kind, row, common, common_cites, citer) for kind, row in top.table("wager").items()}
    silences = _read_silences(top.take("silence", []), options)
    house = frozen(dict(top.table("house").items()))
    top.done()
    _same_silences(citer.cited, set(silences))
    silences = _adopted_silences(custody, throws, adopted_from) | silences
    digest = _digest(table)
    book = Book(
        id=names["id"],
        code=names["code"],
        title=names["title"],
        text=names["text"],
        operator=names["operator"],
        currency=names["currency"],
        points=points,
        seven=seven,
        game_cites=game_cites,
        games=games,
        refusals=refusals,
        tenders=tenders,
        custody=custody,
        throws=throws,
        options=options,
        house=house,
        pays=pays,
        wagers=MappingProxyType(wagers),
        silences=MappingProxyType(silences),
        digest=digest,
        source=frozen(table),
    )
    _check_complete(book)
    _check_house(book)
    return book


def _digest(table: Mapping[str, Any]) -> str:
    try:
        return hashlib.sha256(json.dumps(table, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
    except TypeError as error:
        raise BookError("book", f"holds something that is no text, number, list or table: {error}") from None


def _read_games(reader: Reader, citer: Citer) -> tuple[tuple[int, ...], int, Mapping[str, Cite], Mapping[str, Game]]:
    points, seven = reader.totals("points"), reader.whole("seven")
    if not points or len(set(points)) != len(points) or seven in points or seven not in TOTALS:
        reader.fail("points", f"points differ from each other and from the seven, {points!r} and {seven!r} do not")
    cites = _cites_for(reader, ("points", "seven"), citer)
    games = {}
    for name, row in reader.items():
        one = Reader(row, reader.at(name))
        extra = tuple(key for key in ("seats", "table_feet") if one.has(key))
        games[name] = Game(
            name,
            one.flag("seated"),
            one.texts("confirm_late"),
            one.take("seats", None),
            one.take("table_feet", None),
            _cites_for(one, ("seated", "confirm_late", *extra), citer),
        )
        one.done()
    if not games:
        reader.fail("craps", "a book needs at least one game")
    return tuple(sorted(points)), seven, cites, MappingProxyType(games)


def _cites_for(reader: Reader, keys: tuple[str, ...], citer: Citer) -> Mapping[str, Cite]:
    """Read `cite`, one citation for the whole row or a table with one for each key."""
    value = reader.take("cite")
    if not isinstance(value, Mapping):
        return MappingProxyType(dict.fromkeys(keys, citer.read(value, reader.at("cite"))))
    table = Reader(value, reader.at("cite"))
    cites = {key: citer.read(table.take(key), table.at(key)) for key in keys}
    table.done()
    return MappingProxyType(cites)


def _read_refusals(reader: Reader, games: Mapping[str, Game], citer: Citer) -> Mapping[str, Cite]:
    seated = any(game.seated for game in games.values())
    keys = [key for key in REFUSALS if seated or key not in SEATED_REFUSALS]
    refusals = {key: citer.read(reader.take(key), reader.at(key)) for key in keys}
    reader.done()
    return MappingProxyType(refusals)


def _read_tenders(reader: Reader, citer: Citer) -> Mapping[str, Tender]:
    tenders = {}
    for name in TENDERS:
        row = reader.table(name)
        takes = row.take("takes")
        if isinstance(takes, list):
            takes = tuple(takes)
        elif takes not in ("all", "confirmed", "none"):
            row.fail("takes", f"expected all, confirmed, none or a list of wagers, not {takes!r}")
        tenders[name] = Tender(takes, citer.read(row.take("cite"), row.at("cite")))
        row.done()
    reader.done()
    return MappingProxyType(tenders)


def _adoption(reader: Reader, citer: Citer, adopted: Callable[[str], Book]) -> tuple[Book, Cite] | None:
    if not reader.has("adopt"):
        return None
    row = reader.table("adopt")
    source, cite = row.text("from"), citer.read(row.take("cite"), row.at("cite"))
    row.done()
    return adopted(source), cite


def _read_custody(reader: Reader, citer: Citer, adopted: Callable[[str], Book]) -> Mapping[str, Ruled]:
    adoption = _adoption(reader, citer, adopted)
    rules: dict[str, Ruled] = {}
    if adoption:
        source, why = adoption
        rules = {key: Ruled(rule.value, why + rule.cite) for key, rule in source.custody.items()}
    own = [key for key in CUSTODY_KEYS if reader.has(key)]
    if own:
        values = {key: reader.take(key) for key in own}
        cites = _cites_for(reader, tuple(own), citer)
        rules |= {key: Ruled(frozen(values[key]), cites[key]) for key in own}
    reader.done()
    return MappingProxyType(rules)


def _read_throws(
    reader: Reader, games: Mapping[str, Game], citer: Citer, adopted: Callable[[str], Book]
) -> Mapping[str, ThrowRuling]:
    adoption = _adoption(reader, citer, adopted)
    throws: dict[str, ThrowRuling] = {}
    if adoption:
        source, why = adoption
        throws = {code: row._replace(cite=why + row.cite) for code, row in source.throws.items()}
    for code, table in reader.items():
        row = Reader(table, reader.at(code))
        ruling = row.choice("ruling", RULINGS)
        by: dict[str, tuple[str, ...]] = {}
        keys: tuple[str, ...] = ("ruling",)
        if ruling in ("called", "decided"):
            by_row = row.table("by")
            by = {game: tuple(by_row.texts(game, ())) for game in games}
            by_row.done()
            keys = ("ruling", "by")
        cites = _cites_for(row, keys, citer)
        row.done()
        cite = tuple(dict.fromkeys(part for key in keys for part in cites[key]))
        throws[code] = ThrowRuling(code, ruling, MappingProxyType(by), cite)
    return MappingProxyType(throws)


def _read_options(reader: Reader, citer: Citer) -> Mapping[str, Option]:
    options = {}
    for name, table in reader.items():
        row = Reader(table, reader.at(name))
        kind = OPTION_TYPES.get(name)
        if kind is None:
            raise BookError(row.where, "no such option")
        try:
            default = kind.shape.read(row.take("default"))
        except ValueError as error:
            row.fail("default", f"expected {error}")
        lawful = tuple(_read_lawful(bound, row.at("lawful"), citer) for bound in row.take("lawful", []))
        options[name] = Option(name, default, lawful, citer.read(row.take("cite"), row.at("cite")))
        row.done()
    return MappingProxyType(options)


def _read_lawful(table: object, where: str, citer: Citer) -> Lawful:
    row = Reader(table, where)
    test = next((name for name in LAWFUL_TESTS if row.has(name)), None)
    if test is None:
        raise BookError(where, f"a bound is one of {', '.join(LAWFUL_TESTS)}")
    bound = Lawful(test, frozen(row.take(test)), row.text("code"), citer.read(row.take("clause"), row.at("clause")))
    row.done()
    return bound


def _read_schedules(schedules: object, citer: Citer) -> Mapping[str, PayRow]:
    pays: dict[str, PayRow] = {}
    for index, table in enumerate(schedules if isinstance(schedules, list) else []):
        row = Reader(table, f"schedule[{index}]")
        law, clause = row.choice("law", LAWS), citer.read(row.take("clause"), row.at("clause"))
        own = row.table("cite", {})
        odds = row.table("odds")
        for key, text in odds.items():
            if key in pays:
                odds.fail(key, "stands in another schedule already")
            try:
                cite = citer.read(own.take(key), own.at(key)) if own.has(key) else clause
                pays[key] = PayRow(Odds.parse(text), law, clause, cite)
            except MoneyError as error:
                odds.fail(key, str(error))
        own.done()
        row.done()
    return MappingProxyType(pays)


def _read_common(reader: Reader, citer: Citer) -> tuple[dict[str, Any], CiteMap]:
    cites = read_cites(reader.table("cite"), citer)
    return dict(reader.items()), cites


def _read_silences(rows: object, options: Mapping[str, Option]) -> dict[str, Silence]:
    silences: dict[str, Silence] = {}
    for index, table in enumerate(rows if isinstance(rows, list) else []):
        row = Reader(table, f"silence[{index}]")
        option = row.take("option", [])
        names = tuple(option) if isinstance(option, list) else (option,)
        told = {key: row.text(key) for key in ("id", "about", "says", "we_do", "why")}
        silence = Silence(told["id"], told["about"], told["says"], told["we_do"], told["why"], names)
        row.done()
        if silence.id in silences:
            raise BookError(row.where, f"{silence.id} stands here twice")
        for name in names:
            if name not in options:
                raise BookError(row.at("option"), f"no option {name!r} in this book")
        silences[silence.id] = silence
    return silences


def _same_silences(cited: set[str], written: set[str]) -> None:
    if missing := sorted(cited - written):
        raise BookError("silence", f"cited but not written: {', '.join(missing)}")
    if idle := sorted(written - cited):
        raise BookError("silence", f"written but cited nowhere: {', '.join(idle)}")


def _adopted_silences(
    custody: Mapping[str, Ruled], throws: Mapping[str, ThrowRuling], sources: list[Book]
) -> dict[str, Silence]:
    """Take over the silences that adopted procedures rest on."""
    cites = [rule.cite for rule in custody.values()] + [row.cite for row in throws.values()]
    cited = {part for cite in cites for part in cite}
    return {name: silence for book in sources for name, silence in book.silences.items() if name in cited}


REQUIRED_OPTIONS: Final = (
    "game", "chip_unit", "pay_unit", "unpayable", "min_bet", "max_bet", "call_scope", "late_bets", "paytable",
)  # fmt: skip
REQUIRED_THROWS: Final = ("no_line_bet", "wrong_shooter")


def _check_complete(book: Book) -> None:
    """Make sure that everything a table asks of every book is there."""
    for name in REQUIRED_OPTIONS:
        if name not in book.options:
            raise BookError(f"option.{name}", "missing: every book has it")
    for code in REQUIRED_THROWS:
        if code not in book.throws:
            raise BookError(f"throw.{code}", "missing: every book has it")


def _check_house(book: Book) -> None:
    for name, value in book.house.items():
        if name not in book.options:
            raise BookError(f"house.{name}", "no such option in this book")
        try:
            book.options[name].check(value, f"house.{name}")
        except HouseError as error:
            raise BookError(error.where, error.what) from None
