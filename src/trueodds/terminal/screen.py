"""Drawing the table in the terminal: puck, bets, racks and markers."""

from __future__ import annotations

from typing import Final

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from trueodds.money import format_money
from trueodds.table import Layout, LayoutBet, LayoutSpot
from trueodds.terminal.terminal_game import TerminalGame
from trueodds.text_table import BORDER_WIDTH, make_table

NUMBER_AREAS: Final = ("come", "numbers", "hardways")
MIN_BOX_WIDTH: Final = 4
"""The width of a heading in the grid of numbers."""

PANEL_WIDTH: Final = 4
"""The border and padding of the panel around the table."""


def draw_table(game: TerminalGame, player: str, width: int) -> RenderableType:
    """Return a drawing of the table as the player sees it. In a narrow terminal, all bets are listed as lines."""
    layout = game.table.layout(player)
    alone = len(game.table.players) == 1
    parts: list[RenderableType] = [_header(game, layout, player)]
    rows = _number_rows(game, layout, alone=alone)
    has_boxes = _boxes_width(rows) <= width - PANEL_WIDTH
    if rows and has_boxes:
        parts.append(_number_boxes(game, layout, rows))
    other_bets = _other_bets(layout, alone=alone, skip_numbers=has_boxes)
    if other_bets.plain:
        parts.append(other_bets)
    title = layout.house if layout.house.startswith(layout.book) else f"{layout.house}, {layout.book}"
    return Panel(Group(*parts), title=title, title_align="left")


def _header(game: TerminalGame, layout: Layout, player: str) -> Text:
    puck = f"ON {layout.point}" if layout.point else "OFF"
    header = Text(f"Puck {puck}", style="bold reverse" if layout.point else "bold")
    custody = game.table.position.custody
    if custody is not None:
        dice = f"shooter {custody.shooter}" if custody.shooter else f"dice offered to {custody.offered_to or 'nobody'}"
        header.append(f"   {dice}" + (", only to decide come bets" if custody.mode != "normal" else ""), style="")
    racks = game.table.racks_cents
    for name, cents in racks.items():
        marker = ">" if name == player and len(racks) > 1 else " "
        header.append(
            f"  {marker} {name}: {format_money(cents, game.currency)}", style="bold" if name == player else ""
        )
    for name, numbers in (("fire", layout.markers.fire), ("bonus", layout.markers.bonus)):
        if numbers:
            header.append(f"   {name} markers {' '.join(map(str, numbers))}", style="")
    return header


def _number_rows(game: TerminalGame, layout: Layout, *, alone: bool) -> list[list[str]]:
    """Return the bets on the point numbers: a row for each wager that is up, with a cell for each number."""
    points = game.table.rules.book.points
    rows = []
    for area in NUMBER_AREAS:
        bets: dict[str, dict[int, list[str]]] = {}
        for spot in layout.spots:
            if spot.area == area and len(spot.spot.pick) == 1:
                row = bets.setdefault(spot.name.rsplit(" ", 1)[0], {})
                row[spot.spot.pick[0]] = [_bet_text(bet, layout, alone=alone) for bet in _with_odds(spot, layout)]
        rows += [
            [name, *("\n".join(row.get(number, ())) for number in points)]
            for name, row in bets.items()
            if any(row.values())
        ]
    return rows


def _column_widths(rows: list[list[str]]) -> list[int]:
    """Return the length of the longest word in each column, or of a heading."""
    columns = zip(*rows, strict=True)
    return [max(MIN_BOX_WIDTH, *(len(word) for cell in column for word in cell.split() or [""])) for column in columns]


def _boxes_width(rows: list[list[str]]) -> int:
    widths = _column_widths(rows)
    return sum(widths) + BORDER_WIDTH * len(widths) + 1


def _number_boxes(game: TerminalGame, layout: Layout, rows: list[list[str]]) -> Grid:
    """Return the grid of the point numbers with the bets on them. The point is highlighted."""
    grid = Grid(show_edge=True, header_style="bold")
    name_width, *widths = _column_widths(rows)
    grid.add_column("", min_width=name_width)
    for number, width in zip(game.table.rules.book.points, widths, strict=True):
        heading = Text(f" {number} ", style="reverse" if number == layout.point else "")
        grid.add_column(heading, justify="center", min_width=width)
    for row in rows:
        grid.add_row(*map(Text, row))
    return grid


def _with_odds(spot: LayoutSpot, layout: Layout) -> list[LayoutBet]:
    """Return the bets on a spot, followed by the odds behind them."""
    tags = {bet.tag for bet in spot.bets}
    return [*spot.bets, *(bet for other in layout.spots for bet in other.bets if bet.base_tag in tags)]


def _bet_text(bet: LayoutBet, layout: Layout, *, alone: bool) -> str:
    owner = "" if alone else f"{bet.player[:6]} "
    odds = "+" if bet.base_tag else ""
    off = "" if bet.working else " off"
    call = f" {bet.call}" if bet.call and bet.working else ""
    marks = f" ({' '.join(map(str, bet.marks))})" if bet.marks else ""
    return f"{owner}{odds}{format_money(bet.stake_cents, layout.currency)}{off}{call}{marks}"


def _other_bets(layout: Layout, *, alone: bool, skip_numbers: bool) -> Text:
    """Return the bets, one line for each spot. `skip_numbers` leaves out those on a number."""
    lines = []
    for spot in layout.spots:
        if skip_numbers and spot.area in NUMBER_AREAS and len(spot.spot.pick) == 1:
            continue
        if any(bet.base_tag is None for bet in spot.bets):
            bets = ", ".join(_bet_text(bet, layout, alone=alone) for bet in _with_odds(spot, layout))
            lines.append(f"{spot.name}: {bets}")
    return Text("\n".join(lines))


def draw_wager_list(game: TerminalGame, player: str, width: int) -> RenderableType:
    """Return a list of all spots: what to type, what they pay, and whether they can be bet now."""
    layout = game.table.layout(player)
    rows = []
    for spot in layout.spots:
        if spot.area == "come" and spot.spot.pick:
            continue
        pays = ", ".join(f"{odds}{' on ' + on if on else ''}" for on, odds in spot.pays)
        stakes = ""
        if spot.stake_range is not None:
            smallest, largest, step, _ = spot.stake_range
            limit = "" if largest is None else f" to {format_money(largest, layout.currency)}"
            step_text = format_money(step, layout.currency)
            stakes = f"{format_money(smallest, layout.currency)}{limit}, in steps of {step_text}"
            if largest is not None and largest < smallest:
                stakes = "you have the maximum there"
        rows.append([f"{spot.spot.kind} {spot.spot.selection}".strip(), pays, stakes, "no" if spot.refusal else "yes"])
    return make_table("Wagers at this table", ("type", "pays", "stakes", "now"), rows, width)
