"""The schema of the API: everything in it is in docs/api.md, and whatever is asked by it is answered by it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from support.running_server import RunningServer, http_client
from trueodds.service.player_command import COMMAND_NAMES

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")


@pytest.fixture(scope="module")
def cookie(server: RunningServer) -> str:
    with http_client(server, name="Schema") as http:
        http.post("/api/tables", json={"book": "NJ"})
        return f"trueodds={http.cookies['trueodds']}"


@pytest.fixture(scope="module")
def api_schema(server: RunningServer) -> Any:
    return schemathesis.openapi.from_dict(server.app.openapi())


CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
schema = schemathesis.pytest.from_fixture("api_schema")


@schema.parametrize()
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_replies_match_the_schema(case: Any, server: RunningServer, cookie: str) -> None:
    """No fault, no status or shape that is not written down, for anything that can be asked."""
    headers = {"Origin": server.address} if case.method in {"POST", "PUT", "DELETE"} else {}
    if case.path != "/api/me":
        headers["Cookie"] = cookie
    response = case.call(base_url=server.address, headers=headers)
    case.validate_response(response, checks=CHECKS)


def test_every_route_and_command_is_documented(server: RunningServer) -> None:
    for path, methods in server.app.openapi()["paths"].items():
        for method in methods:
            written = path.replace("{table_id}", "{id}")
            assert re.search(rf"`{method.upper()} {re.escape(written)}[ ?`]", PAGE), f"{method} {path}"
    for wish in COMMAND_NAMES:
        assert f"`{wish}`" in PAGE, wish
