"""The TOML reader that books, houses and strategies are read with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trueodds.rulebook.toml_reader import (
    Location,
    TomlDocument,
    TomlReader,
    freeze_table,
    parse_toml,
    read_toml_file,
    thaw,
)


class ReaderError(Exception):
    """An error with the location that it was made for."""

    def __init__(self, location: Location, problem: str) -> None:
        super().__init__(f"{location.file}:{location.line}: {location.dotted}: {problem}")


TEXT = """
name = "Boat"
count = 3
open = true
length = 7.5
words = ["a", "b"]

[table]
numbers = [4, 5]
[[rows]]
key = 1
[[rows]]
key = "x"
"""


def reader() -> TomlReader:
    return parse_toml(TEXT, Location(ReaderError, TomlDocument("boat.toml")))


def test_take_values_of_each_type() -> None:
    top = reader()
    assert top.string("name") == "Boat"
    assert top.integer("count") == 3
    assert top.boolean("open") is True
    assert top.number("length") == 7.5
    assert top.strings("words") == ("a", "b")
    assert top.table("table").integers("numbers") == (4, 5)
    first, second = top.tables("rows")
    assert first.choice("key", (1, 2)) == 1
    assert second.take_all() == {"key": "x"}
    top.reject_unknown_keys()


def test_defaults_of_missing_keys() -> None:
    top = reader()
    assert top.string("missing", "default") == "default"
    assert top.integer("missing", 5) == 5
    assert top.boolean("missing", False) is False
    assert top.choice("missing", ("a", "b"), "b") == "b"
    assert top.strings("missing", ()) == ()
    assert top.table("missing", {}).keys == ()
    assert top.tables("missing", ()) == ()
    assert top.take("missing", None) is None


@pytest.mark.parametrize(
    ("take", "message"),
    [
        (lambda top: top.string("count"), "boat.toml:3: count: expected a string, got 3"),
        (lambda top: top.integer("open"), "boat.toml:4: open: expected a whole number, got True"),
        (lambda top: top.boolean("count"), "boat.toml:3: count: expected true or false, got 3"),
        (lambda top: top.number("name"), "boat.toml:2: name: expected a number, got 'Boat'"),
        (lambda top: top.choice("count", (1, True)), "boat.toml:3: count: expected one of 1, True, got 3"),
        (lambda top: top.strings("name"), "boat.toml:2: name: expected a list of strings, got 'Boat'"),
        (lambda top: top.array("name"), "boat.toml:2: name: expected a list, got 'Boat'"),
        (lambda top: top.table("name"), "boat.toml:2: name: expected a table, got 'Boat'"),
        (lambda top: top.tables("words"), r"boat.toml:6: words\[0\]: expected a table, got 'a'"),
        (lambda top: top.table("table").integers("words"), "boat.toml:8: table.words: missing"),
        (lambda top: top.tables("rows")[1].integer("key"), r"boat.toml:13: rows\[1\].key: expected a whole number"),
        (lambda top: top.named_tables(), "boat.toml:2: name: expected a table"),
        (lambda top: top.reject_unknown_keys(), "boat.toml:3: count: unknown key"),
    ],
)
def test_errors_name_the_file_the_line_and_the_key(take: Callable[[TomlReader], object], message: str) -> None:
    with pytest.raises(ReaderError, match=f"^{message}"):
        take(reader())


def test_without_a_file_errors_have_no_line() -> None:
    with pytest.raises(ReaderError, match=r"^:None: a\.b: missing$"):
        TomlReader({"a": {}}, Location(ReaderError)).table("a").take("b")


def test_a_choice_must_have_the_same_type() -> None:
    with pytest.raises(ReaderError, match="expected one of 1"):
        TomlReader({"a": True}, Location(ReaderError)).choice("a", (1,))


def test_a_syntax_error_names_its_line() -> None:
    with pytest.raises(ReaderError, match=r"^boat\.toml:2: : not valid TOML: "):
        parse_toml("a = 1\nb = [\n", Location(ReaderError, TomlDocument("boat.toml")))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "boat.toml"
    with pytest.raises(ReaderError, match="cannot read the file: No such file"):
        read_toml_file(path, ReaderError)
    path.write_bytes(b"\xff")
    with pytest.raises(ReaderError, match="not UTF-8"):
        read_toml_file(path, ReaderError)
    path.write_text("a = 1", "utf-8")
    assert read_toml_file(path, ReaderError, max_bytes=5).take("a") == 1
    with pytest.raises(ReaderError, match="larger than 4 bytes"):
        read_toml_file(path, ReaderError, max_bytes=4)


def test_errors_of_other_code_get_a_location() -> None:
    location = reader().location_of("count")
    with pytest.raises(ReaderError, match=r"boat\.toml:3: count: too big"), location.errors_located_here(ValueError):
        raise ValueError("too big")
    with pytest.raises(KeyError), location.errors_located_here(ValueError):
        raise KeyError("other")


def test_labels_are_passed_on() -> None:
    location = Location(ReaderError).child("play", 1, label="play 2")
    assert location.child("stake").label == "play 2"
    assert location.child("when", label="play 2: when").label == "play 2: when"


def test_freeze_and_thaw_are_inverses() -> None:
    table = {"a": [1, {"b": [2]}], "c": {"d": "e"}}
    assert thaw(freeze_table(table)) == table
    with pytest.raises(TypeError):
        freeze_table(table)["a"] = 1  # type: ignore[index]
