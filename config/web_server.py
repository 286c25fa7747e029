"""The web server's own settings: `gunicorn config.wsgi --config python:config.web_server`."""

import resource
import sys
from typing import Any

worker_class = "config.web_worker.RequestWorker"
workers = 2
threads = 4
preload_app = True
keepalive = 30
control_socket_disable = True
loglevel = "warning"

# What `ru_maxrss` counts in.
UNIT = 1 if sys.platform == "darwin" else 1024


def post_request(worker: Any, request: object, environ: object, response: object) -> None:
    """A worker that has held more than WEB_MEMORY_MB takes in nothing more, finishes what it has, and is replaced."""
    from django.conf import settings

    if worker.alive and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * UNIT > settings.WEB_MEMORY_MB * 1024**2:
        worker.log.warning("A worker has held more than %s MB and is replaced.", settings.WEB_MEMORY_MB)
        worker.alive = False
