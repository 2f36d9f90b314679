"""The check that a request comes from the server's own pages."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from trueodds.server.settings import Settings


def is_same_origin(settings: Settings, headers: Mapping[str, str]) -> bool:
    """Return whether the headers show that a request comes from this server or an allowed origin.

    A request without `Origin` and `Sec-Fetch-Site` is not accepted.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site not in {None, "same-origin"} and origin not in settings.origins:
        return False
    if origin is None:
        return site == "same-origin"
    if origin in settings.origins:
        return True
    try:
        url = urlsplit(origin)
    except ValueError:
        return False
    schemes = {"https"} if settings.secure else {"http", "https"}
    return url.scheme in schemes and bool(url.netloc) and url.netloc == headers.get("host")
