"""Which tasks have a place free for an annotator. Everybody who submits waits for the answer, and Django would take
longer to write these statements than the database to answer them (bench/workbench): so they are written here.
"""

from collections.abc import Iterator

from django.db import connection

from annotate.models import Dataset, User

# Tasks that are looked up at once to take the first that is still free.
AT_A_TIME = 16
FREE = """
    SELECT task.id FROM annotate_task AS task
    WHERE task.dataset_id = %(dataset)s AND task.kind = 'work' AND task.closed_at IS NULL AND {where}
      AND task.wants > (
        SELECT count(*) FROM annotate_assignment AS held
        WHERE held.task_id = task.id AND held.state IN ('reserved', 'open', 'submitted'))
      AND NOT EXISTS (
        SELECT 1 FROM annotate_assignment AS had WHERE had.task_id = task.id AND had.annotator_id = %(annotator)s)
    ORDER BY {order} LIMIT %(most)s
"""
# Places given up: the latest.
GIVEN_UP = """task.id IN (
        SELECT task_id FROM annotate_assignment WHERE state IN ('lapsed', 'skipped') ORDER BY id DESC LIMIT 200)"""
# The keys of a dataset's tasks rise with their positions.
AFTER_THEIR_LAST = """task.id > coalesce((
        SELECT own.task_id FROM annotate_assignment AS own JOIN annotate_task ON annotate_task.id = own.task_id
        WHERE own.annotator_id = %(annotator)s AND annotate_task.dataset_id = %(dataset)s
        ORDER BY own.task_id DESC LIMIT 1), 0)"""
SEARCHES = (
    FREE.format(where=GIVEN_UP, order="task.position"),
    FREE.format(where=AFTER_THEIR_LAST, order="task.id"),
    FREE.format(where="true", order="task.position"),
)


def free_tasks(dataset: Dataset, annotator: User) -> Iterator[list[int]]:
    """Primary keys of tasks that are work, unsettled, never had by the annotator and have a free place, a few at a
    time and in their order; who has taken none of them is offered others only by asking anew.

    Tasks are taken in their order. So what others gave up is free, and most of what comes after the last that the
    annotator had: these are looked at first, and all the tasks only then.
    """
    asked = {"dataset": dataset.pk, "annotator": annotator.pk, "most": AT_A_TIME}
    for search in SEARCHES:
        with connection.cursor() as cursor:
            cursor.execute(search, asked)
            found = [key for (key,) in cursor.fetchall()]
        if found:
            yield found
