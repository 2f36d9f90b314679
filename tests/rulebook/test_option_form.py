"""The form of every option of every book allows exactly what a house accepts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from trueodds.rulebook import (
    OPTION_GROUPS,
    OPTION_SPECS,
    House,
    HouseError,
    OptionForm,
    as_house,
    book_ids,
    load_book,
    option_form,
    plain_value,
)
from trueodds.rulebook.option_keys import wagers_allowed_in

OPTIONS = [(book, name) for book in book_ids() for name in load_book(book).options]
ABOVE_MAXIMUM = ("must be at most max_bet", "must be at most fire_max")
"""Errors about two options: a minimum above its maximum. The form of one option cannot prevent them."""


def is_accepted(book: str, name: str, value: Any, others: dict[str, Any] | None = None) -> bool:
    try:
        House(load_book(book), {**(others or {}), name: value})
    except HouseError as error:
        return error.problem.startswith(ABOVE_MAXIMUM)
    return True


def good_and_bad(form: OptionForm) -> Iterator[tuple[Any, bool]]:
    """Yield values at the limits of a form, and whether a house should accept them."""
    match form.kind:
        case "flag" | "choice":
            yield from ((choice.value, choice.allowed) for choice in form.choices if not choice.needs)
            yield "no such thing", False
        case "number":
            assert form.minimum is not None
            assert form.maximum is not None
            yield from (
                (form.minimum, True),
                (form.maximum, True),
                (form.minimum - 1, False),
                (form.maximum + 1, False),
            )
            yield "none", form.allows_none
        case "wagers":
            everything = [choice.value for choice in form.choices if choice.allowed]
            yield everything, True
            yield from (([*everything, choice.value], False) for choice in form.choices if not choice.allowed)
            yield [choice.value for choice in form.choices if choice.required], True
            for choice in (choice for choice in form.choices if choice.allowed):
                yield [value for value in everything if value != choice.value], not choice.required
        case "odds":
            yield form.minimum_odds or "1 to 100", True
            yield "1 to 101", not form.minimum_odds
            yield "7 for 6", False


@pytest.mark.parametrize(("book", "name"), OPTIONS)
def test_a_house_accepts_what_the_form_allows(book: str, name: str) -> None:
    form = option_form(load_book(book), name)
    asked = list(good_and_bad(form))
    asked += [({field.key: value}, good) for field in form.fields for value, good in good_and_bad(field.form)]
    assert asked
    for value, is_good in asked:
        assert is_accepted(book, name, value) == is_good, value


@pytest.mark.parametrize(("book", "name"), OPTIONS)
def test_a_choice_that_needs_another_option_is_refused_without_it(book: str, name: str) -> None:
    for choice in option_form(load_book(book), name).choices:
        for needed, value in choice.needs:
            assert is_accepted(book, name, choice.value, {needed: value})
            other = next(other.value for other in option_form(load_book(book), needed).choices if other.value != value)
            assert not is_accepted(book, name, choice.value, {needed: other})


@pytest.mark.parametrize(("book", "name"), OPTIONS)
def test_the_default_house_fits_the_form(book: str, name: str) -> None:
    form, value = option_form(load_book(book), name), plain_value(as_house(book)[name])
    assert fits(form, value)


def fits(form: OptionForm, value: Any) -> bool:
    match form.kind:
        case "number":
            return bool((form.allows_none and value == "none") or (form.minimum or 0) <= value <= (form.maximum or 0))
        case "flag" | "choice":
            return value in [choice.value for choice in form.choices if choice.allowed]
        case "wagers":
            return set(value) <= {choice.value for choice in form.choices}
        case "table":
            forms = {field.key: field.form for field in form.fields}
            return all(fits(forms[key], item) for key, item in value.items())
    return isinstance(value, str)


@pytest.mark.parametrize(("book", "name"), OPTIONS)
def test_a_fixed_option_has_its_value_in_the_default_house(book: str, name: str) -> None:
    form = option_form(load_book(book), name)
    if form.is_fixed and form.kind in {"flag", "choice"}:
        (only,) = (choice.value for choice in form.choices if choice.allowed)
        assert plain_value(as_house(book)[name]) == only


def test_forms_of_new_jersey() -> None:
    book = load_book("NJ")
    assert (option_form(book, "vig_bp").minimum, option_form(book, "vig_bp").maximum) == (0, 500)
    assert option_form(book, "fire_min").is_fixed
    assert not option_form(book, "fire_table").is_fixed
    six = next(field for field in option_form(book, "odds_take").fields if field.key == "6")
    assert (six.default, six.form.minimum, six.form.maximum) == (5, 1, 100)
    pays = {field.key: field.form for field in option_form(book, "paytable").fields}
    assert pays["place6"].minimum_odds == "7 to 6"
    assert pays["take6"].is_fixed
    assert "pass" not in wagers_allowed_in(book, "call_off")


def test_every_option_has_a_group_and_a_title() -> None:
    for name, kind in OPTION_SPECS.items():
        assert kind.group in OPTION_GROUPS, name
        assert kind.title[0].isupper(), name
