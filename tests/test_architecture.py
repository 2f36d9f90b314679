"""The structure of the package: imports point down, modules are short, and the core does no input or output."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "trueodds"

LAYERS = (
    ("errors", ()),
    ("text_table", ()),
    ("dice", ("errors",)),
    ("money", ("errors",)),
    ("rulebook", ("errors", "dice", "money")),
    ("wagers", ("rulebook",)),
    ("table", ("wagers",)),
    ("notation", ("table",)),
    ("table_svg", ("table",)),
    ("craps_table", ("notation", "table_svg")),
    ("conformance", ("table",)),
    ("explain", ("wagers",)),
    ("drill", ("table",)),
    ("strategy", ("notation",)),
    ("automaton", ("strategy",)),
    ("wager_odds", ("automaton",)),
    ("sessions", ("wager_odds",)),
    ("simulation", ("sessions",)),
    ("roll_sources", ("dice",)),
    ("fair", ("dice",)),
    ("journal", ("notation", "roll_sources", "fair")),
    ("service", ("journal", "strategy")),
    ("server", ("service", "drill", "wager_odds")),
    ("client", ("fair",)),
    ("terminal", ("craps_table", "explain", "text_table")),
    ("", ("simulation", "craps_table")),
    ("cli", ("", "conformance", "simulation", "terminal", "server", "client")),
    ("__main__", ("cli",)),
)
"""Each room with the rooms directly below it. A room may import from every room below, however far down."""


def rooms_below() -> dict[str, set[str]]:
    """Return, for each room, every room it may import from."""
    below: dict[str, set[str]] = {}
    for room, direct in LAYERS:
        below[room] = set(direct).union(*(below[name] for name in direct))
    return below


BELOW = rooms_below()
CORE = ("errors", "dice", "money", "rulebook", "wagers", "table")
OUTSIDE = {"random", "secrets", "time", "datetime", "os", "socket", "threading", "asyncio", "subprocess"}
READS_FILES = {"rulebook/book_files.py", "rulebook/house.py", "rulebook/toml_reader.py"}
"""The edge of the core: the only files of it that may read from disk."""


def room_of(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return "" if first == "__init__.py" else first.removesuffix(".py")


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names |= {node.module}
    return names


FILES = sorted(SOURCE.rglob("*.py"))


CORE_FILES = [path for path in FILES if room_of(path) in CORE]


def test_every_room_has_a_layer() -> None:
    assert {room_of(path) for path in FILES} == set(BELOW)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_down(path: Path) -> None:
    room = room_of(path)
    for name in imports(path):
        if name == "trueodds" or name.startswith("trueodds."):
            other = name.removeprefix("trueodds").lstrip(".").split(".")[0]
            assert other == room or other in BELOW[room], f"{room} may not import {name}"


@pytest.mark.parametrize("path", CORE_FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_core_has_no_clock_no_randomness_and_no_input_or_output(path: Path) -> None:
    used = {name.split(".")[0] for name in imports(path)}
    assert not used & OUTSIDE
    if str(path.relative_to(SOURCE)) not in READS_FILES:
        assert "pathlib" not in used
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not calls & {"open", "print", "input", "float"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_is_short_enough_to_read_at_once(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 600


def test_no_two_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = {}
    for path in FILES:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(str(path.relative_to(SOURCE)))
    assert not {name: paths for name, paths in homes.items() if len(paths) > 1}
