"""The screenshots: two for every book, each one used in the docs, and small in total."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from support.browser_user import DESKTOP, PHONE
from trueodds.rulebook import book_ids

ROOT = Path(__file__).parents[2]
SCREENSHOTS = sorted((ROOT / "docs" / "images" / "page").glob("*.png"))
MAX_BYTES = 2_500_000


def test_every_book_has_desktop_and_phone_screenshots() -> None:
    names = {path.stem for path in SCREENSHOTS}
    assert {name for book in book_ids() for name in (book, f"{book}-phone")} <= names


def test_every_screenshot_is_used() -> None:
    """Update them with `python3 dev.py pictures`."""
    pages = (ROOT / "README.md").read_text("utf-8") + (ROOT / "docs" / "page.md").read_text("utf-8")
    assert [path.name for path in SCREENSHOTS if f"images/page/{path.name}" not in pages] == []


def test_screenshots_are_small_and_have_the_size_of_a_window() -> None:
    assert sum(path.stat().st_size for path in SCREENSHOTS) < MAX_BYTES
    for path in SCREENSHOTS:
        size = PHONE if path.stem.endswith("-phone") else DESKTOP
        with Image.open(path) as image:
            assert image.size == (size["width"], size["height"]), path.name
