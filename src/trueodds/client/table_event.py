"""Events of a table as the server sends them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class TableEvent:
    """One event of a table's log. `names` has the names of the player ids in `body`."""

    sequence: int
    at_ms: int
    kind: str
    body: Mapping[str, Any]
    sentences: tuple[str, ...]
    names: Mapping[str, str]
    hash: str

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> TableEvent:
        """Return the event in a frame of the server."""
        return cls(
            data["sequence"], data["at_ms"], data["kind"], data["body"], tuple(data["sentences"]), data["names"],
            data["hash"],
        )  # fmt: skip
