"""The tasks that have a place free for an annotator.

Each submission waits for this answer, among 100,000 tasks too: the statements are written in SQL, so that each follows
an index and stops after the first few tasks.
"""

from collections.abc import Iterator

from django.db import connection

from annotate.models import Dataset, User

# Tasks that are looked up at once to take the first that is still free.
AT_A_TIME = 16
# The CTE holds the domains in which the annotator's quota is filled, '' for all of them; mostly none.
FREE = """
    WITH filled AS MATERIALIZED (
        SELECT most.domain FROM annotate_worklimit AS most
        WHERE most.dataset_id = %(dataset)s AND most.annotator_id = %(annotator)s AND most.quota <= (
            SELECT count(DISTINCT held.task_id) FROM annotate_assignment AS held
            JOIN annotate_task AS its ON its.id = held.task_id
            LEFT JOIN annotate_response AS response ON response.task_id = its.id
            LEFT JOIN annotate_prompt AS prompt ON prompt.id = response.prompt_id
            WHERE held.annotator_id = %(annotator)s AND held.state IN ('reserved', 'open', 'submitted')
              AND its.dataset_id = %(dataset)s AND its.kind = 'work' AND most.domain IN ('', prompt.domain)))
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
      AND NOT EXISTS (
        SELECT 1 FROM filled WHERE filled.domain = '' OR filled.domain IN (
            SELECT prompt.domain FROM annotate_response AS response
            JOIN annotate_prompt AS prompt ON prompt.id = response.prompt_id WHERE response.task_id = task.id))
    ORDER BY {order} LIMIT {most}
"""
# Places given up: the latest.
GIVEN_UP = """task.id IN (
        SELECT task_id FROM annotate_assignment WHERE state IN ('lapsed', 'skipped') ORDER BY id DESC LIMIT 200)"""
# The keys of a dataset's tasks rise with their positions. A control leads nowhere: the work after it goes on where the
# work before it was.
AFTER_THEIR_LAST = """task.id > coalesce((
        WITH own AS MATERIALIZED (
            SELECT task_id FROM annotate_assignment WHERE annotator_id = %(annotator)s ORDER BY task_id DESC)
        SELECT task_id FROM own
        WHERE (SELECT dataset_id FROM annotate_task AS its WHERE its.id = own.task_id AND its.kind = 'work')
          = %(dataset)s
        ORDER BY task_id DESC LIMIT 1), 0)"""


def _free(where: str, order: str) -> str:
    return FREE.format(where=where, order=order, most=AT_A_TIME)


# The earliest returned places first.
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
    time and in their order, without tasks whose labels they have seen in another role and those of domains in which
    their quota is filled. An annotator who takes none of them is offered others only by asking anew.

    Tasks are taken in their order. So tasks that others gave up are free, and most tasks after the annotator's last:
    these are looked at first, and all the tasks only then.
    """
    params = {"dataset": dataset.pk, "annotator": annotator.pk}
    for statement in (NEARBY, ANYWHERE):
        with connection.cursor() as cursor:
            cursor.execute(statement, params)
            keys = dict.fromkeys(key for key, *_ in cursor.fetchall())
        if keys:
            yield list(keys)
