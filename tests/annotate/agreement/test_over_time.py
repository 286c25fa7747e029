"""Batches of tasks in order of completion, and how they are drawn."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from annotate.agreement.chart import draw
from annotate.agreement.over_time import by_week, describe_batches, in_equal_batches
from stats.bootstrap import Resampling
from stats.ratings import Clusters, Ratings

MONDAY = datetime(2026, 11, 16, 9, tzinfo=UTC)


def test_weeks_go_from_monday_to_sunday_and_empty_ones_are_left_out():
    completed = {1: MONDAY, 2: MONDAY + timedelta(days=6), 3: MONDAY + timedelta(days=14)}
    batches = by_week(completed)
    assert [(batch.start, batch.end, batch.tasks) for batch in batches] == [
        (date(2026, 11, 16), date(2026, 11, 22), {1, 2}),
        (date(2026, 11, 30), date(2026, 12, 6), {3}),
    ]
    assert batches[0].name == "2026, week 47"


@pytest.mark.parametrize(("tasks", "sizes"), [(0, []), (4, [4]), (11, [6, 5]), (121, [11, *[10] * 11])])
def test_equal_batches_differ_by_one_task_at_most(tasks, sizes):
    completed = {task: MONDAY + timedelta(hours=task) for task in range(tasks)}
    batches = in_equal_batches(completed)
    assert [len(batch.tasks) for batch in batches] == sizes


def test_tasks_stand_in_the_order_of_their_completion():
    completed = {task: MONDAY - timedelta(hours=task) for task in range(10)}
    first, second = in_equal_batches(completed)
    assert (first.tasks, second.tasks) == ({5, 6, 7, 8, 9}, {0, 1, 2, 3, 4})
    assert (first.name, second.name) == ("tasks 1 to 5", "tasks 6 to 10")


def test_each_batch_has_the_figures_of_its_own_units():
    # Four responses of a unit each; Ada and Ben agree on the first three.
    ratings = Ratings(("ada", "ben"), np.array([[0, 0], [1, 1], [1, 1], [0, 1]]), np.arange(4))
    clusters = Clusters(np.arange(4), Resampling(np.zeros(4, dtype=np.int64), resamples=200))
    batches = by_week({10: MONDAY, 11: MONDAY, 12: MONDAY + timedelta(days=7), 13: MONDAY + timedelta(days=7)})
    rows = [row for row in describe_batches(ratings, [10, 11, 12, 13], batches, clusters) if row["values"] == "binary"]
    assert [(row["n"], row["tasks"], row["percent"]) for row in rows] == [(2, 2, 1.0), (2, 2, 0.5)]


def test_a_batch_without_the_figure_is_a_gap_in_the_line():
    rows = [{"alpha": value, "intervals": {}} for value in (1.0, 0.5, None, 0.0)]
    chart = draw(rows, "alpha")
    assert [point.number for point in chart.points] == [1, 2, 4]
    assert [(one.number, other.number) for one, other in chart.lines] == [(1, 2)]
    # From 1 at 12 to 0 at 174, half way down at 93.
    assert [point.y for point in chart.points] == [12.0, 93.0, 174.0]


def test_the_axis_reaches_below_zero_where_a_figure_does():
    chart = draw([{"alpha": -0.5, "intervals": {"alpha": [-1.0, 0.0]}}], "alpha")
    (point,) = chart.points
    assert (point.y, point.whisker) == (133.5, (174.0, 93.0))
    assert [words for _, words in chart.marks] == ["-1", "-0.5", "0", "0.5", "1"]
