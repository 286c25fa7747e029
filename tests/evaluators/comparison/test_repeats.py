"""Repeats of an evaluator are one evaluator, in the report, the comparison and on their page."""

import re

import pytest
from django.urls import reverse

from annotate.gold.freeze import freeze_gold
from evaluators.audit.find import evaluators_of
from evaluators.comparison.figures import compare
from evaluators.comparison.question import EVERY_PAIR, ComparisonQuestion
from evaluators.comparison.report import build_report
from evaluators.comparison.study import study_of
from evaluators.models import Evaluator, Prediction, Run
from tests.evaluators.comparison.rows import add_run, result
from tests.evaluators.comparison.test_people import label
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab():
    """Twelve prompts of one error and one correct unit."""
    dataset = make_dataset()
    for number in range(12):
        first, second = make_response(dataset, prompt=f"Question {number}?").segments.all()
        add_gold(first, "not_supported", "reasoning_error")
        add_gold(second, "supported")
    return dataset


def ask(dataset, found, asking=0, name="judge", method="felm-segment"):
    """A run that finds the first so many errors and calls no correct unit an error."""
    units = [list(response.segments.all()) for response in dataset.responses.order_by("position")]
    said = {first: "N" if place < found else "S" for place, (first, _) in enumerate(units)}
    Evaluator.objects.get_or_create(name=name, defaults={"method": method, "model": "m"})
    run = add_run(dataset, said | {second: "S" for _, second in units}, name, method)
    run.asking, run.manifest = asking, {"dataset": {"content_hash": "a"}}
    run.save(update_fields=["asking", "manifest"])
    return run


def entry(document, name="judge"):
    return next(each for each in document["evaluators"] if each["evaluator"] == name)


def comparison(dataset, **question):
    return compare(dataset, None, ComparisonQuestion("segment", "domain", family=EVERY_PAIR, **question))


def test_figures_are_over_all_runs(lab):
    runs = [ask(lab, found, asking) for asking, found in enumerate((4, 8, 9))]

    report = build_report(lab)

    row = result(report)
    # TP 4 + 8 + 9 of 36 errors, no false alarm.
    assert row["pessimistic"]["f1"] == pytest.approx(2 * 21 / (2 * 21 + 15))
    assert (row["n"], row["tp"], row["fn"], row["fp"], row["tn"]) == (24, 7, 5, 0, 12)
    assert entry(report)["runs"] == [run.pk for run in runs]
    assert entry(report)["run_noise_unmeasured"] is None
    noise, _ = entry(report)["run_noise"]
    assert noise["level"] == "segment"
    assert noise["figures"] == pytest.approx([8 / 16, 16 / 20, 18 / 21])
    assert noise["runs_to_halve"] == 6


def test_the_interval_of_repeats_is_wider_than_one_over_prompts_alone(lab):
    for asking, found in enumerate((4, 8, 9)):
        ask(lab, found, asking)
    steady = make_dataset("steady")
    for number in range(12):
        first, second = make_response(steady, prompt=f"Question {number}?").segments.all()
        add_gold(first, "not_supported", "reasoning_error")
        add_gold(second, "supported")
    ask(steady, 7, name="steady")

    low, high = result(build_report(lab))["f1_interval"]
    alone = result(build_report(steady), "steady")["f1_interval"]

    assert high - low > 1.1 * (alone[1] - alone[0])


def test_with_one_run_the_noise_is_not_measured(lab):
    ask(lab, 5)
    add_run(lab, {}, "words", "lexical")

    report = build_report(lab)

    assert "the model was asked once" in entry(report)["run_noise_unmeasured"]
    assert (entry(report)["run_noise"], len(entry(report)["runs"])) == ([], 1)
    assert entry(report, "words")["run_noise_unmeasured"] is None
    assert entry(report, "random")["runs"] == []


def test_repeats_are_no_rivals(lab):
    """Under other names too: three tickets would make one of them the first more often than one."""
    ask(lab, 6, 0)
    ask(lab, 9, 1)
    ask(lab, 11, 2, name="judge again")
    ask(lab, 7, 0, name="other", method="felm-segment-cot")

    document = comparison(lab)

    assert len(entry(document)["runs"]) == 3
    assert (entry(document)["rank"], entry(document, "other")["rank"]) == (1, 2)
    twin = entry(document, "judge again")
    assert (twin["rank"], twin["same_as"]) == (None, "judge")
    assert twin["unranked"] == "the same as judge: its runs are repeats of that one"
    pairs = {frozenset((each["one"], each["other"])) for each in document["pairs"] if each["p_adjusted"] is not None}
    everything = "always-not-supported"
    assert pairs == {frozenset(pair) for pair in (("judge", "other"), ("judge", everything), ("other", everything))}
    leader = build_report(lab)
    assert result(leader, "judge again")["unranked"] == twin["unranked"]
    assert result(leader)["unranked"] is None


def test_the_gold_audit_has_the_same_figures(lab):
    ask(lab, 6, 0)
    ask(lab, 9, 1, name="judge again")

    (found,) = evaluators_of(study_of(lab, None))

    assert found.judge.name == "judge"
    assert found.margin.f1 == pytest.approx(result(build_report(lab))["pessimistic"]["f1"])
    document = comparison(lab)
    (pair,) = (each for each in document["pairs"] if {each["one"], each["other"]} == {"judge", "always-not-supported"})
    assert found.is_good == (pair["better"] == "judge")
    assert found.margin.interval.ends() == pytest.approx([-end for end in reversed(pair["simultaneous_interval"])])


def test_sets_of_runs_are_permuted_where_both_have_several(lab):
    for asking, found in enumerate((9, 10, 11)):
        ask(lab, found, asking)
    for asking, found in enumerate((2, 3, 4)):
        ask(lab, found, asking, "other", "felm-segment-cot")
    ask(lab, 1, 0, "once", "felm-segment-link")

    document = comparison(lab)

    def pair(one, other):
        return next(each for each in document["pairs"] if {each["one"], each["other"]} == {one, other})

    # Of the 20 ways to part six runs, two differ by as much as the best three and the worst three.
    assert (pair("judge", "other")["p_runs"], pair("judge", "other")["p_runs_floor"]) == (2 / 20, 2 / 20)
    assert pair("judge", "once")["p_runs"] is None
    assert entry(document)["run_noise"]["figures"] == pytest.approx([18 / 21, 20 / 22, 22 / 23])
    assert entry(document, "once")["run_noise"] is None


def test_a_new_repeat_changes_the_figures(client, lab):
    rhea = make_person("rhea", lab, "researcher")
    client.force_login(rhea)
    ask(lab, 4, 0)
    before = client.get(f"/datasets/{lab.pk}/compare/").content.decode()
    ask(lab, 10, 1)

    after = client.get(f"/datasets/{lab.pk}/compare/").content.decode()

    assert "Run-to-run noise not measured" in before
    assert "2 runs" not in before
    assert "Run-to-run noise not measured" not in after
    assert "2 runs" in after


def test_the_leaderboard_has_one_row_of_repeats(client, lab):
    client.force_login(make_person("rhea", lab, "researcher"))
    runs = [ask(lab, found, asking) for asking, found in enumerate((4, 8))]

    page = client.get(f"/datasets/{lab.pk}/leaderboard/").content.decode()

    assert '<summary class="quiet">2 runs</summary>' in page
    for run, value in zip(runs, ("0.500", "0.800"), strict=True):
        assert f'<a href="/runs/{run.pk}/">run {run.pk}</a>: {value}' in page
    assert f'href="/runs/{runs[1].pk}/repeats/"' in page
    # TP 4 + 8 of 24 errors, no false alarm: 24 / 36.
    assert "0.667" in page
    assert "Run-to-run noise not measured" not in page


def test_the_page_of_repeats_shows_each_run(client, lab):
    client.force_login(make_person("rhea", lab, "researcher"))
    runs = [ask(lab, found, asking) for asking, found in enumerate((4, 8, 9))]

    page = client.get(f"/runs/{runs[0].pk}/repeats/").content.decode()

    for run in runs:
        assert f'href="/runs/{run.pk}/"' in page
    assert "All 3 runs" in page
    assert "over prompts and runs" in page
    assert "which prompts there are" in page.lower()
    assert "6 runs would halve this part" in " ".join(page.split())
    table = client.get(f"/runs/{runs[0].pk}/repeats/?table=runs&as=csv").content.decode("utf-8-sig").splitlines()
    assert table[0] == "Level,Run,F1,F1 low,F1 high"
    assert table[1].startswith(f"Segments,run {runs[0].pk},0.5,")
    assert [line.split(",")[1] for line in table[1:5]] == [*(f"run {run.pk}" for run in runs), "all runs"]


def test_the_leaderboard_gives_the_own_reason_of_each_evaluator_that_is_not_ranked(client, lab):
    """The same evaluator under another name judged every unit."""
    client.force_login(make_person("rhea", lab, "researcher"))
    ask(lab, 4)
    ask(lab, 8, 1, name="again")
    add_run(lab, {}, "silent", "lexical")

    page = squeezed(client.get(f"/datasets/{lab.pk}/leaderboard/").content.decode())

    assert "the same as judge: its runs are repeats of that one" in page
    assert "judged 0 % of the units; 95 % are asked for" in page
    assert "needs predictions for" not in page


def test_links_to_repeats_and_people_keep_the_gold_of_the_leaderboard(client, lab):
    client.force_login(make_person("rhea", lab, "researcher"))
    freeze_gold(lab, "v 1", make_person("dora", lab, "adjudicator"))
    runs = [ask(lab, found, asking) for asking, found in enumerate((4, 8))]
    once = ask(lab, 1, 0, "once", "felm-segment-link")

    for name in ("leaderboard", "compare"):
        page = client.get(f"/datasets/{lab.pk}/{name}/?gold=v+1").content.decode()
        assert f"/runs/{runs[1].pk}/repeats/?gold=v%201" in page
        assert f"/runs/{once.pk}/repeats/?gold=v%201" in page
    assert "Measured against gold v 1." in squeezed(client.get(f"/runs/{once.pk}/repeats/?gold=v+1").content.decode())


@pytest.mark.parametrize("page", ["stages", "combinations", "compare/growing", "compare/people", "thresholds"])
def test_pages_of_the_last_run_alone_name_the_evaluators_with_several(client, lab, page):
    client.force_login(make_person("rhea", lab, "researcher"))
    _, last = [ask(lab, found, asking) for asking, found in enumerate((4, 8))]
    ask(lab, 1, 0, "once", "felm-segment-link")
    Prediction.objects.filter(run=last).update(score=0.5)
    label(lab, ada=["NS"], ben=["NS"])

    text = squeezed(client.get(f"/datasets/{lab.pk}/{page}/").content.decode())

    assert f'Only the last run is used of <a href="/runs/{last.pk}/repeats/">judge</a> (2 runs).' in text


def test_nothing_is_said_of_ever_more_runs_where_the_part_of_the_prompts_is_below_zero(client, lab):
    """With that part set to 0 the standard error would come out as 0."""
    client.force_login(make_person("rhea", lab, "researcher"))
    units = [list(response.segments.all()) for response in lab.responses.order_by("position")]
    # Each error is found in one run of two: runs differ on every prompt, and prompts are alike.
    for asking in (0, 1):
        run = ask(lab, 0, asking)
        errors = [first for place, (first, _) in enumerate(units) if place % 2 == asking]
        Prediction.objects.filter(run=run, segment__in=errors).update(value="not_supported")

    text = squeezed(client.get(f"/runs/{run.pk}/repeats/").content.decode())

    assert "4 runs would halve this part" in text
    assert "The limit for more runs is unknown" in text
    assert "0.000 times" not in text


def test_the_page_says_how_to_measure_the_noise_of_one_run(client, lab):
    client.force_login(make_person("rhea", lab, "researcher"))
    run = ask(lab, 4)

    page = client.get(f"/runs/{run.pk}/repeats/").content.decode()

    assert "Run-to-run noise is not measured: the model was asked once" in page
    assert f"/datasets/{lab.pk}/runs/new/?method=felm-segment&amp;model=m&amp;name=judge&amp;anew=on" in page
    form = client.get(f"/datasets/{lab.pk}/runs/new/?method=felm-segment&model=m&name=judge&anew=on").content.decode()
    assert re.search(r'<input[^>]* name="anew"[^>]* checked', form)


def test_the_page_of_a_method_without_a_model_says_that_there_is_no_noise(client, lab):
    client.force_login(make_person("rhea", lab, "researcher"))
    run = add_run(lab, {}, "words", "lexical")

    page = client.get(f"/runs/{run.pk}/repeats/").content.decode()

    assert "No noise between runs" in page
    assert "Repeat the run" not in page


def test_the_page_of_the_same_evaluator_under_another_name_leads_to_the_first(client, lab):
    client.force_login(make_person("rhea", lab, "researcher"))
    ask(lab, 4)
    twin = ask(lab, 6, 1, name="again")

    page = client.get(f"/runs/{twin.pk}/repeats/").content.decode()

    assert "It makes the same calls as judge" in page


def test_without_gold_or_a_finished_run_the_page_says_so(client):
    dataset = make_dataset()
    client.force_login(make_person("rhea", dataset, "researcher"))
    unit = make_response(dataset).segments.first()
    run = add_run(dataset, {}, state=Run.State.RUNNING)

    assert "No gold yet" in client.get(f"/runs/{run.pk}/repeats/").content.decode()
    add_gold(unit, "supported")
    assert "No finished run yet" in client.get(f"/runs/{run.pk}/repeats/").content.decode()


def test_names_of_figures_link_to_their_definitions(lab, client):
    run = [ask(lab, found, asking) for asking, found in enumerate((4, 8, 9))][-1]
    client.force_login(make_person("rhea", lab, "researcher"))
    page = client.get(reverse("run-repeats", args=[run.pk])).text
    check_figure_names(page, "F1")
    check_figure_names(
        page.partition('<dl class="facts">')[2].partition("</dl>")[0], "Which prompts there are", terms=True
    )
