"""What a thumb has to hit on a phone is large enough, in the browser that draws it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from house import House
from trueodds.rulebook import book_ids
from visitor import PHONE, Visitor

Visit = Callable[..., Visitor]

THUMB_PX = 44

HIT = """(spot) => {
  const here = document.querySelector(`[data-spot="${spot}"]`)
  const { left, top, width, height } = here.querySelector('.cloth').getBoundingClientRect()
  const across = (x, y) => document.elementFromPoint(left + x, top + y)?.closest('[data-spot]') === here
  const edge = 6
  const corners = [edge, width - edge].flatMap((x) => [[x, edge], [x, height - edge]])
  const points = [...corners, [width / 2, height / 2]]
  return { least: Math.min(width, height), missed: points.filter(([x, y]) => !across(x, y)).length }
}"""
"""How large the box of a spot is, and at how many of its corners and its middle a touch goes elsewhere."""


@pytest.mark.parametrize("book", book_ids())
def test_every_box_on_a_phone_is_as_large_as_a_thumb(visit: Visit, house: House, book: str) -> None:
    ann, table = visit("Ann", size=PHONE), house.table(book)
    ann.sit(table)
    # The rack lies over the end of the felt: with it out of the way, every box can be looked at.
    ann.page.set_viewport_size({"width": PHONE["width"], "height": 1600})
    expect(ann.spot("pass")).to_be_visible()
    drawers = ann.page.get_by_role("group", name="More bets").get_by_role("button")
    seen: set[str] = set()
    for drawer in range(-1, drawers.count()):
        if drawer >= 0:
            drawers.nth(drawer).click()
            expect(drawers.nth(drawer)).to_have_attribute("aria-expanded", "true")
        spots = ann.page.locator("[data-spot]").evaluate_all("(found) => found.map((one) => one.dataset.spot)")
        for spot in set(spots) - seen:
            hit = ann.page.evaluate(HIT, spot)
            assert hit["least"] >= THUMB_PX - 0.01, spot
            assert hit["missed"] == 0, spot
        seen |= set(spots)
    offered = {spot["spot"] for spot in house.look(table)["layout"]["spots"]}
    assert all(spot.endswith("_odds") for spot in offered - seen), offered - seen
