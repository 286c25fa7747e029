"""What a revision of gold moves: figures before and after, and the units that changed."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.adjudication.decide import decide
from annotate.adjudication.whole import settle_removal
from annotate.gold.freeze import freeze_gold
from annotate.models import Dataset, Role, User
from evaluators.comparison.report import build_report
from evaluators.comparison.revisions import changed_units, compare_reports
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    """Four segments in two responses, one of them an error; frozen as v1."""
    dataset = make_dataset()
    for values in (("not_supported", "supported"), ("supported", "supported")):
        response = make_response(dataset)
        for segment, value in zip(response.segments.all(), values, strict=True):
            add_gold(segment, value)
    freeze_gold(dataset, "v1")
    return dataset


@pytest.fixture
def dora(dataset: Dataset) -> User:
    return make_person("dora", dataset, Role.ADJUDICATOR)


def make_the_second_an_error(dataset: Dataset, dora: User) -> None:
    second = dataset.responses.first().segments.all()[1]
    decide((second.pk, None), dora, "not_supported", why="It is even.")


def moved(dataset: Dataset) -> dict[tuple[str, str, str], tuple[float | None, float | None]]:
    rows = compare_reports(build_report(dataset, "v1"), build_report(dataset))
    return {(row.evaluator, row.level, row.figure): (row.before, row.after) for row in rows if row.has_moved}


def test_one_decision_moves_the_precision_of_whoever_calls_all_an_error(dataset, dora):
    make_the_second_an_error(dataset, dora)
    # Of four segments called errors 1 was one, and 2 are: precision 1/4 → 2/4. All errors are found before and after.
    # F1 = 2·1/(2·1 + 3) = 0.4 → 2·2/(2·2 + 2) = 0.667.
    found = moved(dataset)
    assert found["always-not-supported", "Segments", "Precision"] == (0.25, 0.5)
    assert found["always-not-supported", "Segments", "F1"] == (pytest.approx(0.4), pytest.approx(2 / 3))
    assert ("always-not-supported", "Segments", "Recall") not in found
    # At response level one response of two has an error, before and after.
    assert ("always-not-supported", "Responses", "Precision") not in found


def test_the_units_that_changed_are_listed_with_both_judgements(dataset, dora):
    make_the_second_an_error(dataset, dora)
    (unit,) = changed_units(dataset, dataset.gold_versions.get(), None)
    assert (unit.before.value, unit.after.value, unit.after.adjudication.why) == (
        "supported",
        "not_supported",
        "It is even.",
    )


def test_a_removed_response_is_gone_with_all_its_units(dataset, dora):
    settle_removal(dataset.responses.first(), dora, keep=False, why="It asks for nothing.")
    units = changed_units(dataset, dataset.gold_versions.get(), None)
    assert [(unit.before.value, unit.after) for unit in units] == [("not_supported", None), ("supported", None)]


def test_nothing_moves_while_gold_stands(dataset):
    assert moved(dataset) == {}
    assert changed_units(dataset, dataset.gold_versions.get(), None) == []


def test_the_page_shows_both_and_keeps_the_choice_in_its_address(client: Client, dataset, dora):
    make_the_second_an_error(dataset, dora)
    client.force_login(dora)
    page = client.get(reverse("revisions", args=[dataset.pk]), {"from": "v1"}).text
    assert "1 unit changed from v1 to current gold" in page
    assert "It is even." in page
    assert client.get(reverse("revisions", args=[dataset.pk]), {"from": "v9"}).status_code == 404


def test_without_a_version_the_page_says_what_to_do(client: Client, dora):
    empty = make_dataset("empty")
    make_person("rhea", empty, Role.RESEARCHER)
    client.force_login(User.objects.get(username="rhea"))
    assert "No frozen version yet" in client.get(reverse("revisions", args=[empty.pk])).text


def test_names_of_figures_link_to_their_definitions(client: Client, dataset, dora):
    make_the_second_an_error(dataset, dora)
    client.force_login(dora)
    check_figure_names(client.get(reverse("revisions", args=[dataset.pk]), {"from": "v1"}).text, "Before", "Difference")
