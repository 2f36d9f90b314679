"""A progress bar on standard error for work that takes longer than a second."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from trueodds.cli.interrupts import catch_interrupts

DELAY_S = 1.0


class DelayedProgressBar:
    """A progress bar that appears after a second, on a terminal only, and is removed at the end.

    >>> with DelayedProgressBar("counting") as bar:
    ...     bar.update(1, 2)
    """

    def __init__(self, description: str, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeRemainingColumn(),
            console=self._console,
            transient=True,
        )
        self._description = description
        self._task = self._progress.add_task(description, total=None)
        self._started_s = monotonic()
        self.shown = False

    def update(self, done: int, total: int | None = None, description: str | None = None) -> None:
        """Show the progress, and a new description if there is one."""
        if not self.shown:
            if not self._console.is_terminal or monotonic() - self._started_s < DELAY_S:
                return
            catch_interrupts()  # so that the bar is removed and the cursor comes back
            self.shown = True
            self._progress.start()
        self._progress.update(self._task, completed=done, total=total, description=description or self._description)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            self._progress.stop()
