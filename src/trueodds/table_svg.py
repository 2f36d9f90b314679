"""A simple drawing of a table as SVG: the felt, the puck, and a chip for every bet."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Final, NamedTuple

from trueodds.money import format_money
from trueodds.table import Position
from trueodds.wagers import TableRules

_BOX: Final = 104
_MARGIN: Final = 12
_CHIP: Final = 18
_PER_ROW: Final = 2
_COLORS: Final = ("#d9482b", "#2b6cd9", "#e0a800", "#7a3fb5", "#0f9d8f", "#c2357a", "#5b6b7b", "#8a5a2b")
_FONT: Final = "font-family='sans-serif' text-anchor='middle'"


class _Chip(NamedTuple):
    player: str
    name: str
    cents: int
    is_off: bool


def draw_svg(rules: TableRules, position: Position, racks_cents: Mapping[str, int]) -> str:
    """Return the table as SVG. Bets on a point number stand in its box, all others in a row of boxes below."""
    points = rules.book.points
    number_chips, other_chips = _collect_chips(rules, position)
    colors = {seat.player: _COLORS[index % len(_COLORS)] for index, seat in enumerate(position.seats)}
    columns = max(len(points), 1)
    width = columns * _BOX + 2 * _MARGIN
    rows = [
        [(str(number), number_chips.get(number, []), number == position.point) for number in points],
        *(
            [(name, chips, False) for name, chips in list(other_chips.items())[start : start + columns]]
            for start in range(0, len(other_chips), columns)
        ),
    ]
    heights = [54 + 2 * _CHIP * -(-max((len(chips) for _, chips, _ in row), default=0) // _PER_ROW) for row in rows]
    top = 44
    height = top + sum(heights) + _MARGIN * len(rows) + 22 * len(position.seats)
    puck = f"Puck ON {position.point}" if position.point else "Puck OFF"
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}' "
        "role='img'>",
        f"<title>{escape(rules.house.name)}: {puck}</title>",
        f"<rect width='{width}' height='{height}' rx='14' fill='#14603a'/>",
        f"<text x='{width / 2}' y='28' font-size='15' fill='#fff' {_FONT}>{escape(rules.house.name)}: {puck}</text>",
    ]
    y = top
    for row, row_height in zip(rows, heights, strict=True):
        for column, (title, chips, has_puck) in enumerate(row):
            parts += _draw_box(_MARGIN + column * _BOX, y, row_height, title, has_puck)
            for index, chip in enumerate(chips):
                x = _MARGIN + column * _BOX + _BOX * (index % _PER_ROW * 2 + 1) // 4
                parts += _draw_chip(x, y + 62 + 2 * _CHIP * (index // _PER_ROW), chip, colors, rules.house.currency)
        y += row_height + _MARGIN
    for player, color in colors.items():
        rack = format_money(racks_cents.get(player, 0), rules.house.currency)
        parts.append(f"<circle cx='{_MARGIN + 8}' cy='{y + 4}' r='7' fill='{color}' stroke='#fff'/>")
        parts.append(
            f"<text x='{_MARGIN + 22}' y='{y + 9}' font-size='13' fill='#fff' font-family='sans-serif'>"
            f"{escape(player)}: {rack}</text>"
        )
        y += 22
    return "".join([*parts, "</svg>"])


def _collect_chips(rules: TableRules, position: Position) -> tuple[dict[int, list[_Chip]], dict[str, list[_Chip]]]:
    """Return the chips by point number, and all other chips by the name of their spot."""
    by_number: dict[int, list[_Chip]] = {}
    by_name: dict[str, list[_Chip]] = {}
    for seat in position.seats:
        for tagged in seat.wagers:
            wager = tagged.wager
            name = rules.book.wagers[wager.spot.kind].spot_name(wager.spot.selection)
            chips = [_Chip(seat.player, name, wager.stake, wager.call == "off")]
            for bet in wager.odds_bets:
                odds_name = rules.odds_rules[bet.kind].definition.short_name
                chips.append(_Chip(seat.player, odds_name, bet.stake, bet.call == "off"))
            if len(wager.spot.pick) == 1 and wager.spot.pick[0] in rules.points:
                by_number.setdefault(wager.spot.pick[0], []).extend(chips)
            else:
                by_name.setdefault(name, []).extend(chips)
    return by_number, by_name


def _draw_box(x: int, y: int, height: int, title: str, has_puck: bool) -> list[str]:
    parts = [
        f"<rect x='{x + 2}' y='{y}' width='{_BOX - 4}' height='{height}' rx='6' fill='none' stroke='#cfe8d8'/>",
        f"<text x='{x + _BOX // 2}' y='{y + 24}' font-size='17' fill='#fff' {_FONT}>{escape(title)}</text>",
    ]
    if has_puck:
        parts.append(f"<circle cx='{x + _BOX - 20}' cy='{y + 18}' r='14' fill='#fff' stroke='#222'/>")
        parts.append(f"<text x='{x + _BOX - 20}' y='{y + 22}' font-size='11' fill='#222' {_FONT}>ON</text>")
    return parts


def _draw_chip(x: int, y: int, chip: _Chip, colors: Mapping[str, str], currency: str) -> list[str]:
    amount = format_money(chip.cents, currency)
    state = ", off" if chip.is_off else ""
    opacity = " opacity='0.5'" if chip.is_off else ""
    return [
        f"<g{opacity}><title>{escape(chip.player)}: {escape(chip.name)}, {amount}{state}</title>",
        f"<circle cx='{x}' cy='{y - 5}' r='{_CHIP - 1}' fill='{colors[chip.player]}' stroke='#fff' "
        "stroke-dasharray='5 3' stroke-width='2'/>",
        f"<text x='{x}' y='{y - 1}' font-size='{11 if len(amount) < 6 else 8}' fill='#fff' {_FONT}>{amount}</text></g>",
    ]
