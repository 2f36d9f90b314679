"""Two ways to bet on the page: with the mouse, and with the keyboard only."""

from __future__ import annotations

from collections import deque
from typing import Any, Final, Protocol

from playwright.sync_api import expect

from support.browser_user import BrowserUser

MAX_TABS: Final = 80
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")

ARROW_MAP_JS = """
(arrows) => Object.fromEntries([...document.querySelectorAll('[data-spot]')].map((from) => [
  from.dataset.spot,
  Object.fromEntries(arrows.map((key) => {
    from.focus()
    from.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    return [key, document.activeElement?.dataset?.spot ?? '']
  })),
]))
"""
"""Return where each arrow key leads from each spot. Tests use the map to plan a route, and follow it with real keys."""

FOCUSED_SPOT_JS = "document.activeElement?.dataset?.spot ?? ''"


class BetInput(Protocol):
    """A way to bet a chip, or an amount that the page suggests after a refusal, and to roll the dice."""

    chips: list[int]

    def bet(self, spot: str, stake_range: dict[str, Any]) -> None: ...

    def roll(self) -> None: ...


def chip_for(chips: list[int], stake_range: dict[str, Any]) -> int | None:
    """Return the smallest chip that a spot accepts as a stake, or None."""
    for chip in sorted(chips):
        if (
            stake_range["min_cents"] <= chip <= (stake_range["max_cents"] or chip)
            and chip % stake_range["step_cents"] == 0
        ):
            return chip
    return None


def rack_chips(user: BrowserUser) -> list[int]:
    """Return the chips of the rack in the order of the number keys."""
    return [
        int(cents) for cents in user.page.eval_on_selector_all("[data-chip]", "all => all.map(o => o.dataset.chip)")
    ]


class Mouse:
    """Bets with clicks."""

    def __init__(self, user: BrowserUser) -> None:
        self.user = user
        self.chips = rack_chips(user)
        self._selected_chip = 0

    def bet(self, spot: str, stake_range: dict[str, Any]) -> None:
        accepted = chip_for(self.chips, stake_range)
        chip = accepted or self.chips[0]
        if chip != self._selected_chip:
            self.user.select_chip(chip)
            self._selected_chip = chip
        self.user.click(spot)
        if accepted is None:
            refusal = self.user.page.locator("[data-refused]")
            refusal.get_by_role("button").first.click()
            expect(refusal).to_have_count(0)

    def roll(self) -> None:
        self.user.roll_button.click()


class Keyboard:
    """Bets with keys: Tab to the felt, arrows to the spot, a digit for the chip, Enter."""

    def __init__(self, user: BrowserUser) -> None:
        self.user = user
        self.keys = user.page.keyboard
        self.chips = rack_chips(user)
        self._selected_chip = 0
        self._map: dict[str, dict[str, str]] = user.page.evaluate(ARROW_MAP_JS, list(ARROWS))
        user.page.evaluate("document.activeElement.blur()")

    def bet(self, spot: str, stake_range: dict[str, Any]) -> None:
        self._go_to(spot)
        accepted = chip_for(self.chips, stake_range)
        chip = accepted or self.chips[0]
        if chip != self._selected_chip:
            self.keys.press(str(self.chips.index(chip) + 1))
            self._selected_chip = chip
        self.keys.press("Enter")
        if accepted is None:
            refusal = self.user.page.locator("[data-refused]")
            expect(refusal).to_have_count(1)
            self._tab("document.activeElement?.closest('[data-refused]') !== null", "the suggested amounts")
            self.keys.press("Enter")
            expect(refusal).to_have_count(0)
            assert self.user.page.evaluate(FOCUSED_SPOT_JS) == spot, "the focus does not return to the spot"

    def roll(self) -> None:
        # Go backwards: the button is the last element of the page, and the felt is near its start.
        self._tab("document.activeElement?.dataset?.action === 'roll'", "the roll button", "Shift+Tab")
        self.keys.press("Enter")

    def _tab(self, is_reached: str, target: str, key: str = "Tab") -> None:
        for _ in range(MAX_TABS):
            if self.user.page.evaluate(is_reached):
                return
            self.keys.press(key)
        raise AssertionError(f"{key} does not lead to {target}")

    def _go_to(self, spot: str) -> None:
        self._tab(f"({FOCUSED_SPOT_JS}) !== ''", "the felt")
        start = self.user.page.evaluate(FOCUSED_SPOT_JS)
        for key in self._route(start, spot):
            self.keys.press(key)
        reached = self.user.page.evaluate(FOCUSED_SPOT_JS)
        assert reached == spot, f"the arrows lead to {reached}, not to {spot}"

    def _route(self, start: str, goal: str) -> list[str]:
        routes: dict[str, list[str]] = {start: []}
        queue = deque([start])
        while queue and goal not in routes:
            spot = queue.popleft()
            for key, neighbor in self._map.get(spot, {}).items():
                if neighbor not in routes:
                    routes[neighbor] = [*routes[spot], key]
                    queue.append(neighbor)
        assert goal in routes, f"no arrows lead from {start} to {goal}"
        return routes[goal]
