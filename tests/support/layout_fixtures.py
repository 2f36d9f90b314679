"""The layouts that the tests of the front end are run on: every spot of the default house of each book."""

from __future__ import annotations

import json
from pathlib import Path

from trueodds.rulebook import House, book_ids, load_book
from trueodds.server.snapshot import spots_view
from trueodds.table import Dealer, Join, Position
from trueodds.wagers import Rules

FOLDER = Path(__file__).parents[2] / "frontend" / "fixtures"
LIVE = {"refusal", "working", "chips"}
"""What changes while a table plays."""


def layouts() -> dict[str, str]:
    """Write each layout as the server tells it to a page."""
    return {f"{name}.json": _layout(name) for name in book_ids()}


def _layout(name: str) -> str:
    dealer = Dealer(Rules(House(load_book(name))))
    position, _ = dealer.act(Position(), Join("Ann"))
    spots = spots_view(dealer, position, "Ann")
    kept = [{key: value for key, value in spot.items() if key not in LIVE} for spot in spots]
    return "[\n" + ",\n".join(json.dumps(spot, ensure_ascii=False) for spot in kept) + "\n]\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, text in layouts().items():
        (FOLDER / file).write_text(text, "utf-8")
