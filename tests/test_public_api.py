"""The public names: visible at the top, typed for strict scripts, usable in a notebook and across processes."""

from __future__ import annotations

import pickle
import pydoc
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from multiprocessing import get_context
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import trueodds
from trueodds import House, Session, Spot, Strategy, Table, TrueoddsError, compare, load_book, odds, simulate
from trueodds.automaton import Automaton
from trueodds.rulebook import load_book_file, load_house
from trueodds.strategy import Pass, as_strategy, keep, load_strategy

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "docs" / "examples" / "notebook.ipynb"

SCRIPT = """
from decimal import Decimal
from fractions import Fraction

from trueodds import (
    House, Refused, Roll, Session, Spot, Strategy, Table, TrueoddsError, compare, load_book, odds, simulate,
    watch,
)
from trueodds.strategy import Pass, keep

house: House = House(load_book("new_jersey"))
table: Table = Table(house, players=["Ann"])
table.bet("Ann", Spot("pass"), Decimal("10.00"))
for event in table.roll(Roll(3, 3)):
    print(event)
try:
    table.bet("Ann", "place:6", 13)
except Refused as refused:
    code: str = refused.code
except TrueoddsError as error:
    print(error)
strategy: Strategy = Strategy((keep(Pass(10)),))
session: Session = Session(strategy, house, bankroll=500, rolls=20)
edge: Fraction = odds(house, "place:6")[0].edge
print(session.mean_cents, simulate(strategy, house, bankroll=500, sessions=10, seed=1).mean_cents, edge)
print(compare([strategy, "molly"], house, bankroll=500, sessions=10, seed=1).sessions)
racks: list[int] = [step.rack_cents for step in watch(strategy, house, [Roll(3, 4), "6-5"], bankroll=500, rolls=2)]
"""


def test_public_names_are_listed() -> None:
    assert {name for name in dir(trueodds) if not name.startswith("__")} == set(trueodds.__all__) - {"__version__"}
    assert not [name for name in trueodds.__all__ if getattr(trueodds, name, None) is None]


def test_help_lists_the_public_names() -> None:
    text = pydoc.plain(pydoc.render_doc(trueodds))
    for name in ("class Table", "class Session", "simulate(", "odds("):
        assert name in text


def test_without_numpy_the_engine_works_and_the_rest_says_what_is_missing() -> None:
    code = """
import importlib.util, pydoc, sys
sys.modules["numpy"] = None
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "numpy" else found(name, *rest)
import trueodds
print(trueodds.odds("new_jersey", "pass")[0].edge, "Session" in dir(trueodds), len(pydoc.render_doc(trueodds)) > 500)
print([step.rack_cents for step in trueodds.watch("pass", "new_jersey", ["3-4"], bankroll=100, rolls=1)])
try:
    from trueodds import Session
except trueodds.TrueoddsError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout.splitlines() == [
        "-7/495 False True",
        "[11000, 11000]",
        "trueodds.Session needs NumPy: pip install 'trueodds[sim]'",
    ], ran.stderr


def test_help_of_a_play_shows_its_documentation() -> None:
    text = pydoc.plain(pydoc.render_doc(Pass))
    assert "function Pass" in text
    assert "stake" in text
    assert ">>>" in text


def test_a_script_with_every_public_name_is_strictly_typed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--config-file=", str(script)]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


def test_the_example_notebook_runs_and_draws_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(trueodds.__file__).parents[1]))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    notebook = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]  # nbformat has no types here
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/svg+xml" in output.get("data", {}) for output in outputs)
    assert not [output for output in outputs if output.output_type == "error"]


def _describe(values: tuple[object, ...]) -> list[str]:
    """Return the `repr` of each value, in another process."""
    return [repr(value) for value in values]


def test_public_objects_travel_to_another_process() -> None:
    house = House(load_book("new_jersey"))
    table = Table(house, players=["Ann"])
    table.bet("Ann", "pass", 10)
    strategy = as_strategy("pass_345")
    objects = (
        house, table, strategy, Automaton(strategy, house), Session("pass", house, bankroll=100, rolls=20),
        simulate("pass", house, bankroll=100, sessions=10, seed=1),
        compare(["pass", "molly"], house, bankroll=100, sessions=10, seed=1), odds(house, "pass"),
    )  # fmt: skip
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        described = pool.submit(_describe, objects).result()
    assert described == [repr(value) for value in objects]
    assert "0x" not in "".join(described)


def _error_classes(cls: type[TrueoddsError]) -> set[type[TrueoddsError]]:
    return {cls}.union(*(_error_classes(child) for child in cls.__subclasses__()))


def raised_errors() -> list[TrueoddsError]:
    """Return errors of many kinds, as wrong input raises them."""
    table = Table("new_jersey", players=["Ann"])
    attempts: list[Callable[[], object]] = [
        lambda: load_book("nevada"),
        lambda: table.bet("Ann", "place:6", 13),
        lambda: table.bet("Ann", "plaice:6", 12),
        lambda: table.bet("Ann", "pass", "ten"),
        lambda: table.bet("Ann", "pass", -5),
        lambda: table.bet("Ann", "pass", 5.5),  # type: ignore[arg-type]  # a float is refused
        lambda: table.roll("3-7"),
        lambda: House(load_book("new_jersey"), {"vig_bp": 600}),
        lambda: House(load_book("new_jersey"), {"no_such_option": 1}),
        lambda: as_strategy("no_such_strategy"),
        lambda: Session("pass", "new_jersey", bankroll=0),
        lambda: Session("pass", "new_jersey", bankroll=100, rolls=0),
        lambda: simulate("pass", "new_jersey", bankroll=100, sessions=0, seed=1),
        lambda: odds("new_jersey", "plaice"),
    ]
    errors = []
    for attempt in attempts:
        with pytest.raises(TrueoddsError) as caught:
            attempt()
        errors.append(caught.value)
    return errors


def test_errors_travel_through_pickle_with_their_message() -> None:
    for error in raised_errors():
        copy = pickle.loads(pickle.dumps(error))  # noqa: S301  our own data
        assert type(copy) is type(error)
        assert str(copy) == str(error)


def test_a_misspelled_wager_is_an_input_error_with_a_suggestion() -> None:
    table = Table("new_jersey", players=["Ann"])
    with pytest.raises(TrueoddsError, match="place") as caught:
        table.bet("Ann", "plaice:6", 12)
    assert not isinstance(caught.value, trueodds.Refused)


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (lambda: Table(None), "expected a house, a book or the name of a book, got None"),  # type: ignore[arg-type]
        (lambda: odds(7), "expected a house, a book or the name of a book, got 7"),  # type: ignore[arg-type]
        (
            lambda: Session("pass", None, bankroll=100),  # type: ignore[arg-type]
            "expected a house, a book or the name of a book, got None",
        ),
        (
            lambda: simulate("pass", None, bankroll=100),  # type: ignore[arg-type]
            "expected a house, a book or the name of a book, got None",
        ),
        (lambda: Session("pass", "new_jersey", bankroll=None), "bankroll must be"),  # type: ignore[arg-type]
        (lambda: Table("my_house.toml"), "use load_house or load_book_file to read a file"),
        (lambda: House("new_jersey", {"min_bett": 500}), "min_bett: New Jersey has no such option; .* 'min_bet'"),
        (lambda: Table("new_jersey", [3]), "a player must be a name, got 3"),  # type: ignore[list-item]
        (lambda: Table("new_jersey").bet("A", None, 10), "a spot must be written like"),  # type: ignore[arg-type]
        (
            lambda: Table("new_jersey").bet("A", Spot("place", 6), 12),  # type: ignore[arg-type]
            r"the pick of a spot must be a tuple such as \(6,\), got 6",
        ),
        (lambda: Session("mollly", "new_jersey", bankroll=100), "'mollly'; did you mean 'molly'"),
        (
            lambda: compare("pass", "new_jersey", bankroll=100, sessions=1, seed=1),
            "strategies must be a list of strategies, got 'pass'",
        ),
    ],
)
def test_wrong_arguments_are_named(attempt: Callable[[], object], message: str) -> None:
    with pytest.raises(TrueoddsError, match=message):
        attempt()


def test_a_house_takes_the_name_of_its_book() -> None:
    assert House("NJ", {"min_bet": 500}) == House(load_book("new_jersey"), {"min_bet": 500})


def test_files_are_named_by_text_or_path() -> None:
    house = ROOT / "docs" / "examples" / "boardwalk.toml"
    assert load_house(str(house)) == load_house(house)
    book = ROOT / "tests" / "sixth_book" / "riverboat.toml"
    assert load_book_file(str(book)).digest == load_book_file(book).digest
    strategy = ROOT / "src" / "trueodds" / "strategy" / "builtin" / "molly.toml"
    assert load_strategy(str(strategy)) == load_strategy(strategy)


def test_actions_are_verified_in_notation() -> None:
    table = Table("new_jersey", ["Ann"])
    assert table.can("Ann bets 10 on pass")
    refusal = table.verify("Ann bets 5 on pass")
    assert refusal is not None
    assert refusal.code == "below_min"


def test_amounts_are_dollars() -> None:
    stakes = []
    for stake in (10, "10.00", "$10", Decimal(10)):
        table = Table("new_jersey", players=["Ann"])
        table.bet("Ann", "pass", stake)
        stakes.append(table.position.seats[0].wagers[0].wager.stake)
    assert stakes == [1000] * 4
    assert Session("pass", "new_jersey", bankroll=100, rolls=5).bankroll_cents == 10_000


def test_a_strategy_made_of_plays_is_a_strategy() -> None:
    assert isinstance(as_strategy(keep(Pass(10))), Strategy)
