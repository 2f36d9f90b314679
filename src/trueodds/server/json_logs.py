"""Logging as JSON lines, without secrets."""

from __future__ import annotations

import json
import logging
from typing import Final

LOG: Final = logging.getLogger("trueodds.server")


def log_event(event: str, **fields: object) -> None:
    """Log an event. Fields are routes, codes and counts: never names, cookies, seeds or bodies."""
    LOG.info(event, extra={"fields": fields})


class JsonLinesFormatter(logging.Formatter):
    """Formats a log record as one line of JSON.

    Of an exception only its type and where it was raised are logged, since its message may contain secrets.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line: dict[str, object] = {
            "at_ms": int(record.created * 1000),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["exception"] = record.exc_info[0].__name__
            traceback = record.exc_info[2]
            while traceback is not None and traceback.tb_next is not None:
                traceback = traceback.tb_next
            if traceback is not None:
                line["raised_at"] = f"{traceback.tb_frame.f_globals.get('__name__')}:{traceback.tb_lineno}"
        return json.dumps(line, ensure_ascii=True, default=str)
