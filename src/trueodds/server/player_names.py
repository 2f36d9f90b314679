"""Player names. The journal contains ids only; names are filled in when data leaves the server."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from trueodds.journal import PersonStore

PERSON_ID: Final = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
DELETED_NAME: Final = "a deleted player"
_CACHE_MS: Final = 60_000
FOREVER_MS: Final = 2**63
_MAX_CACHED: Final = 10_000


class PlayerNames:
    """Looks up names and caches them for a minute. A lookup may query the database: never call it on the event loop.

    `version` grows when a name changes, which makes text with older names outdated.
    """

    def __init__(self, people: PersonStore, clock: Callable[[], int]) -> None:
        self._people = people
        self._clock = clock
        self._cache: dict[str, tuple[str | None, int]] = {}
        self.version = 0

    def look_up(self, ids: Iterable[str]) -> dict[str, str]:
        """Return names by id. Unknown ids are left out, and deleted accounts share one name."""
        names = {person_id: self._name(person_id) for person_id in ids}
        return {person_id: name for person_id, name in names.items() if name is not None}

    def look_up_in(self, text: str) -> dict[str, str]:
        """Return the names of all person ids in a text."""
        return self.look_up(find_ids(text))

    def cached(self, ids: Iterable[str]) -> dict[str, str] | None:
        """Return names without querying the database, or None if one is not cached."""
        now_ms = self._clock()
        entries = {person_id: self._cache.get(person_id, (None, 0)) for person_id in ids}
        if any(expires_ms <= now_ms for _, expires_ms in entries.values()):
            return None
        return {person_id: name for person_id, (name, _) in entries.items() if name is not None}

    def invalidate(self, person_id: str) -> None:
        """Drop a name from the cache because it changed."""
        self._cache.pop(person_id, None)
        self.version += 1

    def expires_ms(self, ids: Iterable[str]) -> int:
        """Return when the first of the cached names expires. Without ids it is never."""
        return min((self._cache.get(person_id, (None, 0))[1] for person_id in ids), default=FOREVER_MS)

    def _name(self, person_id: str) -> str | None:
        name, expires_ms = self._cache.get(person_id, (None, 0))
        if self._clock() < expires_ms:
            return name
        person = self._people.find(person_id)
        name = None if person is None else person.name or DELETED_NAME
        if len(self._cache) >= _MAX_CACHED:
            self._cache.clear()
        self._cache[person_id] = (name, self._clock() + _CACHE_MS)
        return name


def find_ids(text: str) -> tuple[str, ...]:
    """Return the person ids in a text, sorted and without duplicates.

    >>> find_ids("0123456789abcdef0123456789abcdef leaves the table")
    ('0123456789abcdef0123456789abcdef',)
    """
    return tuple(sorted(set(PERSON_ID.findall(text))))


def replace_ids(text: str, names: dict[str, str]) -> str:
    """Replace the person ids in a sentence by names.

    >>> replace_ids("0123456789abcdef0123456789abcdef leaves the table", {"0123456789abcdef0123456789abcdef": "Ann"})
    'Ann leaves the table'
    """
    return PERSON_ID.sub(lambda match: names.get(match[0], match[0]), text)
