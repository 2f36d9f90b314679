"""Where a part was written, so that what is wrong with it can be found."""

from __future__ import annotations

from dataclasses import dataclass

from trueodds.rulebook import Spot


@dataclass(frozen=True, slots=True)
class Source:
    """A file and the line of a play in it, and the lines on which it names spots.

    >>> Source("molly.toml", 7, ((Spot("come"), 9),)).at(Spot("come"))
    'molly.toml, line 9'
    """

    file: str
    line: int
    spots: tuple[tuple[Spot, int], ...] = ()

    def at(self, spot: Spot | None = None) -> str:
        """Say where the play is, or where it names a spot."""
        line = next((line for named, line in self.spots if named == spot), self.line)
        return f"{self.file}, line {line}"
