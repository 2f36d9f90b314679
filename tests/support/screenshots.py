"""The pictures of the page in docs/images/page: `python3 dev.py pictures` makes them anew.

Ann and Bo play at a server of their own whose dice fall as written, so that every picture shows the same hand again.
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

from browsing import Chromium
from house import House
from running_server import Running
from scripted_dice import Script
from trueodds.rulebook import book_ids
from visitor import DESKTOP, PHONE, Room, Visitor

FOLDER = Path(__file__).parents[2] / "docs" / "images" / "page"
ROLLS = ("4-4", "2-3", "3-6", "2-4")
"""The point is eight; come bets go to five and nine; the six is thrown for the picture of a settlement."""

UNTIL_PAID_MS = 1_750
"""Dice, call, and lost chips taken: then those who won are paid."""

MOVES_MS = 600
"""Chips glide to where they stand, whatever the clock of the page says."""

EXACT = 128

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
"""What each of them bets, where the book has it."""

ODDS_CENTS = 5_000


class Evening:
    """Ann with a browser and Bo without one, at a table of a book."""

    def __init__(self, house: House, browser: Browser, book: str, room: Room = "dark") -> None:
        self.table = house.table(book)
        self.people = {
            "Ann": Visitor(browser, house, 0, "Ann", room=room, motion=True),
            "Bo": Visitor(browser, house, 1, "Bo"),
        }
        self.ann = self.people["Ann"]
        self._wishes = 0
        house.next_rolls(self.table, *ROLLS)
        self.ann.prefer(guided=True, room=room)
        self.ann.page.clock.install()
        self.ann.sit(self.table, 100_000)
        self._wish("Bo", wish="sit", cents=80_000)
        expect(self.ann.page.get_by_role("status").filter(has_text="Connected")).to_be_attached()
        self._play()

    def _play(self) -> None:
        """Play until a point is on and the felt is full."""
        self._bet(FIRST)
        self.throw()
        for _ in range(2):
            self._bet(COME)
            self.throw()
        self._bet(LAST)
        self.ann.page.clock.run_for(5_000)
        self.show_card()

    def show_card(self) -> None:
        """Point at a spot, so that its card is shown; then leave the felt."""
        spot = self.ann.spot("place:6") if self.ann.spot("place:6").count() else self.ann.spot("pass_odds")
        spot.hover()
        self.ann.page.clock.run_for(1_000)
        expect(self.ann.page.locator(".card [aria-busy=false]")).to_be_visible()
        self.ann.page.mouse.move(0, 0)

    def throw(self) -> None:
        """Throw the dice; the page shows them when its clock goes on."""
        expect(self.ann.roll_button).to_be_enabled()
        self.ann.throw(self.table)

    def _bet(self, bets: Bets) -> None:
        for name, wanted in bets.items():
            spots = {spot["spot"]: spot for spot in self._look(name)["layout"]["spots"]}
            for spot, cents in wanted:
                if spot in spots and not spots[spot]["refusal"]:
                    self._wish(name, wish="bet", spot=spot, cents=cents)
            self._back(name)

    def _back(self, name: str) -> None:
        """Put odds behind everything that has none."""
        seen = self._look(name)
        backed = {chip["on"] for spot in seen["layout"]["spots"] for chip in spot["chips"]}
        for choice in seen["choices"]:
            if choice["do"] == "bet" and choice["on"] not in {None, *backed}:
                stakes = choice["stakes"]
                cents = min(ODDS_CENTS, stakes["most"]) // stakes["even"] * stakes["even"]
                self._wish(name, wish="bet", spot=choice["spot"], cents=cents, on=choice["on"])

    def _look(self, name: str) -> dict[str, Any]:
        return self.people[name].look(self.table)

    def _wish(self, name: str, **wish: object) -> None:
        self._wishes += 1
        self.people[name].post(f"/api/tables/{self.table}/wishes", id=f"picture-{self._wishes}", **wish)


def in_few_colours(picture: Image.Image) -> Image.Image:
    """Draw a picture in 256 colours: those that are seen most as they are, the others as near as can be.

    Counting every other colour once keeps those that few dots have, as the letter of a seat.
    """
    counted: Counter[tuple[int, ...]] = Counter(zip(*(band.tobytes() for band in picture.split()), strict=True))
    colours = [colour for colour, _ in counted.most_common()]
    if len(colours) <= 2 * EXACT:
        return picture
    others = Image.new("RGB", (len(colours) - EXACT, 1))
    others.putdata(colours[EXACT:])
    near = others.quantize(EXACT, Image.Quantize.MEDIANCUT, kmeans=2).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in colours[:EXACT] for part in colour] + near[: 3 * EXACT])
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def take(visitor: Visitor, name: str) -> None:
    """Take a picture of a window when nothing moves any more."""
    visitor.page.wait_for_timeout(MOVES_MS)
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.png"
    in_few_colours(Image.open(io.BytesIO(visitor.page.screenshot())).convert("RGB")).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


@contextmanager
def opened() -> Iterator[tuple[House, Browser]]:
    """Open a house, with a browser in front of it."""
    script = Script()
    with (
        tempfile.TemporaryDirectory() as folder,
        patch("trueodds.service.floor.FairDice", script.dice),
    ):
        house = House(Running(f"sqlite:///{folder}/server.db"), script)
        chromium = Chromium()
        with chromium.driven() as browser:
            yield house, browser
        chromium.close()
        house.close()
        house.server.stop()


def take_table(book: str) -> None:
    """Take a table on a desk and in the hand."""
    with opened() as (house, browser):
        evening = Evening(house, browser, book)
        take(evening.ann, book)
        evening.ann.page.set_viewport_size(PHONE)
        evening.ann.page.clock.run_for(1_000)
        take(evening.ann, f"{book}-phone")


def take_settlement() -> None:
    """Take the drawer of a phone, a settlement while chips are paid, and the proof of that roll."""
    with opened() as (house, browser):
        evening = Evening(house, browser, "new_jersey")
        ann = evening.ann
        ann.page.set_viewport_size(PHONE)
        ann.page.get_by_role("button", name="One roll").click()
        ann.page.mouse.move(0, 0)
        ann.page.clock.run_for(1_000)
        take(ann, "drawer-phone")
        ann.page.set_viewport_size(DESKTOP)
        evening.show_card()
        ann.page.clock.pause_at(ann.page.evaluate("Date.now()") + 1_000)
        evening.throw()
        ann.page.clock.run_for(UNTIL_PAID_MS)
        expect(ann.page.locator(".pay").first).to_be_visible()
        take(ann, "settling")
        ann.page.clock.resume()
        ann.open(f"/proof/{evening.table}/4")
        expect(ann.page.get_by_role("status").first).to_contain_text("Proof checked")
        take(ann, "proof")


def take_bright_room() -> None:
    with opened() as (house, browser):
        take(Evening(house, browser, "new_jersey", "bright").ann, "bright")


def take_pages() -> None:
    """Take the lobby, with a table that is played at and one that is not, and the drill."""
    with opened() as (house, browser):
        house.table("rws")
        Evening(house, browser, "maryland")
        visitor = Visitor(browser, house, 2, "Cy")
        visitor.open("/")
        expect(visitor.page.get_by_text("Point is 8")).to_be_visible()
        take(visitor, "lobby")
        visitor.open("/drill?book=new_jersey&level=3&number=4")
        visitor.page.get_by_role("button", name="Check").wait_for()
        for loses in visitor.page.get_by_text("Loses", exact=True).all():
            loses.click()
        visitor.page.get_by_role("button", name="Check").click()
        visitor.page.get_by_role("heading", name="right").wait_for()
        visitor.page.evaluate("scrollTo(0, 0)")
        take(visitor, "drill")


if __name__ == "__main__":
    for book in book_ids():
        take_table(book)
    take_settlement()
    take_bright_room()
    take_pages()
