"""Drawing the table: puck, chips, racks and markers, from the layout alone."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from trueodds.money import money
from trueodds.table import Chip, Layout, LayoutSpot
from trueodds.terminal.game import Game

NUMBER_AREAS = ("come", "numbers", "hardways")


def draw(game: Game, player: str) -> RenderableType:
    """Draw the table as a player sees it."""
    layout = game.table.layout(player)
    parts: list[RenderableType] = [_head(game, layout, player)]
    numbers = _numbers(game, layout)
    if numbers.row_count:
        parts.append(numbers)
    rest = _rest(layout, alone=len(game.racks) == 1)
    if rest.plain:
        parts.append(rest)
    title = layout.house if layout.house.startswith(layout.book) else f"{layout.house}, {layout.book}"
    return Panel(Group(*parts), title=title, title_align="left")


def _head(game: Game, layout: Layout, player: str) -> Text:
    puck = f"ON {layout.point}" if layout.point else "OFF"
    said = Text(f"Puck {puck}", style="bold reverse" if layout.point else "bold")
    custody = game.table.position.custody
    if custody is not None:
        has = f"shooter {custody.shooter}" if custody.shooter else f"dice offered to {custody.offer_to or 'nobody'}"
        said.append(f"   {has}" + (", only to decide come bets" if custody.mode != "normal" else ""), style="")
    for name, cents in game.racks.items():
        mark = ">" if name == player and len(game.racks) > 1 else " "
        said.append(f"  {mark} {name}: {money(cents, game.currency)}", style="bold" if name == player else "")
    for name, marks in (("fire", layout.markers.fire), ("bonus", layout.markers.bonus)):
        if marks:
            said.append(f"   {name} markers {' '.join(map(str, marks))}", style="")
    return said


def _numbers(game: Game, layout: Layout) -> Grid:
    """Draw the boxes of the numbers, with the puck where it is."""
    points = game.table.rules.book.points
    grid = Grid(show_edge=True, header_style="bold")
    grid.add_column("")
    for number in points:
        grid.add_column(f"[reverse] {number} [/reverse]" if number == layout.point else f" {number} ", justify="center")
    for area in NUMBER_AREAS:
        by_name: dict[str, dict[int, list[str]]] = {}
        for spot in layout.spots:
            if spot.area == area and len(spot.spot.pick) == 1:
                row = by_name.setdefault(spot.name.rsplit(" ", 1)[0], {})
                row[spot.spot.pick[0]] = [
                    _chip(chip, layout, alone=len(game.racks) == 1) for chip in _with_odds(spot, layout)
                ]
        for name, row in by_name.items():
            if any(row.values()):
                grid.add_row(name, *("\n".join(row.get(number, ())) for number in points))
    return grid


def _with_odds(spot: LayoutSpot, layout: Layout) -> list[Chip]:
    """Chips of a spot, each with the odds that stand on it."""
    tags = {chip.tag for chip in spot.chips}
    return [*spot.chips, *(chip for other in layout.spots for chip in other.chips if chip.on in tags)]


def _chip(chip: Chip, layout: Layout, *, alone: bool) -> str:
    odds = "+" if chip.on else ""
    off = "" if chip.working else " off"
    called = f" {chip.call}" if chip.call and chip.working else ""
    marks = f" ({' '.join(map(str, chip.marks))})" if chip.marks else ""
    whose = "" if alone else f"{chip.player[:6]} "
    return f"{whose}{odds}{money(chip.stake, layout.currency)}{off}{called}{marks}"


def _rest(layout: Layout, *, alone: bool) -> Text:
    """Tell the chips that stand elsewhere: line, field, one-roll, side bets."""
    lines = []
    for spot in layout.spots:
        if spot.area in NUMBER_AREAS and len(spot.spot.pick) == 1:
            continue
        chips = [chip for chip in spot.chips if chip.on is None]
        if chips:
            told = ", ".join(_chip(chip, layout, alone=alone) for chip in _with_odds(spot, layout))
            lines.append(f"{spot.name}: {told}")
    return Text("\n".join(lines))


def draw_spots(game: Game, player: str) -> Grid:
    """List every spot with what it pays and whether it can be bet now."""
    layout = game.table.layout(player)
    grid = Grid(title="Wagers at this table", title_justify="left", header_style="bold")
    for head in ("say", "pays", "takes", "now"):
        grid.add_column(head, overflow="fold")
    for spot in layout.spots:
        if spot.area == "come" and spot.spot.pick:
            continue
        pays = ", ".join(f"{odds}{' on ' + on if on else ''}" for on, odds in spot.pays)
        takes = ""
        if spot.stakes is not None:
            most = "" if spot.stakes.most is None else f" to {money(spot.stakes.most, layout.currency)}"
            takes = f"{money(spot.stakes.least, layout.currency)}{most} by {money(spot.stakes.step, layout.currency)}"
        grid.add_row(f"{spot.spot.kind} {spot.spot.selection}".strip(), pays, takes, "no" if spot.refusal else "yes")
    return grid
