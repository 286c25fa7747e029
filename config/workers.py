"""A worker for each queue on one machine: `python -m config.workers`.

Each is the worker that `celery --app config worker` starts, with a pool of its own, so that long work keeps no short
work waiting. They are forked from this process once it has imported the application, and share its memory.
"""

import gc
import os
import signal
import sys
from importlib import import_module
from pathlib import Path

from celery.bin.celery import main as run_celery

from config.celery import app
from config.wait_for import ENDING

# What a worker imports besides the tasks.
OF_WORKERS = ("celery.apps.worker", "celery.concurrency.prefork", "celery.worker.components", "celery.worker.consumer")


def words_of(queue: str) -> list[str]:
    """The command of the queue's worker, as a service of its own has it."""
    return [
        *("celery", "--quiet", "--app", "config", "worker", "--queues", queue, "--hostname", f"{queue}@%h"),
        *("--concurrency", "2", "--loglevel", "WARNING"),
    ]


def start(queue: str) -> int:
    """The number of the worker's process, which ends in here."""
    process = os.fork()
    if process == 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        sys.argv = words_of(queue)
        sys.exit(run_celery())
    return process


def main() -> None:
    """What is left of this process waits, and needs none of the application."""
    app.loader.import_default_modules()
    app.connection_for_read().get_transport_cls()
    for module in OF_WORKERS:
        import_module(module)
    from jobs.kinds import Queue

    gc.collect()
    gc.freeze()
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    workers = [str(start(queue)) for queue in Queue]
    os.execv(sys.executable, [sys.executable, str(Path(__file__).with_name("wait_for.py")), *workers])  # noqa: S606


if __name__ == "__main__":
    main()
