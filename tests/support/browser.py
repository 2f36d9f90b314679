"""Browser fixtures: one Chromium per process, a new window for each user, and screenshots of failed tests."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from support.browser_user import BrowserUser, NewUser
    from support.page_server import PageServer
    from support.running_server import RunningServer

MAX_SCRIPT_BYTES = 120_000
"""Compressed JavaScript that the table may load before it can be used."""

FLAGS = (
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--disable-gpu",
)  # fmt: skip
TEST_FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record for the fixtures whether a test failed."""
    report = yield
    item.stash[TEST_FAILED] = item.stash.get(TEST_FAILED, False) or report.failed
    return report


class Chromium:
    """The browser of this process. Its event loop runs only inside `driving`, so that other tests can run theirs."""

    def __init__(self) -> None:
        from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415  every run loads this, few need a browser

        from support.browser_user import TIMEOUT_S  # noqa: PLC0415

        expect.set_options(timeout=TIMEOUT_S * 1000)
        program = shutil.which("chromium")
        assert program, "chromium is not on the PATH: apt-get install chromium, or run python3 dev.py test as root"
        self._playwright = sync_playwright().start()
        self._loop = asyncio.get_running_loop()
        self._browser = self._playwright.chromium.launch(executable_path=program, args=FLAGS)
        asyncio._set_running_loop(None)

    @contextmanager
    def driving(self) -> Iterator[Browser]:
        asyncio._set_running_loop(self._loop)
        try:
            yield self._browser
        finally:
            asyncio._set_running_loop(None)

    def close(self) -> None:
        with self.driving():
            self._browser.close()
            self._playwright.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    browser = Chromium()
    yield browser
    browser.close()


@pytest.fixture
def page_server(serve: Callable[..., RunningServer], monkeypatch: pytest.MonkeyPatch) -> Iterator[PageServer]:
    """A server whose dice follow a script."""
    from support.page_server import PageServer  # noqa: PLC0415
    from support.scripted_dice import DiceScript  # noqa: PLC0415

    script = DiceScript()
    monkeypatch.setattr("trueodds.service.table_manager.FairDice", script.dice)
    server = PageServer(serve(), script)
    yield server
    server.close()


@pytest.fixture
def new_user(
    chromium: Chromium, page_server: PageServer, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[NewUser]:
    """A function that opens a browser window for a new user. The test fails if a window has problems left."""
    from support.browser_user import BrowserUser  # noqa: PLC0415

    users: list[BrowserUser] = []
    with chromium.driving() as browser:

        def open_window(name: str = "", **window: Any) -> BrowserUser:
            users.append(BrowserUser(browser, page_server, len(users), name, **window))
            return users[-1]

        yield open_window
        failed = request.node.stash.get(TEST_FAILED, False)
        for number, user in enumerate(users):
            if failed:
                screenshot = tmp_path / f"user-{number}.png"
                user.page.screenshot(path=screenshot)
                print(f"screenshot of {user.page.url}: {screenshot}")
            user.close()
    if not failed:
        assert [problem for user in users for problem in user.problems] == []
