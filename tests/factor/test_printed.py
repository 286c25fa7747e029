"""The LaTeX of the tables of FACTOR's pages: a caption with benchmark and sizes, titles in words."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, Role
from core.caching import memory
from factor.open_ended.label import label
from factor.results.corpus import corpora_of
from tests.core.latex import caption_of, compile_where_tex_is, printed_tables, rows_of
from tests.factor.open_ended.work import make_benchmark as make_pairs
from tests.factor.open_ended.work import make_scoring, texts_of, written_study
from tests.factor.results.scored import ALL_RIGHT, MIXED, make_benchmark, make_model, measure, score
from tests.factor.thresholds.work import labelled_sample, make_build
from tests.factor.validation.work import FACTUAL, draw, rate_all
from tests.factor.validation.work import make_benchmark as make_validated
from tests.factories import make_dataset, make_person
from tests.knowledge.sources import make_source


@pytest.fixture
def lab(db: None) -> Dataset:
    memory.clear()
    return make_dataset("my_lab")


@pytest.fixture
def dora(client: Client, lab: Dataset) -> Client:
    client.force_login(make_person("dora", lab, Role.ADJUDICATOR))
    return client


def test_the_results_of_a_benchmark(dora: Client, lab: Dataset, tmp_path: Path) -> None:
    benchmark, source = make_benchmark(lab), make_source("pages")
    for name, rows in (("small", MIXED), ("large", ALL_RIGHT)):
        model = make_model(lab, name)
        score(model, benchmark, rows)
        measure(model, source, {"one": -8.0, "two": -6.0})
    score(make_model(lab, "small"), benchmark, ALL_RIGHT, source=source)
    benchmark.source = source
    benchmark.save()
    assert corpora_of(benchmark)

    printed = printed_tables(dora, reverse("benchmark-results", args=[benchmark.pk]))
    assert set(printed) == {"scorings", "pairs", "retrieval", "perplexity", "types", "strata", "dated"}
    for text in printed.values():
        assert "the benchmark islands of my_lab (n = 4 examples of 3 documents)" in caption_of(text)
        assert "(2,000 resamples of whole documents, seed 20170)" in caption_of(text) or (
            "2,000 resamples of whole documents, seed 20170." in caption_of(text)
        )
    assert "documents permuted, step-down over every pair of scorings" in caption_of(printed["pairs"])
    assert "not tested" not in caption_of(printed["pairs"])
    assert rows_of(printed["scorings"])[0] == [
        *("Rank", "Scoring", "Mean log-probability of a token", "Pair accuracy", "n", "Coverage"),
    ]
    # With so few documents no scoring is significantly better.
    assert all(row[2].startswith(r"\textbf{") for row in rows_of(printed["scorings"])[1:])
    assert rows_of(printed["dated"])[0] == ["Scoring", "Not known"]
    compile_where_tex_is(printed.values(), tmp_path)


def test_a_validation(dora: Client, lab: Dataset, tmp_path: Path) -> None:
    for name in ("ada", "ben"):
        make_person(name, lab)
    sample = draw(make_validated(lab, examples=2))
    for name in ("ada", "ben"):
        rate_all(sample, make_person(name), {(0, 1): FACTUAL})

    printed = printed_tables(dora, reverse("validation", args=[sample.pk]))
    assert set(printed) == {"properties", "error-types", "confusion", "by-type", "agreement"}
    of = "the benchmark news of my_lab (n = 6 completions of 2 examples, drawn with seed 7, 2 raters each)"
    assert all(of in caption_of(text) for text in printed.values())
    # Of six completions five are found to contradict.
    assert rows_of(printed["properties"])[1][:2] == ["Non-factual", "0.83"]
    compile_where_tex_is(printed.values(), tmp_path)


def test_a_study_of_open_ended_generation(dora: Client, lab: Dataset, tmp_path: Path) -> None:
    study = written_study(scoring=make_scoring(make_pairs(dataset=lab), (-2, -3, -1), (-2, -3, -1), name="tiny"))
    texts = texts_of(study)
    for text in texts[1:]:
        label(text, make_person("ben"), "true" if text.pair.right else "false")

    printed = printed_tables(dora, reverse("open-ended-results", args=[study.pk]))
    assert set(printed) == {"accuracy", "shares", "left-out"}
    name = study.scoring.benchmark.name
    of = f"the benchmark {name} of my_lab (tiny: n = {len(texts) - 1} of {len(texts)} texts, "
    for text in printed.values():
        assert of in caption_of(text)
        assert f"seed {study.seed}, labels so far)" in caption_of(text)
    compile_where_tex_is(printed.values(), tmp_path)


def test_the_thresholds_of_a_build(dora: Client, lab: Dataset, tmp_path: Path) -> None:
    build = make_build(lab)
    sample = labelled_sample(build, make_person("ada"))

    printed = printed_tables(dora, reverse("filter-thresholds", args=[build.benchmark_id]))
    assert set(printed) == {"threshold", "coreference_threshold", "margin", "types", "labels"}
    of = f"10 labelled candidates of 10 sentences of the benchmark ferries of my_lab (seed of the draw {sample.seed})"
    assert all(of in caption_of(text) for text in printed.values())
    assert "over n = 2 of 10" in caption_of(printed["coreference_threshold"])
    heads, first, *_ = rows_of(printed["threshold"])
    assert heads == ["Threshold", "Kept", "Precision", "Dropped", "Good candidates kept", "Chosen"]
    # Nine of ten figures are above 0.1: one of ten is dropped.
    assert first[3].startswith("0.10 [")
    compile_where_tex_is(printed.values(), tmp_path)
