"""Ada labels by the API, from her next task to its submission."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from prometheus_client import REGISTRY

from annotate.judgements.page_keys import PageKeys
from annotate.models import Assignment, Dataset, Label, Task, User, ViewReceipt
from annotate.tasks.assign import assign
from annotate.tasks.create import create_tasks
from tests.annotate.labels.script import card, entry, script_saves
from tests.annotate.labels.work import client_of as page_client
from tests.annotate.labels.work import factscore_work, felm_work, keys
from tests.api.conftest import ApiClient, client_of
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def lab(*responses: tuple[str, ...]) -> tuple[Dataset, User, ApiClient]:
    dataset = make_dataset()
    for segments in responses or (("One is odd.", "Two is odd."),):
        make_response(dataset, segments)
    create_tasks(dataset)
    ada = make_person("ada", dataset)
    return dataset, ada, client_of(ada)


def judged(work: dict[str, Any], value: str = "supported") -> dict[str, Any]:
    """An entry for each required unit."""
    return {unit["key"]: entry(value) for each in work["responses"] for unit in each["units"] if unit["required"]}


def test_the_next_task_is_opened_and_holds_what_its_page_shows() -> None:
    dataset, ada, api = lab()
    dataset.guidelines.create(version=1, text="Judge what is said.")
    answer = api.post(f"datasets/{dataset.pk}/assignments/next/")
    own = Assignment.objects.get()
    assert (answer.status_code, answer["Location"], answer["ETag"]) == (200, f"/api/v1/assignments/{own.key}/", '"0"')
    work = answer.json()
    assert (own.annotator, own.state, work["state"], work["key"]) == (ada, "open", "open", own.key)
    units = work["responses"][0]["units"]
    assert [unit["text"] for unit in units] == ["One is odd.", "Two is odd."]
    assert [unit["key"] for unit in units] == [PageKeys(own).of(key) for key in keys(own)]
    assert units[0]["values"] == ["supported", "not_supported", "irrelevant"]
    assert work["prompt"]["text"] == "Which numbers are odd?"
    assert work["guideline"] == {"version": 1, "text": "Judge what is said."}
    assert (work["done"], work["total"], work["entries"]) == (0, 2, {})
    assert ViewReceipt.objects.get().what == ViewReceipt.What.TASK


def test_work_in_progress_comes_before_other_work_and_nothing_left_is_no_content() -> None:
    dataset, _, api = lab()
    first, again = (api.post(f"datasets/{dataset.pk}/assignments/next/").json()["key"] for _ in range(2))
    assert first == again
    Assignment.objects.update(state="skipped", skip_reason="I cannot tell.", lease_until=None)
    assert api.post(f"datasets/{dataset.pk}/assignments/next/").status_code == 204


def test_who_has_not_passed_the_qualification_is_told_so() -> None:
    dataset, _, api = lab()
    Dataset.objects.update(qualification_pass=0.5)
    Task.objects.update(kind=Task.Kind.QUALIFICATION)
    answer = api.post(f"datasets/{dataset.pk}/assignments/next/")
    assert (answer.status_code, "qualification" in answer.json()["detail"]) == (409, True)


def test_a_draft_is_saved_under_its_version_and_submitted() -> None:
    own = felm_work()
    api = client_of(own.annotator)
    address = f"assignments/{own.key}/"
    work = api.get(address)
    assert api.put(f"{address}draft/", {"entries": {}}).status_code == 428
    saved = api.put(f"{address}draft/", {"entries": judged(work.json()), "active": 5}, if_match=work["ETag"])
    assert (saved.status_code, saved["ETag"], saved.json()["entries"]) == (200, '"1"', judged(work.json()))
    assert api.get(address).json()["done"] == 2
    answer = api.post(f"{address}submit/", if_match=saved["ETag"])
    assert (answer.status_code, answer.json()["state"]) == (200, "submitted")
    assert answer.json()["entries"] == judged(work.json())
    assert [label.value for label in Label.objects.all()] == ["supported", "supported"]
    assert api.put(f"{address}draft/", {"entries": {}}, if_match="*").status_code == 409
    assert api.post(f"{address}submit/", if_match="*").status_code == 409


def test_a_draft_is_replaced_as_a_whole() -> None:
    own = felm_work()
    first, second = keys(own)
    script_saves(own, {first: entry("supported"), second: entry("supported"), "comment": {"text": "Odd."}})
    of, api = PageKeys(own).of, client_of(own.annotator)
    answer = api.put(f"assignments/{own.key}/draft/", {"entries": {of(first): entry("irrelevant")}}, if_match='"1"')
    own.refresh_from_db()
    assert (answer.status_code, list(own.draft), own.draft[first]["value"]) == (200, [first], "irrelevant")


def saves(outcome: str) -> float:
    """Those that are counted for Prometheus so far."""
    return REGISTRY.get_sample_value("touchstone_saves_total", {"outcome": outcome}) or 0


def test_saves_and_conflicts_are_counted_as_those_of_the_pages() -> None:
    own = felm_work()
    api, address, before = client_of(own.annotator), f"assignments/{own.key}/", (saves("saved"), saves("stale"))
    sent = {"entries": judged(api.get(address).json())}
    statuses = [api.put(f"{address}draft/", sent, if_match=version).status_code for version in ('"0"', '"7"')]
    # The very draft that is stored counts as saved; another one over an older version is a conflict.
    statuses.append(api.put(f"{address}draft/", {"entries": {}}, if_match='"0"').status_code)
    statuses.append(api.post(f"{address}submit/", if_match='"0"').status_code)
    assert statuses == [200, 200, 412, 412]
    assert (saves("saved") - before[0], saves("stale") - before[1]) == (2, 2)


def test_a_draft_saved_elsewhere_meanwhile_comes_back_and_stays() -> None:
    own = felm_work()
    of, api, first = PageKeys(own).of, client_of(own.annotator), keys(own)[0]
    assert script_saves(own, {first: entry("not_supported")}).status_code == 200
    answer = api.put(f"assignments/{own.key}/draft/", {"entries": {of(first): entry("supported")}}, if_match='"0"')
    problem = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (412, "application/problem+json")
    assert (problem["version"], problem["entries"]) == (1, {of(first): entry("not_supported")})
    assert api.post(f"assignments/{own.key}/submit/", if_match='"0"').status_code == 412
    own.refresh_from_db()
    assert own.draft[first]["value"] == "not_supported"


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        ({"nowhere": entry("supported")}, "nowhere is not an address of this task"),
        ({"comment": {"words": "Odd."}}, "the entry comment does not have the fields text"),
    ],
)
def test_a_draft_that_breaks_a_rule_is_not_saved(entries: dict[str, Any], why: str) -> None:
    own = felm_work()
    answer = client_of(own.annotator).put(f"assignments/{own.key}/draft/", {"entries": entries}, if_match="*")
    assert (answer.status_code, answer.json()["detail"]) == (422, f"Not saved: {why}.")


def test_a_document_of_another_source_is_not_cited() -> None:
    own = felm_work()
    sent = {PageKeys(own).of(keys(own)[0]): entry("supported", references=[card(document=7)])}
    answer = client_of(own.annotator).put(f"assignments/{own.key}/draft/", {"entries": sent}, if_match="*")
    assert (answer.status_code, "knowledge source" in answer.json()["detail"]) == (422, True)


def test_an_unfinished_draft_is_not_submitted() -> None:
    own = felm_work()
    answer = client_of(own.annotator).post(f"assignments/{own.key}/submit/", if_match="*")
    assert (answer.status_code, answer.json()["detail"]) == (422, "Not submitted: 2 of 2 are still open.")


def test_a_submission_under_a_key_is_done_once() -> None:
    own = felm_work()
    api, address = client_of(own.annotator), f"assignments/{own.key}/"
    saved = api.put(f"{address}draft/", {"entries": judged(api.get(address).json())}, if_match="*")
    first, again = (api.post(f"{address}submit/", if_match=saved["ETag"], idempotency_key="k") for _ in range(2))
    assert (first.status_code, again.status_code, again["Idempotency-Replayed"]) == (200, 200, "true")
    assert Label.objects.count() == 2


def test_a_biography_is_judged_fact_by_fact_with_corrections() -> None:
    own = factscore_work()
    api, address = client_of(own.annotator), f"assignments/{own.key}/"
    work = api.get(address).json()
    units = work["responses"][0]["units"]
    assert [unit["number"] for unit in units] == ["1", "1.1", "1.2", "2", "2.1"]
    assert [unit["required"] for unit in units] == [False, True, True, False, True]
    sent = {**judged(work), units[0]["correction"]: {"text": "Ada sings."}}
    saved = api.put(f"{address}draft/", {"entries": sent}, if_match="*")
    answer = api.post(f"{address}submit/", if_match=saved["ETag"])
    assert (answer.status_code, own.labels.count(), own.edits.get().text) == (200, 3, "Ada sings.")


def test_a_task_is_skipped_taken_up_submitted_and_taken_back() -> None:
    own = felm_work()
    api, address = client_of(own.annotator), f"assignments/{own.key}/"
    assert api.post(f"{address}skip/", {"reason": " "}).status_code in (409, 422)
    assert api.post(f"{address}skip/", {"reason": "I cannot tell."}).json()["state"] == "skipped"
    assert api.post(f"{address}skip/", {"reason": "I cannot tell."}).status_code == 409
    assert api.post(f"{address}take-up/").json()["state"] == "open"
    assert api.post(f"{address}take-up/", idempotency_key="again").status_code == 200
    assert api.post(f"{address}take-back/").status_code == 409
    assert api.post(f"{address}keep/").status_code == 409
    saved = api.put(f"{address}draft/", {"entries": judged(api.get(address).json())}, if_match="*")
    assert api.post(f"{address}submit/", if_match=saved["ETag"]).json()["may_take_back"] is True
    back = api.post(f"{address}take-back/").json()
    assert (back["state"], back["returned"]["what"], back["done"]) == ("open", "taken_back", 2)
    assert api.post(f"{address}keep/").json()["state"] == "submitted"


def test_own_work_is_listed_in_the_order_in_which_it_was_begun() -> None:
    dataset, _, api = lab(("One is odd.",), ("Two is odd.",), ("Three is odd.",))
    assign(dataset, ["ada"], overlap=0, seed=7)
    begun = []
    for _ in range(2):
        work = api.post(f"datasets/{dataset.pk}/assignments/next/").json()
        api.put(f"assignments/{work['key']}/draft/", {"entries": judged(work)}, if_match="*")
        api.post(f"assignments/{work['key']}/submit/", if_match="*")
        begun.append(work["key"])
    listed = api.get(f"datasets/{dataset.pk}/assignments/?page_size=1").json()
    following = api.get(listed["next"].removeprefix("http://testserver")).json()
    assert [each["key"] for page in (listed, following) for each in page["results"]] == begun
    assert following["next"] is None, "what is reserved is not listed"
    assert api.get(f"datasets/{dataset.pk}/assignments/?state=skipped").json()["results"] == []
    assert set(listed["results"][0]) == {
        "key", "state", "state_title", "prompt", "is_closed", "submitted_at", "lease_until", "skip_reason",
        "awaits_rebuttal", "new_messages",
    }  # fmt: skip


def test_what_is_reserved_is_as_if_it_were_not_there() -> None:
    dataset, _, api = lab()
    assign(dataset, ["ada"], overlap=0, seed=7)
    own = Assignment.objects.get()
    assert [api.get(f"assignments/{own.key}/").status_code, own.state] == [404, "reserved"]
    assert api.put(f"assignments/{own.key}/draft/", {"entries": {}}, if_match="*").status_code == 404


def test_somebody_elses_assignment_is_as_if_it_were_not_there() -> None:
    own = felm_work()
    ben = client_of(make_person("ben", own.task.dataset))
    assert ben.get(f"assignments/{own.key}/").status_code == 404
    assert ben.post(f"assignments/{own.key}/skip/", {"reason": "Mine."}).status_code == 404


def test_a_token_that_reads_saves_nothing() -> None:
    own = felm_work()
    reader = client_of(own.annotator, "read", "manage")
    assert reader.get(f"assignments/{own.key}/").status_code == 200
    assert reader.put(f"assignments/{own.key}/draft/", {"entries": {}}, if_match="*").status_code == 403
    assert reader.post(f"datasets/{own.task.dataset_id}/assignments/next/").status_code == 403


def test_the_page_shows_what_was_saved_by_the_api() -> None:
    own = felm_work()
    first = PageKeys(own).of(keys(own)[0])
    client_of(own.annotator).put(
        f"assignments/{own.key}/draft/", {"entries": {first: entry("supported", reason="So it is.")}}, if_match="*"
    )
    page = page_client(own.annotator).get(f"/assignments/{own.key}/")
    assert page.context["page"]["entries"][first]["reason"] == "So it is."


def queries_of_list(responses: int) -> int:
    dataset, ada, api = lab(*[(f"{number} is odd.",) for number in range(responses)])
    for task in dataset.tasks.all():
        Assignment.objects.create(task=task, annotator=ada, place=0, state="skipped", skip_reason="No.")
    api.get(f"datasets/{dataset.pk}/assignments/")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        answer = api.get(f"datasets/{dataset.pk}/assignments/")
    assert len(answer.json()["results"]) == responses
    return len(asked)


def test_a_longer_list_asks_no_more_queries() -> None:
    few = queries_of_list(2)
    Dataset.objects.update(name="before")
    User.objects.update(username="before")
    assert queries_of_list(9) == few


def test_facts_of_a_later_set_are_not_shown() -> None:
    """The readings are those of the page: the facts that are for labelling."""
    own = factscore_work()
    response = own.task.responses.get()
    add_facts(response, [["By a machine."], ["By a machine."]], origin="model")
    units = client_of(own.annotator).get(f"assignments/{own.key}/").json()["responses"][0]["units"]
    assert "By a machine." not in [unit["text"] for unit in units]
