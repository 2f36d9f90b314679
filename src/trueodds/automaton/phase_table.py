"""The phases of a table, numbered: each is a puck and a hand stage."""

from __future__ import annotations

import numpy as np

from trueodds.automaton.array_types import BoolArray, Int64Array
from trueodds.dice import Roll
from trueodds.table import Dealer, HandStage, Position
from trueodds.wagers import Phase


class PhaseTable:
    """All phases that rolls can lead to from a starting phase.

    `phases` lists them, and `next` has the phase that each roll leads to, by phase and column. `after_betting` maps
    each phase to the one that settlement uses: settling a bet reads only the puck, so with the puck off all hand
    stages are the same phase once the bets are made. `new_shooter` marks the phase in which a new hand starts.
    """

    def __init__(
        self, dealer: Dealer, columns: tuple[Roll, ...], start: tuple[Phase, HandStage], *, reads_last_seven: bool
    ) -> None:
        self.phases: list[tuple[Phase, HandStage]] = []
        self._reads_last_seven = reads_last_seven
        self._index: dict[tuple[Phase, HandStage], int] = {}
        self.start = self._add(*start)
        rows: list[list[int]] = []
        while len(rows) < len(self.phases):
            puck, hand_stage = self.phases[len(rows)]
            reached = [dealer.roll(Position(puck, hand_stage), roll)[0] for roll in columns]
            rows.append([self._add(position.puck, position.hand_stage) for position in reached])
        self.next: Int64Array = np.array(rows, dtype=np.int64)
        puck_off = self._index[0, "under_way"]
        after_betting = [index if puck else puck_off for index, (puck, _) in enumerate(self.phases)]
        self.after_betting: Int64Array = np.array(after_betting, dtype=np.int64)
        self.new_shooter: BoolArray = np.array([phase == (0, "new") for phase in self.phases])

    def __repr__(self) -> str:
        return f"<PhaseTable of {len(self.phases)} phases>"

    def index_of(self, puck: Phase, hand_stage: HandStage) -> int:
        """Return the number of a phase. A hand stage that this table does not distinguish counts as under way."""
        index = self._index.get((puck, hand_stage))
        return self._index[puck, "under_way"] if index is None else index

    def _add(self, puck: Phase, hand_stage: HandStage) -> int:
        if hand_stage == "seven" and not self._reads_last_seven:
            hand_stage = "under_way"
        if (puck, hand_stage) not in self._index:
            self._index[puck, hand_stage] = len(self.phases)
            self.phases.append((puck, hand_stage))
        return self._index[puck, hand_stage]
