"""The pages of segments as Dora, who adjudicates, uses them."""

import pytest
from django.urls import reverse

from annotate.models import Proposal, Role
from annotate.segments.rewrite import rewrite
from llm.models import Endpoint
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def sums():
    return make_dataset("sums")


@pytest.fixture
def response(sums):
    return make_response(sums, ("Halve it.", "x = 2."))


@pytest.fixture
def dora(sums, client):
    dora = make_person("dora", sums, Role.ADJUDICATOR)
    client.force_login(dora)
    return dora


def texts(response):
    return list(response.segments.values_list("text", flat=True))


def post(client, response, **form):
    return client.post(reverse("segments-edit", args=[response.pk]), {"seen": "0", **form}, follow=True)


def test_the_script_sends_offsets(dora, response, client):
    page = post(client, response, spans="[[0, 5], [6, 16]]").content.decode()

    assert texts(response) == ["Halve", "it. x = 2."]
    assert "by dora" in page
    assert response.segmentations.last().author == dora


def test_without_a_script_a_line_of_asterisks_cuts(dora, response, client):
    post(client, response, pieces="Halve\r\n*****\r\nit. x = 2.")

    assert texts(response) == ["Halve", "it. x = 2."]


@pytest.mark.parametrize(
    "spans",
    [
        *("[[0, 5]]", "[[0]]", '[["0", "16"]]', "[[0, true]]", "{}", "nonsense"),
        pytest.param("[" * 100_000, id="too deep"),
    ],
)
def test_segments_that_are_not_the_response_are_refused(dora, response, client, spans):
    answer = post(client, response, spans=spans)

    assert answer.status_code == 422
    assert "Not saved: " in answer.content.decode()
    assert texts(response) == ["Halve it.", "x = 2."]


def test_a_stale_page_is_refused_and_keeps_its_segments(dora, response, client):
    rewrite(response, [(0, 16)], "human")

    answer = post(client, response, spans="[[0, 5], [6, 16]]")

    assert answer.status_code == 409
    assert '"spans": [[0, 5], [6, 16]]' in answer.content.decode()
    assert texts(response) == ["Halve it. x = 2."]


def test_the_files_own_segments_are_restored(dora, response, client):
    rewrite(response, [(0, 16)], "human", author=dora)

    page = client.post(reverse("segments-restore", args=[response.segmentations.first().pk]), follow=True)

    assert "Restored." in page.content.decode()
    assert texts(response) == ["Halve it.", "x = 2."]


def test_a_labelled_response_shows_why_its_segments_stay(dora, response, client):
    rewrite(response, [(0, 16)], "human", author=dora)
    judge(make_task(response), "ada", {response.segments.first(): "supported"})

    page = client.get(reverse("segments-edit", args=[response.pk])).content.decode()
    assert "The segments stay as they are: somebody has begun to label the response." in page
    assert "Restore</button>" not in page

    restored = client.post(reverse("segments-restore", args=[response.segmentations.first().pk]), follow=True)
    assert "somebody has begun to label the response" in restored.content.decode()


def test_the_list_says_who_cut_each_response(dora, response, client, sums):
    other = make_response(sums, ("Rome is old.", "It was founded."), domain="wk")
    rewrite(response, [(0, 16)], "model", model="tiny")

    by_model = client.get(reverse("segments", args=[sums.pk]), {"origin": "model"}).content.decode()
    imported = client.get(reverse("segments", args=[sums.pk]), {"origin": "import", "domain": "wk"}).content.decode()

    addresses = [reverse("segments-edit", args=[one.pk]) for one in (response, other)]
    assert [address in by_model for address in addresses] == [True, False]
    assert [address in imported for address in addresses] == [False, True]


def test_proposals_for_all_are_for_mathematics_and_recommendations(dora, response, client, sums):
    make_response(sums, ("Rome is old.",), domain="wk")

    lab = Endpoint.objects.create(name="lab", base_url="http://127.0.0.1:1/v1", shared=True)
    client.post(reverse("segments-propose", args=[sums.pk]), {"model": f"{lab.pk}:tiny", "all": "1"})

    assert [(one.response, one.kind, one.created_by) for one in Proposal.objects.all()] == [
        (response, "segments", dora)
    ]


def test_the_list_needs_the_same_queries_however_long_it_is(
    dora, response, client, sums, django_assert_max_num_queries
):
    for _ in range(30):
        rewrite(make_response(sums), [(0, 24)], "human")

    with django_assert_max_num_queries(24):
        client.get(reverse("segments", args=[sums.pk]))
