"""Which tasks have a place free for an annotator. Everybody who submits waits for the answer, and Django would take
longer to write these statements than the database to answer them (bench/workbench): so they are written here.

PostgreSQL plans them once for everybody, as if each annotator had an equal share of the work: written otherwise, it
would look for somebody's tasks among everybody's, which are many where somebody is new.
"""

from collections.abc import Iterator

from annotate.database.statements import Answer, Rows, ask
from annotate.models import Dataset, User

# Tasks that are looked up at once to take the first that is still free.
AT_A_TIME = 16
FREE = """
    SELECT task.id, task.position FROM annotate_task AS task
    WHERE task.dataset_id = %(dataset)s AND task.kind = 'work' AND task.closed_at IS NULL AND {where}
      AND task.wants > (
        SELECT count(*) FROM annotate_assignment AS held
        WHERE held.task_id = task.id AND held.state IN ('reserved', 'open', 'submitted'))
      AND 1 > (
        SELECT count(*) FROM annotate_assignment AS had
        WHERE had.task_id = task.id AND had.annotator_id = %(annotator)s) + (
        SELECT count(*) FROM annotate_viewreceipt AS seen
        WHERE seen.task_id = task.id AND seen.who_id = %(annotator)s AND seen.what = 'labels')
    ORDER BY {order} LIMIT {most}
"""
# Places given up: the latest.
GIVEN_UP = """task.id IN (
        SELECT task_id FROM annotate_assignment WHERE state IN ('lapsed', 'skipped') ORDER BY id DESC LIMIT 200)"""
# The keys of a dataset's tasks rise with their positions.
AFTER_THEIR_LAST = """task.id > coalesce((
        WITH own AS MATERIALIZED (
            SELECT task_id FROM annotate_assignment WHERE annotator_id = %(annotator)s ORDER BY task_id DESC)
        SELECT task_id FROM own
        WHERE (SELECT dataset_id FROM annotate_task AS its WHERE its.id = own.task_id) = %(dataset)s
        ORDER BY task_id DESC LIMIT 1), 0)"""


def _free(where: str, order: str) -> str:
    return FREE.format(where=where, order=order, most=AT_A_TIME)


# What was given up first.
BOTH = """
    SELECT id FROM (
        SELECT 1 AS turn, id, position FROM ({given_up}) AS given_up
        UNION ALL
        SELECT 2 AS turn, id, position FROM ({following}) AS following
    ) AS found ORDER BY turn, position
"""
NEARBY = BOTH.format(given_up=_free(GIVEN_UP, "task.position"), following=_free(AFTER_THEIR_LAST, "task.id"))
ANYWHERE = _free("true", "task.position")


def free_tasks(dataset: Dataset, annotator: User) -> Iterator[list[int]]:
    """Primary keys of tasks that are work, unsettled, never had by the annotator and have a free place, a few at a
    time and in their order; none of which they have seen others' labels, in another role. Who has taken none of them is
    offered others only by asking anew.

    Tasks are taken in their order. So what others gave up is free, and most of what comes after the last that the
    annotator had: these are looked at first, and all the tasks only then.
    """
    return ask_free(dataset, annotator)()


def ask_free(dataset: Dataset, annotator: User) -> Answer[Iterator[list[int]]]:
    """`free_tasks`, whose first search is asked together with other things (annotate/database/statements.py)."""
    asked = {"dataset": dataset.pk, "annotator": annotator.pk}
    nearby = ask(NEARBY, asked)

    def found() -> Iterator[list[int]]:
        yield from _those_of(nearby())
        yield from _those_of(ask(ANYWHERE, asked)())

    return found


def _those_of(rows: Rows) -> Iterator[list[int]]:
    """The keys of found tasks, each once; nothing where none was found."""
    if rows:
        yield list(dict.fromkeys(key for key, *_ in rows))
