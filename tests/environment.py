"""Loaded before Django's settings: tests keep their files in a folder of their own."""

import os
import tempfile

os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="touchstone-tests-")
os.environ["DEBUG"] = "true"
for name in ("SECRET_KEY", "ALLOWED_HOSTS", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
    os.environ.pop(name, None)
