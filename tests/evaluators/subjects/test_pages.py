"""The page that ranks subject models."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from evaluators.runs.create import create_run
from evaluators.runs.work import work_on
from tests.factories import add_facts, make_dataset, make_person, make_response

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
    work_on(create_run(dataset, method).run)


def read(client: Client, dataset, **query: str) -> str:
    answer = client.get(reverse("subject-ranking", args=[dataset.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_before_any_run_the_page_says_what_to_do(bios, rhea):
    assert "No evaluator has judged the facts yet" in read(rhea, bios)


def test_a_dataset_of_segments_has_no_ranking(bios, rhea):
    other = make_dataset("segments")
    make_person("rhea", other, "researcher")
    assert "Only facts give a score" in read(rhea, other)


def test_subjects_stand_with_their_scores(bios, rhea):
    work(bios, "always-supported")
    text = read(rhea, bios)
    assert re.findall(r'<td class="num">(1\.000)</td>', text)
    assert HOSTILE not in text
    assert "1 prompt answered" not in text  # each subject was asked a prompt of its own


def test_another_evaluator_can_be_chosen(bios, rhea):
    work(bios, "always-not-supported")
    work(bios, "always-supported")
    assert '<td class="num">0.000</td>' not in read(rhea, bios)
    assert '<td class="num">0.000</td>' in read(rhea, bios, evaluator="always-not-supported")


def test_the_length_penalty_is_a_choice(bios, rhea):
    work(bios, "always-supported")
    # One fact: e^(1 − 10) = 0.0001.
    assert '<td class="num">0.000</td>' in read(rhea, bios, penalty="on")


def test_an_evaluator_that_is_not_there_is_not_found(bios, rhea):
    assert rhea.get(reverse("subject-ranking", args=[bios.pk]), {"evaluator": "nobody"}).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_subjects(bios, rhea, django_assert_max_num_queries):
    for number in range(10):
        add_facts(make_response(bios, ["She wrote."], prompt="Ada", subject=f"n{number}"), [["She wrote."]])
    work(bios, "always-supported")
    with django_assert_max_num_queries(15):
        read(rhea, bios)
