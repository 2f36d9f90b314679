"""Takes the screenshots in docs/images/page: `python3 dev.py pictures`.

Ann and Bo play at a server with scripted dice, so that every run shows the same hand.
"""

from __future__ import annotations

import io
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image
from playwright.sync_api import Browser, expect

from support.browser import Chromium
from support.browser_user import DESKTOP, PHONE, BrowserUser, Theme
from support.page_server import PageServer
from support.running_server import RunningServer
from support.scripted_dice import DiceScript
from trueodds.rulebook import book_ids

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "page"
ROLLS = ("4-4", "2-3", "3-6", "2-4")
"""The point is eight, come bets move to five and nine, and the six is for the screenshot of a settlement."""

UNTIL_PAID_MS = 1_750
"""The time until the animation pays winning bets: after dice, call and take."""

MOVES_MS = 600
"""The time that chips take to move. CSS transitions do not follow the fake clock."""

EXACT_COLORS = 128
"""The number of colors that are kept exactly."""

Bets = dict[str, tuple[tuple[str, int], ...]]

FIRST: Bets = {
    "Ann": (("pass", 2500), ("fire", 500), ("small", 500), ("all", 500)),
    "Bo": (("dont_pass", 2500), ("tall", 500)),
}
COME: Bets = {"Ann": (("come", 2500),), "Bo": (("dont_come", 1500),)}
LAST: Bets = {
    "Ann": (
        ("come", 2500), ("place:6", 1200), ("place:10", 2500), ("put:6", 2500), ("hard:4", 500), ("field", 2500),
        ("yo", 100), ("hop:2-5", 500), ("horn_high:12", 500), ("six_seven_eight", 500), ("big6", 2500),
    ),
    "Bo": (
        ("place:4", 2500), ("place:6", 3000), ("buy:4", 5000), ("lay:10", 4000), ("hard:8", 500), ("any_craps", 100),
        ("ce", 200), ("hop:3-3", 100), ("big8", 1000),
    ),
}  # fmt: skip
"""The bets of each player. Those that the book does not have are left out."""

ODDS_CENTS = 5_000


class DemoGame:
    """Ann with a browser and Bo without one, at a table."""

    def __init__(self, server: PageServer, browser: Browser, book: str, theme: Theme = "dark") -> None:
        self.table = server.open_table(book)
        self.users = {
            "Ann": BrowserUser(browser, server, 0, "Ann", theme=theme, motion=True),
            "Bo": BrowserUser(browser, server, 1, "Bo"),
        }
        self.ann = self.users["Ann"]
        self._commands = 0
        server.next_rolls(self.table, *ROLLS)
        self.ann.set_preferences(guideDone=True, theme=theme)
        self.ann.page.clock.install()
        self.ann.join(self.table, 100_000)
        self._send("Bo", command="join", cents=80_000)
        self._play()

    def _play(self) -> None:
        """Play until a point is on and the layout is full of bets."""
        self._bet(FIRST)
        self.roll()
        for _ in range(2):
            self._bet(COME)
            self.roll()
        self._bet(LAST)
        self.ann.page.clock.run_for(5_000)
        self.show_card()

    def show_card(self) -> None:
        """Hover over a spot to show its card, then move the pointer away."""
        spot = self.ann.spot("place:6") if self.ann.spot("place:6").count() else self.ann.spot("pass_odds")
        spot.hover()
        self.ann.page.clock.run_for(1_000)
        expect(self.ann.page.locator(".card [aria-busy=false]")).to_be_visible()
        self.ann.page.mouse.move(0, 0)

    def roll(self) -> None:
        """Roll the dice. The page shows the roll when its clock advances."""
        expect(self.ann.roll_button).to_be_enabled()
        self.ann.roll_on_server(self.table)

    def _bet(self, bets: Bets) -> None:
        for name, player_bets in bets.items():
            spots = {spot["spot"]: spot for spot in self._state(name)["layout"]["spots"]}
            for spot, cents in player_bets:
                if spot in spots and not spots[spot]["refusal"]:
                    self._send(name, command="bet", spot=spot, stake_cents=cents)
            self._add_odds(name)

    def _add_odds(self, name: str) -> None:
        """Add odds to every wager that can have them."""
        state = self._state(name)
        backed = {bet["base_tag"] for spot in state["layout"]["spots"] for bet in spot["bets"]}
        for action in state["legal_actions"]:
            if action["verb"] == "bet" and action["base_tag"] not in {None, *backed}:
                stake_range = action["stake_range"]
                step = stake_range["exact_step_cents"]
                cents = min(ODDS_CENTS, stake_range["max_cents"]) // step * step
                self._send(name, command="bet", spot=action["spot"], stake_cents=cents, base_tag=action["base_tag"])

    def _state(self, name: str) -> dict[str, Any]:
        return self.users[name].table_state(self.table)

    def _send(self, name: str, **command: object) -> None:
        self._commands += 1
        self.users[name].post(f"/api/tables/{self.table}/commands", id=f"screenshot-{self._commands}", **command)


def reduce_colors(image: Image.Image) -> Image.Image:
    """Return an image with 256 colors: the most frequent ones exactly, the others approximately.

    Each of the others has the same weight, which keeps colors of few pixels, such as the letter of a seat.
    """
    counts: Counter[tuple[int, ...]] = Counter(zip(*(band.tobytes() for band in image.split()), strict=True))
    colors = [color for color, _ in counts.most_common()]
    if len(colors) <= 2 * EXACT_COLORS:
        return image
    others = Image.new("RGB", (len(colors) - EXACT_COLORS, 1))
    others.putdata(colors[EXACT_COLORS:])
    approximate = others.quantize(EXACT_COLORS, Image.Quantize.MEDIANCUT, kmeans=2).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(
        [channel for color in colors[:EXACT_COLORS] for channel in color] + approximate[: 3 * EXACT_COLORS]
    )
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def save_screenshot(user: BrowserUser, name: str) -> None:
    """Save a screenshot of a window after all movement has ended."""
    user.page.wait_for_timeout(MOVES_MS)
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.png"
    reduce_colors(Image.open(io.BytesIO(user.page.screenshot())).convert("RGB")).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


@contextmanager
def running_page() -> Iterator[tuple[PageServer, Browser]]:
    """Start a server and a browser."""
    script = DiceScript()
    with (
        tempfile.TemporaryDirectory() as folder,
        patch("trueodds.service.table_manager.FairDice", script.dice),
    ):
        server = PageServer(RunningServer(f"sqlite:///{folder}/server.db"), script)
        chromium = Chromium()
        with chromium.driving() as browser:
            yield server, browser
        chromium.close()
        server.close()
        server.server.stop()


def shoot_table(book: str) -> None:
    """Take a table on a desktop and on a phone."""
    with running_page() as (server, browser):
        game = DemoGame(server, browser, book)
        save_screenshot(game.ann, book)
        game.ann.page.set_viewport_size(PHONE)
        game.ann.page.clock.run_for(1_000)
        save_screenshot(game.ann, f"{book}-phone")


def shoot_settlement() -> None:
    """Take a drawer on a phone, a settlement while bets are paid, and the proof of that roll."""
    with running_page() as (server, browser):
        game = DemoGame(server, browser, "new_jersey")
        ann = game.ann
        ann.page.set_viewport_size(PHONE)
        ann.page.get_by_role("button", name="One roll").click()
        ann.page.mouse.move(0, 0)
        ann.page.clock.run_for(1_000)
        save_screenshot(ann, "drawer-phone")
        ann.page.set_viewport_size(DESKTOP)
        game.show_card()
        ann.page.clock.pause_at(ann.page.evaluate("Date.now()") + 1_000)
        game.roll()
        ann.page.clock.run_for(UNTIL_PAID_MS)
        expect(ann.page.locator(".pay").first).to_be_visible()
        save_screenshot(ann, "settling")
        ann.page.clock.resume()
        ann.open(f"/proof/{game.table}/4")
        expect(ann.page.get_by_role("status").first).to_contain_text("Proof checked")
        save_screenshot(ann, "proof")


def shoot_light_theme() -> None:
    with running_page() as (server, browser):
        save_screenshot(DemoGame(server, browser, "new_jersey", "light").ann, "light")


def shoot_pages() -> None:
    """Take the lobby with a busy and an empty table, and the drill."""
    with running_page() as (server, browser):
        server.open_table("rws")
        DemoGame(server, browser, "maryland")
        user = BrowserUser(browser, server, 2, "Cy")
        user.open("/")
        expect(user.page.get_by_text("Point is 8")).to_be_visible()
        save_screenshot(user, "lobby")
        user.open("/drill?book=new_jersey&level=3&number=4")
        user.page.get_by_role("button", name="Check").wait_for()
        for loses in user.page.get_by_text("Loses", exact=True).all():
            loses.click()
        user.page.get_by_role("button", name="Check").click()
        user.page.get_by_role("heading", name="correct").wait_for()
        user.page.evaluate("scrollTo(0, 0)")
        save_screenshot(user, "drill")


if __name__ == "__main__":
    for book in book_ids():
        shoot_table(book)
    shoot_settlement()
    shoot_light_theme()
    shoot_pages()
