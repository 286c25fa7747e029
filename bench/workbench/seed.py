"""A dataset to label, in fresh tables: `python -m bench.workbench.seed FILE RESPONSES ANNOTATORS`, in its own process.

The file's rows over and over, a task each that wants two annotators. Of more than a thousand, the first half has been
labelled by two people who are gone, and waits for its adjudicator.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth.hashers import make_password  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotate.corpus.importing import import_file  # noqa: E402
from annotate.models import Assignment, Dataset, Label, Membership, Role, Segment, User  # noqa: E402
from annotate.tasks.create import create_tasks  # noqa: E402
from bench.workbench.annotator import PASSWORD  # noqa: E402

GONE = ("gone0", "gone1")
MANY = 1000


def main() -> None:
    file, responses, annotators = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    call_command("migrate", verbosity=0)
    with tempfile.NamedTemporaryFile(suffix=".jsonl", dir=settings.DATA_DIR) as copies:
        write_rows(file, Path(copies.name), responses)
        import_file(Path(copies.name), "bench", "felm")
    dataset = Dataset.objects.get()
    create_tasks(dataset)
    dataset.tasks.update(wants=2)
    password = make_password(PASSWORD)  # once: it takes half a second
    for name in (*GONE, *(f"annotator{number}" for number in range(annotators))):
        person = User.objects.create(username=name, password=password)
        Membership.objects.create(user=person, dataset=dataset, role=Role.ANNOTATOR)
    if responses > MANY:
        label_half(dataset)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def write_rows(source: Path, target: Path, number: int) -> None:
    with source.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    with target.open("w", encoding="utf-8") as file:
        for index, row in enumerate(islice(cycle(rows), number)):
            file.write(json.dumps({**row, "index": str(index)}, ensure_ascii=False) + "\n")


@transaction.atomic
def label_half(dataset: Dataset) -> None:
    tasks = dataset.tasks.all()[: dataset.tasks.count() // 2]
    now = timezone.now()
    held = [
        Assignment(task=task, annotator=person, place=place, state="submitted", submitted_at=now)
        for task in tasks
        for place, person in enumerate(User.objects.filter(username__in=GONE))
    ]
    Assignment.objects.bulk_create(held, batch_size=1000)
    chunk(Label, labels(held))


def labels(held: list[Assignment]) -> Iterator[Label]:
    segments: dict[int, list[int]] = {}
    of_tasks = Segment.objects.filter(response__task__isnull=False)
    for task, segment in of_tasks.values_list("response__task", "pk").iterator(5000):
        segments.setdefault(task, []).append(segment)
    for assignment in held:
        for segment in segments[assignment.task_id]:
            yield Label(assignment=assignment, segment_id=segment, value="supported")


def chunk(model: Any, rows: Iterator[Any]) -> None:
    while several := list(islice(rows, 5000)):
        model.objects.bulk_create(several)


if __name__ == "__main__":
    main()
