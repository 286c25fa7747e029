"""The report, the comparison and subject models by the API: the documents of the commands."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from annotate.models import Dataset, Role
from evaluators.comparison import ready
from evaluators.comparison.comparison_job import ComparisonJob
from evaluators.models import Comparison
from jobs.work import work_on
from tests.api.conftest import ApiClient, client_of
from tests.api.test_runs import finished
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Dataset:
    """Gold of two domains, and a run of the evaluator "draw"."""
    dataset = make_dataset()
    for domain in ("math", "science"):
        first, second = make_response(dataset, domain=domain, prompt=domain).segments.all()
        add_gold(first, "supported")
        add_gold(second, "not_supported")
    finished(dataset, "random", name="draw")
    return dataset


@pytest.fixture
def rhea(lab: Dataset) -> ApiClient:
    return client_of(make_person("rhea", lab, Role.RESEARCHER))


def printed(*words: str) -> Any:
    output = StringIO()
    call_command(*words, "--json", stdout=output)
    return json.loads(output.getvalue())


def test_the_report_is_that_of_the_command(lab: Dataset, rhea: ApiClient) -> None:
    assert rhea.get(f"datasets/{lab.pk}/report/").json() == printed("report", "lab")


def test_the_report_is_of_a_version_and_some_evaluators(lab: Dataset, rhea: ApiClient) -> None:
    lab.refresh_from_db()
    lab.gold_versions.create(name="v1", revision=lab.gold_revision, hash="0" * 64, labels=4)
    finished(lab, "lexical")
    found = rhea.get(f"datasets/{lab.pk}/report/?gold_version=v1&evaluator=draw").json()
    assert found == printed("report", "lab", "--gold-version", "v1", "--evaluator", "draw")
    assert "lexical" not in [each["evaluator"] for each in found["evaluators"]]


@pytest.mark.parametrize("query", ["gold_version=v9", "evaluator=nobody"])
def test_what_is_not_there_is_named(lab: Dataset, rhea: ApiClient, query: str) -> None:
    for address in ("report", "comparison"):
        answer = rhea.get(f"datasets/{lab.pk}/{address}/?{query}")
        assert (answer.status_code, query.partition("=")[2] in answer.json()["detail"]) == (422, True)


def test_the_comparison_is_that_of_the_command(lab: Dataset, rhea: ApiClient) -> None:
    finished(lab, "lexical")
    assert rhea.get(f"datasets/{lab.pk}/comparison/").json() == printed("compare", "lab")
    query = "evaluator=draw&evaluator=lexical&by=domain&slice=math&figure=recall&family=pairs&level=response"
    options = ["--evaluator", "draw", "--evaluator", "lexical", "--by", "domain", "--slice", "math"]
    options += ["--figure", "recall", "--family", "pairs", "--level", "response"]
    assert rhea.get(f"datasets/{lab.pk}/comparison/?{query}").json() == printed("compare", "lab", *options)


def test_a_large_comparison_is_followed(lab: Dataset, rhea: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ready, "AT_ONCE", 0)
    address = f"datasets/{lab.pk}/comparison/"
    waiting = rhea.get(address)
    assert (waiting.status_code, waiting.json()["state"], int(waiting["Retry-After"]) > 0) == (202, "computing", True)
    work_on(ComparisonJob(), Comparison.objects.get().pk)
    answer = rhea.get(address)
    assert (answer.status_code, answer.json()) == (200, printed("compare", "lab"))


def test_subject_models_are_scored_as_by_the_command() -> None:
    bio = make_dataset("bio", scheme="factscore")
    for subject in ("one", "other"):
        add_facts(make_response(bio, ["She wrote."], subject=subject, prompt="Ada"), [["She wrote.", "She lived."]])
    finished(bio, "always-supported")
    rhea = client_of(make_person("rhea", bio, Role.RESEARCHER))
    found = rhea.get(f"datasets/{bio.pk}/subjects/?evaluator=always-supported&length_penalty=true").json()
    assert found == printed("score_subjects", "bio", "--evaluator", "always-supported", "--length-penalty")
    assert [row["subject"] for row in found["evaluators"][0]["subjects"]] == ["one", "other"]


def test_a_dataset_without_gold_has_no_comparison() -> None:
    empty = make_dataset("empty")
    rhea = client_of(make_person("rhea", empty, Role.RESEARCHER))
    assert rhea.get(f"datasets/{empty.pk}/comparison/").status_code == 422
