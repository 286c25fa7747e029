"""The report over rows in the database."""

import json
from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotate.gold.freeze import freeze_gold
from annotate.models import GoldLabel
from core.errors import DataError
from evaluators.comparison.report import build_report
from llm.models import Call, Endpoint
from tests.evaluators.comparison.rows import add_run, result
from tests.factories import add_facts, add_gold, make_dataset, make_response

pytestmark = pytest.mark.django_db

TRIVIAL = ["always-supported", "always-not-supported", "random"]


def add_segments(dataset, values, domain="math"):
    """A response whose segments have this gold: "S", "N", or "-" for none."""
    response = make_response(dataset, [f"Segment {place}." for place in range(len(values))], domain=domain)
    segments = list(response.segments.all())
    for segment, value in zip(segments, values, strict=True):
        if value != "-":
            add_gold(segment, "supported" if value == "S" else "not_supported")
    return segments


def test_each_level_and_domain_of_felm():
    dataset = make_dataset()
    math, history = add_segments(dataset, "NS"), add_segments(dataset, "SS", domain="wk")
    add_run(dataset, dict(zip([*math, *history], "NSNS", strict=True)))
    report = build_report(dataset)

    row = result(report)
    assert (row["tp"], row["fp"], row["fn"], row["tn"], row["coverage"]) == (1, 1, 0, 2, 1.0)
    # Both responses are called wrong, one is.
    row = result(report, level="response")
    assert (row["tp"], row["fp"], row["fn"], row["tn"]) == (1, 1, 0, 0)
    assert (result(report, slice="math")["tp"], result(report, slice="wk")["fp"]) == (1, 1)
    slices = [row["slice"]["domain"] for row in report["evaluators"][-1]["results"]]
    assert slices == ["all", "math", "wk"] * 2


def test_a_response_with_a_gap_is_missing_unless_an_error_is_known():
    dataset = make_dataset()
    partly, wrong = add_segments(dataset, "SS"), add_segments(dataset, "NS")
    add_run(dataset, {partly[0]: "S", wrong[0]: "N"})
    row = result(build_report(dataset), level="response")
    assert (row["n"], row["missing"], row["tp"]) == (2, 1, 1)


def test_a_response_whose_gold_has_a_gap_counts_only_where_an_error_is_known():
    dataset = make_dataset()
    segments = [*add_segments(dataset, "S-"), *add_segments(dataset, "N-")]
    add_run(dataset, dict.fromkeys(segments, "N"))
    report = build_report(dataset)
    assert (result(report)["n"], result(report, level="response")["n"]) == (2, 1)


def test_an_unparsed_segment_leaves_its_response_unparsed():
    dataset = make_dataset()
    segments = add_segments(dataset, "SS")
    add_run(dataset, {segments[0]: "S", segments[1]: "?"})
    row = result(build_report(dataset), level="response")
    assert (row["predicted"], row["unparsed"]) == (0, 1)


def test_the_trivial_baselines_are_there_without_a_run():
    dataset = make_dataset()
    add_segments(dataset, "NSSS")
    report = build_report(dataset)
    assert [(row["evaluator"], row["run"]) for row in report["evaluators"]] == [(name, None) for name in TRIVIAL]
    assert result(report, "always-supported")["f1"] == 0.0
    # 2·1/(2·1 + 3)
    assert result(report, "always-not-supported")["f1"] == pytest.approx(2 / 5)
    # Half of the error found, half of the others called: 2·0.5/(2·0.5 + 1.5 + 0.5)
    assert result(report, "random")["expected"]["f1"] == pytest.approx(1 / 3)
    # The response is called wrong with chance 15/16: 2·(15/16)/(2·(15/16) + 1/16)
    assert result(report, "random", "response")["expected"]["f1"] == pytest.approx(30 / 31)


def test_a_baseline_that_was_run_stands_in_its_own_place():
    dataset = make_dataset()
    segments = add_segments(dataset, "NS")
    run = add_run(dataset, dict.fromkeys(segments, "S"), name="my baseline", method="always-supported")
    rows = build_report(dataset)["evaluators"]
    assert [(row["evaluator"], row["run"]) for row in rows] == [
        ("my baseline", run.pk),
        ("always-not-supported", None),
        ("random", None),
    ]


def test_only_the_last_finished_run_of_an_evaluator_counts():
    dataset = make_dataset()
    segments = add_segments(dataset, "NS")
    add_run(dataset, dict.fromkeys(segments, "S"))
    last = add_run(dataset, dict.fromkeys(segments, "N"))
    add_run(dataset, dict.fromkeys(segments, "S"), state="failed")
    report = build_report(dataset)
    assert report["evaluators"][-1]["run"] == last.pk
    assert result(report)["tp"] == 1


def test_evaluators_are_limited_by_name_and_baselines_stay():
    dataset = make_dataset()
    segments = add_segments(dataset, "NS")
    for name in ("one", "other"):
        add_run(dataset, dict.fromkeys(segments, "S"), name=name)
    rows = build_report(dataset, evaluators=["other"])["evaluators"]
    assert [row["evaluator"] for row in rows] == [*TRIVIAL, "other"]


def test_an_evaluator_without_a_finished_run_is_an_error():
    dataset = make_dataset()
    with pytest.raises(DataError, match="nobody"):
        build_report(dataset, evaluators=["nobody"])


def test_gold_is_that_of_the_version_named():
    dataset = make_dataset()
    segments = add_segments(dataset, "SS")
    freeze_gold(dataset, "first")
    GoldLabel.objects.filter(segment=segments[0]).update(superseded=dataset.gold_revision + 1)
    add_gold(segments[0], "not_supported")
    add_run(dataset, dict.fromkeys(segments, "N"))
    assert result(build_report(dataset))["tp"] == 1
    frozen = build_report(dataset, "first")
    assert (frozen["gold_version"], result(frozen)["tp"], result(frozen)["fp"]) == ("first", 0, 2)
    with pytest.raises(DataError, match="second"):
        build_report(dataset, "second")


def make_lives():
    """Ada's life by two models. amber: 2 facts right, 1 wrong, and a sentence of 1 model fact that is irrelevant."""
    dataset = make_dataset(scheme="factscore")
    amber = make_response(
        dataset, ["Ada was a poet.", "The sea is wide."], prompt="Ada", subject="amber", frequency="rare"
    )
    facts = add_facts(amber, [["Ada lived.", "Ada wrote.", "Ada rhymed."], []])
    for fact, value in zip(facts, ("supported", "supported", "not_supported"), strict=True):
        add_gold(fact, value)
    sea = amber.segments.last()
    wide = add_facts(amber, [[], ["The sea is wide."]], origin="model")
    add_gold(sea, "irrelevant")
    basalt = make_response(dataset, ["Ada counted."], prompt=amber.prompt, subject="basalt")
    counted = add_facts(basalt, [["Ada counted."]])
    add_gold(counted[0], "supported")
    return dataset, facts, sea, wide[0], counted[0]


def test_facts_of_irrelevant_sentences_count_in_the_score_and_never_in_f1():
    dataset, facts, _, wide, counted = make_lives()
    add_run(dataset, {**dict.fromkeys(facts, "S"), wide: "S", counted: "S"})
    report = build_report(dataset)
    assert (result(report, level="fact")["n"], result(report, level="fact", slice="amber")["fn"]) == (4, 1)
    amber, basalt = report["evaluators"][-1]["subjects"]
    # Gold 2 of 4, all 4 called supported.
    assert (amber["factscore"], amber["estimated"], amber["bias"], amber["direction"]) == (0.5, 1.0, 0.5, "+")
    assert (basalt["factscore"], basalt["error_rate"], basalt["direction"]) == (1.0, 0.0, "")
    # The estimates tie, the scores do not.
    assert report["evaluators"][-1]["ranking_kept"] is False


def test_a_prediction_of_an_irrelevant_sentence_stands_for_its_facts():
    dataset, facts, sea, _, counted = make_lives()
    add_run(dataset, {**dict(zip(facts, "SSN", strict=True)), sea: "I", counted: "S"})
    amber = build_report(dataset)["evaluators"][-1]["subjects"][0]
    assert (amber["estimated"], amber["error_rate"]) == (0.5, 0.0)


def test_a_prediction_of_a_sentence_decides_it_whatever_is_said_of_its_facts():
    dataset, facts, *_ = make_lives()
    add_run(dataset, {**dict.fromkeys(facts, "S"), facts[0].segment: "N"})
    report = build_report(dataset)
    assert (result(report, level="fact")["fn"], result(report, level="segment", slice="amber")["tp"]) == (1, 1)


def add_call(run, name, cost):
    endpoint, _ = Endpoint.objects.get_or_create(name="local", base_url="http://localhost/v1", shared=True)
    call = Call.objects.create(
        endpoint=endpoint,
        request_hash=name,
        model="m",
        request={},
        prompt_tokens=100,
        completion_tokens=10,
        cost_usd=cost,
        seconds=0.1,
    )
    for prediction in run.predictions.all():
        prediction.calls.add(call)


def test_a_call_that_several_predictions_were_read_from_is_paid_once():
    dataset = make_dataset()
    run = add_run(dataset, dict.fromkeys(add_segments(dataset, "NS"), "S"))
    add_call(run, "first", Decimal("0.25"))
    row = build_report(dataset)["evaluators"][-1]
    assert (row["tokens"], row["cost_usd"]) == (110, 0.25)
    add_call(run, "second", None)
    row = build_report(dataset)["evaluators"][-1]
    assert (row["tokens"], row["cost_usd"]) == (220, None)


def test_seconds_are_from_the_start_to_the_last_prediction():
    dataset = make_dataset()
    run = add_run(dataset, dict.fromkeys(add_segments(dataset, "NS"), "S"))
    run.started_at = timezone.now()
    run.last_prediction_at = run.started_at + timedelta(seconds=12)
    run.finished_at = run.started_at + timedelta(seconds=60)
    run.save()
    row = build_report(dataset)["evaluators"][-1]
    assert (row["seconds"], row["tokens"], row["cost_usd"]) == (12.0, 0, 0.0)


def test_of_an_evaluator_that_ran_elsewhere_the_cost_is_unknown():
    dataset = make_dataset()
    add_run(dataset, dict.fromkeys(add_segments(dataset, "NS"), "S"), method="imported")
    row = build_report(dataset)["evaluators"][-1]
    assert (row["tokens"], row["cost_usd"], row["seconds"]) == (None, None, None)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("scheme", ["felm", "factscore"])
def test_an_empty_dataset_has_a_report_without_figures(scheme):
    report = build_report(make_dataset(scheme=scheme))
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert all(row["f1"] is None for evaluator in report["evaluators"] for row in evaluator["results"])


def test_the_number_of_queries_does_not_grow_with_the_dataset(django_assert_max_num_queries):
    dataset = make_dataset()
    said = {segment: "S" for _ in range(6) for segment in add_segments(dataset, "NS")}
    for name in ("one", "other"):
        add_run(dataset, said, name=name)
    with django_assert_max_num_queries(12):
        build_report(dataset)
