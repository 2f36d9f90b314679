"""Exact sessions: the whole distribution of what a strategy does with a bankroll.

`Session` needs NumPy, which `trueodds[sim]` installs. It is imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trueodds.sessions.exact_session import Session


def __getattr__(name: str) -> object:
    if name == "Session":
        session: object = import_module("trueodds.sessions.exact_session").Session
        return session
    msg = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(msg)


__all__ = ["Session"]
