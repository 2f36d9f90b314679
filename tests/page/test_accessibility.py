"""axe finds no violations on any page, in both themes, on phone and desktop."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from support.browser_user import DESKTOP, PHONE, NewUser, Theme
from support.page_server import PageServer


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_pages_are_accessible(new_user: NewUser, page_server: PageServer, theme: Theme, size: ViewportSize) -> None:
    table = page_server.open_table()
    ann = new_user("Ann", theme=theme, size=size)
    page_server.next_rolls(table, "4-4")
    ann.join(table)
    ann.bet("pass", 2500)
    expect(ann.page.locator('[data-chip-spot="pass"]')).to_have_count(1)
    ann.roll_button.click()
    expect(ann.page.locator("[data-call]").first).to_contain_text("ight")
    results = {f"/table/{table}": (ann.violations(), ann.overflows())}
    for path in ("/", "/new", "/me", "/drill", f"/proof/{table}/1", f"/proof/{table}/9", "/table/nowhere"):
        ann.open(path)
        ann.page.wait_for_load_state("networkidle")
        results[path] = (ann.violations(), ann.overflows())
    assert {path: result for path, result in results.items() if result != ([], False)} == {}
