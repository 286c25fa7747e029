"""Claims whose evidence is not enough: from labels to gold, to a version, and out again."""

import json

import pytest
from django.urls import reverse

from annotate.adjudication.decide import DecisionError, decide
from annotate.adjudication.unanimous import accept_unanimous, unanimous_in
from annotate.cases.addresses import open_cases
from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, GoldLabel, Segment
from annotate.release.make import release_to
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.labels.work import client_of
from tests.factories import add_gold, add_passages, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

NOT_ENOUGH = "not_enough_evidence"


@pytest.fixture
def claims() -> list[Segment]:
    """Ada and Ben agree that the first lacks evidence, and differ on the second."""
    dataset = make_dataset("sea", "claims")
    response = make_response(dataset, ("The sea is salty.", "It is big."), domain="nature")
    first, second = response.segments.all()
    add_passages(second, "The sea is wide.")
    task = make_task(response)
    judge(task, make_person("ada", dataset), {first: NOT_ENOUGH, second: "supported"})
    judge(task, make_person("ben", dataset), {first: NOT_ENOUGH, second: NOT_ENOUGH})
    return [first, second]


def dataset_of(claims: list[Segment]) -> Dataset:
    return claims[0].response.dataset


def test_what_all_say_becomes_gold_and_the_rest_is_decided(claims):
    dataset, dora = dataset_of(claims), make_person("dora", dataset_of(claims), "adjudicator")
    assert [case.segment for case in unanimous_in(dataset).cases] == [claims[0].pk]
    accept_unanimous(dataset, dora, "They agree.")
    decide((claims[1].pk, None), dora, NOT_ENOUGH, why="The passage says nothing of size.")
    assert open_cases(dataset) == []
    assert set(GoldLabel.objects.current().values_list("value", flat=True)) == {NOT_ENOUGH}


def test_gold_of_a_segment_cannot_lack_evidence():
    segment = make_response(make_dataset()).segments.first()
    add_gold(segment, "supported")
    with pytest.raises(DecisionError, match="not_enough_evidence is a value of claims against a source"):
        decide((segment.pk, None), make_person("dora"), NOT_ENOUGH, why="So.")


def test_the_case_shows_the_passages_and_offers_the_value(claims):
    dora = make_person("dora", dataset_of(claims), "adjudicator")
    address = reverse("adjudicate-segment", args=[dataset_of(claims).pk, claims[1].pk])
    html = squeezed(client_of(dora).get(address).content.decode())
    assert "The sea is wide." in html
    assert 'name="value" value="not_enough_evidence"' in html
    assert "? Not enough evidence" in html
    assert 'name="error_type"' not in html


def test_the_pages_of_gold_and_of_the_response_count_and_show_it(claims):
    dora = make_person("dora", dataset_of(claims), "adjudicator")
    add_gold(claims[0], NOT_ENOUGH)
    gold = squeezed(client_of(dora).get(reverse("gold", args=[dataset_of(claims).pk])).content.decode())
    assert "Not enough evidence</th>" in gold
    response = squeezed(client_of(dora).get(reverse("response", args=[claims[0].response_id])).content.decode())
    assert "? Not enough evidence" in response
    assert "The sea is wide." in response
    assert "Merge and split segments" not in response


def test_a_release_holds_claims_with_passages_and_counts_the_value(claims, tmp_path):
    add_gold(claims[0], NOT_ENOUGH)
    add_gold(claims[1], "supported")
    release_to(tmp_path / "sea", freeze_gold(dataset_of(claims), "v1", make_person("dora")))
    (row,) = [json.loads(line) for line in (tmp_path / "sea" / "claims.jsonl").read_text().splitlines()]
    assert [(claim["label"], claim["passages"]) for claim in row["claims"]] == [
        (NOT_ENOUGH, []),
        ("supported", [{"text": "The sea is wide."}]),
    ]
    card = (tmp_path / "sea" / "README.md").read_text()
    assert "| supported | not supported | irrelevant | not enough evidence |" in card
    assert "| all | 1 | 0 | 2 | 1 | 0 | 0 | 1 |" in card
    assert "JSON lines are the claims with their passages and labels" in card
