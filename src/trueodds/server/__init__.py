"""The web server: tables over HTTP and WebSocket. `docs/api.md` describes the API."""

from trueodds.server.app import make_app
from trueodds.server.settings import Settings

__all__ = ["Settings", "make_app"]
