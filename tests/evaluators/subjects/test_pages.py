"""The page that ranks subject models."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.models import AtomicFact
from evaluators.models import Run
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_facts, make_dataset, make_person, make_response
from tests.pages import squeezed

HOSTILE = "<script>alert('x')</script>"


@pytest.fixture
def bios(db):
    """One fact each by two subject models."""
    dataset = make_dataset(scheme="factscore")
    for subject in ("m", HOSTILE):
        add_facts(make_response(dataset, ["She wrote."], prompt="Ada", subject=subject), [["She wrote."]])
    return dataset


@pytest.fixture
def rhea(bios) -> Client:
    client = Client()
    client.force_login(make_person("rhea", bios, "researcher"))
    return client


def work(dataset, method):
    work_on(RunJob(), create_run(dataset, method).run.pk)


def add_judge(dataset):
    """A run of "judge" that supports every fact."""
    facts = AtomicFact.objects.filter(segment__response__dataset=dataset)
    run = add_run(dataset, dict.fromkeys(facts, "S"))
    Run.objects.filter(pk=run.pk).update(finished_at=timezone.now())


def read(client: Client, dataset, **query: str) -> str:
    answer = client.get(reverse("subject-ranking", args=[dataset.pk]), query)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def test_before_any_run_the_page_says_what_to_do(bios, rhea):
    assert "No predictions for facts yet" in read(rhea, bios)


def test_a_dataset_of_segments_has_no_ranking(bios, rhea):
    other = make_dataset("segments")
    make_person("rhea", other, "researcher")
    assert "No FActScore" in read(rhea, other)


def test_subjects_stand_with_their_scores(bios, rhea):
    work(bios, "always-supported")
    text = read(rhea, bios)
    assert re.findall(r'<td class="num">(1\.000)</td>', text)
    assert HOSTILE not in text
    assert "1 prompt answered" not in text  # each subject was asked a prompt of its own


def test_a_baseline_is_looked_at_last(bios, rhea):
    add_judge(bios)
    work(bios, "always-not-supported")
    assert re.search(r'<option value="judge" selected', read(rhea, bios))


def test_an_evaluator_without_predictions_is_looked_at_after_those_with_some(bios, rhea):
    add_judge(bios)
    work(bios, "lexical")  # skips all, for there is no knowledge source
    assert re.search(r'<option value="judge" selected', read(rhea, bios))


def test_another_evaluator_can_be_chosen(bios, rhea):
    work(bios, "always-not-supported")
    work(bios, "always-supported")
    assert '<td class="num">0.000</td>' not in read(rhea, bios)
    assert '<td class="num">0.000</td>' in read(rhea, bios, evaluator="always-not-supported")


def test_the_length_penalty_is_a_choice(bios, rhea):
    work(bios, "always-supported")
    # One fact: e^(1 − 10) = 0.0001, e^(1 − 2) = 0.368.
    assert '<td class="num">0.000</td>' in read(rhea, bios, penalty="on")
    text = read(rhea, bios, penalty="on", facts="2")
    assert '<td class="num">0.368</td>' in text
    assert "at most 2 facts" in text
    for facts in ("0", "1001", "ten", "9" * 5000):
        answer = rhea.get(reverse("subject-ranking", args=[bios.pk]), {"penalty": "on", "facts": facts})
        assert answer.status_code == 404


@pytest.fixture
def lives(db):
    """Three subjects with two facts each, of Ada."""
    dataset = make_dataset(scheme="factscore")
    for subject in ("amber", "basalt", "copper"):
        add_facts(make_response(dataset, ["A."], prompt="Ada", subject=subject), [["One.", "Two."]])
    make_person("rhea", dataset, "researcher")
    return dataset


def say(dataset, name, **supported):
    """An evaluator of that name, who supports so many of each subject's facts."""
    run = create_run(dataset, "always-not-supported", name=name).run
    work_on(RunJob(), run.pk)
    for subject, count in supported.items():
        said = run.predictions.filter(segment__response__subject=subject).order_by("fact__position")
        run.predictions.filter(pk__in=list(said.values_list("pk", flat=True)[:count])).update(value="supported")


def client_of_rhea():
    client = Client()
    client.login(username="rhea", password="rhea")
    return client


def test_two_evaluators_stand_beside_each_other_with_their_correlation(lives):
    say(lives, "rising", amber=0, basalt=1, copper=2)
    say(lives, "falling", amber=2, basalt=1, copper=0)
    text = read(client_of_rhea(), lives, evaluator="rising", against="falling")
    assert "<strong>-1.000</strong> over 3 subjects" in text
    # The best by the one, with a score of 0 and the third place by the other.
    assert re.search(r'copper</th>.*?0\.000 <small class="quiet">\(3\)', text, flags=re.DOTALL)


def test_a_correlation_that_is_undefined_says_why(lives):
    say(lives, "rising", amber=0, basalt=1, copper=2)
    say(lives, "level", amber=1, basalt=1, copper=1)
    assert "all have the same" in read(client_of_rhea(), lives, evaluator="rising", against="level")


def test_a_subject_that_the_other_evaluator_did_not_cover_has_no_score_of_it(lives):
    say(lives, "all of them", amber=1)
    work_on(RunJob(), create_run(lives, "always-supported", name="the first", limit=1).run.pk)
    text = read(client_of_rhea(), lives, evaluator="all of them", against="the first")
    assert "over 1 subject." in text
    assert "no response has a score" in text


@pytest.mark.parametrize("key", ["evaluator", "against"])
def test_a_link_says_which_evaluator_is_gone(bios, rhea, key):
    work(bios, "always-supported")
    text = squeezed(read(rhea, bios, **{key: "nobody"}))
    assert "the evaluator “nobody”, which is not here any more" in text
    assert "FActScore of each subject model" in text


def test_without_any_evaluator_a_link_leads_to_what_to_do(bios, rhea):
    assert "No predictions for facts yet" in read(rhea, bios, evaluator="nobody")


def test_the_number_of_queries_does_not_grow_with_the_subjects(bios, rhea, django_assert_max_num_queries):
    for number in range(10):
        add_facts(make_response(bios, ["She wrote."], prompt="Ada", subject=f"n{number}"), [["She wrote."]])
    work(bios, "always-supported")
    rhea.get(reverse("account"))  # the number in the navigation is counted once a minute
    with django_assert_max_num_queries(25):
        read(rhea, bios)
