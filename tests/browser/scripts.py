"""Python on a site's database, a process for all of it: `manage.py shell` takes longer to start than most tests.

    python -m tests.browser.scripts

Each line of standard input is a script as JSON; each line of standard output is what it printed, as JSON. A script that
fails ends the process.
"""

import io
import json
import sys
from contextlib import redirect_stdout

import django
from django.core.management import call_command
from django.db import connections


def run(script: str) -> str:
    """What the script prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        call_command("shell", command=script)
    connections.close_all()
    return printed.getvalue()


def main() -> None:
    django.setup()
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
