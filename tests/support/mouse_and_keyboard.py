"""Two ways to put chips on a spot of the page: with the mouse, and with the keyboard alone."""

from __future__ import annotations

from collections import deque
from typing import Any, Final, Protocol

from playwright.sync_api import expect

from visitor import Visitor

MOST_TABS: Final = 80
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")

MAP = """
(arrows) => Object.fromEntries([...document.querySelectorAll('[data-spot]')].map((from) => [
  from.dataset.spot,
  Object.fromEntries(arrows.map((key) => {
    from.focus()
    from.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    return [key, document.activeElement?.dataset?.spot ?? '']
  })),
]))
"""
"""Where each arrow leads from each spot. Only the map is drawn so: the way is walked with real keys."""

FOCUSED = "document.activeElement?.dataset?.spot ?? ''"


class Hands(Protocol):
    """Hands put a chip on a spot, or an amount that the page offers after its no, and throw the dice."""

    chips: list[int]

    def put(self, spot: str, stakes: dict[str, Any]) -> None: ...

    def throw(self) -> None: ...


def chip_for(chips: list[int], stakes: dict[str, Any]) -> int | None:
    """Choose the smallest chip that a spot takes by itself, if there is one."""
    for chip in sorted(chips):
        if stakes["least"] <= chip <= (stakes["most"] or chip) and chip % stakes["step"] == 0:
            return chip
    return None


def chips_of(visitor: Visitor) -> list[int]:
    """Read which chips are in the rack, as the number keys count them."""
    return [int(one) for one in visitor.page.eval_on_selector_all("[data-chip]", "all => all.map(o => o.dataset.chip)")]


class Mouse:
    """Everything by clicks at what is seen."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.chips = chips_of(visitor)
        self._in_hand = 0

    def put(self, spot: str, stakes: dict[str, Any]) -> None:
        fits = chip_for(self.chips, stakes)
        wanted = fits or self.chips[0]
        if wanted != self._in_hand:
            self.visitor.take_chip(wanted)
            self._in_hand = wanted
        self.visitor.click(spot)
        if fits is None:
            no = self.visitor.page.locator("[data-refused]")
            no.get_by_role("button").first.click()
            expect(no).to_have_count(0)

    def throw(self) -> None:
        self.visitor.roll_button.click()


class Keyboard:
    """Everything by keys: Tab to the felt, arrows to the spot, a digit for the chip, Enter."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.keys = visitor.page.keyboard
        self.chips = chips_of(visitor)
        self._in_hand = 0
        self._map: dict[str, dict[str, str]] = visitor.page.evaluate(MAP, list(ARROWS))
        visitor.page.evaluate("document.activeElement.blur()")

    def put(self, spot: str, stakes: dict[str, Any]) -> None:
        self._walk(spot)
        fits = chip_for(self.chips, stakes)
        wanted = fits or self.chips[0]
        if wanted != self._in_hand:
            self.keys.press(str(self.chips.index(wanted) + 1))
            self._in_hand = wanted
        self.keys.press("Enter")
        if fits is None:
            no = self.visitor.page.locator("[data-refused]")
            expect(no).to_have_count(1)
            self._tab("document.activeElement?.closest('[data-refused]') !== null", "the offered amounts")
            self.keys.press("Enter")
            expect(no).to_have_count(0)
            assert self.visitor.page.evaluate(FOCUSED) == spot, "the focus does not come back"

    def throw(self) -> None:
        # Round the corner: the button is the last thing on the page, and the felt is near its beginning.
        self._tab("document.activeElement?.dataset?.do === 'roll'", "the roll button", "Shift+Tab")
        self.keys.press("Enter")

    def _tab(self, there: str, what: str, key: str = "Tab") -> None:
        for _ in range(MOST_TABS):
            if self.visitor.page.evaluate(there):
                return
            self.keys.press(key)
        raise AssertionError(f"{key} does not lead to {what}")

    def _walk(self, spot: str) -> None:
        self._tab(f"({FOCUSED}) !== ''", "the felt")
        start = self.visitor.page.evaluate(FOCUSED)
        for key in self._way(start, spot):
            self.keys.press(key)
        reached = self.visitor.page.evaluate(FOCUSED)
        assert reached == spot, f"the arrows lead to {reached}, not to {spot}"

    def _way(self, start: str, goal: str) -> list[str]:
        ways: dict[str, list[str]] = {start: []}
        waiting = deque([start])
        while waiting and goal not in ways:
            here = waiting.popleft()
            for key, there in self._map.get(here, {}).items():
                if there not in ways:
                    ways[there] = [*ways[here], key]
                    waiting.append(there)
        assert goal in ways, f"no arrows lead from {start} to {goal}"
        return ways[goal]
