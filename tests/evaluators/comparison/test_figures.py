"""The figures of the comparison page, small and at once, or large and by a worker."""

import json
import re
from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.agreement.report import build_agreement
from annotate.models import Assignment, Label, Task
from core.caching import memory
from core.errors import DataError
from evaluators.comparison import ready, study
from evaluators.comparison.annotators import human_f1
from evaluators.comparison.comparison_job import ComparisonJob
from evaluators.comparison.figures import compare
from evaluators.comparison.question import ComparisonQuestion, read_question
from evaluators.comparison.ready import ComparisonProgress, comparison_of, leaderboard_of
from evaluators.comparison.report import build_report
from evaluators.models import Comparison
from jobs.enqueue import sweep
from jobs.work import work_on
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db
SEGMENTS = ComparisonQuestion("segment", "domain")


@pytest.fixture
def lab():
    """Ten responses in science and two in math, the first segment of each an error. Ada finds all, Ben none."""
    dataset = make_dataset("lab")
    for place in range(12):
        first, second = make_response(dataset, domain="science" if place < 10 else "math").segments.all()
        add_gold(first, "not_supported", "knowledge")
        add_gold(second, "supported")
    add_run(dataset, dict(zip(segments(dataset), "NS" * 12, strict=True)), "ada")
    add_run(dataset, dict(zip(segments(dataset), "SS" * 12, strict=True)), "ben")
    return dataset


def segments(dataset):
    return [segment for response in dataset.responses.all() for segment in response.segments.all()]


def of(document, name):
    return next(row for row in document["evaluators"] if row["evaluator"] == name)


def pair(document, one, other):
    return next(each for each in document["pairs"] if {each["one"], each["other"]} == {one, other})


def label(dataset, **said):
    """What each of these people said of the segments of the first response, by letter."""
    first = dataset.responses.first()
    task = Task.objects.create(dataset=dataset, position=0, wants=len(said))
    dataset.responses.filter(pk=first.pk).update(task=task)
    for place, (name, letters) in enumerate(said.items()):
        assignment = Assignment.objects.create(
            task=task, annotator=make_person(name), place=place, state="submitted", submitted_at=timezone.now()
        )
        for segment, letter in zip(first.segments.all(), letters, strict=True):
            value = {"S": "supported", "N": "not_supported"}[letter]
            Label.objects.create(assignment=assignment, segment=segment, value=value)


def test_it_says_what_the_report_says(lab):
    rows = next(row for row in build_report(lab)["evaluators"] if row["evaluator"] == "ada")["results"]
    results = of(comparison_of(lab, None, SEGMENTS), "ada")["results"]

    assert list(results) == ["all", "science", "math"]
    assert list(results.values()) == [row for row in rows if row["level"] == "segment"]


def test_who_is_shown_better_has_ranks_to_oneself(lab):
    document = comparison_of(lab, None, ComparisonQuestion("segment", "domain", ("ada", "ben")))

    assert pair(document, "ada", "ben")["better"] == "ada"
    assert pair(document, "ada", "ben")["difference"] == 1
    assert (of(document, "ada")["rank"], of(document, "ada")["range"]) == (1, [1, 1])
    assert pair(document, "ben", "always-supported")["better"] is None


def test_ticked_slices_alone_count(lab):
    document = comparison_of(lab, None, ComparisonQuestion("segment", "domain", slices=("math",)))

    assert of(document, "ada")["results"]["all"]["n"] == 4
    assert list(of(document, "ada")["results"]) == ["all", "math"]
    assert pair(document, "ada", "ben")["n"] == 4
    assert pair(document, "ada", "ben")["better"] is None  # two prompts show nothing


def test_a_slice_by_type_of_error_has_a_recall_and_says_why_nothing_else(lab):
    document = comparison_of(
        lab, None, ComparisonQuestion("segment", "error_type", slices=("knowledge",), figure="recall")
    )
    found = of(document, "ada")["results"]["knowledge"]

    assert (found["recall"], found["balanced_accuracy"], found["macro_f1"]) == (1, None, None)
    assert "correct" in found["undefined"]["balanced_accuracy"]
    assert "no correct unit" in document["only_recall"]


def test_random_has_its_draw_and_its_expectation_in_each_slice(lab):
    results = of(comparison_of(lab, None, SEGMENTS), "random")["results"]

    # Half of the errors and of the correct ones are called: F1 = 2·½E/(½E + ½C + E), with E = C.
    assert results["math"]["expected"]["f1"] == 0.5
    assert results["all"]["n"] == 24


def test_mcnemar_is_of_whole_responses_only(lab):
    level, whole = (ComparisonQuestion(name, "domain", ("ada", "ben")) for name in ("segment", "response"))

    assert pair(comparison_of(lab, None, level), "ada", "ben")["mcnemar"] is None
    # All twelve responses have an error, which only Ada finds: 2 · 2⁻¹².
    assert pair(comparison_of(lab, None, whole), "ada", "ben")["mcnemar"] == pytest.approx(2 / 2**12)


def test_without_gold_errors_there_is_no_rank(lab):
    make_response(lab, domain="empty")
    for segment in lab.responses.last().segments.all():
        add_gold(segment, "supported")
    document = comparison_of(lab, None, ComparisonQuestion("segment", "domain", slices=("empty",)))

    assert (of(document, "ada")["rank"], of(document, "ada")["range"]) == (None, None)
    assert pair(document, "ada", "ben")["difference"] is None


def test_people_stand_beside_at_the_level_and_in_the_slice(lab):
    label(lab, ada="NN", ben="NS")
    segment = comparison_of(lab, None, SEGMENTS)["human"]
    response = comparison_of(lab, None, ComparisonQuestion("response", "domain"))["human"]

    assert (segment["all"]["f1"], segment["science"]["n"]) == (pytest.approx(2 / 3), 2)
    assert segment["math"]["f1"] is None
    assert "two annotators" in segment["math"]["undefined"]["f1"]
    assert (response["all"]["f1"], response["all"]["n"]) == (1, 1)


def test_people_are_the_reference_that_agreement_gives(lab):
    label(lab, ada="NN", ben="NS", cleo="SN")
    expected = build_agreement(lab)["human_reference"]["f1"]

    assert comparison_of(lab, None, SEGMENTS)["human"]["all"]["f1"] == pytest.approx(expected)
    assert human_f1(lab, "segment", "science") == pytest.approx(expected)


def test_it_is_strict_json(lab):
    json.dumps(comparison_of(lab, None, ComparisonQuestion("segment", "error_type")), allow_nan=False)


def test_a_new_run_shows_at_once(lab):
    comparison_of(lab, None, SEGMENTS)
    add_run(lab, {segments(lab)[0]: "N"}, "cleo")

    assert of(comparison_of(lab, None, SEGMENTS), "cleo")["results"]["all"]["predicted"] == 1


def test_an_evaluator_that_never_ran_is_an_error(lab):
    with pytest.raises(DataError, match="'cleo'"):
        comparison_of(lab, None, ComparisonQuestion("segment", "domain", ("cleo",)))


def test_a_large_comparison_is_computed_by_a_worker(lab, monkeypatch):
    at_once = comparison_of(lab, None, SEGMENTS)
    monkeypatch.setattr(ready, "AT_ONCE", 10)

    waiting = comparison_of(lab, None, SEGMENTS)
    assert isinstance(waiting, ComparisonProgress)
    assert (waiting.done, waiting.worker_alive, waiting.error) == (0, False, "")
    work_on(ComparisonJob(), Comparison.objects.get().pk)

    there = comparison_of(lab, None, SEGMENTS)
    assert there == json.loads(json.dumps(at_once))


def test_asking_again_starts_nothing_new(lab, monkeypatch):
    monkeypatch.setattr(ready, "AT_ONCE", 10)
    for _ in range(2):
        comparison_of(lab, None, SEGMENTS)

    assert Comparison.objects.count() == 1


def fail_once():
    """The worker finds an evaluator that is gone; afterwards it is there again."""
    row = Comparison.objects.get()
    Comparison.objects.update(question={**row.question, "evaluators": ["cleo"]})
    work_on(ComparisonJob(), row.pk)
    Comparison.objects.update(question=row.question)


def test_a_failed_comparison_is_told_and_computed_again_for_who_asks_later(lab, monkeypatch):
    monkeypatch.setattr(ready, "AT_ONCE", 10)
    comparison_of(lab, None, SEGMENTS)
    fail_once()
    assert "'cleo'" in comparison_of(lab, None, SEGMENTS).error
    assert Comparison.objects.get().state == "failed"

    Comparison.objects.update(settled_at=timezone.now() - ready.RETRY_AFTER, enqueued_at=None)
    assert comparison_of(lab, None, SEGMENTS).error == ""
    row = Comparison.objects.get()
    assert (row.state, row.attempts, row.enqueued_at is None) == ("waiting", 0, False)
    work_on(ComparisonJob(), row.pk)
    assert isinstance(comparison_of(lab, None, SEGMENTS), dict)


def test_the_page_of_a_failed_comparison_asks_no_more(lab, monkeypatch, client):
    monkeypatch.setattr(ready, "AT_ONCE", 10)
    client.force_login(make_person("rhea", lab, "researcher"))
    address = reverse("compare", args=[lab.pk])
    assert 'hx-trigger="every 1s"' in client.get(address).content.decode()
    fail_once()

    page = client.get(address).content.decode()
    assert "The figures could not be computed" in page
    assert 'hx-trigger="every 1s"' not in page


def more_gold(dataset):
    add_gold(make_response(dataset, ["Three."]).segments.get(), "not_supported")


def test_a_comparison_overtaken_by_new_gold_is_for_those_who_asked_for_it(lab, monkeypatch):
    """While people label, gold changes sooner than the figures are computed: who asked gets them all the same."""
    monkeypatch.setattr(ready, "AT_ONCE", 10)
    asked = comparison_of(lab, None, SEGMENTS)
    row = Comparison.objects.get()
    overtaken = "evaluators.comparison.comparison_job.compare"
    monkeypatch.setattr(overtaken, lambda *given: more_gold(lab) or compare(*given))
    work_on(ComparisonJob(), row.pk)
    assert of(comparison_of(lab, None, SEGMENTS, asked.since), "ada")["results"]["all"]["n"] == 25

    # Of another question, and for who asks later, there are none.
    later = comparison_of(lab, None, SEGMENTS)
    assert later.since > asked.since
    other = comparison_of(lab, None, ComparisonQuestion("response", "domain"), asked.since)
    assert isinstance(other, ComparisonProgress)
    # While gold goes on changing, nothing is computed twice at once.
    more_gold(lab)
    assert comparison_of(lab, None, SEGMENTS).since == later.since
    assert Comparison.objects.count() == 3


def test_the_page_of_a_comparison_follows_the_figures_it_asked_for(lab, monkeypatch, client):
    monkeypatch.setattr(ready, "AT_ONCE", 10)
    client.force_login(make_person("rhea", lab, "researcher"))
    address = reverse("compare", args=[lab.pk])
    [poll] = re.findall(r'hx-get="([^"]*since=[^"]*)"', client.get(address).text)
    more_gold(lab)
    assert re.findall(r'hx-get="([^"]*since=[^"]*)"', client.get(poll).text) == [poll]

    work_on(ComparisonJob(), Comparison.objects.get().pk)
    page = client.get(poll).text
    assert "Later changes of gold" in page
    assert f'href="{address}?"' in page
    since = poll.partition("?")[2]
    charts = re.findall(r'"(/[^"]*\.svg\?[^"]*)"', page)
    assert charts
    assert all(since in chart and client.get(unescape(chart)).status_code == 200 for chart in charts)
    assert client.get(f"{address}?since=yesterday").status_code == 200


def test_a_comparison_whose_evaluator_went_says_so(lab, monkeypatch):
    monkeypatch.setattr(ready, "AT_ONCE", 10)
    row = Comparison.objects.create(
        dataset=lab, key="gone", question={"level": "segment", "slicing": "domain", "evaluators": ["cleo"]}
    )
    work_on(ComparisonJob(), row.pk)
    row.refresh_from_db()

    assert (row.state, "'cleo'" in row.error) == ("failed", True)


def test_what_a_killed_worker_held_is_computed_after_all(lab, monkeypatch):
    monkeypatch.setattr(ready, "AT_ONCE", 10)
    comparison_of(lab, None, SEGMENTS)
    past = timezone.now() - timedelta(hours=1)
    Comparison.objects.update(state="leased", lease_owner="gone", lease_until=past, enqueued_at=past)

    assert sweep(ComparisonJob()) == [Comparison.objects.get().pk]
    work_on(ComparisonJob(), Comparison.objects.get().pk)
    assert isinstance(comparison_of(lab, None, SEGMENTS), dict)


def test_a_question_comes_back_from_json():
    question = ComparisonQuestion("response", "domain", ("ada",), ("math",), "recall")

    assert read_question(json.loads(json.dumps(question.__dict__))) == question


def test_silence_is_not_ranked_and_never_better(lab):
    """Cleo judged one unit, and rightly: F1 1.000, as Ada's, but 1 unit of 24 is no judgement of the data."""
    add_run(lab, {segments(lab)[0]: "N"}, "cleo")
    document = comparison_of(lab, None, SEGMENTS)
    cleo = of(document, "cleo")

    assert cleo["results"]["all"]["f1"] == 1
    assert (cleo["rank"], cleo["range"]) == (None, None)
    assert cleo["unranked"] == "judged 4 % of the units; 95 % are asked for"
    assert [of(document, name)["rank"] for name in ("ada", "ben")] == [1, 2]
    assert {each["better"] for each in document["pairs"] if "cleo" in (each["one"], each["other"])} == {None}


def test_a_site_chooses_the_coverage_from_which_evaluators_are_ranked(lab, settings):
    add_run(lab, {segments(lab)[0]: "N"}, "cleo")
    assert of(comparison_of(lab, None, SEGMENTS), "cleo")["rank"] is None
    settings.LEAST_COVERAGE = 0.04
    # No stored figure answers: the coverage is a part of its name.
    assert of(comparison_of(lab, None, SEGMENTS), "cleo")["unranked"] is None


def test_pairs_are_over_all_units_with_gold(lab):
    """Cleo found eleven errors and left the last one out: that error counts as missed."""
    said = dict(list(zip(segments(lab), "NS" * 12, strict=True))[:22])
    add_run(lab, said | {segments(lab)[23]: "S"}, "cleo")
    found = pair(comparison_of(lab, None, SEGMENTS), "ada", "cleo")

    assert (found["n"], found["n_both_judged"]) == (24, 23)
    assert (found["difference"], found["difference_both_judged"]) == (pytest.approx(1 - 22 / 23), 0)


def test_ranks_ranges_and_better_never_contradict_each_other(lab):
    """Evaluators of several worths and coverages: whoever is named better has the higher figure and the better rank."""
    units = segments(lab)
    for number in range(6):
        said = ["N" if place % 2 == number % 2 or place % (number + 2) == 0 else "S" for place in range(24)]
        add_run(lab, dict(list(zip(units, said, strict=True))[: 24 - number % 3]), f"judge {number}")
    sets = []
    for family in ("leader", "pairs"):
        document = comparison_of(lab, None, ComparisonQuestion("segment", "domain", family=family))
        ranked = {row["evaluator"]: row for row in document["evaluators"] if row["rank"] is not None}
        assert min(row["rank"] for row in ranked.values()) == 1
        for name, row in ranked.items():
            assert row["range"][0] <= row["rank"] <= row["range"][1], name
            assert row["rank_set"][0] <= row["rank"] <= row["rank_set"][1], name
        sets.append({name: row["rank_set"] for name, row in ranked.items()})
        for each in document["pairs"]:
            if each["better"] in ranked and {each["one"], each["other"]} <= set(ranked):
                (worse,) = {each["one"], each["other"]} - {each["better"]}
                assert ranked[each["better"]]["rank"] < ranked[worse]["rank"]
    # The sets are by every pair, whatever family the page tests; where that is every pair, they are the ranges.
    assert sets[0] == sets[1] == {name: row["range"] for name, row in ranked.items()}
    assert any(first != last for first, last in sets[0].values())


def test_the_highest_is_tested_against_the_others_and_on_request_every_pair_is(lab):
    add_run(lab, dict(zip(segments(lab), "NN" * 12, strict=True)), "cleo")
    leader, every = (
        comparison_of(lab, None, ComparisonQuestion("segment", "domain", family=family))
        for family in ("leader", "pairs")
    )

    assert pair(leader, "ben", "cleo")["p_adjusted"] is None
    assert pair(every, "ben", "cleo")["better"] == "cleo"
    assert pair(leader, "ben", "cleo")["p"] == pair(every, "ben", "cleo")["p"]
    assert pair(leader, "ada", "always-not-supported")["better"] == "ada"
    assert pair(leader, "ada", "random")["p_adjusted"] is None


def test_responses_that_share_prompts_are_permuted_by_prompt():
    """Two prompts with six responses each, all with an error. Ada finds those of the first prompt, Ben none.

    McNemar's test would take the six for independent draws: 2 / 2⁶ = 0.03.
    """
    dataset = make_dataset("shared")
    for topic in ("odd", "even"):
        prompt = make_response(dataset, ["One."], index=topic).prompt
        for subject in "abcde":
            make_response(dataset, ["One."], prompt=prompt, subject=subject, index=f"{subject}/{topic}")
    for segment in segments(dataset):
        add_gold(segment, "not_supported")
    add_run(dataset, dict(zip(segments(dataset), "NNNNNNSSSSSS", strict=True)), "ada")
    add_run(dataset, dict(zip(segments(dataset), "SSSSSSSSSSSS", strict=True)), "ben")
    found = pair(comparison_of(dataset, None, ComparisonQuestion("response", "length")), "ada", "ben")

    assert found["mcnemar"] is None
    # One prompt differs: exchanged or not, the difference is the same size.
    assert found["p_accuracy"] == 1


def test_figures_kept_by_an_older_version_are_not_shown(lab, monkeypatch):
    """A row of version 0.2.0 has pairs without an adjusted p; its key is of the older figures."""
    monkeypatch.setattr(ready, "AT_ONCE", 10)
    with monkeypatch.context() as older:
        older.setattr(study, "FIGURES_VERSION", 1)
        comparison_of(lab, None, SEGMENTS)
    Comparison.objects.update(state="done", figures={"pairs": [{"p_holm": 0.01}]})

    assert isinstance(comparison_of(lab, None, SEGMENTS), ComparisonProgress)
    assert Comparison.objects.count() == 2


def test_a_question_of_an_older_version_is_about_the_leader():
    fields = {"level": "segment", "slicing": "domain", "evaluators": None, "slices": [], "figure": "f1"}

    assert read_question(fields) == ComparisonQuestion("segment", "domain", family="leader")


def test_a_large_leaderboard_is_computed_by_a_worker(client, lab, monkeypatch):
    """Its page is there at once and asks again until the figures are; they are those of a small one."""
    client.force_login(make_person("rhea", lab, "researcher"))
    address = reverse("leaderboard", args=[lab.pk])
    asked = {"HX-Request": "true"}
    at_once = client.get(address, headers=asked).text
    memory.clear()
    monkeypatch.setattr(ready, "AT_ONCE", 10)

    for _ in range(2):
        page = client.get(address).text
        assert 'hx-target="#leaderboard"' in page
        assert "Report as JSON" not in page
    report = Comparison.objects.get()
    work_on(ComparisonJob(), report.pk)
    report.refresh_from_db()
    assert report.figures == json.loads(json.dumps(build_report(lab)))

    # The ranks are those of the comparison, which is another job.
    assert "A worker computes the ranks." in client.get(address, headers=asked).text
    work_on(ComparisonJob(), Comparison.objects.exclude(pk=report.pk).get().pk)
    assert client.get(address, headers=asked).text == at_once


def test_a_leaderboard_whose_gold_has_changed_meanwhile_is_computed_anew(lab, monkeypatch):
    monkeypatch.setattr(ready, "AT_ONCE", 10)
    assert isinstance(leaderboard_of(lab, None), ComparisonProgress)
    first = Comparison.objects.get()
    add_gold(make_response(lab, ("One more.",)).segments.get(), "supported")
    work_on(ComparisonJob(), first.pk)
    assert isinstance(leaderboard_of(lab, None), ComparisonProgress)
    assert Comparison.objects.count() == 2
    # Who asked for the first has it, at every K of F1@K.
    for k in (None, 3):
        report = leaderboard_of(lab, None, k, first.created_at)
        assert of(report, "ada")["results"][0]["n"] == 25
