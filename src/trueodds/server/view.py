"""What changes at a table, as one asker sees it: chips, what may be done, who has the dice. The felt itself stays."""

from __future__ import annotations

from typing import Any

from trueodds.server.clock import clock_view
from trueodds.server.desk import Desk
from trueodds.server.names import Names
from trueodds.server.snapshot import NOBODY, choice_view
from trueodds.server.standing import standing_view
from trueodds.service.box import Box
from trueodds.service.look import Look
from trueodds.service.shooter import why_no_throw
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
        "may_roll": _may_roll(dealer, position, player),
        "chips": [
            {"spot": str(spot.spot)} | chip._asdict() | {"marks": list(chip.marks)}
            for spot in layout.spots
            for chip in spot.chips
        ],
        "off": [str(spot.spot) for spot in layout.spots if not spot.working],
        "closed": _closed(layout.spots),
        "choices": [
            choice_view(choice)
            for choice in list_choices(dealer, position, player)
            if choice.do != "bet" or choice.on is not None
        ],
    }


def _may_roll(dealer: Dealer, position: Position, player: str) -> bool:
    """Whether a player may throw now; one who is offered the dice, or finds them lying there, takes them so."""
    custody = position.custody
    if position.seat_of(player) is None:
        return False
    if custody is not None:
        if {custody.shooter, custody.offer_to} - {None, player}:
            return False
        position = position._replace(custody=custody._replace(shooter=player, offer_to=None))
    return why_no_throw(dealer, position, player) is None


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
