"""Logs: one object of JSON a line, and nothing in it that is anybody's secret."""

from __future__ import annotations

import json
import logging
from typing import Any, Final

LOG: Final = logging.getLogger("trueodds.server")


def note(event: str, **facts: Any) -> None:
    """Write down that something happened. Facts are routes, codes and counts: never names, cookies, seeds or bodies."""
    LOG.info(event, extra={"facts": facts})


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON; an error gives the kind of exception and where, not what it said."""

    def format(self, record: logging.LogRecord) -> str:
        """Write one line."""
        told: dict[str, Any] = {
            "at_ms": int(record.created * 1000),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            told["exception"] = record.exc_info[0].__name__
            at = record.exc_info[2]
            while at is not None and at.tb_next is not None:
                at = at.tb_next
            if at is not None:
                told["raised_at"] = f"{at.tb_frame.f_globals.get('__name__')}:{at.tb_lineno}"
        return json.dumps(told, ensure_ascii=True, default=str)
