"""The layouts of the front-end tests are those of the server."""

from __future__ import annotations

from support.layout_fixtures import FOLDER, layout_fixtures


def test_fixtures_are_up_to_date() -> None:
    """Update them with `python3 dev.py docs`."""
    fixtures = layout_fixtures()
    assert {path.name for path in FOLDER.glob("*.json")} == set(fixtures)
    for name, text in fixtures.items():
        assert (FOLDER / name).read_text("utf-8") == text, name
