"""What the page has to know beforehand of the server: lengths of names, signs of currencies, codes to ask again on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from trueodds.client.session import AGAIN
from trueodds.money import MARKS, STAKE_LIMIT
from trueodds.server.accounts import Credentials
from trueodds.server.drill import Sheet
from trueodds.server.tables import NewTable

FILE = Path(__file__).parents[2] / "frontend" / "src" / "lib" / "terms.json"


def terms() -> str:
    """Write them down from what the server holds people to."""
    name, password = _field(Credentials, "name"), _field(Credentials, "password")
    found = {
        "name_most": name["maxLength"],
        "password_least": password["minLength"],
        "password_most": password["maxLength"],
        "house_name_most": _field(NewTable, "name")["maxLength"],
        "drill_levels": _field(Sheet, "level")["maximum"],
        "drill_numbers": _field(Sheet, "number")["exclusiveMaximum"],
        "stake_most_cents": STAKE_LIMIT,
        "ask_again": sorted(AGAIN),
        "signs": MARKS,
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _field(model: type[BaseModel], name: str) -> dict[str, Any]:
    return dict(model.model_json_schema()["properties"][name])


if __name__ == "__main__":
    FILE.write_text(terms(), "utf-8")
