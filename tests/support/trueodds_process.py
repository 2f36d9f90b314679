"""How tests start the `trueodds` command in a process of its own."""

from __future__ import annotations

import os
from pathlib import Path

import trueodds

RUN_CLI = "from trueodds.cli import main; main()"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(trueodds.__file__).parents[1])}
