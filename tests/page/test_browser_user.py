"""The visitor of the tests sees what is wrong: otherwise no test that uses it could fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from browsing import Chromium
from scripted_dice import drawn_seed
from visitor import Visitor

Visit = Callable[..., Visitor]

GOOD = (
    "<!doctype html><html lang=en><title>t</title><main><h1>Table</h1><button>Roll</button></main>"
    "<style>button { color: #000; background: #fff }</style>"
)


def test_axe_finds_what_is_there(visit: Visit) -> None:
    ann = visit()
    ann.page.set_content(GOOD)
    assert ann.violations() == []
    ann.page.set_content(GOOD.replace("#fff", "#222").replace("Roll", "Roll</button><button>"))
    assert {found.split(":")[0] for found in ann.violations()} == {"button-name", "color-contrast"}


def test_problems_are_taken_down(visit: Visit) -> None:
    ann = visit()
    ann.open()
    assert ann.problems == []
    with ann.page.expect_console_message(lambda said: said.text == "broken"):
        ann.page.evaluate("console.error('broken')")
    with ann.page.expect_event("pageerror"):
        ann.page.evaluate("setTimeout(() => { throw new Error('fault here') })")
    with ann.page.expect_console_message(lambda said: "Content Security Policy" in said.text):
        ann.page.evaluate("fetch('http://192.0.2.1/').catch(() => 0)")
    for said in ("error: broken", "fault here", "Content Security Policy"):
        assert any(said in problem for problem in ann.problems), ann.problems
    ann.forgive(".")
    ann.page.goto("about:blank")  # no policy keeps this one from asking
    with ann.page.expect_request("http://192.0.2.1/x.png"):
        ann.page.evaluate("document.body.append(Object.assign(new Image(), {src: 'http://192.0.2.1/x.png'}))")
    assert "asked elsewhere: http://192.0.2.1/x.png" in ann.problems
    ann.open()
    ann.forgive(".")
    assert ann.page.evaluate("fetch('/api/me').then((answer) => answer.status)") == 401
    assert ann.problems == [], "a no of the server is no fault of the page"


def test_long_tasks_are_seen(visit: Visit) -> None:
    ann = visit()
    ann.open()
    ann.page.evaluate("new Promise((done) => setTimeout(() => { const end = performance.now() + 250;"
                      " while (performance.now() < end); setTimeout(done, 100) }))")  # fmt: skip
    assert max(ann.long_tasks_ms()) >= 240


def test_seeds_are_known_and_nothing_else_is(visit: Visit) -> None:
    for number in range(2):
        visitor = visit()
        visitor.open("/drill")  # a page that draws none by itself
        for draw in range(3):
            drawn = visitor.page.evaluate("[...crypto.getRandomValues(new Uint8Array(32))]")
            assert bytes(drawn) == drawn_seed(number, draw)
        assert len(set(visitor.page.evaluate("[...crypto.getRandomValues(new Uint8Array(64))]"))) > 1


def test_visitors_are_different_people(visit: Visit) -> None:
    names = []
    for name in ("Ann", "Bob"):
        visitor = visit(name)
        visitor.open()
        names.append(visitor.page.evaluate("fetch('/api/me').then((answer) => answer.json()).then((me) => me.name)"))
    assert names == ["Ann", "Bob"]


def test_a_server_that_comes_back_keeps_its_address(visit: Visit) -> None:
    ann = visit("Ann")
    ann.open()
    ann.house.server.stop()
    assert ann.page.evaluate("fetch('/api/me').catch(() => 'away')") == "away"
    ann.house.server.start()
    assert ann.page.evaluate("fetch('/api/me').then((answer) => answer.status)") == 200
    ann.forgive("ERR_CONNECTION")


def test_other_tests_can_run_a_loop_beside_the_browser(chromium: Chromium) -> None:
    async def nothing() -> int:
        return 7

    for _ in range(2):
        assert asyncio.run(nothing()) == 7
        with chromium.driven() as browser:
            browser.new_context().close()
