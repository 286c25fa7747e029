"""On real PostgreSQL: an annotator among many tasks waits for no search through all of them."""

from tests.services.conftest import printed_by


def test_a_step_among_many_tasks_reads_few_rows(postgres_url):
    """Opening a page, saving, submitting with the next page: after half of the tasks were done by others."""
    printed = printed_by("rows_read", DATABASE_URL=postgres_url)
    tasks, *read = map(int, printed.split())
    assert len(read) == 3
    assert max(read) < tasks / 5, read
