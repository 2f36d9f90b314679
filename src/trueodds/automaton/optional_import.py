"""Import of libraries that speed things up but are not required."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType


def optional_import(name: str) -> ModuleType | None:
    """Return the module with this name, or None if it is not installed.

    >>> optional_import("no_such_library") is None
    True
    """
    try:
        return import_module(name)
    except ImportError:
        return None
