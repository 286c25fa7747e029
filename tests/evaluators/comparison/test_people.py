"""People and evaluators on the same targets: the figures, the page, and the keys of the command."""

import json
from io import StringIO
from urllib.parse import urlencode

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.models import Assignment, Label, Task, User
from annotate.people.names import pseudonym, user_names
from bench.pages import Cost, counted
from core.caching import memory
from evaluators.comparison import ready
from evaluators.comparison.comparison_job import ComparisonJob
from evaluators.comparison.people import describe_people, name_annotators
from evaluators.comparison.question import PeopleQuestion
from evaluators.models import Comparison
from jobs.work import work_on
from tests.api.conftest import client_of
from tests.docs.documented import undocumented
from tests.evaluators.comparison.rows import SHORT, add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
PART = {"HX-Request": "true"}


@pytest.fixture
def lab():
    """Sixteen responses, the first segment of each an error. The judge finds all errors and nothing else."""
    dataset = make_dataset("lab")
    said = {}
    for _ in range(16):
        first, second = make_response(dataset, domain="science").segments.all()
        add_gold(first, "not_supported", "knowledge")
        add_gold(second, "supported")
        said |= {first: "N", second: "S"}
    add_run(dataset, said, "judge", "imported")
    return dataset


def label(dataset, **said):
    """Each person's letters for the two segments of every response, in turn."""
    people = [make_person(name) for name in said]
    for position, response in enumerate(dataset.responses.order_by("position")):
        task = Task.objects.create(dataset=dataset, position=position, wants=len(said))
        dataset.responses.filter(pk=response.pk).update(task=task)
        for place, (person, letters) in enumerate(zip(people, said.values(), strict=True)):
            assignment = Assignment.objects.create(
                task=task, annotator=person, place=place, state="submitted", submitted_at=timezone.now()
            )
            both = letters[position % len(letters)]
            for segment, letter in zip(response.segments.all(), both, strict=True):
                Label.objects.create(assignment=assignment, segment=segment, value=SHORT[letter])


def add_label(dataset, value):
    """A revision of somebody's label of the first segment."""
    first = Label.objects.of(dataset).earliest("pk")
    first.pk, first.revision, first.value = None, first.revision + 1, value
    first.save()


def work():
    """What a worker does with all that waits."""
    for pk in Comparison.objects.waiting().values_list("pk", flat=True):
        work_on(ComparisonJob(), pk)


@pytest.fixture
def large(lab, monkeypatch):
    """The lab as one whose figures a worker computes; three people labelled it."""
    label(lab, ada=["NS"], ben=["NS", "SS"], cleo=["NN", "NS"])
    monkeypatch.setattr(ready, "AT_ONCE", 0)
    return lab


def of(figures, name):
    return next(row for row in figures["evaluators"] if row["evaluator"] == name)


def read(dataset, query="", **headers):
    client = Client()
    client.force_login(User.objects.filter(username="rhea").first() or make_person("rhea", dataset, "researcher"))
    answer = client.get(reverse("compare-people", args=[dataset.pk]) + query, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode("utf-8-sig")


def test_two_people_and_a_judge_are_measured_on_each_others_labels(lab):
    """Ben misses every second error. Ada against Ben: 8 found, 8 alarms; Ben against Ada: 8 found, 8 missed."""
    label(lab, ada=["NS"], ben=["NS", "SS"])
    figures = describe_people(lab, None, PeopleQuestion("segment"))
    assert (figures["n"], figures["f1"]) == (64, pytest.approx(2 * 16 / (2 * 16 + 8 + 8)))
    # The judge against Ada is right throughout, against Ben it has 8 alarms: 24 found.
    judge = of(figures, "judge")
    assert judge["f1"] == pytest.approx(48 / 56)
    assert judge["difference"] == pytest.approx(48 / 56 - 32 / 48)
    # Of 64 labels 16 differ from the other's; of the judge's answers in their places the 8 against Ben.
    assert (figures["soft_distance"], judge["soft_distance"]) == (16 / 64, 8 / 64)
    assert judge["soft_difference"] == pytest.approx(-1 / 8)
    assert (judge["winning_rate"], judge["annotators"], judge["uncertain_f1"]) == (None, None, None)
    assert "and there are 2" in figures["undefined"]["test"]


def test_three_people_are_enough_for_the_test(lab):
    label(lab, ada=["NS"], ben=["NS", "SS"], cleo=["NN", "NS"])
    figures = name_annotators(describe_people(lab, None, PeopleQuestion("segment")), user_names(lab))
    judge = of(figures, "judge")
    assert figures["undefined"] == {}
    assert [row["annotator"] for row in judge["annotators"]] == ["ada", "ben", "cleo"]
    assert [row["n"] for row in judge["annotators"]] == [32, 32, 32]
    # Ada says what the judge says. Of Ben's 32 units 8 differ, and there Ada and Cleo stand with the judge.
    assert [row["judge"] for row in judge["annotators"]] == [1, 1, 1]
    assert [row["own"] for row in judge["annotators"]] == [1, 24 / 32, 24 / 32]
    assert judge["advantage"] == 1
    # Ben misses every second error and Cleo alarms at every second correct unit: Ada and the judge are right.
    assert judge["uncertain_f1"] == pytest.approx(1, abs=0.06)
    rates = {row["annotator"]: row for row in figures["annotators"]}
    assert rates["ben"]["sensitivity"] < 0.6 < rates["ada"]["sensitivity"]
    assert rates["cleo"]["specificity"] < 0.6 < rates["ada"]["specificity"]
    assert figures["prevalence"] == pytest.approx(0.5, abs=0.05)
    assert of(figures, "always-supported")["replaces"] == [False, False, False]


def test_the_page_says_what_is_missing_for_a_test(lab):
    label(lab, ada=["NS"], ben=["NS", "SS"])
    text = read(lab)
    assert "each against the others" in text
    assert "not available: it takes 3 annotators who each labelled 30 units" in text


def test_the_page_shows_who_may_replace_an_annotator(lab):
    label(lab, ada=["NS"], ben=["NS", "SS"], cleo=["NN", "NS"])
    text = read(lab)
    assert "may replace" in text
    assert "F1, gold uncertain" in text
    rows = read(lab, "?table=people&as=csv").splitlines()
    assert "advantage,winning_rate_at_0.10,winning_rate_at_0.15,winning_rate_at_0.20" in rows[0]
    assert rows[0].endswith("soft_difference,soft_difference_low,soft_difference_high")
    assert [row.split(",")[0] for row in rows[1:3]] == ["people", "always-supported"]


def test_without_a_second_label_the_page_says_what_to_do(lab):
    assert "No unit was labelled by two annotators." in squeezed(read(lab))


def test_without_gold_the_page_says_so():
    bare = make_dataset("bare")
    assert "No gold yet" in read(bare)


def test_responses_have_no_score(lab):
    """Scores are of the smallest units; a whole is 0 or 1."""
    label(lab, ada=["NS"], ben=["NS", "SS"])
    assert "the evaluator's score if it gives one" in read(lab)
    assert "score if it gives one" not in read(lab, "?level=response")


def test_the_comparison_page_takes_the_part_alone(lab):
    text = read(lab, **PART)
    assert "<h1>" not in text
    client = Client()
    client.force_login(make_person("cleo", lab, "researcher"))
    page = client.get(reverse("compare", args=[lab.pk])).content.decode()
    assert reverse("compare-people", args=[lab.pk]) in page


def test_every_key_of_the_command_is_documented(lab):
    label(lab, ada=["NS"], ben=["NS", "SS"], cleo=["NN", "NS"])
    out = StringIO()
    call_command("compare", "lab", "--json", stdout=out)
    document = json.loads(out.getvalue())
    assert of(document["people"], "judge")["annotators"][0]["p"]
    assert undocumented("compare", document) == set()


def test_names_of_figures_link_to_their_definitions(lab):
    label(lab, ada=["NS"], ben=["NS", "SS"], cleo=["NN", "NS"])
    check_figure_names(read(lab), "F1 against the others", "Average advantage")


def test_a_worker_computes_large_figures_and_the_page_says_so(large, monkeypatch):
    with monkeypatch.context() as small:
        small.setattr(ready, "AT_ONCE", 10_000)
        at_once, rows = read(large, **PART), read(large, "?table=people&as=csv")
    memory.clear()
    waiting = read(large)
    assert "Computing the figures" in waiting
    assert 'hx-target="#beside-people"' in waiting
    assert "Computing the figures" in read(large, **PART)
    assert Comparison.objects.count() == 1
    work()
    assert read(large, **PART) == at_once
    assert read(large, "?table=people&as=csv") == rows


def test_a_new_label_makes_them_stale(large):
    read(large)
    work()
    assert "each against the others" in read(large)
    add_label(large, "not_supported")
    assert "Computing the figures" in read(large)
    work()
    # Ada's second label of the first segment, a revision, is there beside the 3 × 32 labels.
    assert "each against the others" in read(large)
    assert Comparison.objects.done().count() == 2


def test_figures_overtaken_by_a_new_label_are_for_those_who_asked_for_them(large):
    read(large)
    since = urlencode({"since": Comparison.objects.get().created_at.isoformat()})
    add_label(large, "not_supported")
    work()
    assert "Computing the figures" in read(large)
    assert Comparison.objects.count() == 2
    assert "Later changes of gold" in read(large, f"?{since}")


def test_what_is_kept_names_nobody_and_each_reader_sees_the_names_of_the_role(large):
    read(large)
    work()
    ada = User.objects.get(username="ada")
    kept = json.dumps(Comparison.objects.get().figures)
    assert not any(name in kept for name in ("ada", "ben", "cleo"))
    seen = read(large)
    assert f"{pseudonym(large.pk, ada.pk)}\n  finds" in seen
    dora = Client()
    dora.force_login(make_person("dora", large, "adjudicator"))
    assert "ada\n  finds" in dora.get(reverse("compare-people", args=[large.pk])).content.decode()


def test_the_api_names_annotators_as_the_page_does(lab):
    label(lab, ada=["NS"], ben=["NS", "SS"], cleo=["NN", "NS"])
    names = {"dora": {"ada", "ben", "cleo"}}
    names["rhea"] = {pseudonym(lab.pk, person.pk) for person in User.objects.all()}
    for name, role in (("dora", "adjudicator"), ("rhea", "researcher")):
        client = client_of(make_person(name, lab, role))
        people = client.get(f"datasets/{lab.pk}/comparison/").json()["people"]
        assert {row["annotator"] for row in people["annotators"]} == names[name]
        assert {row["annotator"] for row in of(people, "judge")["annotators"]} == names[name]


def test_figures_that_cannot_be_computed_say_why(large):
    read(large)
    Comparison.objects.update(question={"people": {"level": "page", "evaluators": None}})
    work()
    page = read(large)
    assert "There is no level 'page'" in squeezed(page).replace("&#x27;", "'")
    assert 'hx-trigger="every 1s"' not in page


@pytest.mark.parametrize("page", ["compare", "compare-people", "leaderboard"])
def test_a_request_counts_the_labels_of_large_figures_and_reads_none(lab, monkeypatch, page):
    """The 64 labels of two people take few steps of SQLite's virtual machine: whoever reads them takes 40 or more each.
    Nothing of the dataset is in memory."""
    monkeypatch.setattr(ready, "AT_ONCE", 0)
    client, address = Client(), reverse(page, args=[lab.pk])
    client.force_login(make_person("rhea", lab, "researcher"))

    def cost() -> Cost:
        for _ in range(3):  # the leaderboard asks for its ranks when its report is there
            client.get(address)
            work()
        memory.clear()
        with counted(1) as counted_cost:
            text = client.get(address).content.decode()
        assert not any(words in text for words in ("Computing the figures", "A worker computes"))
        return counted_cost

    few = cost()
    label(lab, ada=["NS"], ben=["NS", "SS"])
    many = cost()
    assert many.queries <= few.queries
    assert 0 < (many.steps - few.steps) / 64 < 30
