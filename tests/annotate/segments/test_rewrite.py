"""Segments are replaced while nothing hangs on them, and every earlier cut can be restored."""

import pytest

from annotate.models import Segment
from annotate.segments.rewrite import StaleSegmentsError, in_force, restore, rewrite
from annotate.segments.untouched import FixedError
from evaluators.models import Evaluator, Prediction, Run
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def response():
    """Its segments are [0, 11) and [12, 25)."""
    return make_response(make_dataset(), ("One is odd.", "Two is wrong."))


def segments_of(response):
    return list(response.segments.values_list("position", "text", "start", "end"))


def test_segments_and_their_offsets_are_written_anew(response):
    dora = make_person("dora")

    assert rewrite(response, [(0, 3), (4, 25)], "human", author=dora)

    assert segments_of(response) == [(0, "One", 0, 3), (1, "is odd. Two is wrong.", 4, 25)]


def test_the_files_own_cut_is_kept_when_it_is_first_changed(response):
    rewrite(response, [(0, 25)], "human", author=make_person("dora"))

    cuts = [(row.origin, row.spans, row.author and row.author.username) for row in response.segmentations.all()]
    assert cuts == [("import", [[0, 11], [12, 25]], None), ("human", [[0, 25]], "dora")]


def test_the_same_cut_again_changes_nothing(response):
    assert not rewrite(response, [(0, 11), (12, 25)], "human")
    assert not response.segmentations.exists()


def test_an_earlier_cut_is_restored_as_a_new_row(response):
    rewrite(response, [(0, 25)], "human", author=make_person("ben"))

    assert restore(response.segmentations.first(), make_person("dora"))

    assert segments_of(response) == [(0, "One is odd.", 0, 11), (1, "Two is wrong.", 12, 25)]
    last = response.segmentations.last()
    assert (last.origin, last.author.username, response.segmentations.count()) == ("import", "dora", 3)


def test_whoever_saw_another_cut_is_refused(response):
    rewrite(response, [(0, 25)], "human", seen=0)

    with pytest.raises(StaleSegmentsError):
        rewrite(response, [(0, 11), (12, 25)], "human", seen=0)

    assert rewrite(response, [(0, 11), (12, 25)], "human", seen=in_force(response))


def label(response):
    judge(make_task(response), "ada", {response.segments.first(): "supported"})


def begin(response):
    make_task(response).assignments.create(
        annotator=make_person("ada"), place=0, state="lapsed", draft={"1": {"value": "supported"}}
    )


def predict(response):
    evaluator = Evaluator.objects.create(name="yes", method="always-supported")
    run = Run.objects.create(dataset=response.dataset, evaluator=evaluator, state="finished")
    Prediction.objects.create(run=run, segment=response.segments.first(), value="supported")


def evaluate(response):
    evaluator = Evaluator.objects.create(name="yes", method="always-supported")
    run = Run.objects.create(dataset=response.dataset, evaluator=evaluator)
    run.items.create(response=response, position=0)


@pytest.mark.parametrize(
    ("hang", "reason"),
    [
        (label, "somebody has begun to label the response"),
        (begin, "somebody has begun to label the response"),
        (lambda response: add_gold(response.segments.first(), "supported"), "the response has gold labels"),
        (predict, "the response has predictions"),
        (evaluate, "an evaluator is at work on the response"),
        (lambda response: add_facts(response, [["One is odd."], []], "model"), "the response has atomic facts"),
    ],
)
def test_what_hangs_on_the_segments_keeps_them(response, hang, reason):
    hang(response)
    before = list(Segment.objects.values_list("pk", "text"))

    with pytest.raises(FixedError, match=reason):
        rewrite(response, [(0, 25)], "human")

    assert list(Segment.objects.values_list("pk", "text")) == before
    assert not response.segmentations.exists()


def test_a_segment_that_is_not_found_in_the_text_could_not_be_restored(response):
    response.segments.filter(position=1).update(start=None, end=None)

    with pytest.raises(FixedError, match="Segment 2 came with the file and is not found"):
        rewrite(response, [(0, 25)], "human")
