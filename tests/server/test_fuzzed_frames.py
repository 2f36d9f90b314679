"""Twenty thousand fuzzed frames: no internal error, no crash, no wrong change."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from support.frame_fuzzer import SLOW_PACE, fuzz
from support.running_server import TEST_SETTINGS, RunningServer

INPUTS = 20_000


def test_fuzzed_frames_get_replies_and_change_nothing(tmp_path: Path) -> None:
    # In CI the inputs are the same every time, like those of all other tests.
    seed = "trueodds" if os.environ.get("CI") else secrets.token_hex(4)
    print(f"python3 dev.py fuzz --inputs {INPUTS} --seed {seed}")
    server = RunningServer(f"sqlite:///{tmp_path / 'fuzz.db'}", TEST_SETTINGS, SLOW_PACE)
    try:
        tally = fuzz(server, f"{seed}-0", INPUTS)
    finally:
        server.stop()
    assert tally.inputs >= INPUTS
    assert tally.codes["accepted"] > INPUTS // 20, "too few commands were accepted to test anything"
    assert len(tally.codes) > 25, tally.codes
