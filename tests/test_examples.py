"""Examples in docstrings run and say what they claim."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import trueodds

MODULES = sorted(module.name for module in pkgutil.walk_packages(trueodds.__path__, "trueodds."))


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
