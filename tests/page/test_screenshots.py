"""The pictures of the page: every book has its two, every one is shown somewhere, and together they stay small."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from trueodds.rulebook import book_ids
from visitor import DESKTOP, PHONE

ROOT = Path(__file__).parents[2]
PICTURES = sorted((ROOT / "docs" / "images" / "page").glob("*.png"))
MOST_BYTES = 2_500_000


def test_every_book_is_shown_on_a_desk_and_in_the_hand() -> None:
    names = {path.stem for path in PICTURES}
    assert {name for book in book_ids() for name in (book, f"{book}-phone")} <= names


def test_every_picture_is_shown() -> None:
    """`python3 dev.py pictures` makes them anew."""
    pages = (ROOT / "README.md").read_text("utf-8") + (ROOT / "docs" / "page.md").read_text("utf-8")
    assert [path.name for path in PICTURES if f"images/page/{path.name}" not in pages] == []


def test_pictures_are_small_and_of_the_size_of_a_window() -> None:
    assert sum(path.stat().st_size for path in PICTURES) < MOST_BYTES
    for path in PICTURES:
        size = PHONE if path.stem.endswith("-phone") else DESKTOP
        with Image.open(path) as picture:
            assert picture.size == (size["width"], size["height"]), path.name
