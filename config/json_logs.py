"""Log lines as JSON, one object a line, for a collector of logs."""

import json
import logging
from datetime import UTC, datetime
from typing import Any

from celery.signals import setup_logging

from config.request_ids import request_id


class JsonFormatter(logging.Formatter):
    """Keys: time (ISO 8601, UTC), level, logger, message, request_id (null outside of requests and tasks), and error,
    the traceback, where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": request_id.get(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


@setup_logging.connect  # type: ignore[untyped-decorator]
def keep_logging(**_: Any) -> None:
    """Connected while lines are JSON: a worker then leaves the handlers as they are, instead of setting its own."""
