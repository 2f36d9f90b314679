"""The browser user of the tests detects problems. Otherwise tests that use it could not fail."""

from __future__ import annotations

import asyncio

from support.browser import Chromium
from support.browser_user import NewUser
from support.scripted_dice import known_seed

GOOD = (
    "<!doctype html><html lang=en><title>t</title><main><h1>Table</h1><button>Roll</button></main>"
    "<style>button { color: #000; background: #fff }</style>"
)


def test_axe_finds_violations(new_user: NewUser) -> None:
    ann = new_user()
    ann.page.set_content(GOOD)
    assert ann.violations() == []
    ann.page.set_content(GOOD.replace("#fff", "#222").replace("Roll", "Roll</button><button>"))
    assert {found.split(":")[0] for found in ann.violations()} == {"button-name", "color-contrast"}


def test_problems_are_recorded(new_user: NewUser) -> None:
    ann = new_user()
    ann.open()
    assert ann.problems == []
    with ann.page.expect_console_message(lambda message: message.text == "broken"):
        ann.page.evaluate("console.error('broken')")
    with ann.page.expect_event("pageerror"):
        ann.page.evaluate("setTimeout(() => { throw new Error('script error here') })")
    with ann.page.expect_console_message(lambda message: "Content Security Policy" in message.text):
        ann.page.evaluate("fetch('http://192.0.2.1/').catch(() => 0)")
    for expected in ("error: broken", "script error here", "Content Security Policy"):
        assert any(expected in problem for problem in ann.problems), ann.problems
    ann.ignore_problems(".")
    ann.page.goto("about:blank")  # this page has no policy that blocks requests
    with ann.page.expect_request("http://192.0.2.1/x.png"):
        ann.page.evaluate("document.body.append(Object.assign(new Image(), {src: 'http://192.0.2.1/x.png'}))")
    assert "request to another server: http://192.0.2.1/x.png" in ann.problems
    ann.open()
    ann.ignore_problems(".")
    assert ann.page.evaluate("fetch('/api/me').then((response) => response.status)") == 401
    assert ann.problems == [], "a refused request is not a problem of the page"


def test_long_tasks_are_recorded(new_user: NewUser) -> None:
    ann = new_user()
    ann.open()
    ann.page.evaluate("new Promise((done) => setTimeout(() => { const end = performance.now() + 250;"
                      " while (performance.now() < end); setTimeout(done, 100) }))")  # fmt: skip
    assert max(ann.long_tasks_ms()) >= 240


def test_only_seeds_are_known(new_user: NewUser) -> None:
    for number in range(2):
        user = new_user()
        user.open("/drill")  # a page that draws no seeds
        for draw in range(3):
            drawn = user.page.evaluate("[...crypto.getRandomValues(new Uint8Array(32))]")
            assert bytes(drawn) == known_seed(number, draw)
        assert len(set(user.page.evaluate("[...crypto.getRandomValues(new Uint8Array(64))]"))) > 1


def test_every_window_has_its_own_user(new_user: NewUser) -> None:
    names = []
    for name in ("Ann", "Bob"):
        user = new_user(name)
        user.open()
        names.append(user.page.evaluate("fetch('/api/me').then((response) => response.json()).then((me) => me.name)"))
    assert names == ["Ann", "Bob"]


def test_a_restarted_server_keeps_its_address(new_user: NewUser) -> None:
    ann = new_user("Ann")
    ann.open()
    ann.page_server.server.stop()
    assert ann.page.evaluate("fetch('/api/me').catch(() => 'offline')") == "offline"
    ann.page_server.server.start()
    assert ann.page.evaluate("fetch('/api/me').then((response) => response.status)") == 200
    ann.ignore_problems("ERR_CONNECTION")


def test_other_event_loops_can_run_beside_the_browser(chromium: Chromium) -> None:
    async def nothing() -> int:
        return 7

    for _ in range(2):
        assert asyncio.run(nothing()) == 7
        with chromium.driving() as browser:
            browser.new_context().close()
