"""Twenty thousand frames: no fault, no crash, no changed state."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from frame_fuzzer import PATIENT, fuzz
from running_server import EASY, Running

INPUTS = 20_000


def test_whatever_strangers_say_is_answered_and_changes_nothing_it_should_not(tmp_path: Path) -> None:
    # Under CI the inputs are the same every time, as those of every other test are.
    seed = "trueodds" if os.environ.get("CI") else secrets.token_hex(4)
    print(f"python3 dev.py fuzz --inputs {INPUTS} --seed {seed}")
    server = Running(f"sqlite:///{tmp_path / 'fuzz.db'}", EASY, PATIENT)
    try:
        tally = fuzz(server, f"{seed}-0", INPUTS)
    finally:
        server.stop()
    assert tally.inputs >= INPUTS
    assert tally.codes["granted"] > INPUTS // 20, "too little went through to find anything behind it"
    assert len(tally.codes) > 25, tally.codes
