#!/usr/bin/env python
"""Django's command line; the commands are listed in docs/commands.md."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import Error

    from core.standard_output import leave_closed_pipe

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:
        leave_closed_pipe()
    except ImproperlyConfigured as error:
        sys.exit(f"Touchstone cannot start: {error}")
    except Error as error:
        if "--traceback" in sys.argv:
            raise
        cause = str(error).partition("\n")[0]
        sys.exit(f"CommandError: the database: {cause} (tables are made by `manage.py migrate`).")
    except UnicodeEncodeError as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"CommandError: {error.object!a} is no text in UTF-8.")


if __name__ == "__main__":
    main()
