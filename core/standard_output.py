"""Standard output of commands."""

import os
import sys


def leave_closed_pipe() -> None:
    """After a BrokenPipeError: the reader of the pipe has ended (head, less), so what follows is written nowhere.
    Without this Python complains once more when it closes the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
