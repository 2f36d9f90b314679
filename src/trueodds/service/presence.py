"""Presence: which players were active lately. A table where everybody is away waits and writes nothing.

Presence is kept in memory only: after a restart all players are away until they connect or send a command.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from trueodds.service.player_command import CommitSeed, JoinTable, OpenSeed, PlayerCommand

AWAY_AFTER_MS: Final = 10 * 60_000
"""A player who neither connected nor sent a command for this long is away."""


class _SeenInterval(NamedTuple):
    since_ms: int
    last_ms: int


class Presence:
    """Remembers since when each player is present, and when they were last active."""

    def __init__(self) -> None:
        self._seen: dict[str, _SeenInterval] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._seen!r})"

    def on_command(self, command: PlayerCommand, player: str, now_ms: int) -> None:
        """Take a command as a sign of presence, except seeds, which clients send on their own."""
        if not isinstance(command, CommitSeed | OpenSeed):
            self.mark_present(player, now_ms, restart=isinstance(command, JoinTable))

    def mark_present(self, player: str, now_ms: int, *, restart: bool = False) -> None:
        """Mark a player as present. If `restart`, count the time from now."""
        before = self._seen.get(player)
        is_back = restart or before is None or now_ms - before.last_ms > AWAY_AFTER_MS
        self._seen[player] = _SeenInterval(now_ms if is_back or before is None else before.since_ms, now_ms)

    def present_since_ms(self, players: Iterable[str], now_ms: int) -> int | None:
        """Return since when any of these players is present, or None if all are away."""
        found = [self._seen[player] for player in players if player in self._seen]
        return min((seen.since_ms for seen in found if now_ms - seen.last_ms <= AWAY_AFTER_MS), default=None)
