"""axe finds nothing: every page, both rooms, in the hand and on the desk."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize, expect

from house import House
from visitor import DESKTOP, PHONE, Room, Visitor


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("room", ["dark", "bright"])
def test_every_page_is_for_everybody(
    visit: Callable[..., Visitor], house: House, room: Room, size: ViewportSize
) -> None:
    table = house.table()
    ann = visit("Ann", room=room, size=size)
    house.next_rolls(table, "4-4")
    ann.sit(table)
    ann.bet("pass", 2500)
    ann.roll_button.click()
    expect(ann.page.locator("[data-call]").first).to_contain_text("ight")
    found = {f"/table/{table}": (ann.violations(), ann.overflows())}
    for path in ("/", "/new", "/me", "/drill", f"/proof/{table}/1", f"/proof/{table}/9", "/table/nowhere"):
        ann.open(path)
        ann.page.wait_for_load_state("networkidle")
        found[path] = (ann.violations(), ann.overflows())
    assert {path: one for path, one in found.items() if one != ([], False)} == {}
