"""Python on a site's database."""

import io
from contextlib import redirect_stdout

from django.core.management import call_command


def run_script(script: str) -> str:
    """What it prints as `manage.py shell` would run it."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        call_command("shell", command=script)
    return printed.getvalue()
