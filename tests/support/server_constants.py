"""The constants of the server that the page needs in advance: lengths of names, currency symbols, codes to retry on.

`python3 dev.py docs` writes them to frontend/src/lib/server-constants.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from trueodds.client.table_connection import RETRY_CODES, ROLL_COMMANDS
from trueodds.money import CURRENCY_SYMBOLS, MAX_STAKE_CENTS
from trueodds.server.account_routes import Credentials
from trueodds.server.drill_routes import AnswerSheet
from trueodds.server.table_routes import NewTableRequest

FILE = Path(__file__).parents[2] / "frontend" / "src" / "lib" / "server-constants.json"


def server_constants() -> str:
    """Return the constants as JSON text."""
    name, password = _schema(Credentials, "name"), _schema(Credentials, "password")
    constants = {
        "max_name_length": name["maxLength"],
        "min_password_length": password["minLength"],
        "max_password_length": password["maxLength"],
        "max_house_name_length": _schema(NewTableRequest, "name")["maxLength"],
        "drill_levels": _schema(AnswerSheet, "level")["maximum"],
        "drill_exercises": _schema(AnswerSheet, "number")["exclusiveMaximum"],
        "max_stake_cents": MAX_STAKE_CENTS,
        "retry_codes": sorted(RETRY_CODES),
        "roll_commands": sorted(ROLL_COMMANDS),
        "currency_symbols": CURRENCY_SYMBOLS,
    }
    return json.dumps(constants, indent=2, ensure_ascii=False) + "\n"


def _schema(model: type[BaseModel], field: str) -> dict[str, Any]:
    return dict(model.model_json_schema()["properties"][field])


if __name__ == "__main__":
    FILE.write_text(server_constants(), "utf-8")
