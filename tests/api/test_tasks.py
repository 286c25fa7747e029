"""Dora assigns tasks by the API, moves them by hand and sends work back."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotate.models import Assignment, Dataset, Role, Task
from annotate.tasks.create import create_tasks
from tests.annotate.adjudication.work import judge, make_task
from tests.api.conftest import ApiClient, client_of
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def lab(responses: int = 2) -> tuple[Dataset, ApiClient]:
    """With Ada and Ben, who annotate, and Dora's client."""
    dataset = make_dataset()
    for number in range(responses):
        make_response(dataset, (f"{number} is odd.",), domain="math" if number else "science")
    create_tasks(dataset)
    for name in ("ada", "ben"):
        make_person(name, dataset)
    return dataset, client_of(make_person("dora", dataset, Role.ADJUDICATOR))


def holders(dataset: Dataset) -> list[tuple[int, str]]:
    live = Assignment.objects.of(dataset).live().order_by("task__position", "annotator__username")
    return list(live.values_list("task__position", "annotator__username"))


def post(api: ApiClient, dataset: Dataset, what: str, **sent: Any) -> Any:
    return api.post(f"datasets/{dataset.pk}/tasks/{what}/", sent)


def test_tasks_are_listed_with_their_assignments_and_filtered_as_on_the_page() -> None:
    dataset, api = lab()
    first, second = dataset.tasks.order_by("position")
    Assignment.objects.create(task=second, annotator=make_person("ada"), place=0)
    rows = api.get(f"datasets/{dataset.pk}/tasks/").json()["results"]
    assert [(row["id"], row["number"], row["needed"]) for row in rows] == [(first.pk, 1, 1), (second.pk, 2, 1)]
    assert [each["annotator"] for each in rows[1]["assignments"]] == ["ada"]

    def found(query: str) -> list[int]:
        return [row["number"] for row in api.get(f"datasets/{dataset.pk}/tasks/?{query}").json()["results"]]

    assert found("state=free") == [1]
    assert found("domain=math") == [2]
    assert found("person=ada") == [2]
    assert found("q=0+is") == [1]


def test_a_longer_list_asks_no_more_queries() -> None:
    def queries(dataset: Dataset, api: ApiClient) -> int:
        api.get(f"datasets/{dataset.pk}/tasks/")
        with CaptureQueriesContext(connection) as asked:
            api.get(f"datasets/{dataset.pk}/tasks/")
        return len(asked)

    dataset, api = lab(2)
    few = queries(dataset, api)
    for _ in range(8):
        make_response(dataset)
    create_tasks(dataset)
    for task in dataset.tasks.all():
        Assignment.objects.create(task=task, annotator=make_person("ada"), place=0)
    assert queries(dataset, api) == few


def test_free_places_are_assigned_as_by_the_command() -> None:
    dataset, api = lab()
    answer = post(api, dataset, "assign", annotators=["ada", "ben"], overlap=1)
    assert (answer.status_code, answer.json()) == (200, {"tasks": 2, "assignments": 4, "seed": 7})
    assert holders(dataset) == [(0, "ada"), (0, "ben"), (1, "ada"), (1, "ben")]


def test_a_stranger_is_not_made_an_annotator() -> None:
    dataset, api = lab()
    make_person("oscar")
    answer = post(api, dataset, "assign", annotators=["ada", "oscar"], overlap=0)
    assert (answer.status_code, answer.json()["detail"]) == (422, "oscar is no annotator of this dataset.")
    assert holders(dataset) == []


def test_tasks_are_assigned_reassigned_and_unassigned_by_hand_and_the_last_action_undone() -> None:
    dataset, api = lab()
    first, second = dataset.tasks.order_by("position").values_list("pk", flat=True)
    done = post(api, dataset, "assign-by-hand", tasks=[first, second], annotators=["ada"]).json()
    assert (done["tasks"], done["assignments"], done["remarks"]) == ([1, 2], 2, [])
    post(api, dataset, "reassign", tasks=[second], source="ada", target="ben")
    assert holders(dataset) == [(0, "ada"), (1, "ben")]
    last = post(api, dataset, "unassign", tasks=[first, second], annotators=[]).json()["move"]
    assert holders(dataset) == []
    undone = api.post(f"task-moves/{last}/undo/")
    assert (undone.status_code, undone.json()["tasks"], holders(dataset)) == (200, [1, 2], [(0, "ada"), (1, "ben")])
    assert api.post(f"task-moves/{done['move']}/undo/").status_code == 422


def test_what_was_not_done_is_said() -> None:
    dataset, api = lab(1)
    task = dataset.tasks.get()
    Assignment.objects.create(task=task, annotator=make_person("ada"), place=0)
    answer = post(api, dataset, "assign-by-hand", tasks=[task.pk], annotators=["ada"]).json()
    assert (answer["move"], answer["remarks"]) == (None, ["Not done for task 1: ada has it already."])
    assert post(api, dataset, "assign-by-hand", tasks=[task.pk], annotators=["nobody"]).status_code == 422
    assert post(api, dataset, "unassign", tasks=[], annotators=[]).status_code == 422


def test_tasks_of_another_dataset_are_not_touched() -> None:
    dataset, api = lab(1)
    other = make_task(make_response(make_dataset("other")), wants=1)
    answer = post(api, dataset, "need", tasks=[other.pk], number=3).json()
    assert (answer["tasks"], Task.objects.get(pk=other.pk).wants) == ([], 1)


def test_a_task_needs_another_number_of_annotators() -> None:
    dataset, api = lab(1)
    task = dataset.tasks.get()
    assert post(api, dataset, "need", tasks=[task.pk], number=3).json()["tasks"] == [1]
    task.refresh_from_db()
    assert task.wants == 3
    assert post(api, dataset, "need", tasks=[task.pk], number=100).status_code == 422


def test_a_task_without_gold_does_not_become_a_control() -> None:
    dataset, api = lab(1)
    task = dataset.tasks.get()
    answer = post(api, dataset, "kind", tasks=[task.pk], kind="control")
    assert (answer.status_code, Task.objects.get().kind) == (422, "work")


def test_work_is_sent_back_with_a_note_and_stands_after_all() -> None:
    dataset, api = lab(1)
    own = judge(dataset.tasks.get(), make_person("ada"), {})
    assert api.post(f"assignments/{own.pk}/send-back/", {"note": " "}).status_code in (409, 422)
    sent = api.post(f"assignments/{own.pk}/send-back/", {"note": "Look at the second one."})
    assert (sent.status_code, sent.json()["state_title"]) == (200, "Returned")
    ada = client_of(make_person("ada"))
    returned = ada.get(f"assignments/{own.key}/").json()["returned"]
    assert returned == {"what": "sent_back", "note": "Look at the second one."}
    assert api.post(f"assignments/{own.pk}/send-back/", {"note": "Again."}).status_code == 409
    assert api.post(f"assignments/{own.pk}/send-back/end/").json()["state"] == "submitted"
    assert api.post(f"assignments/{own.pk}/send-back/end/").status_code == 409
