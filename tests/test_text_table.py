"""Tables of every width keep words and numbers whole."""

from __future__ import annotations

import re

import pytest
from rich.console import Console

from trueodds.text_table import column_groups, format_blocks, make_table, wrap

HEAD = ("wager", "stake", "win", "lose", "void", "edge per bet made", "standard deviation")
NUMBERS = [
    ["Pass", "$60", "49.2929 %", "50.7071 %", "0.0000 %", "-1.4141 %", "0.9999"],
    ["Don't Come with full odds", "$5,000", "47.9293 %", "49.2929 %", "2.7778 %", "-0.4302 %", "1.2225"],
]
SENTENCES = [["place", "Its number is rolled before a seven.", "N.J.A.C. 19:47-1.2(a)5; N.J.A.C. 19:47-1.4(b)"]]


def draw(head: tuple[str, ...], rows: list[list[str]], width: int, title: str = "") -> str:
    console = Console(width=width, no_color=True, force_terminal=False)
    with console.capture() as captured:
        console.print(make_table(title, head, rows, width), soft_wrap=True)
    return captured.get()


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_numbers_and_words_stay_whole(width: int) -> None:
    text = draw(HEAD, NUMBERS, width, "New Jersey, default house: exact odds")
    words = set(re.sub("[^\x20-\x7e]", " ", text).split())
    expected = {word for row in (HEAD, *NUMBERS) for cell in row for word in cell.split()}
    title = {"New", "Jersey,", "default", "house:", "exact", "odds"}
    assert words - title == expected - {"odds"} - ({"wager"} - words)  # blocks have no heading for the first column
    assert max(map(len, text.splitlines())) <= width
    assert not re.search(r"^[^\d]*%", text, re.MULTILINE), "a percent sign is apart from its number"


def test_a_table_that_fits_is_one_table() -> None:
    assert column_groups(HEAD, NUMBERS, 200) == [list(range(7))]


def test_short_cells_are_split_into_tables_of_similar_size() -> None:
    assert column_groups(HEAD, NUMBERS, 80) == [[0, 1, 2, 3], [0, 4, 5, 6]]


def test_sentences_become_blocks() -> None:
    head = ("kind", "wins", "clause")
    assert column_groups(head, SENTENCES, 80) == [[0, 1, 2]]
    assert column_groups(head, SENTENCES, 40) == [None]
    assert draw(head, SENTENCES, 40) == (
        "place\n  wins    Its number is rolled before a\n          seven.\n"
        "  clause  N.J.A.C. 19:47-1.2(a)5;\n          N.J.A.C. 19:47-1.4(b)\n"
    )


def test_a_word_longer_than_the_line_is_not_broken() -> None:
    long = f"{10**50}/{10**50 + 1}"
    assert long in wrap(f"edge {long} exactly", 40).splitlines()
    assert long in format_blocks(("", "edge"), [["Fire", long]], 40)
    assert long in draw(("bet", "edge"), [["Fire", long]], 60)


def test_text_is_not_markup() -> None:
    assert "[bold]x[/bold]" in draw(("a", "b"), [["[bold]x[/bold]", "1"]], 80)


def test_empty_cells_are_left_out_of_blocks() -> None:
    assert format_blocks(("a", "b", "c"), [["one", "", "three"]], 10) == "one\n  c  three"
