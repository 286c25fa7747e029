"""A WSGI application whose answers wait until there is a file: `FILE` of the environment."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.waiting import LONGEST, wait_until


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    wait_until(Path(os.environ["FILE"]).exists, "the answer may come", LONGEST)
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "4")])
    return [b"done"]
