"""Every figure that was measured on the published files independently comes out of the commands.

Tolerances: half a unit of the last digit given; intervals were given as approximate.
"""

import pytest

from annotate.corpus.importing import import_file
from annotate.models import Dataset
from annotate.statistics.figures import build_dataset_stats
from evaluators.comparison.report import build_report

pytestmark = [pytest.mark.data, pytest.mark.django_db]

DOMAINS = ("all", "wk", "reasoning", "math", "science", "writing_rec")
FELM = {
    "responses": (847, 184, 208, 194, 125, 136),
    "segments": (4426, 532, 1025, 599, 684, 1586),
    "correct": (3639, 385, 879, 474, 582, 1319),
    "responses_with_error": (282, 85, 47, 64, 39, 47),
    "avg_response_words": (89.42, 51.83, 75.54, 44.86, 104.82, 210.92),
}
FELM_ERROR_TYPES = {"knowledge": 354, "irrelevant": 102, "fooled": 29, "reasoning": 9, "none": 293}
FELM_ALWAYS_ERROR = {
    "segment": {"all": 0.302, "wk": 0.433, "science": 0.26, "writing_rec": 0.288, "math": 0.345, "reasoning": 0.249},
    "response": {"all": 0.4996, "wk": 0.632},
}
FELM_ALWAYS_ERROR_INTERVALS = {"segment": (0.264, 0.341), "response": (0.464, 0.533)}

CLASSES = ("very rare", "rare", "medium", "freq", "very freq")
FACTSCORE = {
    "InstructGPT": {
        "prompts": 183,
        "responding": 182,
        "factscore": 0.4258,
        "facts_per_response": (26.2, 0.05),
        "sentences_per_response": (6.17, 0.005),
        "supported": (0.423, 0.0005),
        "not_supported": (0.432, 0.0005),
        "irrelevant": (0.139, 0.0005),
        "tokens_per_response": (110.63, 0.005),
    },
    "ChatGPT": {
        "prompts": 183,
        "responding": 157,
        "factscore": 0.5828,
        "facts_per_response": (34.6, 0.05),
        "sentences_per_response": (7.9, 0.05),
        "supported": (0.5, 0.0005),
        "not_supported": (0.275, 0.0005),
        "irrelevant": (0.082, 0.0005),
        "tokens_per_response": (154.51, 0.005),
        "facts_per_sentence": (4.38, 0.005),
        "mixed_sentences": (0.397, 0.0005),
    },
}
INTERVALS = {"InstructGPT": (0.399, 0.453), "ChatGPT": (0.549, 0.617)}
BY_FREQUENCY = {
    "InstructGPT": (0.115, 0.243, 0.43, 0.649, 0.7),
    "ChatGPT": (0.163, 0.27, 0.538, 0.752, 0.798),
}
BY_POSITION = {
    "InstructGPT": (0.66, 0.45, 0.43, 0.354, 0.282),
    "ChatGPT": (0.748, 0.59, 0.646, 0.514, 0.425),
}
COMMON = {"n": 156, "factscore": {"ChatGPT": 0.581, "InstructGPT": 0.487}}
ALWAYS_NOT_SUPPORTED_F1 = {"InstructGPT": 0.714, "ChatGPT": 0.583}
MACRO_F1 = {
    "always-supported": {"InstructGPT": 0.308, "ChatGPT": 0.3705},
    "always-not-supported": {"InstructGPT": 0.357, "ChatGPT": 0.2915},
}
RANDOM_F1_EXPECTED = {"InstructGPT": 0.526, "ChatGPT": 0.451}
ERROR_RATES = {
    "always-supported": {"InstructGPT": 0.574, "ChatGPT": 0.417},
    "always-not-supported": {"InstructGPT": 0.426, "ChatGPT": 0.583},
}
SPLIT, MERGED = 0.174, 0.345


def near(value, digits=3):
    return pytest.approx(value, abs=0.5000001 * 10**-digits)


@pytest.fixture(scope="module")
def felm(published, module_db):
    """(statistics, report) of FELM."""
    import_file(published / "felm" / "all.jsonl", "felm figures", "felm")
    dataset = Dataset.objects.get(name="felm figures")
    return build_dataset_stats(dataset), build_report(dataset)


@pytest.fixture(scope="module")
def lives(published, module_db):
    """(statistics, report) of FActScore's two subjects."""
    for subject in FACTSCORE:
        import_file(published / "factscore" / f"{subject}.jsonl", "lives figures", "factscore", subject)
    dataset = Dataset.objects.get(name="lives figures")
    return build_dataset_stats(dataset), build_report(dataset)


def result(report, evaluator, level, slice):
    rows = next(row for row in report["evaluators"] if row["evaluator"] == evaluator)["results"]
    return next(row for row in rows if row["level"] == level and slice in row["slice"].values())


def subject_row(rows, subject):
    return next(row for row in rows if row["subject"] == subject)


@pytest.mark.parametrize(("figure", "values"), FELM.items())
def test_felm_sizes(felm, figure, values):
    found = {row["domain"]: row[figure] for row in felm[0]["slices"]}
    assert found == {domain: near(value, 2) for domain, value in zip(DOMAINS, values, strict=True)}


def test_felm_error_types(felm):
    assert felm[0]["slices"][0]["error_types"] == FELM_ERROR_TYPES


@pytest.mark.parametrize(
    ("level", "domain", "f1"), [(level, *figure) for level, of in FELM_ALWAYS_ERROR.items() for figure in of.items()]
)
def test_felm_always_error(felm, level, domain, f1):
    assert result(felm[1], "always-not-supported", level, domain)["f1"] == near(f1, 4 if f1 == 0.4996 else 3)


@pytest.mark.parametrize(("level", "ends"), FELM_ALWAYS_ERROR_INTERVALS.items())
def test_felm_always_error_intervals(felm, level, ends):
    assert result(felm[1], "always-not-supported", level, "all")["f1_interval"] == pytest.approx(ends, abs=0.004)


@pytest.mark.parametrize(
    ("subject", "figure", "value"),
    [(subject, *figure) for subject, figures in FACTSCORE.items() for figure in figures.items()],
)
def test_factscore_sizes(lives, subject, figure, value):
    value, within = value if isinstance(value, tuple) else (value, 0.00005)
    assert subject_row(lives[0]["subjects"], subject)[figure] == pytest.approx(value, abs=within * 1.000001)


@pytest.mark.parametrize("subject", FACTSCORE)
def test_factscore_by_class_position_and_interval(lives, subject):
    row = subject_row(lives[0]["subjects"], subject)
    assert row["by_frequency"] == {
        name: near(share) for name, share in zip(CLASSES, BY_FREQUENCY[subject], strict=True)
    }
    assert row["by_position"] == [near(share) for share in BY_POSITION[subject]]
    assert row["factscore_interval"] == pytest.approx(INTERVALS[subject], abs=0.004)


def test_factscore_of_rare_people_where_the_model_responds(lives):
    assert subject_row(lives[0]["subjects"], "ChatGPT")["by_frequency_responding"]["very rare"] == near(0.262)


def test_factscore_over_common_prompts(lives):
    common = lives[0]["common_prompts"]
    assert common["n"] == COMMON["n"]
    assert common["factscore"] == {subject: near(score) for subject, score in COMMON["factscore"].items()}


def test_splits_and_merges_of_both_subjects_together(lives):
    rows, report = lives[0]["subjects"], lives[1]
    sentences = [result(report, "random", "segment", row["subject"])["n"] for row in rows]
    for figure, share in (("split", SPLIT), ("merged", MERGED)):
        pooled = sum(row[figure] * count for row, count in zip(rows, sentences, strict=True)) / sum(sentences)
        assert pooled == near(share)


@pytest.mark.parametrize("subject", FACTSCORE)
def test_factscore_trivial_baselines(lives, subject):
    report = lives[1]
    always = result(report, "always-not-supported", "fact", subject)
    assert always["f1"] == near(ALWAYS_NOT_SUPPORTED_F1[subject])
    assert result(report, "random", "fact", subject)["expected"]["f1"] == near(RANDOM_F1_EXPECTED[subject])
    for evaluator, figures in MACRO_F1.items():
        digits = 4 if subject == "ChatGPT" else 3
        assert result(report, evaluator, "fact", subject)["macro_f1"] == near(figures[subject], digits)
    for evaluator, rates in ERROR_RATES.items():
        rows = next(row for row in report["evaluators"] if row["evaluator"] == evaluator)["subjects"]
        assert subject_row(rows, subject)["error_rate"] == near(rates[subject])
