"""Webhooks: what is told, to whom, how it is signed, and what becomes of a message."""

import json
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from annotate.cases.close import close_settled
from annotate.gold.freeze import freeze_gold
from annotate.gold.signals import gold_frozen
from annotate.models import Dataset, Proposal, Role, Task, User
from api.models import Event, RepeatedAnswer, Webhook, WebhookDelivery
from api.webhooks.delivery_job import ATTEMPTS, WebhookJob
from api.webhooks.record import record_event
from api.webhooks.sign import new_nonce, secret_of
from audit.models import AuditEntry
from core.addresses import AllowedNetworks, read_network
from evaluators.runs.create import create_run
from jobs.enqueue import sweep
from jobs.errors import JobError
from jobs.leases import Lease, lease_items
from jobs.work import work_on
from tests.annotate.labels.script import entry, script_saves
from tests.annotate.labels.work import keys, open_for
from tests.api.conftest import ApiClient, client_of
from tests.api.receiver import Receiver, receiving
from tests.docs.examples import example
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db
State = WebhookDelivery.State
KIND = WebhookJob()
PAST = "2001-01-01T00:00Z"


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Receiver]:
    """A program of ours, let in by the settings."""
    with receiving() as server:
        settings.WEBHOOK_ALLOW = AllowedNetworks([read_network(f"127.0.0.1:{server.port}")])
        yield server


def add(dataset: Dataset, address: str, *events: Event) -> Webhook:
    """A webhook that is told of these events; none named: of all."""
    webhook: Webhook = dataset.webhooks.create(address=address, events=events or Event.values, nonce=new_nonce())
    return webhook


def queue(webhook: Webhook) -> WebhookDelivery:
    delivery: WebhookDelivery = webhook.deliveries.create(event=Event.SETTLED, body='{"objects": []}')
    return delivery


def work(delivery: WebhookDelivery) -> WebhookDelivery:
    """Work on it as if the pause before its next attempt were over; the row after that."""
    WebhookDelivery.objects.update(not_before=None)
    work_on(KIND, delivery.pk)
    delivery.refresh_from_db()
    return delivery


def told(dataset: Dataset) -> list[tuple[str, list[tuple[str, int, str]]]]:
    """The events that wait to be told, with their objects."""
    bodies = WebhookDelivery.objects.filter(webhook__dataset=dataset).values_list("body", flat=True)
    return [
        (body["event"], [(each["kind"], each["id"], each["state"]) for each in body["objects"]])
        for body in map(json.loads, bodies)
    ]


def client_of_dora(dataset: Dataset) -> ApiClient:
    return client_of(make_person("dora", dataset, Role.ADJUDICATOR))


def test_a_message_is_delivered_and_signed(receiver: Receiver) -> None:
    webhook = add(make_dataset(), receiver.address)
    delivery = work(queue(webhook))
    [message] = receiver.messages
    assert (delivery.state, delivery.attempts, delivery.status, delivery.error) == (State.DONE, 1, 204, "")
    assert message.is_signed_with(secret_of(webhook))
    assert message.headers["webhook-id"] == str(delivery.message_id)
    assert message.headers["webhook-attempt"] == "1"
    assert message.body.decode() == delivery.body
    assert abs(int(message.headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60


def test_each_webhook_has_its_own_secret_which_no_column_holds() -> None:
    dataset = make_dataset()
    one, other = add(dataset, "https://a.example/"), add(dataset, "https://b.example/")
    assert secret_of(one) != secret_of(other)
    assert secret_of(one) not in {str(value) for value in Webhook.objects.filter(pk=one.pk).values().get().values()}


def test_the_secret_depends_on_the_key_of_the_site(settings: Settings) -> None:
    webhook = add(make_dataset(), "https://a.example/")
    before = secret_of(webhook)
    settings.SECRET_KEY = "another key of the site"
    assert secret_of(webhook) != before


def test_a_server_that_fails_is_asked_again_later_and_at_last_no_more(receiver: Receiver) -> None:
    receiver.status = 503
    delivery = queue(add(make_dataset(), receiver.address))
    pauses = []
    for _ in range(ATTEMPTS - 1):
        before = timezone.now()
        work(delivery)
        assert (delivery.state, delivery.status) == (State.WAITING, 503)
        assert delivery.not_before is not None
        pauses.append(round((delivery.not_before - before).total_seconds()))
    assert pauses == [30, 120, 480, 1920, 7680]
    work(delivery)
    assert (delivery.state, delivery.attempts) == (State.FAILED, 6)
    assert (delivery.status, delivery.error) == (503, "The server answered 503 Service Unavailable.")
    assert [message.headers["webhook-attempt"] for message in receiver.messages] == list("123456")
    assert {message.headers["webhook-id"] for message in receiver.messages} == {str(delivery.message_id)}


def test_a_server_that_is_gone_is_a_cause(settings: Settings) -> None:
    settings.WEBHOOK_ALLOW = AllowedNetworks([read_network("127.0.0.1")])
    with receiving() as gone:
        delivery = queue(add(make_dataset(), gone.address))
    work(delivery)
    assert (delivery.state, delivery.status) == (State.WAITING, None)
    assert delivery.error == "The server could not be reached."


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.status, receiver.location = 307, receiver.address + "/elsewhere"
    delivery = work(queue(add(make_dataset(), receiver.address)))
    assert (delivery.state, len(receiver.messages)) == (State.WAITING, 1)
    assert delivery.error == "The server answered 307 Temporary Redirect."


def test_a_private_address_is_not_asked(receiver: Receiver, settings: Settings) -> None:
    settings.WEBHOOK_ALLOW = AllowedNetworks([])
    secure = receiver.address.replace("http", "https")
    delivery = work(queue(add(make_dataset(), secure)))
    assert (delivery.state, receiver.messages) == (State.FAILED, [])
    assert "127.0.0.1, which is not an address of the open internet" in delivery.error


def test_http_goes_to_allowed_addresses_only(receiver: Receiver, settings: Settings) -> None:
    settings.WEBHOOK_ALLOW = AllowedNetworks([])
    delivery = work(queue(add(make_dataset(), receiver.address)))
    assert (delivery.state, receiver.messages) == (State.FAILED, [])
    assert delivery.error.startswith("Enter an address with https://.")


def test_what_a_killed_worker_had_sent_is_sent_once_more_under_its_id(receiver: Receiver) -> None:
    delivery = queue(add(make_dataset(), receiver.address))
    [lease] = lease_items(KIND.waiting(delivery.pk), "killed", 1, KIND.max_attempts)

    class KilledError(Exception):
        """The worker ends after the message was sent, before it writes that down."""

    class LostLease(Lease[WebhookDelivery]):
        def finish(self, **columns: object) -> bool:
            raise KilledError

    with pytest.raises(KilledError):
        KIND.execute(LostLease(lease.item, lease.owner))
    WebhookDelivery.objects.leased().update(lease_until=PAST)
    sweep(KIND)
    work(delivery)
    assert delivery.state == State.DONE
    assert [message.headers["webhook-id"] for message in receiver.messages] == [str(delivery.message_id)] * 2
    assert [message.headers["webhook-attempt"] for message in receiver.messages] == ["1", "2"]


def test_messages_to_a_webhook_that_is_off_wait_and_none_is_added(receiver: Receiver) -> None:
    webhook = add(make_dataset(), receiver.address)
    delivery = queue(webhook)
    Webhook.objects.update(is_on=False)
    freeze(webhook.dataset)
    assert (work(delivery).state, webhook.deliveries.count(), receiver.messages) == (State.WAITING, 1, [])
    Webhook.objects.update(is_on=True)
    assert work(delivery).state == State.DONE


def test_settled_messages_are_kept_for_30_days(receiver: Receiver) -> None:
    webhook = add(make_dataset(), receiver.address)
    ages = {days: work(queue(webhook)) for days in (29, 31)}
    for days, each in ages.items():
        WebhookDelivery.objects.filter(pk=each.pk).update(settled_at=timezone.now() - timedelta(days=days))
    newest = work(queue(webhook))
    assert set(webhook.deliveries.all()) == {ages[29], newest}


def freeze(dataset: Dataset) -> int:
    for segment in make_response(dataset).segments.all():
        add_gold(segment, "supported")
    return freeze_gold(dataset, f"v{dataset.gold_versions.count()}").pk


def test_settled_tasks_are_told_by_the_hundred() -> None:
    dataset = make_dataset()
    add(dataset, "https://a.example/")
    tasks = Task.objects.bulk_create(Task(dataset=dataset, position=n, wants=1) for n in range(101))
    ada = make_person("ada", dataset)
    for task in tasks:
        task.assignments.create(annotator=ada, place=0, state="submitted", submitted_at=timezone.now())
    assert close_settled(dataset, Task.objects.filter(dataset=dataset)) == 101
    events = told(dataset)
    assert [(event, len(objects)) for event, objects in events] == [("task.settled", 100), ("task.settled", 1)]
    assert [key for _, objects in events for _, key, _ in objects] == [task.pk for task in tasks]


def submitted(dataset: Dataset, name: str) -> int:
    """A person of this name submits a task; the primary key of the assignment."""
    make_response(dataset, index=name)
    work = open_for(make_person(name, dataset), dataset)
    script_saves(work, {key: entry("supported") for key in keys(work)}, submit=True)
    return work.pk


def test_submitted_work_is_told_while_a_webhook_is_there_for_it(receiver: Receiver) -> None:
    dataset = make_dataset()
    dora, sent = client_of_dora(dataset), {"address": receiver.address, "events": ["assignment.submitted"]}
    address = dora.post(f"datasets/{dataset.pk}/webhooks/", sent)["Location"].removeprefix("/api/v1/")
    ada = submitted(dataset, "ada")
    assert told(dataset) == [("assignment.submitted", [("assignment", ada, "submitted")])]
    for change in ({"is_on": False}, {"is_on": True, "events": ["run.ended"]}):
        dora.patch(address, change, if_match=dora.get(address)["ETag"])
        assert not Dataset.objects.get().tells_submissions
    submitted(dataset, "ben")
    assert len(told(dataset)) == 1
    dora.patch(address, sent, if_match=dora.get(address)["ETag"])
    cleo = submitted(dataset, "cleo")
    assert told(dataset)[1:] == [("assignment.submitted", [("assignment", cleo, "submitted")])]
    dora.delete(address)
    assert not Dataset.objects.get().tells_submissions


def test_frozen_gold_is_told() -> None:
    dataset = make_dataset()
    add(dataset, "https://a.example/")
    version = freeze(dataset)
    assert told(dataset) == [("gold.frozen", [("gold_version", version, "frozen")])]


def test_the_end_of_a_run_is_told_and_so_is_its_failure() -> None:
    dataset = make_dataset()
    make_response(dataset)
    add(dataset, "https://a.example/")
    stopped, failed = (create_run(dataset, name).run for name in ("always-supported", "random"))
    stopped.stop()
    failed.stop_with(JobError("The weights are gone."))
    assert told(dataset) == [
        ("run.ended", [("run", stopped.pk, "cancelled")]),
        ("run.ended", [("run", failed.pk, "failed")]),
        ("job.failed", [("run", failed.pk, "failed")]),
    ]


def test_work_of_a_single_row_that_fails_is_told() -> None:
    dataset = make_dataset(scheme="factscore")
    add(dataset, "https://a.example/")
    item = Proposal.objects.create(response=make_response(dataset), kind="facts", model="m")
    Proposal.objects.filter(pk=item.pk).update(state="leased", lease_owner="w", lease_until=timezone.now())
    Lease(item, "w").fail("No answer.")
    assert told(dataset) == [("job.failed", [("proposal", item.pk, "failed")])]


def test_a_message_that_fails_is_no_event(receiver: Receiver, settings: Settings) -> None:
    settings.WEBHOOK_ALLOW = AllowedNetworks([])
    delivery = queue(add(make_dataset(), receiver.address))
    work(delivery)
    assert (delivery.state, WebhookDelivery.objects.count()) == (State.FAILED, 1)


def test_an_event_that_is_taken_back_is_not_told() -> None:
    dataset = make_dataset()
    add(dataset, "https://a.example/")
    with transaction.atomic():
        freeze(dataset)
        transaction.set_rollback(True)
    assert told(dataset) == []


def test_other_events_and_other_datasets_are_not_told() -> None:
    dataset, other = make_dataset(), make_dataset("other")
    add(dataset, "https://a.example/", Event.RUN_ENDED)
    add(other, "https://a.example/")
    freeze(dataset)
    assert (told(dataset), told(other)) == ([], [])


def test_a_message_holds_nothing_but_numbers_and_addresses() -> None:
    """Whatever the work is: its texts, labels and names are in no message."""
    dataset = make_dataset()
    add(dataset, "https://a.example/")
    freeze(dataset)
    [body] = WebhookDelivery.objects.values_list("body", flat=True)
    message = json.loads(body)
    assert set(message) == {"id", "event", "created_at", "dataset", "objects"}
    assert message["dataset"] == {"id": dataset.pk, "address": f"/api/v1/datasets/{dataset.pk}/"}
    [version] = message["objects"]
    assert set(version) == {"kind", "id", "state", "address"}
    assert version["address"] == f"/api/v1/gold-versions/{version['id']}/"
    for word in (dataset.name, "odd", "supported", "v0"):
        assert word not in body


def test_what_a_message_is_about_has_its_address_in_the_api() -> None:
    dataset = make_dataset()
    webhook = add(dataset, "https://a.example/")
    kinds = ("run", "scoring", "release", "upload", "document_upload", "results_upload", "build", "assignment")
    for kind in kinds:
        record_event([webhook], Event.JOB_FAILED, kind, [7], "failed")
    told = [json.loads(body)["objects"][0] for body in webhook.deliveries.values_list("body", flat=True)]
    assert {each["kind"]: each["address"] for each in told} == {
        "run": "/api/v1/runs/7/",
        "scoring": "/api/v1/scorings/7/",
        "release": "/api/v1/releases/7/",
        "upload": "/api/v1/imports/7/",
        "document_upload": "/api/v1/document-uploads/7/",
        "results_upload": "/api/v1/results-imports/7/",
        "build": "/api/v1/jobs/build/7/",
        "assignment": None,
    }


def test_without_a_webhook_an_event_costs_one_query(django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    dataset = make_dataset()
    version = dataset.gold_versions.create(name="v1", revision=0, hash="0" * 64, labels=0)
    with django_assert_num_queries(1):
        gold_frozen.send(type(version), version=version)


def test_the_secret_is_in_the_answer_that_makes_it_and_kept_nowhere(receiver: Receiver) -> None:
    dataset = make_dataset()
    dora = client_of_dora(dataset)
    sent = {"address": receiver.address, "events": ["run.ended"]}
    made = dora.post(f"datasets/{dataset.pk}/webhooks/", sent, idempotency_key="k")
    webhook = Webhook.objects.get()
    assert (made.status_code, made["Location"]) == (201, f"/api/v1/webhooks/{webhook.pk}/")
    assert made.json()["secret"] == secret_of(webhook)
    assert "secret" not in dora.get(f"webhooks/{webhook.pk}/").json()
    assert "secret" not in RepeatedAnswer.objects.get().body
    again = dora.post(f"datasets/{dataset.pk}/webhooks/", sent, idempotency_key="k")
    assert (again.json(), Webhook.objects.count()) == (made.json(), 1)
    assert AuditEntry.objects.get(action="webhook-added").object_name == receiver.address


def test_a_new_secret_replaces_the_earlier_one(receiver: Receiver) -> None:
    dataset = make_dataset()
    webhook = add(dataset, receiver.address)
    before = secret_of(webhook)
    after = client_of_dora(dataset).post(f"webhooks/{webhook.pk}/secret/").json()["secret"]
    work(queue(Webhook.objects.get()))
    assert [receiver.messages[0].is_signed_with(secret) for secret in (before, after)] == [False, True]


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://127.0.0.1/", "not an address of the open internet"),
        ("http://127.0.0.1/", "https://"),
        ("ftp://example.org/", "http:// or https://"),
        ("https://a:b@example.org/", "user name or a password"),
    ],
)
def test_a_closed_address_is_refused_at_once(settings: Settings, address: str, words: str) -> None:
    settings.WEBHOOK_ALLOW = AllowedNetworks([])
    dataset = make_dataset()
    answer = client_of_dora(dataset).post(
        f"datasets/{dataset.pk}/webhooks/", {"address": address, "events": ["run.ended"]}
    )
    assert (answer.status_code, Webhook.objects.count()) == (422, 0)
    assert answer.json()["errors"][0]["pointer"] == "/address"
    assert words in answer.json()["detail"]


def test_a_webhook_is_switched_off_and_removed_by_api(receiver: Receiver) -> None:
    dataset = make_dataset()
    webhook, dora = add(dataset, receiver.address), client_of_dora(dataset)
    queue(webhook)
    read = dora.get(f"webhooks/{webhook.pk}/")["ETag"]
    changed = dora.patch(f"webhooks/{webhook.pk}/", {"is_on": False}, if_match=read).json()
    assert (changed["is_on"], changed["address"], changed["events"]) == (False, receiver.address, Event.values)
    assert dora.patch(f"webhooks/{webhook.pk}/", {"is_on": True}, if_match=read).status_code == 412
    assert dora.delete(f"webhooks/{webhook.pk}/").status_code == 204
    assert (Webhook.objects.count(), WebhookDelivery.objects.count()) == (0, 0)


def test_a_delivery_is_followed_and_repeated_by_api(receiver: Receiver) -> None:
    dataset = make_dataset()
    webhook, dora = add(dataset, receiver.address), client_of_dora(dataset)
    delivery = queue(webhook)
    address = f"webhook-deliveries/{delivery.pk}/"
    assert dora.post(f"{address}repeat/").status_code == 409
    work(delivery)
    [listed] = dora.get(f"webhooks/{webhook.pk}/deliveries/").json()["results"]
    assert (listed["state"], listed["attempts"], listed["status"], listed["error"]) == ("done", 1, 204, "")
    again = dora.post(f"{address}repeat/")
    assert (again.status_code, again["Location"], again.json()["state"]) == (202, f"/api/v1/{address}", "waiting")
    work(delivery)
    assert dora.get(address).json()["state"] == "done"
    assert [message.headers["webhook-id"] for message in receiver.messages] == [str(delivery.message_id)] * 2


def test_a_list_of_deliveries_costs_the_same_whatever_its_length(django_assert_max_num_queries) -> None:  # type: ignore[no-untyped-def]
    dataset = make_dataset()
    webhook, dora = add(dataset, "https://a.example/"), client_of_dora(dataset)
    for _ in range(30):
        queue(webhook)
    with django_assert_max_num_queries(6):
        assert len(dora.get(f"webhooks/{webhook.pk}/deliveries/").json()["results"]) == 30


def test_a_dataset_has_so_many_webhooks_at_most(receiver: Receiver) -> None:
    dataset = make_dataset()
    for _ in range(20):
        add(dataset, receiver.address)
    sent = {"address": receiver.address, "events": ["run.ended"]}
    answer = client_of_dora(dataset).post(f"datasets/{dataset.pk}/webhooks/", sent)
    assert (answer.status_code, answer.json()["detail"]) == (422, "A dataset has at most 20 webhooks.")


def page_of(dora: User) -> Client:
    client = Client()
    client.force_login(dora)
    return client


def test_the_pages_add_show_change_repeat_and_delete(receiver: Receiver) -> None:
    dataset = make_dataset()
    client = page_of(make_person("dora", dataset, Role.ADJUDICATOR))
    listed = f"/datasets/{dataset.pk}/webhooks/"
    assert "There is no webhook." in client.get(listed).content.decode()
    made = client.post(listed, {"address": receiver.address, "events": ["gold.frozen"]}).content.decode()
    webhook = Webhook.objects.get()
    assert secret_of(webhook) in made
    page = f"/webhooks/{webhook.pk}/"
    assert secret_of(webhook) not in client.get(page).content.decode()
    receiver.status = 500
    delivery = work(queue(webhook))
    assert "The server answered 500 Internal Server Error." in client.get(page).content.decode()
    WebhookDelivery.objects.update(state=State.FAILED)
    receiver.status = 200
    client.post(f"/webhook-deliveries/{delivery.pk}/repeat/")
    assert work(delivery).state == State.DONE
    client.post(page, {"address": receiver.address, "events": ["run.ended"]})
    assert Webhook.objects.values_list("events", "is_on").get() == (["run.ended"], False)
    assert "switched off" in client.get(listed).content.decode()
    client.post(f"{page}delete/")
    assert Webhook.objects.count() == 0


def test_the_page_refuses_a_closed_address(settings: Settings) -> None:
    settings.WEBHOOK_ALLOW = AllowedNetworks([])
    dataset = make_dataset()
    client = page_of(make_person("dora", dataset, Role.ADJUDICATOR))
    answer = client.post(f"/datasets/{dataset.pk}/webhooks/", {"address": "https://10.0.0.1/", "events": ["run.ended"]})
    assert (answer.status_code, Webhook.objects.count()) == (422, 0)
    assert "not an address of the open internet" in answer.content.decode()


def test_the_example_of_the_docs_checks_a_signature(receiver: Receiver) -> None:
    webhook = add(make_dataset(), receiver.address)
    work(queue(webhook))
    [message] = receiver.messages
    names: dict[str, object] = {}
    exec(example("docs/api.md", "Webhooks"), names)
    is_ours = names["is_ours"]
    assert callable(is_ours)
    assert is_ours(secret_of(webhook), message.headers, message.body)
    assert not is_ours(secret_of(webhook), message.headers, message.body + b" ")
    assert not is_ours(secret_of(webhook), {**message.headers, "webhook-timestamp": "1"}, message.body)
