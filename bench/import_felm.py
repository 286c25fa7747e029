"""Time and memory of importing FELM, and copies of it under other indexes, into a fresh SQLite database.

    .venv/bin/python bench/import_felm.py [FILE]

Prints for 1, 10 and 100 times the file: seconds of the whole command, Django's start among them; seconds of processor
time, Django's start left out, for each response relative to the first row (1 = cost grows linearly; other work on the
machine does not count); peak memory of the process in MiB.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, NamedTuple

CHECKOUT = Path(__file__).resolve().parent.parent
PUBLISHED = CHECKOUT.parent / "shared" / "data" / "felm" / "all.jsonl"
TIMES = (1, 10, 100)


class Spent(NamedTuple):
    """The use of a command: seconds by the clock, seconds of the processor, peak memory in MiB."""

    seconds: float
    processor: float
    memory: float


def main() -> None:
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else PUBLISHED
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATA_DIR": folder}
        run(environment, "migrate", "-v0")
        started = run(environment, "version")
        print(f"Django's start alone: {started.seconds:.2f} s")
        print(f"{'times':>5} {'responses':>9} {'seconds':>8} {'a response':>10} {'MiB':>5}")
        first = 0.0
        for times in TIMES:
            copies = Path(folder) / f"felm-{times}.jsonl"
            responses = write_copies(source, copies, times)
            spent = run(environment, "import_dataset", f"felm-{times}", str(copies), "--format", "felm")
            each = (spent.processor - started.processor) / responses
            first = first or each
            print(f"{times:5} {responses:9,} {spent.seconds:8.2f} {each / first:10.2f} {spent.memory:5.0f}")
            copies.unlink()


def write_copies(source: Path, target: Path, times: int) -> int:
    """The rows `times` over, numbered on; returns how many."""
    with source.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    with target.open("w", encoding="utf-8") as file:
        for index in range(times * len(rows)):
            file.write(json.dumps({**rows[index % len(rows)], "index": str(index)}, ensure_ascii=False) + "\n")
    return times * len(rows)


def run(environment: dict[str, str], *arguments: str, output: IO[str] | int = subprocess.DEVNULL) -> Spent:
    """Run a command of manage.py; what it prints goes to `output`. This process ends with its errors."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=CHECKOUT,
            env=environment,
            stdout=output,
            stderr=errors,
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - began
        if status:
            errors.seek(0)
            sys.exit(f"manage.py {' '.join(arguments)} failed:\n{errors.read().decode(errors='replace').strip()}")
    return Spent(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


if __name__ == "__main__":
    main()
