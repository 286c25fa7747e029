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
    figures, people = Comparison.objects.order_by("pk")
    work_on(ComparisonJob(), figures.pk)
    assert rhea.get(address).status_code == 202
    work_on(ComparisonJob(), people.pk)
    answer = rhea.get(address)
    assert (answer.status_code, answer.json()) == (200, printed("compare", "lab"))


def test_a_large_comparison_is_followed_while_gold_changes(
    lab: Dataset, rhea: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ready, "AT_ONCE", 0)
    address = f"datasets/{lab.pk}/comparison/"
    since = rhea.get(address).json()["since"]
    for row in Comparison.objects.order_by("pk"):
        add_gold(make_response(lab).segments.all()[0], "not_supported")
        assert rhea.get(f"{address}?since={since}").json()["since"] == since
        work_on(ComparisonJob(), row.pk)
    assert Comparison.objects.count() == 2
    answer = rhea.get(f"{address}?since={since}")
    assert (answer.status_code, answer.json()["people"]["level"]) == (200, "segment")
    # A link names its evaluators, which is another question.
    link = {"title": "As it was", "since": since}
    assert rhea.post(f"datasets/{lab.pk}/shares/", link).status_code == 409
    add_gold(make_response(lab).segments.all()[0], "not_supported")
    work_on(ComparisonJob(), Comparison.objects.latest("pk").pk)
    assert rhea.post(f"datasets/{lab.pk}/shares/", link).status_code == 201
    assert rhea.get(f"{address}?since=yesterday").status_code == 422


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


def test_the_leaderboard_over_several_datasets_is_that_of_the_command(lab: Dataset, rhea: ApiClient) -> None:
    other = make_dataset("other")
    make_person("rhea", other, Role.RESEARCHER)
    add_gold(make_response(other).segments.all()[0], "not_supported")
    finished(other, "random", name="draw")
    query = f"dataset={lab.pk}&dataset={other.pk}&figure=f1"

    assert rhea.get(f"leaderboards/?{query}").json() == printed("compare_datasets", "lab", "other")
    hidden = make_dataset("hidden")
    assert rhea.get(f"leaderboards/?{query}&dataset={hidden.pk}").status_code == 404
    assert rhea.get(f"leaderboards/?dataset={lab.pk}&figure=recall").status_code == 422


def test_recall_is_at_the_k_that_is_asked_for() -> None:
    bio = make_dataset("bio", scheme="factscore")
    response = make_response(bio, ["She wrote and drew."], prompt="Ada", subject="amber")
    for fact in add_facts(response, [["She wrote.", "She drew."]]):
        add_gold(fact, "supported")
    finished(bio, "always-supported")
    rhea = client_of(make_person("rhea", bio, Role.RESEARCHER))
    for address, command in (("statistics", "dataset_stats"), ("subjects", "score_subjects"), ("report", "report")):
        found = rhea.get(f"datasets/{bio.pk}/{address}/?k=4").json()
        assert found == printed(command, "bio", "--k", "4")
        by_name = {each.get("evaluator", "gold"): each["at_k"] for each in found.get("evaluators", [found])}
        [amber] = by_name["gold" if address == "statistics" else "always-supported"]["subjects"]
        # S = 2 of K = 4: precision 1, recall 1/2.
        assert amber["f1"] == pytest.approx(2 / 3)
        assert rhea.get(f"datasets/{bio.pk}/{address}/?k=0").status_code == 422
