"""The end of the workers of config/workers.py: as soon as one ends, or somebody asks, all end.

It runs as a file, in the process that has started them, with the signals blocked until it listens to them.
"""

import os
import signal
import sys
from contextlib import suppress

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)


def main(processes: list[int]) -> int:
    """The exit status: 1 where the first that ended failed."""

    def end_all(number: int, _: object = None) -> None:
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process, number)

    for number in ENDING:
        signal.signal(number, end_all)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    ended, status = os.wait()
    processes.remove(ended)
    end_all(signal.SIGTERM)
    for process in processes:
        os.waitpid(process, 0)
    return 1 if status else 0


if __name__ == "__main__":
    sys.exit(main([int(word) for word in sys.argv[1:]]))
