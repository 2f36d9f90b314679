"""Attention: who at a table has shown up lately. A table that nobody looks after waits, and writes nothing.

It is kept in memory alone: after a restart nobody has shown up yet, and whoever comes back wakes the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from trueodds.service.wish import CommitSeed, OpenSeed, SitDown, Wish

AWAY_MS: Final = 10 * 60_000
"""Who has wished for nothing so long, and has not connected either, is away."""


class _Seen(NamedTuple):
    since_ms: int
    last_ms: int


class Attention:
    """Remembers since when, and when last, each player was there."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}

    def hear(self, wish: Wish, player: str, now_ms: int) -> None:
        """Take a wish as a sign of its player; but programs keep seeds while nobody looks."""
        if not isinstance(wish, CommitSeed | OpenSeed):
            self.show_up(player, now_ms, anew=isinstance(wish, SitDown))

    def show_up(self, player: str, now_ms: int, *, anew: bool = False) -> None:
        """Note that a player is there; anew, as if for the first time."""
        before = self._seen.get(player)
        is_back = anew or before is None or now_ms - before.last_ms > AWAY_MS
        self._seen[player] = _Seen(now_ms if is_back or before is None else before.since_ms, now_ms)

    def since_ms(self, players: Iterable[str], now_ms: int) -> int | None:
        """Say since when any of these players has been there; None when all are away."""
        found = [self._seen[player] for player in players if player in self._seen]
        return min((seen.since_ms for seen in found if now_ms - seen.last_ms <= AWAY_MS), default=None)
