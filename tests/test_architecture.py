"""The rooms of the house: imports point one way, files are small, the core touches nothing outside."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "trueodds"

# What each room may import from, besides itself.
ROOMS: dict[str, set[str]] = {
    "dice": set(),
    "money": set(),
    "rulebook": {"dice", "money"},
    "wagers": {"dice", "money", "rulebook"},
    "table": {"dice", "money", "rulebook", "wagers"},
    "notation": {"dice", "money", "rulebook", "wagers", "table"},
    "conformance": {"dice", "money", "rulebook", "wagers", "table"},
    "strategy": {"dice", "money", "rulebook", "wagers", "table", "notation"},
    "chain": {"dice", "money", "rulebook", "wagers", "table", "notation", "strategy"},
    "explain": {"dice", "money", "rulebook", "wagers"},
    "rolls": {"dice"},
    "journal": {"dice", "money", "rulebook", "wagers", "table", "notation", "rolls", "fair"},
    "fair": {"dice"},
    "drill": {"dice", "money", "rulebook", "wagers", "table"},
    "service": {"dice", "money", "rulebook", "wagers", "table", "notation", "strategy", "fair", "journal"},
    "server": {
        "dice",
        "money",
        "rulebook",
        "wagers",
        "table",
        "notation",
        "strategy",
        "chain",
        "drill",
        "fair",
        "journal",
        "service",
    },
    "client": {"dice", "fair"},
    "terminal": {"dice", "money", "rulebook", "wagers", "table", "notation", "explain"},
    "cli": {
        "",
        "chain",
        "strategy",
        "explain",
        "rolls",
        "fair",
        "terminal",
        "dice",
        "money",
        "rulebook",
        "wagers",
        "table",
        "notation",
        "conformance",
        "journal",
        "service",
        "server",
        "client",
    },
    "": {"chain", "table"},
}
CORE = ("dice", "money", "rulebook", "wagers", "table")
OUTSIDE = {"random", "secrets", "time", "datetime", "os", "socket", "threading", "asyncio", "subprocess"}
EDGE_OF_THE_CORE = {"rulebook/library.py", "rulebook/house.py"}


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


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_one_way(path: Path) -> None:
    room = room_of(path)
    for name in imports(path):
        if name == "trueodds" or name.startswith("trueodds."):
            other = name.removeprefix("trueodds").lstrip(".").split(".")[0]
            assert other == room or other in ROOMS[room], f"{room} may not import {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_the_core_has_no_clock_no_chance_and_no_input(path: Path) -> None:
    if room_of(path) not in CORE:
        return
    used = {name.split(".")[0] for name in imports(path)}
    assert not used & OUTSIDE
    if str(path.relative_to(SOURCE)) not in EDGE_OF_THE_CORE:
        assert "pathlib" not in used
    calls = {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not calls & {"open", "print", "input", "float"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_file_can_be_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 600
