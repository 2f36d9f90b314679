"""What changes at a table, as one asker sees it: chips, what may be done, who has the dice. The felt itself stays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from trueodds.rulebook import Cite
from trueodds.server.clock import clock_view
from trueodds.server.desk import Desk
from trueodds.server.names import Names
from trueodds.server.snapshot import NOBODY, chip_view, choice_view
from trueodds.server.standing import standing_view
from trueodds.service.box import Box
from trueodds.service.errors import NOT_AT_TABLE
from trueodds.service.look import Look
from trueodds.service.shooter import why_no_throw, with_dice
from trueodds.table import Dealer, Position
from trueodds.table.layout import LayoutSpot, draw_layout, list_choices

View = dict[str, Any]


def see_table(desk: Desk, seen: Look, asker: str | None) -> View:
    """Show a table to a page: how it stands, what its clock says, and how the asker stands."""
    box = seen.box
    drawn = draw_view(box, desk.dealers.of(box.table.header), asker, desk.names) | clock_view(seen)
    if asker is None:
        return drawn | {"standing": None}
    found = desk.journal.standings.at_table(box.table, {asker}, desk.settings.clock())
    return drawn | {"standing": standing_view(found[asker]).model_dump()}


def draw_view(box: Box, dealer: Dealer, asker: str | None, names: Names) -> View:
    """Draw what a page shows after every event; spots that are closed for one reason are told together."""
    position, player = box.table.position, asker or NOBODY
    layout = draw_layout(dealer, position, player)
    custody = position.custody
    players = [seat.player for seat in position.seats]
    known = names.of(players)
    no_roll = _why_no_roll(dealer, position, player, known)
    return {
        "sequence": box.table.sequence,
        "point": layout.point,
        "hand": layout.hand,
        "markers": layout.markers._asdict(),
        "shooter": custody.shooter if custody else None,
        "offer_to": custody.offer_to if custody else None,
        "come_only": custody is not None and custody.mode == "come_settlement",
        "seats": [
            {
                "player": seat.player,
                "name": known.get(seat.player, ""),
                "rack": box.rack(seat.player),
                "up": sum(entry.wager.up for entry in seat.entries),
                "seated": seat.seated,
                "leaving": seat.player in box.leaving,
                "is_bot": box.bot(seat.player) is not None,
            }
            for seat in position.seats
        ],
        "roll": box.roll.number,
        "locked": box.roll.lock is not None,
        "you": asker,
        "is_seated": asker in players,
        "may_roll": no_roll is None,
        "no_roll": no_roll,
        "chips": [
            {"spot": str(spot.spot)} | chip_view(dealer, spot, chip) for spot in layout.spots for chip in spot.chips
        ],
        "off": [str(spot.spot) for spot in layout.spots if not spot.working],
        "closed": _closed(layout.spots),
        "choices": [
            choice_view(choice)
            for choice in list_choices(dealer, position, player)
            if choice.do != "bet" or choice.on is not None
        ],
    }


_SHORTLY: Final = {"no_line_bet": "first a line bet"}
"""Why a throw would be called no roll, in the few words that a button has room for."""


def _why_no_roll(dealer: Dealer, position: Position, player: str, known: Mapping[str, str]) -> View | None:
    """Say why a player may not throw now; one who is offered the dice, or finds them lying there, takes them so."""
    custody = position.custody
    if position.seat_of(player) is None:
        return _no(*NOT_AT_TABLE)
    if custody is not None:
        if custody.shooter not in (None, player):
            return _no("wrong_shooter", f"{known.get(custody.shooter or '', 'another')} has the dice")
        if custody.offer_to not in (None, player):
            return _no("wrong_shooter", f"the dice are offered to {known.get(custody.offer_to or '', 'another')}")
    no_roll = why_no_throw(dealer, with_dice(position, player), player)
    if no_roll is None:
        return None
    return _no(no_roll.reason, _SHORTLY.get(no_roll.reason, no_roll.reason.replace("_", " ")), no_roll.cite)


def _no(code: str, sentence: str, cite: Cite = ()) -> View:
    return {"code": code, "sentence": sentence, "cite": list(cite)}


def _closed(spots: tuple[LayoutSpot, ...]) -> list[View]:
    """Say why nobody may bet where; one who only looks on is told once."""
    reasons: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for spot in spots:
        no = spot.refusal
        if no is not None:
            reasons.setdefault((no.code, no.sentence, tuple(no.cite)), []).append(str(spot.spot))
    return [
        {"code": code, "sentence": sentence, "cite": list(cite), "spots": closed}
        for (code, sentence, cite), closed in reasons.items()
    ]
