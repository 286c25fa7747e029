"""The pages of facts, as Dora, who adjudicates, and Rhea, who researches, see them."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.facts.edit import save
from annotate.facts.sheet import FactDraft
from annotate.models import AtomicFact, EndpointGrant, FactSet, Proposal, Role
from core.caching import memory
from jobs.models import Worker
from llm.models import Capabilities, Endpoint, Price
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache():
    memory.clear()


@pytest.fixture
def lives():
    return make_dataset("lives", scheme="factscore")


@pytest.fixture
def endpoint():
    return Endpoint.objects.create(name="lab", base_url="http://127.0.0.1:1/v1", shared=True)


@pytest.fixture
def tiny(endpoint):
    """The choice of a model that was probed."""
    Capabilities.objects.create(endpoint=endpoint, model="tiny", chat=True, probed_at=timezone.now())
    return f"{endpoint.pk}:tiny"


@pytest.fixture
def maria(lives):
    response = make_response(lives, ["Maria painted.", "She died."], prompt="Maria", subject="amber")
    add_facts(response, [["Maria painted."], ["She died."]], "model")
    return response


@pytest.fixture
def dora(lives, client):
    dora = make_person("dora", lives, Role.ADJUDICATOR)
    client.force_login(dora)
    return dora


def send(client, response, **body):
    return client.post(reverse("facts-save", args=[response.pk]), json.dumps(body), content_type="application/json")


def human_facts(response):
    facts = AtomicFact.objects.filter(fact_set__response=response, fact_set__origin="human")
    return [
        (fact.text, [source.text for source in fact.derived_from.all()])
        for fact in facts.order_by("segment__position", "position")
    ]


def test_the_script_saves_what_changed_and_finishes(dora, maria, client):
    first, model = maria.segments.first(), AtomicFact.objects.first()

    answer = send(client, maria, version=0, sentences={first.pk: [{"text": " Maria  drew. ", "from": [model.pk]}]})
    draft = {"version": 1, "finished": False, "standing": "A draft, not judged yet, last saved by dora."}
    assert (answer.status_code, answer.json()) == (200, draft)
    answer = send(client, maria, version=1, sentences={}, finish=True)
    assert answer.json() == {"version": 2, "finished": True, "standing": "Finished, last saved by dora."}
    page = client.get(reverse("facts-edit", args=[maria.pk])).text
    assert '<span id="standing">Finished, last saved by dora.</span>' in page

    assert human_facts(maria) == [("Maria drew.", ["Maria painted."]), ("She died.", ["She died."])]


def test_a_stale_page_gets_what_stands_and_who_wrote_it(dora, maria, client, lives):
    first = maria.segments.first()
    save(maria, make_person("cleo", lives, Role.ADJUDICATOR), 0, {first.pk: [FactDraft("Cleo's.")]})

    answer = send(client, maria, version=0, sentences={first.pk: [{"text": "Dora's.", "from": []}]})

    assert answer.status_code == 409
    stands = answer.json()
    assert (stands["by"], stands["version"]) == ("cleo", 1)
    assert stands["standing"] == "A draft, not judged yet, last saved by cleo."
    assert stands["sentences"][str(first.pk)] == [{"text": "Cleo's.", "from": []}]


@pytest.mark.parametrize(
    "body",
    [
        {"version": 0},
        {"version": -1, "sentences": {}},
        {"version": 0, "sentences": {"x": []}},
        {"version": 0, "sentences": {"1": "text"}},
        {"version": 0, "sentences": {"1": [{"text": "a", "from": ["1"]}]}},
        {"version": 0, "sentences": {"1": [{"text": "NUL \u0000", "from": []}]}},
        {"version": 0, "sentences": {"1": [{"text": "a" * 2001, "from": []}]}},
    ],
)
def test_what_cannot_be_facts_is_refused_with_a_sentence(dora, maria, client, body):
    answer = send(client, maria, **body)

    assert answer.status_code == 422
    assert answer.json()["error"].endswith(".")
    assert not FactSet.objects.filter(origin="human").exists()


def test_what_is_not_json_is_refused(dora, maria, client):
    answer = client.post(reverse("facts-save", args=[maria.pk]), b"\xff{", content_type="application/json")

    assert answer.status_code == 422


def test_without_a_script_facts_are_lines(dora, maria, client):
    first, second = maria.segments.all()

    answer = client.post(
        reverse("facts-edit", args=[maria.pk]),
        {"version": "0", f"sentence-{first.pk}": "Maria painted.\r\nMaria lived.\r\n", f"sentence-{second.pk}": ""},
        follow=True,
    )

    assert "Saved as a draft." in answer.content.decode()
    assert human_facts(maria) == [("Maria painted.", ["Maria painted."]), ("Maria lived.", [])]


def test_a_refused_form_keeps_what_was_written(dora, maria, client):
    first = maria.segments.first()
    save(maria, dora, 0, {})

    answer = client.post(
        reverse("facts-edit", args=[maria.pk]), {"version": "0", f"sentence-{first.pk}": "Maria drew."}
    )

    assert answer.status_code == 409
    assert "Maria drew.</textarea>" in answer.content.decode()
    assert human_facts(maria)[0] == ("Maria painted.", ["Maria painted."])


def test_the_editor_leads_to_the_responses_beside_it_that_have_sentences(dora, maria, client, lives):
    make_response(lives, [], prompt="Ida", subject="amber")
    otto = make_response(lives, ["Otto sang.", "He died."], prompt="Otto", subject="amber")
    make_response(lives, [], prompt="Olga", subject="amber")

    def beside(response):
        context = client.get(reverse("facts-edit", args=[response.pk])).context
        return context["before"], context["after"]

    assert beside(maria) == (None, otto)
    assert beside(otto) == (maria, None)


def test_a_labelled_response_shows_why_its_facts_stay(dora, maria, client):
    judge(make_task(maria), "ada", {maria.segments.first(): "irrelevant"})

    page = client.get(reverse("facts-edit", args=[maria.pk])).content.decode()

    assert "The facts stay as they are: somebody has begun to label the response." in page
    assert "<textarea" not in page
    assert send(client, maria, version=0, sentences={}).status_code == 422


def test_the_list_says_how_far_each_response_is(dora, maria, client, lives, tiny):
    otto = make_response(lives, ["Otto sang."], prompt="Otto", subject="amber")
    Proposal.objects.create(response=otto, kind="facts", model="tiny", state="failed", error="Nothing of use.")

    page = client.get(reverse("facts", args=[lives.pk])).content.decode()
    assert "Nothing of use." in page
    assert "Propose for all 1" in page

    proposed = client.get(reverse("facts", args=[lives.pk]), {"state": "proposed"}).content.decode()
    assert ("amber/Maria" in proposed, reverse("facts-edit", args=[otto.pk]) in proposed) == (True, False)


def test_the_list_needs_the_same_queries_however_long_it_is(dora, maria, client, lives, django_assert_max_num_queries):
    for number in range(30):
        add_facts(make_response(lives, ["Otto sang."], prompt=f"Otto {number}", subject="amber"), [["Otto."]], "model")

    with django_assert_max_num_queries(24):
        client.get(reverse("facts", args=[lives.pk]))


def test_the_editor_needs_the_same_queries_however_long_the_response_is(
    dora, client, lives, django_assert_max_num_queries
):
    response = make_response(lives, [f"Sentence {number}." for number in range(60)], subject="amber")
    add_facts(response, [["One."]] * 60, "model")
    save(response, dora, 0, {})

    with django_assert_max_num_queries(22):
        client.get(reverse("facts-edit", args=[response.pk]))


def test_proposals_are_started_for_ticked_responses_and_say_what_was_left_out(dora, maria, client, lives, tiny):
    labelled = make_response(lives, ["Otto sang."], prompt="Otto", subject="amber")
    judge(make_task(labelled), "ada", {labelled.segments.first(): "irrelevant"})

    page = client.post(
        reverse("facts-propose", args=[lives.pk]), {"model": tiny, "response": [maria.pk, labelled.pk]}, follow=True
    ).content.decode()

    assert "A model is asked for the atomic facts of 1 response." in page
    assert "1 left out" in page
    assert Proposal.objects.get().response == maria
    assert "Waiting for a worker" in page


@pytest.mark.parametrize("key", ["9" * 30, "many", "²", ""])
def test_a_response_that_cannot_be_is_not_proposed_for(dora, maria, client, lives, tiny, key):
    page = client.post(reverse("facts-propose", args=[lives.pk]), {"model": tiny, "response": [key]}, follow=True)

    assert "Select responses first." in page.text
    assert not Proposal.objects.exists()


def test_the_page_is_told_when_the_proposals_have_ended(dora, maria, client, lives):
    Proposal.objects.create(response=maria, kind="facts", model="tiny")
    address = reverse("facts-progress", args=[lives.pk])
    assert "HX-Trigger" not in client.get(address)

    Proposal.objects.update(state="done")

    assert client.get(address)["HX-Trigger"] == '{"proposals-ended": {}}'


def test_researchers_look_and_do_not_edit(lives, maria, client):
    client.force_login(make_person("rhea", lives, Role.RESEARCHER))

    page = client.get(reverse("facts", args=[lives.pk])).content.decode()

    assert reverse("facts-edit", args=[maria.pk]) not in page
    assert "Propose for all" not in page


@pytest.mark.parametrize("draft", [True, False])
def test_the_list_has_as_many_as_are_counted(dora, maria, client, lives, draft):
    make_response(lives, ["Otto sang."], prompt="Otto", subject="amber")
    save(make_response(lives, ["Ida sang."], prompt="Ida", subject="amber"), dora, 0, {}, finish=not draft)
    for state, number in {"": 3, "none": 1, "proposed": 1, "editing": draft, "finished": not draft}.items():
        page = client.get(reverse("facts", args=[lives.pk]), {"state": state}).context["page"]
        assert (len(page.object_list), page.paginator.count) == (number, number)


def test_the_shares_of_splits_are_those_of_the_last_save(dora, maria, client, lives):
    first = maria.segments.first()
    page = reverse("facts", args=[lives.pk])
    save(maria, dora, 0, {}, finish=True)
    assert client.get(page).context["boundaries"].split == 0
    save(maria, dora, 1, {first.pk: [FactDraft("Maria drew."), FactDraft("Maria painted.")]}, finish=True)
    # Two facts of people where the model had one, in one of two sentences.
    assert client.get(page).context["boundaries"].split == 0.5


def choices(client, dataset, **query):
    page = client.get(reverse("facts", args=[dataset.pk]), query)
    return [(each.endpoint.name, each.names) for each in page.context["choices"]]


def test_models_are_those_known_at_the_endpoints_that_the_dataset_may_use(dora, maria, client, lives, endpoint, tiny):
    theirs = Endpoint.objects.create(name="theirs", base_url="http://127.0.0.1:2/v1")
    granted = Endpoint.objects.create(name="granted", base_url="http://127.0.0.1:3/v1")
    EndpointGrant.objects.create(endpoint=granted, dataset=lives)
    for each, model in ((theirs, "secret"), (granted, "priced")):
        Price.objects.create(endpoint=each, model=model, prompt_usd=1, completion_usd=1)
    Capabilities.objects.create(endpoint=granted, model="embedder", chat=False, probed_at=timezone.now())
    Proposal.objects.create(response=maria, kind="facts", model="asked", endpoint=endpoint, state="done")

    assert choices(client, lives) == [("granted", ("priced",)), ("lab", ("asked", "tiny"))]


def test_the_endpoints_are_asked_for_their_models_on_demand(dora, maria, client, lives, model):
    assert choices(client, lives) == [(model.base_url, ())]
    assert choices(client, lives, models="listed") == [(model.base_url, ("m",))]


def test_an_endpoint_that_lists_nothing_says_why(dora, maria, client, lives, endpoint):
    page = client.get(reverse("facts", args=[lives.pk]), {"models": "listed"})
    assert "lab lists no models" in page.text


def test_without_an_endpoint_the_page_says_what_to_do(dora, maria, client, lives):
    page = client.get(reverse("facts", args=[lives.pk])).text
    assert "This dataset has no endpoint" in page
    assert reverse("endpoints", args=[lives.pk]) in page
    assert "Propose for all" not in page


def test_without_a_worker_the_page_says_so_before_anything_is_asked(dora, maria, client, lives, tiny):
    address = reverse("facts", args=[lives.pk])
    assert "No worker is running" in client.get(address).text

    Worker.objects.create(name="w", queue="long", started_at=timezone.now(), beat_at=timezone.now())

    assert "No worker is running" not in client.get(address).text


@pytest.mark.parametrize("model", ["tiny", "", "0:tiny", "{theirs}:tiny", "{lab}:", "{lab}:" + "m" * 201])
def test_only_a_model_of_an_endpoint_of_the_dataset_is_asked(dora, maria, client, lives, endpoint, model):
    theirs = Endpoint.objects.create(name="theirs", base_url="http://127.0.0.1:2/v1")
    model = model.format(lab=endpoint.pk, theirs=theirs.pk)

    page = client.post(reverse("facts-propose", args=[lives.pk]), {"model": model, "response": [maria.pk]}, follow=True)

    assert "Choose a model of an available endpoint" in page.text
    assert not Proposal.objects.exists()


def test_stop_withdraws_what_is_not_answered_and_keeps_what_is(dora, maria, client, lives):
    otto = make_response(lives, ["Otto sang."], prompt="Otto", subject="amber")
    ida = make_response(lives, ["Ida sang."], prompt="Ida", subject="amber")
    Proposal.objects.create(response=maria, kind="facts", model="tiny", state="done")
    Proposal.objects.create(response=otto, kind="facts", model="tiny")
    Proposal.objects.create(
        response=ida, kind="facts", model="tiny", state="leased", lease_owner="w", lease_until=timezone.now()
    )

    page = client.post(reverse("facts-stop", args=[lives.pk]), follow=True).text

    assert "Stopped: 2 responses not asked about." in page
    assert Proposal.objects.get().response == maria


def test_the_progress_names_the_causes_of_failures_and_can_be_stopped(dora, maria, client, lives):
    otto = make_response(lives, ["Otto sang."], prompt="Otto", subject="amber")
    Proposal.objects.create(response=otto, kind="facts", model="tiny", error="It did not answer.")
    Proposal.objects.create(response=maria, kind="facts", model="tiny", state="failed", error="Unreadable.")

    page = client.get(reverse("facts-progress", args=[lives.pk])).text

    assert "It did not answer. Retrying." in page
    assert "1 × Unreadable." in page
    assert reverse("facts-stop", args=[lives.pk]) in page
