"""A Celery worker whose items that ask no model wait at a step of theirs as long as the file HOLD in DATA_DIR is there.

python -m tests.services.slow_worker [celery's options]
"""

import os
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import django

django.setup()

from config.celery import app  # noqa: E402
from tests.jobs.kinds import EXAMPLES  # noqa: E402

HOLD = Path(os.environ["DATA_DIR"]) / "hold"


def hold_at(step: str) -> None:
    """Let the function of this dotted name wait before it begins."""
    module, name = step.rsplit(".", 1)
    original = getattr(import_module(module), name)

    def held(*args: Any, **kwargs: Any) -> Any:
        while HOLD.exists():
            time.sleep(0.05)
        return original(*args, **kwargs)

    setattr(import_module(module), name, held)


def main() -> None:
    for example in EXAMPLES.values():
        if example.step:
            hold_at(example.step)
    app.worker_main(["worker", *sys.argv[1:]])


if __name__ == "__main__":
    main()
