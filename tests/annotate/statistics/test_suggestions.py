"""What suggestions change, on the statistics page."""

import pytest

from annotate.models import Assignment, Dataset, Label, Suggesting
from annotate.statistics.suggestions import Changes, describe_suggestions
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.statistics.test_page import read
from tests.annotate.suggestions.work import SAID, make_run
from tests.factories import make_dataset, make_person, make_response
from tests.figure_names import check_figure_names

pytestmark = pytest.mark.django_db

S, N, IRRELEVANT = "supported", "not_supported", "irrelevant"


def lab() -> Dataset:
    """Ada and Ben label one response with suggestions before, one with them after, and one without; the run calls the
    first unit supported and the second an error."""
    dataset = make_dataset()
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    responses = [make_response(dataset) for _ in range(3)]
    run = make_run(dataset)
    before, after, withheld = (make_task(response) for response in responses)
    for task, person, values, shown, seconds in (
        (before, ada, (S, N), "before", 20),
        (before, ben, (S, S), "before", 40),
        (after, ada, (S, S), "after", 0),
        (after, ben, (IRRELEVANT, N), "after", 0),
        (withheld, ada, (N, N), "withheld", 60),
        (withheld, ben, (S, S), "withheld", 0),
    ):
        units = task.responses.get().segments.order_by("position")
        work = judge(task, person, dict(zip(units, values, strict=True)))
        Assignment.objects.filter(pk=work.pk).update(suggestion=shown, suggestion_run=run.pk, active_seconds=seconds)
        for label, said in zip(work.labels.order_by("segment__position"), SAID, strict=True):
            Label.objects.filter(pk=label.pk).update(suggestion=shown, suggestion_run=run.pk, suggested=said)
    changed = Label.objects.filter(suggestion="after").exclude(value=N)
    changed.update(first_value=N)
    return dataset


def test_figures_by_hand() -> None:
    found = describe_suggestions(lab())
    assert found is not None
    # Before: Ada is alike in both, Ben in the first: 3 of 4. After: Ada in the first, Ben in the second: 2 of 4.
    # Without: Ada in the second, Ben in the first: 2 of 4.
    assert [row["following"].share for row in found["rows"]] == [3 / 4, 2 / 4, 2 / 4]
    assert [row["following"].difference for row in found["rows"]] == [1 / 4, 0, None]
    assert [row["following"].interval for row in found["rows"]] == [None] * 3  # of one prompt each
    # Both say S of one of two units before; after they say S and irrelevant, S and N; without twice N and S.
    assert [(row["between"]["n"], row["between"]["percent"]) for row in found["rows"]] == [(2, 1 / 2), (2, 0), (2, 0)]
    # Before: 20 / 2 and 40 / 2, the median of 10 and 20. Without: 60 / 2, as no time of Ben's was measured.
    assert [(row["tasks"], row["seconds"]) for row in found["rows"]] == [(2, 15), (0, None), (1, 30)]
    # Ada went from N to S where the run said S, and where it said N; Ben from N to irrelevant, and kept N.
    assert found["changes"] == Changes(seen=4, towards=1, away=1, other=1)


def test_the_page_tells_them() -> None:
    text = read(lab())
    check_figure_names(text, "Same as the suggestion", "Seconds a unit (median)")
    assert 'id="suggestions"' in text
    assert "shown before 4, shown after 4, not shown 4" in text
    assert "<dt>To the suggestion</dt><dd>1</dd>" in text


def test_without_suggestions_the_page_says_nothing_of_them() -> None:
    dataset = make_dataset()
    make_response(dataset)
    assert 'id="suggestions"' not in read(dataset)
    Dataset.objects.update(suggesting=Suggesting.AFTER)
    assert "No task with suggestions was submitted yet." in read(dataset, "adjudicator")
