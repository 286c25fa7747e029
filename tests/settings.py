"""Touchstone's settings as the tests start with them: a data folder of their own, nothing from the shell."""

import atexit
import os
import shutil
import tempfile

os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="touchstone-tests-")
atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)
for name in (
    "DEBUG",
    "SECRET_KEY",
    "ALLOWED_HOSTS",
    "CELERY_BROKER_URL",
    "OPENAI_BASE_URL",
    "OPENAI_API_KEY",
    "EMAIL_URL",
    "OIDC_SERVER",
    "OIDC_CLIENT_ID",
    "OIDC_CLIENT_SECRET",
    "OIDC_NAME",
):
    os.environ.pop(name, None)
os.environ["LLM_ALLOW"] = "127.0.0.1"  # where the tests' own servers are

from tests.served_settings import *  # noqa: E402, F403

# However slow the machine: no lease runs out, and nothing stands still, but where a test says so.
RUN_LEASE_SECONDS = 300

# Its tables are copied: on SQLite by tests/conftest.py, on PostgreSQL from the database that DATABASE_URL names.
DATABASES["default"]["TEST"] = {"MIGRATE": False, "TEMPLATE": DATABASES["default"]["NAME"]}  # noqa: F405

# What is refused is asked for on purpose, thousands of times: each traceback costs as much as its request.
LOGGING["loggers"]["django.request"] = {"level": "ERROR"}  # noqa: F405
