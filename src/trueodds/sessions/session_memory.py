"""The memory of a session's calculation, checked before it is taken."""

from __future__ import annotations

from trueodds.automaton.calculation_errors import TooManyStatesError


class SessionMemory:
    """A budget in bytes, and what compiling the strategy has taken of it.

    Memory that compiling has taken stays counted to the end, because the operating system may not get it back.
    """

    def __init__(self, budget_bytes: int, strategy_name: str) -> None:
        self.budget_bytes = budget_bytes
        self._strategy_name = strategy_name
        self.compiled_bytes = 0
        self.situation_count = 0
        self.step_cents = 0

    def require(self, distribution_bytes: int, cell_count: int) -> None:
        """Raise TooManyStatesError if a distribution of this size does not fit beside what was compiled."""
        needed = self.compiled_bytes + distribution_bytes
        if needed > self.budget_bytes:
            raise TooManyStatesError(
                f"the exact distribution of {self._strategy_name} is too large: {self.situation_count:,} situations "
                f"with racks in steps of {self.step_cents / 100:g} make at least {cell_count:,} pairs, which need "
                f"{needed / 1e6:,.0f} MB of the {self.budget_bytes / 1e6:,.0f} MB allowed; allow more memory, shorten "
                "the session, or simulate"
            )

    def require_compiling(self, compiling_bytes: int) -> None:
        """Raise TooManyStatesError if compiling needs more than the budget."""
        if compiling_bytes > self.budget_bytes:
            raise self.compiling_error(compiling_bytes)

    def compiling_error(self, compiling_bytes: int) -> TooManyStatesError:
        """Return the error to raise when compiling needs more than the budget."""
        return TooManyStatesError(
            f"{self._strategy_name} has too many situations for a memory budget of {self.budget_bytes / 1e6:,.0f} MB: "
            f"its {self.situation_count:,} situations need at least {compiling_bytes / 1e6:,.0f} MB; allow more "
            "memory, shorten the session, or simulate"
        )
