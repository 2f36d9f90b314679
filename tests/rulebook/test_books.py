"""The five books are complete and cited, agree with the case files, and are not named in the code."""

from __future__ import annotations

import ast
import copy
import datetime
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.houses import BOOKS
from trueodds.conformance.case_files import known_options
from trueodds.craps_table import Table
from trueodds.rulebook import (
    Book,
    BookError,
    House,
    RulebookError,
    WagerDefinition,
    is_silence,
    load_book,
    parse_book,
    plain_value,
)
from trueodds.rulebook.book_files import load_book_file
from trueodds.rulebook.toml_reader import thaw
from trueodds.wagers import TableRules

ROOT = Path(__file__).parents[2]
BOOKS_DIR = ROOT / "src" / "trueodds" / "rulebook" / "books"
CASES = ROOT / "tests" / "conformance" / "cases"


def raw(book: str) -> dict[str, Any]:
    return tomllib.loads((BOOKS_DIR / f"{book}.toml").read_text("utf-8"))


def paths(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every leaf of a parsed file. A list of plain values is one leaf."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from paths(value, (*path, key))
    elif isinstance(node, list) and any(isinstance(item, dict) for item in node):
        for index, value in enumerate(node):
            yield from paths(value, (*path, index))
    else:
        yield path


def at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


def without(node: dict[str, Any], path: tuple[Any, ...]) -> dict[str, Any]:
    changed = copy.deepcopy(node)
    del at(changed, path[:-1])[path[-1]]
    return changed


def is_citation(path: tuple[Any, ...]) -> bool:
    return "cite" in path or path[-1] == "clause" or path[0] == "refusal"


# Values that are not rules need no citation: the names of the book and its wagers, the facts for tests, the
# silences, and the default house, whose values are options with their own citations.
NOT_RULES = {"book", "default_house", "silence"}
NOT_RULES_OF_A_WAGER = {"facts", "title", "titles", "short", "aliases"}


@pytest.mark.parametrize("book", BOOKS)
def test_every_leaf_has_a_citation_or_a_silence(book: str) -> None:
    table, loaded = raw(book), load_book(book)
    for path in paths(table):
        if not is_citation(path) and path[0] not in NOT_RULES:
            assert is_cited(path, table, loaded), f"{path}: no citation"


def is_cited(path: tuple[Any, ...], table: dict[str, Any], book: Book) -> bool:
    match path:
        case ("wager", kind, key, *rest):
            return key in NOT_RULES_OF_A_WAGER or wager_is_cited(book.wagers[kind], key, rest)
        case ("option", name, *_):
            return bool(book.options[name].cite)
        case ("game", key):
            return bool(book.game_cites[key])
        case ("game", name, key):
            return bool(book.games[name].cites[key])
        case ("procedure" | "definition" | "not_for_software", index, *_):
            return bool(table[path[0]][index]["cite"])
        case ("tender", name, _):
            return bool(book.tenders[name].cite)
        case ("throw" | "custody", "adopt", *_):
            return bool(table[path[0]]["adopt"]["cite"])
        case ("throw", code, *_):
            return bool(book.irregular_throws[code].cite)
        case ("custody", key, *_):
            return bool(book.custody.cite(key))
        case ("pay_table", _, "odds", key):
            return bool(book.pay_table[key].cite)
        case ("pay_table", index, "constraint"):
            return bool(table["pay_table"][index]["clause"])
        case ("common", key):
            return _has_common_cite(table, key)
        case _:
            return False


def wager_is_cited(text: WagerDefinition, key: str, rest: list[Any]) -> bool:
    facets: dict[str, dict[str, str]] = {
        "first": {"win": "first_win", "lose": "first_lose", "bar": "push", "bar_result": "push"},
        "then": {"win": "then_win", "lose": "then_lose"},
    }
    facet = facets.get(key, {}).get(rest[0] if rest else "")
    return all(
        text.cite(facet, spot.selection) if facet else _cites_of(text, key, spot.selection) for spot in text.spots()
    )


def _cites_of(text: WagerDefinition, key: str, selection: str) -> bool:
    from trueodds.rulebook.wager_definition import REQUIRED_FACETS  # noqa: PLC0415  the loader's own table, checked above by leaves

    return all(text.cite(facet, selection) for facet in REQUIRED_FACETS[key])


def _has_common_cite(table: dict[str, Any], key: str) -> bool:
    facet = {"min_stake": "limits", "max_stake": "limits", "reduce": "change", "remove": "change"}.get(key, key)
    return facet in table["common"]["cite"]


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_with_a_missing_citation_does_not_load(book: str) -> None:
    table = raw(book)
    for kind in table["wager"]:
        with pytest.raises(BookError, match=f"wager.{kind}.cite"):
            parse_book(without(table, ("wager", kind, "cite", "def")), load_book)
    for name in table["option"]:
        with pytest.raises(BookError, match=f"option.{name}.cite: missing"):
            parse_book(without(table, ("option", name, "cite")), load_book)


@pytest.mark.parametrize("book", BOOKS)
def test_a_misspelled_key_is_an_error(book: str) -> None:
    table = raw(book)
    sections: set[tuple[Any, ...]] = {path[:-1] for path in paths(table) if not is_citation(path)}
    free = {("default_house",), ("option",), ("wager",), ("throw",), ("game",)}
    for section in sorted(sections - free, key=str):
        if {"facts", "titles", "odds", "high", "pays", "tables", "default", "by", "order_by"} & set(section):
            continue
        if section[-1] in ("first_offer", "dice_kept_by", "A", "B", "allows", "unless"):
            continue
        changed = copy.deepcopy(table)
        at(changed, section)["misspelled"] = 1
        try:
            TableRules(House(parse_book(changed, load_book)))
        except BookError:
            continue
        pytest.fail(f"{section}: a misspelled key was accepted")


def test_all_silences_are_recorded_and_explained() -> None:
    found: set[str] = set()
    for book in BOOKS:
        for silence in load_book(book).silences.values():
            found.add(silence.id)
            assert all((silence.about, silence.says, silence.we_do, silence.why)), silence
            assert is_silence(silence.id)
    house_ranges = 60  # A-60 says what makes an option lawful; it fills no gap of a single text
    ours = {"A-90"}  # a choice of this program, not a reading of a text
    assert found == {f"A-{number:02}" for number in range(1, 63) if number != house_ranges} | ours


@pytest.mark.parametrize("book", BOOKS)
def test_every_silence_is_cited_and_every_cited_silence_is_defined(book: str) -> None:
    table = raw(book)
    lost = copy.deepcopy(table)
    gone = lost["silence"].pop()
    with pytest.raises(BookError, match=f"cited but not defined: {gone['id']}"):
        parse_book(lost, load_book)
    idle = copy.deepcopy(table)
    idle["silence"].append({**gone, "id": "A-99"})
    with pytest.raises(BookError, match="never cited: A-99"):
        parse_book(idle, load_book)


@pytest.mark.parametrize("book", BOOKS)
def test_option_defaults_agree_with_the_case_files(book: str) -> None:
    loaded = load_book(book)
    for path in sorted(CASES.glob("*.json")):
        defaults = json.loads(path.read_text("utf-8"))["option_defaults"][loaded.code]
        house = House(loaded, book_defaults=True)
        for name, value in known_options(loaded, defaults).items():
            wanted = "none" if value is None else value
            got = plain_value(house[name])
            if isinstance(wanted, list):
                assert isinstance(got, list)
                assert sorted(got) == sorted(wanted), name
            else:
                assert got == wanted, name


@pytest.mark.parametrize("book", BOOKS)
def test_pay_tables_agree_with_the_case_files(book: str) -> None:
    path = next(CASES.glob("*.json"))
    table = json.loads(path.read_text("utf-8"))["default_paytable"]
    loaded = load_book(book)
    assert {key: str(row.odds) for key, row in loaded.pay_table.items()} == {
        key: table[key] for key in loaded.pay_table
    }


@pytest.mark.parametrize("book", BOOKS)
def test_every_row_of_a_pay_table_is_used(book: str) -> None:
    used = json.dumps([thaw(text.terms) for text in load_book(book).wagers.values()])
    for key in load_book(book).pay_table:
        assert f'"{key}"' in used, key


def test_the_default_house_is_like_a_real_table() -> None:
    for book in BOOKS:
        house = House(load_book(book))
        assert house.chip_unit_cents == house.pay_unit_cents == 100
        assert house.min_bet_cents > 0
        assert house.max_bet_cents is not None
        assert house.get("after_win", "up") == "up"
        assert house.get("vig_unit", 100) == 100


def test_no_code_names_a_book() -> None:
    names = {name for book in BOOKS for name in (book, load_book(book).code)}
    for path in (ROOT / "src").rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                assert node.value not in names, f"{path}:{node.lineno} names {node.value}"


def test_a_book_is_found_by_id_and_by_code() -> None:
    for book in BOOKS:
        assert load_book(load_book(book).code) is load_book(book)
    with pytest.raises(BookError, match="no such book; the books are"):
        load_book("atlantis")


@pytest.mark.parametrize(
    ("text", "message"),
    [("not = [toml", "not valid TOML"), ("", "book: missing"), ('book = "x"', "expected a table")],
)
def test_a_broken_book_file_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "book.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(BookError, match=message):
        load_book_file(path)
    with pytest.raises(BookError, match="cannot read the file"):
        load_book_file(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("game", "points"), [4, 5, 13], "game.points"),
        (("game", "seven"), 6, "game.points"),
        (("wager", "pass", "family"), "lines", "wager.pass.family"),
        (("wager", "pass", "window"), "whenever", "wager.pass.window"),
        (("wager", "pass", "first", "win"), [7], "wager.pass.first.win"),
        (("wager", "pass", "pays"), "nothing", "wager.pass.pays"),
        (("wager", "pass", "reduce"), "sometimes", "wager.pass.reduce"),
        (("wager", "place", "numbers"), [4, 7], "wager.place"),
        (("wager", "hard", "numbers"), [5], "wager.hard"),
        (("wager", "field", "wins"), [{"on": [1], "pays": "field2"}], "wager.field.wins"),
        (("wager", "field", "wins"), [{"on": ["9-9"], "pays": "field2"}], "wager.field.wins"),
        (("wager", "horn", "shares"), [["pass", 1]], "wager.horn.shares"),
        (("wager", "horn", "shares"), ["craps2"], "wager.horn.shares"),
        (("wager", "whirl", "no_box"), [["horn", 4], ["nowhere", 1]], "wager.whirl.no_box"),
        (("wager", "hop", "pairs"), ["7-7"], "wager.hop"),
        (("wager", "pass_odds", "base"), "nowhere", "wager.pass_odds.base"),
        (("wager", "pass_odds", "pays"), {"4": "take4"}, "wager.pass_odds.pays"),
        (("wager", "pass", "min_stake"), "$no_such_option", "wager.pass"),
        (("option", "vig_bp", "default"), "much", "option.vig_bp.default"),
        (
            ("option", "vig_bp", "bounds"),
            [{"roughly": 5, "code": "x", "clause": "1"}],
            "option.vig_bp.bounds[0]",
        ),
        (("throw", "off_table", "ruling"), "perhaps", "throw.off_table.ruling"),
        (("tender", "chips", "accepts"), "some", "tender.chips.accepts"),
        (("pay_table", 0, "odds", "pass"), "1 for 1", "pay_table[0].odds.pass"),
        (("pay_table", 0, "odds", "take4"), "2 to 1", "take4"),
        (("default_house", "chip_unit"), 0, "default_house.chip_unit"),
        (("default_house", "color"), "green", "default_house.color"),
    ],
)
def test_an_error_names_the_path_of_a_wrong_value(path: tuple[Any, ...], value: Any, where: str) -> None:
    table = copy.deepcopy(raw("new_jersey"))
    at(table, path[:-1])[path[-1]] = value
    with pytest.raises(BookError) as caught:
        TableRules(House(parse_book(table, load_book)))
    assert where in str(caught.value)


@pytest.mark.parametrize("nonsense", [-1, "nonsense", [], {"x": 1}, datetime.date(2020, 1, 1)], ids=repr)
@pytest.mark.parametrize(
    "path", [BOOKS_DIR / "win_line.toml", ROOT / "tests" / "sixth_book" / "riverboat.toml"], ids=lambda p: p.stem
)
def test_a_book_with_a_wrong_leaf_loads_or_raises_an_error(path: Path, nonsense: Any) -> None:
    """Any value in place of any leaf gives a playable book or a RulebookError, never another exception."""
    table = tomllib.loads(path.read_text("utf-8"))
    for leaf in paths(table):
        changed = copy.deepcopy(table)
        at(changed, leaf[:-1])[leaf[-1]] = nonsense
        try:
            game = Table(House(parse_book(changed, load_book)))
            game.layout("A")
            game.roll("3-4")
        except RulebookError as error:
            assert str(error)  # noqa: PT017  any such error will do
