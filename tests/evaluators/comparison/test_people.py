"""People and evaluators on the same targets: the figures, the page, and the keys of the command."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.models import Assignment, Label, Task, User
from evaluators.comparison.people import people_of
from tests.docs.documented import undocumented
from tests.evaluators.comparison.rows import SHORT, add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


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


def of(figures, name):
    return next(row for row in figures["evaluators"] if row["evaluator"] == name)


def read(dataset, query="", **headers):
    client = Client()
    client.force_login(User.objects.filter(username="rhea").first() or make_person("rhea", dataset, "researcher"))
    answer = client.get(reverse("compare-people", args=[dataset.pk]) + query, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_two_people_and_a_judge_are_measured_on_each_others_labels(lab):
    """Ben misses every second error. Ada against Ben: 8 found, 8 alarms; Ben against Ada: 8 found, 8 missed."""
    label(lab, ada=["NS"], ben=["NS", "SS"])
    figures = people_of(lab, None, "segment")
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
    figures = people_of(lab, None, "segment")
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
    text = read(lab, **{"HX-Request": "true"})
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
