"""A researcher beside the annotators: `python -m bench.load.researcher`, ended by SIGINT (`bench.load --beside`).

Before the annotators begin, `--prepare` runs the evaluators that are compared later. Then, over and over, by API and
client: a file of 64 MB uploaded and refused at its last line, after all before it were checked; a release of the
dataset, made and downloaded; a comparison of two evaluators. The seconds of each are printed.
"""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path

import django

django.setup()

from annotate.models import Dataset, User  # noqa: E402
from api.models import Scope  # noqa: E402
from api.tokens.create import create_token  # noqa: E402
from touchstone import Dataset as OpenedDataset  # noqa: E402
from touchstone import ProblemError, Touchstone  # noqa: E402

UPLOAD_BYTES = 64_000_000
ROW = {"prompt": "What is one and one?", "response": "It is two. " * 40}
COMPARED = ("always-supported", "random")


class OverError(Exception):
    """The annotators have ended."""


def stop(*_: object) -> None:
    raise OverError


def main() -> None:
    signal.signal(signal.SIGINT, stop)
    person, _ = User.objects.get_or_create(username="researcher", is_superuser=True)
    token = create_token(person, "bench", Scope.values, timedelta(days=1))[1]
    with tempfile.TemporaryDirectory() as folder:
        try:
            with Touchstone(f"http://127.0.0.1:{os.environ['PORT']}", token) as touchstone:
                dataset = touchstone.dataset(Dataset.objects.order_by("pk")[0].name)
                if "--prepare" in sys.argv:
                    timed("runs, before the annotators begin", lambda: prepare(touchstone, dataset))
                else:
                    work(touchstone, dataset, Path(folder))
        except OverError:
            pass


def prepare(touchstone: Touchstone, dataset: OpenedDataset) -> None:
    for method in COMPARED:
        touchstone.follow(touchstone.start_run(dataset, method))


def work(touchstone: Touchstone, dataset: OpenedDataset, folder: Path) -> None:
    file = folder / "rows.jsonl"
    line = json.dumps(ROW) + "\n"
    file.write_text(line * (UPLOAD_BYTES // len(line)) + "{}\n", encoding="utf-8")

    def upload() -> None:
        try:
            touchstone.import_dataset("beside", file)
        except ProblemError as problem:
            assert 400 <= problem.status < 500, problem

    def release(name: str) -> None:
        touchstone.freeze_gold(dataset, name)
        made = touchstone.release(dataset, name)
        touchstone.download_release(made, folder / "release.zip")

    def compare() -> None:
        touchstone.compare(dataset, evaluators=COMPARED)

    for turn in count():
        name = f"v{turn}-{time.time_ns()}"
        for what, do in (("upload", upload), ("compare", compare), ("release", lambda name=name: release(name))):
            timed(what, do)


def timed(what: str, do: Callable[[], None]) -> None:
    began = time.perf_counter()
    try:
        do()
    except OverError:
        print(f"{'':>10} beside: {what} was under way after {time.perf_counter() - began:.1f} s", flush=True)
        raise
    print(f"{'':>10} beside: {what} {time.perf_counter() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
