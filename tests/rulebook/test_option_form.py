"""A form says of every option of every book what a house takes and what it refuses, and neither more nor less."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from trueodds.rulebook import (
    OPTION_GROUPS,
    OPTION_TYPES,
    Form,
    House,
    HouseError,
    book_ids,
    form_of,
    load_book,
    open_house,
    plain,
)
from trueodds.rulebook.keys import named_wagers

OPTIONS = [(book, name) for book in book_ids() for name in load_book(book).options]
TOGETHER = "is more than"
"""A no that is about two options: a minimum above the maximum. No form can see it."""


def taken(book: str, name: str, value: Any) -> bool:
    try:
        House(load_book(book), {name: value})
    except HouseError as error:
        return TOGETHER in error.what
    return True


def good_and_bad(form: Form) -> Iterator[tuple[Any, bool]]:
    """Values at the edges of a form, and whether they should be taken."""
    match form.kind:
        case "flag" | "choice":
            yield from ((choice.value, choice.lawful) for choice in form.choices)
            yield "no such thing", False
        case "number":
            assert form.least is not None
            assert form.most is not None
            yield from ((form.least, True), (form.most, True), (form.least - 1, False), (form.most + 1, False))
            yield "none", form.or_none
        case "wagers":
            everything = [choice.value for choice in form.choices]
            yield everything, True
            yield [choice.value for choice in form.choices if choice.needed], True
            for choice in form.choices:
                yield [value for value in everything if value != choice.value], not choice.needed
        case "odds":
            yield form.least_odds or "1 to 100", True
            yield "1 to 101", not form.least_odds
            yield "7 for 6", False


@pytest.mark.parametrize(("book", "name"), OPTIONS)
def test_a_house_takes_what_the_form_says(book: str, name: str) -> None:
    form = form_of(load_book(book), name)
    asked = list(good_and_bad(form))
    asked += [({field.key: value}, good) for field in form.fields for value, good in good_and_bad(field.form)]
    assert asked
    for value, is_good in asked:
        assert taken(book, name, value) == is_good, value


@pytest.mark.parametrize(("book", "name"), OPTIONS)
def test_the_default_house_fits_the_form(book: str, name: str) -> None:
    form, value = form_of(load_book(book), name), plain(open_house(book)[name])
    assert fits(form, value)


def fits(form: Form, value: Any) -> bool:
    match form.kind:
        case "number":
            return bool((form.or_none and value == "none") or (form.least or 0) <= value <= (form.most or 0))
        case "flag" | "choice":
            return value in [choice.value for choice in form.choices if choice.lawful]
        case "wagers":
            return set(value) <= {choice.value for choice in form.choices}
        case "table":
            forms = {field.key: field.form for field in form.fields}
            return all(fits(forms[key], item) for key, item in value.items())
    return isinstance(value, str)


@pytest.mark.parametrize(("book", "name"), OPTIONS)
def test_what_is_settled_is_what_the_default_house_has(book: str, name: str) -> None:
    form = form_of(load_book(book), name)
    if form.is_settled and form.kind in {"flag", "choice"}:
        (only,) = (choice.value for choice in form.choices if choice.lawful)
        assert plain(open_house(book)[name]) == only


def test_new_jersey_leaves_this_much() -> None:
    book = load_book("NJ")
    assert (form_of(book, "vig_bp").least, form_of(book, "vig_bp").most) == (0, 500)
    assert form_of(book, "fire_min").is_settled
    assert not form_of(book, "fire_table").is_settled
    six = next(field for field in form_of(book, "odds_take").fields if field.key == "6")
    assert (six.default, six.form.least, six.form.most) == (5, 1, 100)
    pays = {field.key: field.form for field in form_of(book, "paytable").fields}
    assert pays["place6"].least_odds == "7 to 6"
    assert pays["take6"].is_settled
    assert "pass" not in named_wagers(book, "call_off")


def test_every_option_has_a_group_and_a_title() -> None:
    for name, kind in OPTION_TYPES.items():
        assert kind.group in OPTION_GROUPS, name
        assert kind.title[0].isupper(), name
