"""A table as one asker sees it: everything to draw it from, without knowing craps."""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import Any, Final

from trueodds.journal import Header, write_position
from trueodds.rulebook import Book, House, plain
from trueodds.server.names import Names
from trueodds.service.box import Box
from trueodds.table import Dealer, Position
from trueodds.table.faces import faces
from trueodds.table.layout import Chip, Choice, LayoutSpot, Stakes, draw_layout, list_choices
from trueodds.wagers import Rules

NOBODY: Final = "nobody"
"""Who looks on without a name: no player is called so, since players have ids."""

_KEPT: Final = 64


class Dealers:
    """One dealer for each house, to draw layouts with; the floor has its own."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: OrderedDict[str, Dealer] = OrderedDict()

    def of(self, header: Header) -> Dealer:
        """Find the dealer of a table's house."""
        with self._lock:
            dealer = self._kept.pop(header.house_digest, None) or Dealer(Rules(header.open_house()))
            self._kept[header.house_digest] = dealer
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return dealer


def draw_snapshot(box: Box, dealer: Dealer, asker: str | None, names: Names) -> dict[str, Any]:
    """Draw a table for an asker, who may be nobody."""
    position, player = box.table.position, asker or NOBODY
    players = [seat.player for seat in position.seats]
    lock = box.roll.lock
    return {
        **header_view(box.table.header, dealer.rules.house),
        "sequence": box.table.sequence,
        "position": json.loads(write_position(position)),
        "racks": {one: box.rack(one) for one in players},
        "players": names.of(players),
        "bots": [bot.player for bot in box.bots],
        "leaving": sorted(box.leaving),
        "you": asker,
        "seated": asker in players,
        "roll": {
            "number": box.roll.number,
            "committed": list(box.roll.seats),
            "missing": list(box.roll.missing) if lock else [],
            "lock": None if lock is None else lock.to_data(),
        },
        "layout": layout_view(dealer, box, player),
        "choices": [choice_view(choice) for choice in list_choices(dealer, position, player)],
    }


def header_view(header: Header, house: House) -> dict[str, Any]:
    """Say what a table is and what it plays by."""
    return {
        "id": header.table_id,
        "book": book_view(house.book),
        "house": {"name": house.name, "digest": house.digest, "options": house_view(house)},
        "currency": house.currency,
        "min_bet": house.get("min_bet"),
        "max_bet": house.get("max_bet"),
        "created_ms": header.created_ms,
    }


def book_view(book: Book) -> dict[str, str]:
    """Name a book."""
    return {"id": book.id, "code": book.code, "title": book.title}


def limit_view(value: int | str | None) -> int | None:
    """Give a limit in cents; none is none."""
    return value if isinstance(value, int) else None


def house_view(house: House) -> dict[str, Any]:
    """Give every option as it would stand in a house file."""
    return {name: plain(value) for name, value in house.options.items()}


def layout_view(dealer: Dealer, box: Box, player: str) -> dict[str, Any]:
    """Draw the layout."""
    layout = draw_layout(dealer, box.table.position, player)
    return {
        "point": layout.point,
        "hand": layout.hand,
        "markers": layout.markers._asdict(),
        "spots": [spot_view(dealer, spot) for spot in layout.spots],
    }


def spots_view(dealer: Dealer, position: Position, player: str) -> list[dict[str, Any]]:
    """Draw every spot as a player sees it."""
    return [spot_view(dealer, spot) for spot in draw_layout(dealer, position, player).spots]


def choice_view(choice: Choice) -> dict[str, Any]:
    """Show something that may be done now."""
    return {
        "do": choice.do,
        "name": choice.name,
        "spot": None if choice.spot is None else str(choice.spot),
        "tag": choice.tag,
        "on": choice.on,
        "stakes": _stakes_view(choice.stakes),
    }


def spot_view(dealer: Dealer, spot: LayoutSpot) -> dict[str, Any]:
    """Show one place on the layout."""
    no, drawn, rule = spot.refusal, faces(dealer, spot.spot), dealer.rules.spots.get(spot.spot)
    return {
        "spot": str(spot.spot),
        "area": spot.area,
        "title": spot.title,
        "name": spot.name,
        "pays": [list(pay) for pay in spot.pays],
        "stakes": _stakes_view(spot.stakes),
        "refusal": None if no is None else {"code": no.code, "sentence": no.sentence, "cite": list(no.cite)},
        "working": spot.working,
        "cite": list(spot.cite),
        "silences": [silence.id for silence in spot.silences],
        "dice": [list(roll) for roll in drawn.wins],
        "bar": [list(roll) for roll in drawn.bar],
        "splits": rule is not None and bool(rule.breakdown),
        "home": _home(dealer, spot),
        "collects": [] if rule is None else list(rule.collects),
        "chips": [chip_view(dealer, spot, chip) for chip in spot.chips],
    }


def chip_view(dealer: Dealer, spot: LayoutSpot, chip: Chip) -> dict[str, Any]:
    """Show a wager where it stands; `home` is the spot it was bet on."""
    return chip._asdict() | {"marks": list(chip.marks), "home": _home(dealer, spot)}


def _home(dealer: Dealer, spot: LayoutSpot) -> str:
    rule = dealer.rules.spots.get(spot.spot)
    return str(spot.spot if rule is None else rule.home_of(spot.spot))


def _stakes_view(stakes: Stakes | None) -> dict[str, Any] | None:
    return None if stakes is None else stakes._asdict()
