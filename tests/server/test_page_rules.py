"""What the page tells people beforehand is what the server holds them to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import ValidationError

from trueodds.journal.people import NAME_LENGTH
from trueodds.server.accounts import Credentials

PAGE = (Path(__file__).parents[2] / "frontend" / "src" / "lib" / "account.ts").read_text("utf-8")


def told(name: str) -> int:
    (found,) = re.findall(rf"export const {name} = (\d+)", PAGE)
    return int(found)


def test_the_page_tells_the_rules_of_names_and_passwords() -> None:
    assert told("NAME_MOST") == NAME_LENGTH
    for length in (told("PASSWORD_LEAST"), told("PASSWORD_MOST")):
        assert Credentials(name="Ann", password="x" * length).name == "Ann"
    for length in (told("PASSWORD_LEAST") - 1, told("PASSWORD_MOST") + 1):
        with pytest.raises(ValidationError):
            Credentials(name="Ann", password="x" * length)
