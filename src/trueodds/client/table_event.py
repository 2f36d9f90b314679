"""What happened at a table, as the server tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One row of a table's log. `names` has the names of those whom `body` names by id."""

    number: int
    at_ms: int
    kind: str
    body: Mapping[str, Any]
    sentences: tuple[str, ...]
    names: Mapping[str, str]
    hash: str

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Event:
        """Read an event as it was sent."""
        return cls(
            data["number"], data["at_ms"], data["kind"], data["body"], tuple(data["sentences"]), data["names"],
            data["hash"],
        )  # fmt: skip
