"""Accuracy against perplexity: over the same documents only, and with a word where the tokenizers decide."""

import math

import pytest
from django.test import Client

from annotate.models import Dataset
from factor.models import Benchmark
from knowledge.models import KnowledgeSource
from tests.factor.results.scored import ALL_RIGHT, MIXED, make_model, measure, report, results, score
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def atlas() -> KnowledgeSource:
    return KnowledgeSource.objects.create(name="atlas")


@pytest.fixture
def one_failed(dataset: Dataset, benchmark: Benchmark, atlas: KnowledgeSource) -> None:
    """Niue, which is hard to predict, has a score by the first model only."""
    one, other = make_model(dataset, "one"), make_model(dataset, "other")
    measure(one, atlas, {"Atiu": -4.0, "Niue": -20.0})
    measure(other, atlas, {"Atiu": -8.0, "Niue": None})
    score(one, benchmark, ALL_RIGHT)
    score(other, benchmark, MIXED)


@pytest.mark.usefixtures("one_failed")
def test_perplexities_are_of_the_documents_that_every_model_scored(benchmark: Benchmark) -> None:
    found = report(benchmark)["perplexity"]
    assert [each["perplexity"] for each in found["models"]] == [pytest.approx(math.e), pytest.approx(math.e**2)]
    assert found["disagreements"] == []
    assert (found["documents"], found["left_out"]) == (1, 1)


@pytest.mark.usefixtures("one_failed")
def test_the_page_says_how_many_documents_are_left_out(rhea: Client, benchmark: Benchmark) -> None:
    page = squeezed(results(rhea, benchmark))
    assert "the same 1 documents: 1 more is excluded, without scores of all models" in page


def test_a_pass_that_scored_nothing_takes_no_document_from_the_others(
    dataset: Dataset, benchmark: Benchmark, atlas: KnowledgeSource
) -> None:
    known, unknown = make_model(dataset, "known"), make_model(dataset, "unknown")
    measure(known, atlas, {"Atiu": -4.0})
    measure(unknown, atlas, {"Atiu": None})
    score(known, benchmark, MIXED)
    score(unknown, benchmark, MIXED)
    found = report(benchmark)["perplexity"]
    assert [each["name"] for each in found["models"]] == ["known"]
    assert (found["documents"], found["left_out"]) == (1, 0)


def test_without_a_document_of_all_there_is_nothing_to_compare(
    rhea: Client, dataset: Dataset, benchmark: Benchmark, atlas: KnowledgeSource
) -> None:
    for name, totals in (("one", {"Atiu": -4.0, "Niue": None}), ("other", {"Atiu": None, "Niue": -4.0})):
        model = make_model(dataset, name)
        measure(model, atlas, totals)
        score(model, benchmark, MIXED)
    found = report(benchmark)["perplexity"]
    assert (found["models"], found["documents"], found["left_out"]) == ([], 0, 2)
    assert "No document has scores of all models" in results(rhea, benchmark)


@pytest.mark.parametrize(("characters", "turned"), [(40, True), (8, False)])
def test_a_disagreement_says_whether_bits_per_character_point_the_other_way(
    rhea: Client,
    dataset: Dataset,
    benchmark: Benchmark,
    atlas: KnowledgeSource,
    characters: int,
    turned: bool,
) -> None:
    """One bit a token, four tokens for 8 characters; and two bits a token, four tokens for 40 characters or for 8."""
    short, long = make_model(dataset, "short"), make_model(dataset, "long")
    measure(short, atlas, {"Atiu": -4 * math.log(2)}, 8)
    measure(long, atlas, {"Atiu": -8 * math.log(2)}, characters)
    score(short, benchmark, MIXED)
    score(long, benchmark, ALL_RIGHT)
    (pair,) = report(benchmark)["perplexity"]["disagreements"]
    assert pair["perplexities"] == [pytest.approx(2), pytest.approx(4)]
    assert pair["bits_per_character"] == [pytest.approx(4 / 8), pytest.approx(8 / characters)]
    assert pair["bits_turned"] is turned
    assert ("Not by bits per character" in results(rhea, benchmark)) is turned
