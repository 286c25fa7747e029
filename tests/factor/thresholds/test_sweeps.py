"""What labels choose: read from the database, printed, drawn, and taken over."""

import json

import pytest
from django.core.management import CommandError, call_command

from factor.filtering.settings import ContradictionFilter, FilterSettings
from factor.models import Candidate, ThresholdItem
from factor.thresholds.adopt import form_of_next, kept_under, with_thresholds
from factor.thresholds.draw import draw_sample
from factor.thresholds.report import charts_of
from factor.thresholds.sweeps import results_of
from tests.factor.thresholds.work import FIGURES, SETTINGS, labelled_sample, make_build
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def build():
    return make_build(make_dataset())


def swept(sample):
    return {each.name: each for each in results_of(sample).sweeps}


def test_each_threshold_is_chosen_by_its_own_labels(build):
    """Six of the ten have more than 0.4. 0.3 drops three and keeps the six and one other; 0.4 would drop four. Six are
    less than 0.2 below the original; the margin 0.3 keeps these and the one at -0.25."""
    found = swept(labelled_sample(build, make_person("ada")))
    assert found["threshold"].chosen.threshold == 0.3
    assert found["threshold"].chosen.precision.value == 6 / 7
    assert found["margin"].chosen.threshold == 0.3
    assert found["margin"].chosen.precision.value == 6 / 7


def test_coreference_is_swept_by_itself_and_may_choose_none(build):
    found = swept(labelled_sample(build, make_person("ada")))["coreference_threshold"]
    # Of 0.35 and 0.25, neither contradictory, 0.1 and 0.2 drop none: precision 0, which is defined.
    assert (len(found.samples), found.chosen.threshold, found.chosen.precision.value) == (2, 0.1, 0.0)
    Candidate.objects.filter(error_type="coreference").update(contradiction=0.01)
    assert swept(found_sample(build))["coreference_threshold"].chosen is None


def found_sample(build):
    return build.threshold_samples.get()


def test_a_candidate_without_the_figure_takes_no_part_in_its_sweep(build):
    sample = labelled_sample(build, make_person("ada"))
    Candidate.objects.filter(error_type="entity").update(fluency=None)
    found = swept(sample)
    assert (len(found["margin"].samples), found["margin"].unmeasured) == (8, 2)
    assert (len(found["threshold"].samples), found["threshold"].unmeasured) == (10, 0)


def test_a_filter_that_lets_everything_pass_is_not_swept():
    settings = FilterSettings(ContradictionFilter(by="judge", model="m"))
    build = make_build(make_dataset(), settings=settings)
    assert list(swept(labelled_sample(build, make_person("ada")))) == ["threshold", "coreference_threshold"]


def test_each_type_is_told_under_the_threshold_in_use_for_it(build):
    rows = {row.error_type: row for row in results_of(labelled_sample(build, make_person("ada"))).types}
    assert (rows["entity"].threshold, rows["entity"].dropped.value, rows["entity"].precision.value) == (0.6, 0.0, 1.0)
    # 0.35 is kept at 0.3 though nobody finds it contradictory, 0.25 is dropped.
    coreference = rows["coreference"]
    assert (coreference.threshold, coreference.dropped.value, coreference.precision.value) == (0.3, 0.5, 0.0)
    assert (rows["link"].dropped.value, rows["link"].precision.value) == (1.0, None)


def test_the_chart_has_a_row_for_each_threshold_and_share(build):
    results = results_of(labelled_sample(build, make_person("ada")))
    first, chart = results.sweeps[0], charts_of(results)[0]
    assert len(chart.rows) == 18
    assert chart.rows[0] == {
        "threshold": 0.1,
        "share": 6 / 9,
        "of": "kept ones contradictory",
        "n": 9,
        **dict(zip(("low", "high"), first.steps[0].precision.interval, strict=True)),
    }


def test_what_other_thresholds_would_keep_is_told_by_the_figures_alone(build):
    assert kept_under(build, SETTINGS) == 3  # 0.95, 0.75, and coreference 0.35; the others fail one of the filters
    assert kept_under(build, with_thresholds(SETTINGS, {"threshold": 0.5, "margin": 0.4})) == 6


def test_a_next_build_begins_with_what_this_one_has(build):
    carried = form_of_next(build, SETTINGS)
    assert carried["contradiction_by"] == "judge"
    assert (carried["source"], carried["endpoint"]) == (build.source_id, build.endpoint_id)
    assert not {"threshold", "coreference_threshold", "margin", "name"} & set(carried)


def test_the_command_draws_and_prints_what_was_chosen(build, capsys):
    call_command("filter_thresholds", "lab", "ferries", "--draw", "10", "--json")
    assert json.loads(capsys.readouterr().out)["size"] == 10
    with pytest.raises(CommandError, match="0 of 10 candidates are labelled"):
        call_command("filter_thresholds", "lab", "ferries")
    ThresholdItem.objects.all().delete()
    labelled_sample(build, make_person("ada"))
    call_command("filter_thresholds", "lab", "ferries", "--json")
    told = json.loads(capsys.readouterr().out)
    assert {each["name"]: each["chosen"] for each in told["sweeps"]} == {
        "threshold": 0.3,
        "coreference_threshold": 0.1,
        "margin": 0.3,
    }
    call_command("filter_thresholds", "lab", "ferries")
    assert "chosen" in capsys.readouterr().out


def test_the_command_says_what_is_missing(build):
    with pytest.raises(CommandError, match="no candidates have been drawn"):
        call_command("filter_thresholds", "lab", "ferries")
    with pytest.raises(CommandError, match="draw 1 to 10"):
        call_command("filter_thresholds", "lab", "ferries", "--draw", "11")
    build.benchmark.build.delete()
    with pytest.raises(CommandError, match="came as a file"):
        call_command("filter_thresholds", "lab", "ferries")


def test_sentences_are_counted_so_that_intervals_can_be_judged(build):
    first, second = Candidate.objects.order_by("pk")[:2]
    Candidate.objects.filter(pk=second.pk).update(item=first.item, position=1)
    assert results_of(labelled_sample(build, make_person("ada"))).sentences == 9
    assert draw_sample(build, 5, 7, None).items.count() == 5
    assert len(FIGURES) == 10
