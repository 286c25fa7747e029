"""Agreement over labels in the database."""

import pytest
import scipy
from django.utils import timezone

from annotate.agreement.report import build_agreement
from annotate.models import Assignment, Label, Segment, Task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

SHORT = {"S": "supported", "N": "not_supported", "I": "irrelevant"}


def label(person, value, state="submitted", revision=0):
    """The person's labels of units of one response, as one assignment of a task of its own per response."""
    segment_of = {unit: unit if isinstance(unit, Segment) else unit.segment for unit in value}
    response = next(iter(segment_of.values())).response
    task, _ = Task.objects.get_or_create(dataset=response.dataset, position=response.position, defaults={"wants": 3})
    assignment, _ = Assignment.objects.get_or_create(
        task=task,
        annotator=person,
        defaults={"place": task.assignments.count(), "state": state, "submitted_at": timezone.now()},
    )
    for unit, letter in value.items():
        Label.objects.create(
            assignment=assignment,
            segment=segment_of[unit],
            fact=None if isinstance(unit, Segment) else unit,
            value=SHORT[letter],
            revision=revision,
        )


def row_of(rows, values="binary", **slice):
    return next(row for row in rows if row["values"] == values and row["slice"] == slice)


def test_results_for_all_and_by_domain_with_intervals():
    dataset = make_dataset()
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    for domain, says, other in (("math", "SN", "SN"), ("math", "SS", "SS"), ("wk", "NI", "NS"), ("wk", "SI", "SN")):
        segments = make_response(dataset, domain=domain).segments.all()
        label(ada, dict(zip(segments, says, strict=True)))
        label(ben, dict(zip(segments, other, strict=True)))
    agreement = build_agreement(dataset)

    binary = row_of(agreement["results"], domain="all")
    # Of 8 units 7 agree as error or not: 3 both error, 4 both correct, 1 only Ada's.
    assert (binary["n"], binary["percent"]) == (8, 7 / 8)
    assert binary["positive"] == pytest.approx(6 / 7)
    assert binary["negative"] == pytest.approx(8 / 9)
    assert (binary["error_prompts"], binary["intervals"]) == (3, {})
    assert binary["withheld"]["positive"].startswith("no interval: it rests on 3 prompts with an error")
    # By value the last unit differs too: Ada says irrelevant, Ben not supported.
    valued = row_of(agreement["results"], "all", domain="all")
    assert valued["percent"] == 6 / 8
    assert valued["by_value"] == pytest.approx({"supported": 8 / 9, "not_supported": 4 / 5, "irrelevant": 0})
    assert row_of(agreement["results"], domain="math")["percent"] == 1.0
    assert row_of(agreement["results"], domain="wk")["percent"] == 3 / 4
    assert agreement["pairs"][0]["annotators"] == ["ada", "ben"]
    assert agreement["pairs"][0]["kappa"] == binary["kappa"]
    assert agreement["human_reference"]["f1"] == binary["positive"]


def test_kappa_of_three_annotators_is_the_mean_over_pairs():
    dataset = make_dataset()
    segments = list(make_response(dataset).segments.all())
    for name in ("ada", "ben", "cleo"):
        label(make_person(name, dataset), dict(zip(segments, "SN", strict=True)))
    agreement = build_agreement(dataset)
    all_three = row_of(agreement["results"], domain="all")
    assert (all_three["kappa"], all_three["fleiss"]) == (1.0, 1.0)
    assert "pairs" in all_three["withheld"]["kappa"]
    assert "kappa" not in all_three["intervals"]
    assert [row["annotators"] for row in agreement["pairs"][::2]] == [["ada", "ben"], ["ada", "cleo"], ["ben", "cleo"]]
    assert {row["kappa"] for row in agreement["pairs"]} == {1.0}


def test_one_prompt_gives_figures_without_an_interval():
    dataset = make_dataset()
    segments = list(make_response(dataset).segments.all())
    for name in ("ada", "ben"):
        label(make_person(name, dataset), dict(zip(segments, "SN", strict=True)))
    row = row_of(build_agreement(dataset)["results"], domain="all")
    assert (row["percent"], row["intervals"]) == (1.0, {})


def test_the_first_revision_of_submitted_labels_counts():
    dataset = make_dataset()
    ada, ben, cleo = (make_person(name, dataset) for name in ("ada", "ben", "cleo"))
    segment = make_response(dataset, ["One is odd."]).segments.get()
    label(ada, {segment: "S"})
    label(ada, {segment: "N"}, revision=1)
    label(ben, {segment: "N"})
    label(cleo, {segment: "S"}, state="reserved")
    row = row_of(build_agreement(dataset)["results"], domain="all")
    assert (row["n"], row["percent"]) == (1, 0.0)


def test_a_sentence_called_irrelevant_does_not_meet_judgements_of_its_facts():
    dataset = make_dataset(scheme="factscore")
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    life = make_response(dataset, ["Ada wrote and sang.", "The sea is wide."], prompt="Ada", subject="amber")
    wrote, sang, _ = add_facts(life, [["Ada wrote.", "Ada sang."], ["The sea is wide."]])
    first, sea = life.segments.all()
    label(ada, {first: "I", sea: "I"})
    label(ben, {wrote: "S", sang: "I", sea: "I"})
    row = row_of(build_agreement(dataset)["results"], "all", subject="amber")
    # Only the sea is a unit that both judged.
    assert (row["n"], row["percent"]) == (1, 1.0)


def test_an_annotator_against_gold_is_marked_as_inflated():
    dataset = make_dataset()
    segments = list(make_response(dataset).segments.all())
    for segment in segments:
        add_gold(segment, "not_supported")
    label(make_person("ada", dataset), dict(zip(segments, "SN", strict=True)))
    (row,) = build_agreement(dataset)["against_gold"]
    # One of the two errors found: 2/(2 + 1)
    assert (row["annotator"], row["inflated"], row["n"]) == ("ada", True, 2)
    assert row["f1"] == pytest.approx(2 / 3)


def test_figures_against_gold_have_intervals():
    dataset = make_dataset()
    ada = make_person("ada", dataset)
    for says in "SN" * 6:
        segment = make_response(dataset, ["Two is odd."]).segments.get()
        add_gold(segment, "not_supported")
        label(ada, {segment: says})
    (row,) = build_agreement(dataset)["against_gold"]
    # Six of twelve errors found, each in a prompt of its own: the variance of 11 draws, of which t of 11 degrees of
    # freedom leaves 11 · (1.96 / 2.201)² = 8.72. SciPy's beta quantiles of 4.36 hits and misses: 0.165 and 0.835.
    size = 11 * (1.959964 / scipy.stats.t.ppf(0.975, 11)) ** 2
    low = scipy.stats.beta.ppf(0.025, size / 2, size / 2 + 1)
    assert (row["percent"], row["percent_interval"]) == (0.5, pytest.approx([low, 1 - low], abs=0.02))
    assert row["f1"] == pytest.approx(2 / 3)
    assert row["f1_interval"][0] < 2 / 3 < row["f1_interval"][1]
    assert (row["undefined"], row["undefined_resamples"]) == ({}, {"percent": 0, "f1": 0})


def test_figures_against_gold_say_why_they_are_undefined():
    dataset = make_dataset()
    settled, unsettled = make_response(dataset).segments.all()
    add_gold(settled, "supported")
    label(make_person("ada", dataset), {settled: "S"})
    label(make_person("ben", dataset), {unsettled: "N"})
    ada, ben = build_agreement(dataset)["against_gold"]
    assert (ada["percent"], ada["undefined"]) == (1.0, {"f1": "nobody called anything an error"})
    why = "nothing that they judged has gold"
    assert (ben["percent"], ben["undefined"]) == (None, {"percent": why, "f1": why})


def test_without_labels_everything_is_undefined_and_says_why():
    agreement = build_agreement(make_dataset())
    assert row_of(agreement["results"], domain="all")["undefined"]["percent"] == "no unit was judged by two annotators"
    assert (agreement["pairs"], agreement["against_gold"], agreement["human_reference"]["f1"]) == ([], [], None)
