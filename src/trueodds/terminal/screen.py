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
from trueodds.text_table import make_table

NUMBER_AREAS: Final = ("come", "numbers", "hardways")


def draw_table(game: TerminalGame, player: str) -> RenderableType:
    """Return a drawing of the table as the player sees it."""
    layout = game.table.layout(player)
    alone = len(game.table.players) == 1
    parts: list[RenderableType] = [_header(game, layout, player)]
    numbers = _number_boxes(game, layout, alone=alone)
    if numbers.row_count:
        parts.append(numbers)
    other_bets = _other_bets(layout, alone=alone)
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


def _number_boxes(game: TerminalGame, layout: Layout, *, alone: bool) -> Grid:
    """Return the grid of the point numbers with the bets on them. The point is highlighted."""
    points = game.table.rules.book.points
    grid = Grid(show_edge=True, header_style="bold")
    grid.add_column("")
    for number in points:
        grid.add_column(f"[reverse] {number} [/reverse]" if number == layout.point else f" {number} ", justify="center")
    for area in NUMBER_AREAS:
        rows: dict[str, dict[int, list[str]]] = {}
        for spot in layout.spots:
            if spot.area == area and len(spot.spot.pick) == 1:
                row = rows.setdefault(spot.name.rsplit(" ", 1)[0], {})
                row[spot.spot.pick[0]] = [_bet_text(bet, layout, alone=alone) for bet in _with_odds(spot, layout)]
        for name, row in rows.items():
            if any(row.values()):
                grid.add_row(name, *("\n".join(row.get(number, ())) for number in points))
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


def _other_bets(layout: Layout, *, alone: bool) -> Text:
    """Return the bets that are not on a number, one line for each spot."""
    lines = []
    for spot in layout.spots:
        if spot.area in NUMBER_AREAS and len(spot.spot.pick) == 1:
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
        rows.append([f"{spot.spot.kind} {spot.spot.selection}".strip(), pays, stakes, "no" if spot.refusal else "yes"])
    return make_table("Wagers at this table", ("type", "pays", "stakes", "now"), rows, width)
