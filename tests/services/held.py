"""A process of its own: a command of manage.py that stands still at the first word that it says of its progress."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import django

from tests.services.conftest import ROOT, House


class Held:
    """What a command says on stderr: it is passed on, and waits for an answer that never comes."""

    def write(self, said: str) -> None:
        print(said, end="", flush=True)
        sys.stdin.read()


@contextmanager
def start_held(house: House, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The command once it stands still: it has stored something, and not all."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.services.held", *words],
        cwd=ROOT,
        env=house.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert " written" in process.stdout.readline()
        yield process


if __name__ == "__main__":
    django.setup()
    from django.core.management import call_command

    call_command(*sys.argv[1:], stderr=Held())
