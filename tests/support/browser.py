"""Browsers for tests: Chromium once a process, a fresh window for each visitor, pictures of what failed."""

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

    from house import House
    from running_server import Running
    from visitor import Visitor

    Visit = Callable[..., Visitor]

FLAGS = (
    "--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--disable-gpu",
)  # fmt: skip
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Remember for the fixtures whether a test failed."""
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


class Chromium:
    """The one browser of a process. Its event loop counts as running only while a test drives it: others run theirs."""

    def __init__(self) -> None:
        from playwright.sync_api import expect, sync_playwright  # noqa: PLC0415  every run loads this, few need a browser

        from visitor import PATIENCE_S  # noqa: PLC0415

        expect.set_options(timeout=PATIENCE_S * 1000)
        program = shutil.which("chromium")
        assert program, "there is no chromium on the PATH: apt-get install chromium, or python3 dev.py test as root"
        self._playwright = sync_playwright().start()
        self._loop = asyncio.get_running_loop()
        self._browser = self._playwright.chromium.launch(executable_path=program, args=FLAGS)
        asyncio._set_running_loop(None)

    @contextmanager
    def driven(self) -> Iterator[Browser]:
        asyncio._set_running_loop(self._loop)
        try:
            yield self._browser
        finally:
            asyncio._set_running_loop(None)

    def close(self) -> None:
        with self.driven():
            self._browser.close()
            self._playwright.stop()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Chromium]:
    started = Chromium()
    yield started
    started.close()


@pytest.fixture
def house(serve: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A server whose dice follow a script."""
    from house import House  # noqa: PLC0415
    from scripted_dice import Script  # noqa: PLC0415

    script = Script()
    monkeypatch.setattr("trueodds.service.floor.FairDice", script.dice)
    opened = House(serve(), script)
    yield opened
    opened.close()


@pytest.fixture
def visit(chromium: Chromium, house: House, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Let somebody come with a browser of their own; nothing may go wrong in it that the test does not forgive."""
    from visitor import Visitor  # noqa: PLC0415

    visitors: list[Visitor] = []
    with chromium.driven() as browser:

        def come(name: str = "", **window: Any) -> Visitor:
            visitors.append(Visitor(browser, house, len(visitors), name, **window))
            return visitors[-1]

        yield come
        failed = request.node.stash.get(FAILED, False)
        for number, visitor in enumerate(visitors):
            if failed:
                picture = tmp_path / f"visitor-{number}.png"
                visitor.page.screenshot(path=picture)
                print(f"{visitor.page.url} looked like {picture}")
            visitor.leave()
    if not failed:
        assert [problem for visitor in visitors for problem in visitor.problems] == []
