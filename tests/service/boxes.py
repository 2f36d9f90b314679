"""A boxman with a table to try things at, on a clock that is set by hand."""

from __future__ import annotations

from typing import Any

import pytest

from trueodds.fair import FairDice, Key, commit_to
from trueodds.journal import Content, Header, Record, Row, TableState, follow
from trueodds.rulebook import open_house
from trueodds.service.box import Box
from trueodds.service.boxman import Boxman
from trueodds.service.company import keep_company
from trueodds.service.errors import ServiceRefused
from trueodds.service.pace import Pace
from trueodds.service.wish import read_wish

KEY = Key(bytes(range(32)))
SEED = bytes(32)


class Trial:
    """One table in memory."""

    def __init__(
        self, book: str = "new_jersey", pace: Pace | None = None, notes: tuple[Record, ...] = (), **options: Any
    ) -> None:
        header = Header.of("t1", open_house(book).change(options), 0)
        self.pace = pace or Pace()
        self.boxman = Boxman(header, FairDice(KEY, "t1", length=64), self.pace)
        self.now_ms = 1_000_000
        self.rows: list[Row] = []
        self.contents: list[Content] = []
        self.box = Box.new(TableState.new(header))
        opened = self.boxman.open(self.box, self.now_ms, notes)
        self._take(opened.contents, opened.box)
        self.contents.clear()

    def wish(self, player: str, wish: str, **more: Any) -> list[str]:
        """Have a wish granted, well after the one before; give the kinds of what happened."""
        self.now_ms += self.pace.window_ms + self.pace.between_ms
        granted = self.boxman.grant(self.box, player, read_wish(player, {"wish": wish, **more}), self.now_ms)
        return self._take(granted.contents, granted.box)

    def refused(self, player: str, wish: str, **more: Any) -> str:
        """Have a wish refused, with nothing changed; give the code."""
        before = self.box
        with pytest.raises(ServiceRefused) as no:
            self.wish(player, wish, **more)
        assert self.box is before
        assert no.value.sentence
        return no.value.code

    def commit(self, player: str, seed: bytes = SEED) -> list[str]:
        """Promise a seed for the roll that comes."""
        number = self.box.roll.number
        return self.wish(player, "commit", roll=number, commitment=commit_to("t1", number, player, seed).hex())

    def keep_company(self, awake_ms: int | None = 0) -> list[str] | None:
        """Let the bots do what they have to do by now; None when there is nothing."""
        granted = keep_company(self.boxman, self.box, awake_ms, self.now_ms)
        return None if granted is None else self._take(granted.contents, granted.box)

    def wait(self, awake_ms: int | None = 0) -> list[str]:
        """Let the time come when the table waits no longer."""
        due_ms = self.boxman.due_ms(self.box, awake_ms)
        assert due_ms is not None
        assert self.boxman.wait_no_longer(self.box, due_ms - 1, awake_ms) is None
        self.now_ms = max(self.now_ms, due_ms)
        granted = self.boxman.wait_no_longer(self.box, self.now_ms, awake_ms)
        assert granted is not None
        return self._take(granted.contents, granted.box)

    def _take(self, contents: tuple[Content, ...], box: Box) -> list[str]:
        self.rows += follow(self.box.table, self.now_ms, contents).rows
        self.box = box
        self.contents += contents
        return [one.kind if isinstance(one, Record) else type(one).__name__ for one in contents]
