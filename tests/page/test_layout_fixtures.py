"""The front end is tested on the layouts that the server really tells."""

from __future__ import annotations

from layouts import FOLDER, layouts


def test_the_layouts_are_those_of_the_books() -> None:
    """`python3 dev.py docs` makes them anew."""
    written = layouts()
    assert {path.name for path in FOLDER.glob("*.json")} == set(written)
    for name, text in written.items():
        assert (FOLDER / name).read_text("utf-8") == text, name
