"""The errors of the client."""

from __future__ import annotations

import pickle

import pytest

from trueodds.client import ClientError, ServerRefusedError, UnfairServerError
from trueodds.errors import TrueoddsError

REFUSED = ServerRefusedError({"code": "too_soon", "message": "Betting stays open for 1 s", "retry_after_ms": 1000}, 409)
UNFAIR = UnfairServerError(3, ["the lock is for roll 9"])


@pytest.mark.parametrize("error", [ClientError("no server"), REFUSED, UNFAIR], ids=lambda error: type(error).__name__)
def test_errors_pickle(error: ClientError) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301  made here
    assert isinstance(copy, TrueoddsError)
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert vars(copy) == vars(error)
