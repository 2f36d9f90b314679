"""The file and lines a play was parsed from, for error messages."""

from __future__ import annotations

from dataclasses import dataclass

from trueodds.rulebook import Spot


@dataclass(frozen=True, slots=True)
class PlaySource:
    """The file and line of a play, and the line of each spot it names.

    >>> PlaySource("molly.toml", 7, ((Spot("come"), 9),)).describe(Spot("come"))
    'molly.toml, line 9'
    """

    file: str
    line: int
    spot_lines: tuple[tuple[Spot, int], ...] = ()

    def describe(self, spot: Spot | None = None) -> str:
        """Return the file and the line of the play, or the line where the play names `spot`."""
        line = next((line for named, line in self.spot_lines if named == spot), self.line)
        return f"{self.file}, line {line}"
