"""What the page tells people beforehand is what the server holds them to."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from terms import FILE, terms
from trueodds.server.accounts import Credentials
from trueodds.server.errors import STATUS_OF

TOLD = json.loads(FILE.read_text("utf-8"))


def test_the_page_tells_the_terms_of_the_server() -> None:
    """`python3 dev.py docs` writes them down anew."""
    assert FILE.read_text("utf-8") == terms()


def test_what_to_ask_again_on_is_what_the_server_says_is_not_now() -> None:
    """Whoever asks too often is told so with a 429, and everything else that passes with a 503."""
    assert set(TOLD["ask_again"]) == {code for code, status in STATUS_OF.items() if status == 503} | {"too_often"}


@pytest.mark.parametrize(
    ("field", "least", "most"),
    [("name", 1, TOLD["name_most"]), ("password", TOLD["password_least"], TOLD["password_most"])],
)
def test_names_and_passwords(field: str, least: int, most: int) -> None:
    given = {"name": "Ann", "password": "long enough"}
    for length in (least, most):
        assert getattr(Credentials(**given | {field: "x" * length}), field) == "x" * length
    for length in (least - 1, most + 1):
        with pytest.raises(ValidationError):
            Credentials(**given | {field: "x" * length})
