"""The pages of error analysis: drawing, tagging without a script, results once both have handed in."""

import pytest
from django.urls import reverse

from annotate.models import Role
from evaluators.models import ErrorAnalysis, Prediction
from llm.models import Call, Endpoint
from tests.evaluators.errors.work import every_cause, make_mistakes, researcher, sample_of, tag_all
from tests.factories import make_dataset, make_person
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def run():
    return make_mistakes(3)[1]


@pytest.fixture
def rhea(run, client):
    person = researcher("rhea", run.dataset)
    client.force_login(person)
    return person


def test_a_sample_is_drawn_and_says_how(client, run, rhea):
    address = reverse("error-analyses", args=[run.dataset_id])
    answer = client.post(address, {"run": run.pk, "size": 2, "seed": 5}, follow=True)
    analysis = ErrorAnalysis.objects.get()
    assert (analysis.size, analysis.population, analysis.seed, analysis.created_by) == (2, 3, 5, rhea)
    assert "2 drawn at random from 3 mistakes" in answer.content.decode()


def test_a_sample_that_is_too_large_is_refused_with_the_number_there_is(client, run, rhea):
    answer = client.post(reverse("error-analyses", args=[run.dataset_id]), {"run": run.pk, "size": 30})
    assert answer.status_code == 422
    assert "draw 1 to 3 of its mistakes" in answer.content.decode()


def test_a_tagger_sees_what_the_evaluator_was_given_and_said(client, run, rhea):
    endpoint = Endpoint.objects.create(shared=True, name="fake", base_url="http://127.0.0.1:1")
    request = {"messages": [{"role": "user", "content": "Title: Odd\nText: Odd numbers."}]}
    call = Call.objects.create(
        endpoint=endpoint, request_hash="c" * 64, model="tiny", request=request, answer="False, I think.", seconds=1
    )
    Prediction.objects.update(rationale="Because I think so.", score=0.25)
    for prediction in run.predictions.all():
        prediction.calls.add(call)
    page = client.get(reverse("error-tag", args=[sample_of(run, 3).pk])).content.decode()
    for words in ("Because I think so.", "False, I think.", "Odd numbers.", "probability of supported", "is odd."):
        assert words in page


def test_tagging_goes_from_one_to_the_next_and_ends_with_handing_in(client, run, rhea):
    analysis = sample_of(run, 3)
    address = reverse("error-tag", args=[analysis.pk])
    cause = every_cause(analysis)[1]
    assert client.post(address, {"at": 1, "cause": cause.pk}).headers["Location"] == f"{address}?at=2"
    client.post(address, {"at": 2, "cause": cause.pk})
    assert client.post(address, {"at": 3, "cause": cause.pk}).headers["Location"] == address
    assert "Submit" in client.get(address).content.decode()
    client.post(address, {"hand-in": "1"})
    assert analysis.taggers.get().handed_in_at is not None
    assert client.get(address).status_code == 302


def test_undo_leads_back_to_the_mistake(client, run, rhea):
    analysis = sample_of(run, 3)
    address = reverse("error-tag", args=[analysis.pk])
    client.post(address, {"at": 2, "cause": every_cause(analysis)[0].pk})
    assert client.post(address, {"undo": "1"}).headers["Location"] == f"{address}?at=2"
    assert not analysis.items.get(position=1).ratings.exists()


@pytest.mark.parametrize("cause", ["", "0", "x"])
def test_a_tag_without_a_cause_is_refused_and_the_note_kept(client, run, rhea, cause):
    analysis = sample_of(run, 3)
    answer = client.post(reverse("error-tag", args=[analysis.pk]), {"at": 1, "cause": cause, "note": "Hm."})
    assert answer.status_code == 422
    assert "Hm." in answer.content.decode()


def test_a_mistake_that_is_not_in_the_sample_is_not_there(client, run, rhea):
    analysis = sample_of(run, 3)
    address = reverse("error-tag", args=[analysis.pk])
    assert [client.get(f"{address}?at={place}").status_code for place in ("0", "4", "x")] == [404] * 3


def test_the_others_tags_are_shown_nowhere_before_both_have_handed_in(client, run, rhea):
    """Neither page, nor table, nor chart; the tagging page shows one's own alone."""
    analysis = sample_of(run, 3)
    rob = tag_all(analysis, researcher("rob", run.dataset), 1, 2, 3)
    rob.tags.update(note="zq-secret")
    mine = reverse("error-tag", args=[analysis.pk])
    page = reverse("error-analysis", args=[analysis.pk])
    for address in (mine, f"{mine}?at=2", page, f"{page}?table=mistakes&as=csv"):
        answer = client.get(address)
        assert b"zq-secret" not in answer.content
        assert answer.status_code == 200 and b"checked" not in answer.content
        assert "results" not in (answer.context or {})
    assert client.get(reverse("error-chart", args=[analysis.pk, "causes", "csv"])).status_code == 404


def test_a_third_person_is_told_that_two_are_tagging(client, run, rhea):
    analysis = sample_of(run, 3)
    for name in ("rob", "sue"):
        tag_all(analysis, researcher(name, run.dataset), 0, 0, 0, done=False)
    answer = client.get(reverse("error-tag", args=[analysis.pk]), follow=True)
    assert "Two people are tagging this sample already." in answer.content.decode()


def test_results_stand_once_both_have_handed_in(client, run, rhea):
    analysis = sample_of(run, 3)
    tag_all(analysis, rhea, 0, 0, 1)
    tag_all(analysis, researcher("rob", run.dataset), 0, 1, 1)
    page = reverse("error-analysis", args=[analysis.pk])
    text = squeezed(client.get(page).content.decode())
    assert "1 of 2" in text and "1 mistake tagged differently is not adjudicated" in text
    assert "the causes of the mistakes of judge" in text
    chart = client.get(reverse("error-chart", args=[analysis.pk, "causes", "csv"]))
    assert chart.content.decode("utf-8-sig").splitlines()[0] == "cause,share,low,high,mistakes,of"


def test_a_difference_is_settled_on_the_page(client, run, rhea):
    analysis = sample_of(run, 3)
    tag_all(analysis, rhea, 0, 0, 0)
    tag_all(analysis, researcher("rob", run.dataset), 1, 0, 0)
    mistake = analysis.items.get(position=0)
    address = reverse("error-settle", args=[analysis.pk, mistake.pk])
    client.post(address, {"cause": every_cause(analysis)[1].pk, "why": "He is right."})
    mistake.refresh_from_db()
    assert (mistake.settlement.cause.name, mistake.settlement.why) == ("Distracted by other passages", "He is right.")


def test_only_an_adjudicator_frees_the_place_of_another(client, run, rhea):
    analysis = sample_of(run, 3)
    rob = tag_all(analysis, researcher("rob", run.dataset), 0, 0, 0, done=False)
    address = reverse("error-leave", args=[analysis.pk])
    client.post(address, {"tagger": rob.pk})
    assert analysis.taggers.count() == 1
    client.force_login(make_person("dora", run.dataset, Role.ADJUDICATOR))
    client.post(address, {"tagger": rob.pk})
    assert analysis.taggers.count() == 0


def test_a_cause_of_ones_own_can_be_chosen(client, run, rhea):
    client.post(reverse("error-cause-add", args=[run.dataset_id]), {"name": "Old page", "help": "It has changed."})
    page = client.get(reverse("error-tag", args=[sample_of(run, 3).pk])).content.decode()
    assert "Old page" in page and 'data-key="6"' in page


def test_without_a_run_the_page_says_what_to_do(client):
    dataset = make_dataset()
    client.force_login(researcher("rhea", dataset))
    assert "Start a run" in client.get(reverse("error-analyses", args=[dataset.pk])).content.decode()


def test_names_of_figures_link_to_their_definitions(client, run, rhea):
    analysis = sample_of(run, 3)
    tag_all(analysis, rhea, 0, 0, 1)
    tag_all(analysis, researcher("rob", run.dataset), 0, 1, 1)
    page = client.get(reverse("error-analysis", args=[analysis.pk])).text
    check_figure_names(page.partition('<section class="sheet differing"')[0], "Share", "False alarms", terms=True)
    check_figure_names(client.get(reverse("error-analyses", args=[run.dataset_id])).text, "Mistakes")
