"""How well each annotator judges."""

from datetime import UTC, datetime

import pytest

from annotate.models import Adjudication, Assignment, GoldLabel, Qualification
from annotate.oversight.quality import quality_of, weeks_of
from tests.annotate.adjudication.work import judge
from tests.annotate.qualification.work import answer, known_task, work_task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_dataset()


def answered(task, person, values) -> None:
    answer(Assignment.objects.create(task=task, annotator=person, place=task.assignments.count()), values)


def test_controls_and_qualification_are_told_apart(dataset):
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    answered(known_task(dataset, "control"), ada, ("supported", "supported"))
    answered(known_task(dataset, "qualification"), ada, ("supported", "not_supported"))
    of_ada, of_ben = quality_of(dataset)
    assert (of_ada.control.share, of_ada.control.n) == (0.5, 2)
    assert (of_ada.qualification.share, of_ada.qualification.n) == (1.0, 2)
    assert (of_ben.annotator, of_ben.control.share) == (ben.username, None)
    assert of_ben.control.why == "no labels with gold"


def test_outcome_is_against_gold_made_here_and_never_against_imported_gold(dataset):
    task = work_task(dataset)
    first, second = task.responses.get().segments.all()
    judge(task, make_person("ada", dataset), {first: "supported", second: "supported"})
    add_gold(first, "supported")
    decision = Adjudication.objects.create(segment=second, who=make_person("dora"), why="The almanac.")
    GoldLabel.objects.create(
        segment=second, value="not_supported", source="adjudicated", adjudication=decision, revision=9
    )
    [of_ada] = quality_of(dataset)
    assert (of_ada.outcome.n, of_ada.outcome.share) == (1, 0.0)


def test_a_sentence_irrelevant_as_a_whole_is_each_of_its_facts_called_so():
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ["Anna was born in 1900 in Bonn."])
    facts = add_facts(response, [["Anna was born in 1900.", "Anna was born in Bonn."]])
    add_gold(facts[0], "not_supported")
    add_gold(facts[1], "supported")
    task = known_task(dataset, "control", gold=())
    response.task = task
    response.save()
    answered_whole = judge(task, make_person("ada", dataset), {response.segments.get(): "irrelevant"})
    assert answered_whole.submitted_at > task.known_since
    [of_ada] = quality_of(dataset)
    # Irrelevant is an error: the first fact is one, the second is not.
    assert (of_ada.control.n, of_ada.control.share) == (2, 0.5)


def test_who_has_left_is_still_listed(dataset):
    ada = make_person("ada", dataset)
    answered(known_task(dataset, "control"), ada, ("supported", "not_supported"))
    ada.memberships.all().delete()
    [of_ada] = quality_of(dataset)
    assert (of_ada.annotator, of_ada.member, of_ada.control.share) == ("ada", None, 1.0)


def test_who_was_admitted_and_who_is_not_even_asked(dataset):
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    task = known_task(dataset, "qualification")
    before = task.known_since.replace(year=2001)
    Assignment.objects.create(task=task, annotator=ada, place=0, state="submitted", submitted_at=before)
    Qualification.objects.create(dataset=dataset, annotator=ben, right=2, units=2)
    of_ada, of_ben = quality_of(dataset)
    assert (of_ada.qualified, of_ada.qualification_tasks) == (None, 0)
    assert (of_ben.qualified.right, of_ben.qualification_tasks) == (2, 1)


def test_quality_week_by_week(dataset):
    ada = make_person("ada", dataset)
    first, second, third = (known_task(dataset, "control") for _ in range(3))
    answered(first, ada, ("supported", "supported"))
    answered(second, ada, ("not_supported", "supported"))
    answered(third, ada, ("supported", "not_supported"))
    # The last day of 2026-W53 is a Sunday, 3 January; the week after begins on Monday.
    for task, day, seconds in ((first, 3, 20), (second, 4, 30), (third, 5, 10)):
        at = datetime(2027, 1, day, 12, tzinfo=UTC)
        Assignment.objects.filter(task=task).update(submitted_at=at, active_seconds=seconds)
    later, earlier = weeks_of(dataset)
    assert (later.annotator, later.week, later.units) == ("ada", "2027-W01", 4)
    # Gold of each task is supported, not supported: the second task has two labels wrong, the third none.
    assert (later.control.share, later.control.n, later.control.prompts) == (0.5, 4, 2)
    assert later.seconds == 10.0  # of 30 / 2 and 10 / 2
    assert (earlier.week, earlier.units, earlier.control.share, earlier.seconds) == ("2026-W53", 2, 0.5, 10.0)
    assert earlier.outcome.share is None
