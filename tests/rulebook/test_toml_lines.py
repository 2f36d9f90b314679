"""The line numbers of TOML texts."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from trueodds.rulebook.toml_lines import line_numbers


def key_paths(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the path of every value."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*path, key)
        yield from key_paths(value, (*path, key))


TRICKY_TOML = r'''
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


def test_every_path_of_a_tricky_text_has_a_line() -> None:
    found = line_numbers(TRICKY_TOML)
    assert set(key_paths(tomllib.loads(TRICKY_TOML))) == set(found)
    lines = TRICKY_TOML.splitlines()
    for path, line in found.items():
        if isinstance(path[-1], str):
            assert path[-1] in lines[line - 1], path
    assert found["literal.key", "inner", "ß", 2] == 4
    assert found["literal.key", "inner", "ß", 3, 1, "y y", 1] == 7
    assert found["row", 0, "deeper", 1, "y"] == 26
    assert found["row", 1, "deeper", 0, "y", "w"] == 29


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
    """Each key is unique, so that its line can be found by searching the text."""
    pieces = "\n".join(rows).replace("KEYS", "comment").split("KEY")
    text = "".join(piece + (f"k{index}k" if index + 1 < len(pieces) else "") for index, piece in enumerate(pieces))
    found = line_numbers(text)
    assert set(found) == set(key_paths(tomllib.loads(text)))
    for path, line in found.items():
        if isinstance(path[-1], str):
            assert line == text[: text.index(path[-1])].count("\n") + 1
