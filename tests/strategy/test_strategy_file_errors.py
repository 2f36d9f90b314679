"""Every error in a strategy file names its line, whatever the file looks like."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houses import default_dealer
from trueodds.chain import Automaton
from trueodds.strategy import (
    StrategyError,
    StrategyFileError,
    StrategyRefusedError,
    load_strategy,
    named_strategy,
    read_strategy,
)
from trueodds.strategy.lines import lines_of

HEAD = """# a comment with [[play]] and "quotes
name = "A line"
about = \"\"\"
Two lines
[[play]]\"\"\"

[[play]]
keep = "pass"       # line 8
stake = 10

[[play]]            # line 11
keep = "place:6"
"""


@pytest.mark.parametrize(
    ("more", "line", "message"),
    [
        ("stake = ", 13, "Invalid value"),
        ("stake = 12\n\nwhen = { puck = 'on'", 15, "Unclosed inline table at the end of the file"),
        ("stake = 12\nstake = 18", 14, "Cannot overwrite a value"),
        (f"stake = {'9' * 5000}", 13, "Exceeds the limit"),
        ("stake = 12\ncolour = 'red'", 14, "play 2: 'colour' is not understood"),
        ("", 12, "play 2: keep needs a stake, a ladder, a parlay or a grind, not none of them"),
        ("stake = 12\ngrind = { unit = 6, give_up = 60 }", 12, "not stake and grind"),
        ("stake = -12", 13, "play 2: stake: a stake is more than nothing"),
        ("stake = 12.5", 13, "whole number of dollars"),
        ("stake = 12\nup_to = 30", 14, "from 1 to 20"),
        ("ladder = { stakes = [\n  12,   # one\n  18,\n\n  -3,\n], win = 1 }", 17, "more than nothing"),
        ("ladder.stakes = [12, 18]\nladder.win = 1\nladder.lose = 'up'", 15, "a ladder moves by"),
        ("[play.ladder]\nstakes = [12]\npast_end = 'top'", 15, "past its end"),
        ("[play.ladder]\nstakes = [12]\n'each_shooter' = 1", 15, "true or false"),
        ("[play.ladder]\nstakes = [12]\nrungs = 1", 15, "'rungs' is not understood"),
        ("[play.ladder]\nstakes = [12]\nfollow = 'Place'", 15, "a spot is written like"),
        ("[play.parlay]\nstake = 12\nwins = 1", 15, "2 to 10 wins"),
        ("[play.parlay]\nstake = 12\nride = 101", 15, "per cent"),
        ("[play.parlay]\nwins = 2", 13, "parlay: stake is missing"),
        ("[play.grind]\nunit = 12\ngive_up = 0", 15, "more than nothing"),
        ("grind = { unit = 12, give_up = 6 }", 13, "at least a unit"),
        ("stake = 12\n\nwhen.puck = 'up'", 15, "play 2: when.puck: the puck is on or off"),
        ("stake = 12\n[play.when]\npuck = 'on'\nmoon = 'full'", 16, "'moon' is no condition"),
        ("stake = 12\n[play.when]\npuck = 'on'\npoint = 'six'", 16, "expected numbers"),
        ("stake = 12\n[play.when.hits]\nplace = 1\n'place:six' = 2", 16, "a spot is written like"),
        ('stake = 12\n[play.when.hits]\nplace = 1\n"place:6" = 0', 16, "a count goes from 1"),
        ("stake = 12\n[play.when.losses]\n\nplace = 'x'", 16, "a count goes from 1"),
        ("stake = 12\n[play.when.thrown]\ntotals = [\n2, 13]", 15, "totals go from 2 to 12"),
        ("stake = 12\n[play.when.thrown]\ntotals = [2]\nleast = 0", 16, "a count goes from 1"),
        ("stake = 12\n[play.when.stopped]\nof = 'place'\nwin = 0\nlose = 10", 16, "more than nothing"),
        ("stake = 12\n[play.when.stopped]\nof = 'place'\nwin = 10", 14, "whole number of dollars"),
        ("stake = 12\n[play.when.ahead]\nof = ['place', 3]\nby = 1\nlimit = 5", 15, "a spot is written like"),
        ("stake = 12\n[play.when.ahead]\nof = ['place']\nby = 10\nlimit = 5", 14, "within its limit"),
        ("stake = 12\nwhen = { any = [\n{ puck = 'on' },\n{ puck = 3 },\n] }", 16, "on or off"),
        ("stake = 12\n[play.when.not.not]\npuck = 3", 15, "on or off"),
        ("stake = 12\n[[play]]\n\nstake = 12", 14, "play 3: exactly one of keep, odds"),
        ("stake = 12\n[[play]]\nodds = '2x'\nkeep = 'pass'", 14, "keep and odds"),
        ("stake = 12\n[[play]]\n\nodds = 'lots'", 16, "odds are"),
        ("stake = 12\n[[play]]\nodds = '2x'\nbehind = ['pass',\n'Come']", 16, "a spot is written like"),
        ("stake = 12\n[[play]]\npress = 'place'\nby = 6\nup_to = 'x'", 17, "amount"),
        ("stake = 12\n[[play]]\n\npress = 'place'", 16, "either to a stake or by an amount"),
        ("stake = 12\n[[play]]\ncall = 'place'\nto = 'maybe'", 16, "a call is on or off"),
        ("stake = 12\n[other]\nx = 1", 14, "'other' is not understood"),
        ("stake = 12\n[[play]]\ndown = 3", 15, "a spot is written like"),
    ],
)
def test_the_line_of_a_mistake(more: str, line: int, message: str) -> None:
    for text in (HEAD + more, (HEAD + more).replace("\n", "\r\n")):
        with pytest.raises(StrategyFileError, match=message) as no:
            read_strategy(text, "mine.toml")
        assert no.value.line == line
        assert str(no.value).startswith(f"mine.toml, line {line}: ")


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), ("play = 3", 1), ("\n\nname = 3", 3), ("name = 'x'\n[play]\nkeep = 'pass'", 2)]
)
def test_files_that_are_no_strategies(text: str, line: int) -> None:
    with pytest.raises(StrategyFileError) as no:
        read_strategy(text)
    assert no.value.line == line


def test_a_file_is_called_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[[play]]\nkeep = 'pass'\nstake = 0\n")
    with pytest.raises(StrategyFileError) as no:
        load_strategy(path)
    assert str(no.value).startswith(f"{path}, line 3: play 1: stake: ")


@pytest.mark.parametrize(
    ("book", "text", "line"),
    [
        ("maryland", "[[play]]\nkeep = 'plaec:6'\nstake = 12", 2),
        ("maryland", "[[play]]\nstake = 12\nkeep = 'place:7'", 3),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 5", 2),
        ("win_line", "[[play]]\nkeep = 'pass'\nstake = 10\n[[play]]\nodds = '3-4-5'\nbehind = 'pass'", 5),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 10\n[play.when]\npuck = 'off'\nup.plaec = 1", 6),
        (
            "maryland",
            "[[play]]\nkeep = 'pass'\n\nstake = 10\n[play.when]\nany = [{puck = 'off'}, {hits = {put = 1}}]",
            6,
        ),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 10\n[[play]]\nodds = '2x'\nbehind = ['pass', 'field']", 6),
        ("maryland", "[[play]]\nkeep = 'pass'\nladder.stakes = [10, 20]\nladder.follow = 'put'", 4),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 10\n[[play]]\n\ndown = 'big6'", 6),
        ("maryland", "[[play]]\nkeep = 'pass'\nstake = 10\nwhen.point = 7", 2),
        (
            "maryland",
            "[[play]]\nkeep = 'field'\nstake = 10\n[play.when.ahead]\nof = ['field', 'put']\nby = 1\nlimit = 5",
            5,
        ),
    ],
)
def test_what_a_table_does_not_have_is_found_too(book: str, text: str, line: int) -> None:
    strategy = read_strategy(text, "mine.toml", "Mine")
    with pytest.raises(StrategyError, match=rf"^mine\.toml, line {line}: "):
        Automaton(strategy, default_dealer(book).rules.house)


def test_a_refusal_still_says_who_is_refused_what() -> None:
    with pytest.raises(StrategyRefusedError) as no:
        Automaton(named_strategy("pass_345"), default_dealer("win_line").rules.house)
    assert no.value.strategy == "named/pass_345.toml, line 10: Pass with 3-4-5x odds"
    assert "is refused: player bets 30 on pass_odds behind 1: " in str(no.value)


def test_where_it_was_written_makes_no_other_strategy() -> None:
    one, other = (read_strategy(f"{blank}[[play]]\nkeep = 'pass'\nstake = 10") for blank in ("", "\n\n"))
    assert one == other
    assert hash(one.parts[0]) == hash(other.parts[0])
    assert [strategy.parts[0].source.line for strategy in (one, other) if strategy.parts[0].source] == [2, 4]


# ------------------------------------------------------------------------------------------ the lines of any text


def paths(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every way into a value."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from paths(value, (*path, key))


NASTY = r'''
"quoted key" = 1 # comment = 3
'literal.key'.inner . "ß" = [ 1, # one ]
  "two ] \" # not a comment", 'three } \',

  [ 4, { x = 5, "y y" = [6,
  7] } ],
]
date = 1979-05-27 07:32:00 # with a space
long = """
[table]
key = "value" \
  more""""" # two quotes at the end
plain = \'\'\'
[[row]] \\\'\'\'
empty = {}
none = []
[table . "sub table"]
a.b.c = true
[[row]]
[row.inner]
x = 1
[[row.deeper]]
y = 2
[[row.deeper]]
y = 3
[[row]]
[[row.deeper]]
y = { z.z = 4, w = """a
b""" }
'''.replace("\\'", "'")


def test_every_path_of_a_nasty_text_has_its_line() -> None:
    found = lines_of(NASTY)
    assert set(paths(tomllib.loads(NASTY))) == set(found)
    lines = NASTY.splitlines()
    for path, line in found.items():
        if isinstance(path[-1], str):
            assert path[-1] in lines[line - 1], path
    assert found["literal.key", "inner", "ß", 2] == 4
    assert found["literal.key", "inner", "ß", 3, 1, "y y", 1] == 7
    assert found["row", 0, "deeper", 1, "y"] == 26
    assert found["row", 1, "deeper", 0, "y", "w"] == 29


@pytest.mark.parametrize("name", ["molly", "risk_12", "squeeze", "inside"])
def test_the_library_has_its_lines(name: str) -> None:
    for part in named_strategy(name).parts:
        assert part.source is not None
        assert part.source.line > 4


gaps = st.sampled_from(["", "\n", "# [x] = \"'\n", "  # {\n\n"])
scalars = st.sampled_from(
    ["1", '"a # b"', "'c]'", '"""\nd = 1\n"""', "'''\n[e]'''", "-2.5", "true", "1979-05-27", '"\\""']
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(st.tuples(gaps, inner), max_size=3).map(
            lambda rows: "[" + ",".join((gap and f"{gap}{value}") or value for gap, value in rows) + "]"
        ),
        inner.map(lambda value: "{ KEY = " + value + " }"),
        st.tuples(inner, inner).map(lambda two: "{'KEY'.KEY = " + two[0] + ', "KEY" = ' + two[1] + "}"),
    ),
    max_leaves=6,
)
statements = st.one_of(
    values.map(lambda value: f"KEY = {value}"),
    values.map(lambda value: f" 'KEY' . KEY= {value} # KEYS"),
    st.sampled_from(["[KEY]", "[[KEY]]", '[KEY."KEY"]', "[[KEY . KEY]] # x", "", "# KEYS"]),
)


@given(st.lists(statements, max_size=12))
def test_every_key_is_found_on_its_line(rows: list[str]) -> None:
    """Each key is another word, so that looking for it in the text says where it is."""
    pieces = "\n".join(rows).replace("KEYS", "comment").split("KEY")
    text = "".join(piece + (f"k{index}k" if index + 1 < len(pieces) else "") for index, piece in enumerate(pieces))
    found = lines_of(text)
    assert set(found) == set(paths(tomllib.loads(text)))
    for path, line in found.items():
        if isinstance(path[-1], str):
            assert line == text[: text.index(path[-1])].count("\n") + 1
