"""Libraries that make things faster where they are installed, and are done without where they are not."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def optional(name: str) -> Any:
    """Give a module, or None where it is not installed.

    >>> optional("no_such_library") is None
    True
    """
    try:
        return import_module(name)
    except ImportError:
        return None
