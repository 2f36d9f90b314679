"""Spots on a phone are large enough for a thumb, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from support.browser_user import PHONE, NewUser
from support.page_server import PageServer
from trueodds.rulebook import book_ids

MIN_TARGET_PX = 44

MEASURE_JS = """(spot) => {
  const target = document.querySelector(`[data-spot="${spot}"]`)
  const { left, top, width, height } = target.querySelector('.cloth').getBoundingClientRect()
  const isHit = (x, y) => document.elementFromPoint(left + x, top + y)?.closest('[data-spot]') === target
  const edge = 6
  const corners = [edge, width - edge].flatMap((x) => [[x, edge], [x, height - edge]])
  const points = [...corners, [width / 2, height / 2]]
  return { size: Math.min(width, height), missed: points.filter(([x, y]) => !isHit(x, y)).length }
}"""
"""Return the size of a spot, and at how many of its corners and center a touch hits another element."""


@pytest.mark.parametrize("book", book_ids())
def test_spots_on_a_phone_are_large_enough(new_user: NewUser, page_server: PageServer, book: str) -> None:
    ann, table = new_user("Ann", size=PHONE), page_server.open_table(book)
    ann.join(table)
    # The rack covers the end of the felt. A higher window shows every spot.
    ann.page.set_viewport_size({"width": PHONE["width"], "height": 1600})
    expect(ann.spot("pass")).to_be_visible()
    drawers = ann.page.get_by_role("group", name="More bets").get_by_role("button")
    seen: set[str] = set()
    for drawer in range(-1, drawers.count()):
        if drawer >= 0:
            drawers.nth(drawer).click()
            expect(drawers.nth(drawer)).to_have_attribute("aria-expanded", "true")
        spots = ann.page.locator("[data-spot]").evaluate_all("(spots) => spots.map((spot) => spot.dataset.spot)")
        for spot in set(spots) - seen:
            measured = ann.page.evaluate(MEASURE_JS, spot)
            assert measured["size"] >= MIN_TARGET_PX - 0.01, spot
            assert measured["missed"] == 0, spot
        seen |= set(spots)
    all_spots = {spot["spot"] for spot in page_server.table_state(table)["layout"]["spots"]}
    assert all(spot.endswith("_odds") for spot in all_spots - seen), all_spots - seen
