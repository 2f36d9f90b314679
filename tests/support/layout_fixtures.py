"""The layouts used by the front-end tests: every spot of the default house of each book.

`python3 dev.py docs` writes them to frontend/fixtures.
"""

from __future__ import annotations

import json
from pathlib import Path

from trueodds.rulebook import House, book_ids, load_book
from trueodds.server.table_snapshot import spots_view
from trueodds.table import Dealer, Join, Position
from trueodds.wagers import TableRules

FOLDER = Path(__file__).parents[2] / "frontend" / "fixtures"
LIVE_KEYS = {"refusal", "working", "bets"}
"""The keys of a spot that change during play."""


def layout_fixtures() -> dict[str, str]:
    """Return the JSON text of each layout, by file name."""
    return {f"{name}.json": _layout(name) for name in book_ids()}


def _layout(name: str) -> str:
    dealer = Dealer(TableRules(House(load_book(name))))
    position, _ = dealer.act(Position(), Join("Ann"))
    spots = spots_view(dealer, position, "Ann")
    static = [{key: value for key, value in spot.items() if key not in LIVE_KEYS} for spot in spots]
    return "[\n" + ",\n".join(json.dumps(spot, ensure_ascii=False) for spot in static) + "\n]\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for file, text in layout_fixtures().items():
        (FOLDER / file).write_text(text, "utf-8")
