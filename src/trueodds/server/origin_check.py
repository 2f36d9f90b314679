"""Where a question comes from: what changes something is taken from our own pages only."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from trueodds.server.settings import Settings


def is_own(settings: Settings, headers: Mapping[str, str]) -> bool:
    """Whether the browser, or whoever speaks like one, says that it asks from this server's own pages.

    One who says nothing about it is not taken for us.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site not in {None, "same-origin"} and origin not in settings.origins:
        return False
    if origin is None:
        return site == "same-origin"
    if origin in settings.origins:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    schemes = {"https"} if settings.secure else {"http", "https"}
    return parts.scheme in schemes and bool(parts.netloc) and parts.netloc == headers.get("host")
