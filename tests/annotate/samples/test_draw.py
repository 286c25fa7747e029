"""Drawing at random, without replacement, repeatably."""

import pytest

from annotate.models import GoldLabel, ReferenceLink, Removal, Response, Sample
from annotate.samples.draw import population
from ratings.errors import DrawError
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.samples.work import responses, sample_of
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_dataset()


def drawn(sample: Sample) -> list[int]:
    return [item.subject.pk for item in sample.items.for_page().order_by("position")]


def test_the_same_seed_draws_the_same_and_nothing_twice(dataset):
    responses(dataset, 20)
    first, second = drawn(sample_of(dataset, 10)), drawn(sample_of(dataset, 10))
    assert first == second
    assert len(set(first)) == 10


def test_what_was_removed_and_what_has_no_text_is_not_drawn(dataset):
    kept, removed, empty = make_response(dataset), make_response(dataset), make_response(dataset)
    Removal.objects.create(response=removed, keep=False, who=make_person("dora"), why="A duplicate.", revision=1)
    Response.objects.filter(pk=empty.pk).update(text="")
    assert drawn(sample_of(dataset, 1)) == [kept.pk]


def test_references_of_responses_and_of_gold_in_force_are_drawn_and_those_of_labels_never(dataset):
    response = make_response(dataset)
    segment = response.segments.first()
    in_force, superseded = add_gold(segment, "supported"), GoldLabel(segment=segment, value="not_supported")
    superseded.source, superseded.revision, superseded.superseded = "import", 0, 1
    superseded.save()
    judge(make_task(response), "ada", {segment: "not_supported/knowledge/It was later."})
    for owner, url in (
        ({"response": response}, "https://of-response.example"),
        ({"response": response}, ""),
        ({"gold": in_force}, "https://of-gold.example"),
        ({"gold": superseded}, "https://of-old-gold.example"),
    ):
        ReferenceLink.objects.create(**owner, url=url, position=ReferenceLink.objects.count())
    links = set(population(dataset, "reliability").values_list("url", flat=True))
    assert links == {"https://of-response.example", "https://of-gold.example"}


@pytest.mark.parametrize(
    ("size", "raters", "kind", "message"),
    [
        (4, 3, "safety", "draw 1 to 3 of the dataset's responses, not 4"),
        (0, 3, "safety", "not 0"),
        (1, 0, "safety", "rated by 1 to 20 people, not 0"),
        (1, 1, "reliability", "it has no references"),
        (1, 1, "beauty", "no kind 'beauty'"),
    ],
)
def test_what_cannot_be_drawn_says_why_and_leaves_nothing(dataset, size, raters, kind, message):
    responses(dataset, 3)
    with pytest.raises(DrawError, match=message):
        sample_of(dataset, size, raters, kind)
    assert not Sample.objects.exists()
