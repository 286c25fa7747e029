"""A process of its own for test_many_tasks: Ada labels among many tasks on PostgreSQL, after Ben and Cleo have done
half of them. Prints how many tasks there are, and how many rows of tables and indexes each of her steps read."""

from collections.abc import Iterator
from itertools import pairwise, product

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402

from annotate.judgements.page_keys import PageKeys  # noqa: E402
from annotate.models import Assignment, Dataset, Response, Segment, User  # noqa: E402
from annotate.tasks.create import create_tasks  # noqa: E402
from annotate.tasks.serving import open_next  # noqa: E402
from tests.annotate.labels.script import entry  # noqa: E402
from tests.factories import make_dataset, make_person, make_response  # noqa: E402

FEW, MANY = 30, 3000
SAME = ("dataset_id", "imported_id", "prompt_id", "text")
# Submissions before it is counted: after these the statements' plans are those that are kept.
BEFORE = 8
ROWS = """
    SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables) + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)
"""


def main() -> None:
    make_tasks(FEW)
    dataset = make_tasks(MANY)
    ada, ben, cleo = (make_person(name, dataset) for name in ("ada", "ben", "cleo"))
    submit_half(dataset, [ben, cleo])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    print(MANY, *label(dataset, ada))


def make_tasks(number: int) -> Dataset:
    """Of a segment each, wanting two annotators."""
    dataset = make_dataset(f"of {number}")
    first = make_response(dataset, ("One is odd.",))
    row = Response.objects.filter(pk=first.pk).values(*SAME).get()
    responses = Response.objects.bulk_create(
        Response(**{**row, "position": place, "index": str(place), "content_hash": f"{place:064d}"})
        for place in range(1, number)
    )
    Segment.objects.bulk_create(
        Segment(response=response, position=0, text=response.text, start=0, end=len(response.text))
        for response in responses
    )
    create_tasks(dataset)
    dataset.tasks.update(wants=2)
    return dataset


def submit_half(dataset: Dataset, people: list[User]) -> None:
    done = {"state": Assignment.State.SUBMITTED, "submitted_at": timezone.now()}
    Assignment.objects.bulk_create(
        Assignment(task=task, annotator=person, place=place, **done)
        for task, (place, person) in product(dataset.tasks.all()[: dataset.tasks.count() // 2], enumerate(people))
    )


def label(dataset: Dataset, person: User) -> list[int]:
    """What a page, a save and a submission with the next page read."""
    client = Client(headers={"host": "localhost"})
    client.force_login(person)
    for _ in range(BEFORE):
        counted = [after - before for before, after in pairwise(count_steps(client, dataset, person))]
    return counted


def count_steps(client: Client, dataset: Dataset, person: User) -> Iterator[int]:
    own = open_next(dataset, person)
    assert own is not None
    segments = Segment.objects.filter(response__task=own.task).values_list("pk", flat=True)
    entries = {PageKeys(own).of(str(segment)): entry("supported", reason="because") for segment in segments}
    yield rows_read()
    client.get(reverse("assignment", args=[own.key]))
    yield rows_read()
    for version, submit in enumerate((False, True)):
        sent = {"version": version, "entries": entries, "worked": [], "submit": submit}
        answer = client.post(reverse("assignment-save", args=[own.key]), sent, content_type="application/json")
        assert answer.status_code == 200, answer.content
        yield rows_read()


def rows_read() -> int:
    """By anybody, so far."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush(), pg_stat_clear_snapshot()")
        cursor.execute(ROWS)
        return int(cursor.fetchone()[0])


if __name__ == "__main__":
    main()
