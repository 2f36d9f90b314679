"""A bar on standard error for what takes longer than a second."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

PATIENCE_S = 1.0


class PatientBar:
    """A progress bar that shows itself only when it is worth it and somebody looks, and leaves nothing behind.

    >>> with PatientBar("counting") as bar:
    ...     bar.tell(1, 2)
    """

    def __init__(self, what: str, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
        )
        self._what = what
        self._task = self._progress.add_task(what, total=None)
        self._began = monotonic()
        self.shown = False

    def tell(self, done: int, whole: int | None = None, what: str | None = None) -> None:
        """Say how far things have come; a new name for what is being done, if it changed."""
        if not self.shown:
            if not self._console.is_terminal or monotonic() - self._began < PATIENCE_S:
                return
            self.shown = True
            self._progress.start()
        self._progress.update(self._task, completed=done, total=whole, description=what or self._what)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            self._progress.stop()
