"""Prepared queries find what their querysets find."""

from datetime import UTC, datetime, timedelta

import django
import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.urls import reverse

from annotate.database.prepared import Prepared, PreparedInsert, PreparedUpdate, Slot
from annotate.models import Assignment, Dataset, Label, Task, User
from tests.annotate.adjudication.work import make_task
from tests.docs.examples import example
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)

_of_ada = Prepared(
    lambda: (
        Assignment.objects.select_related("task__dataset")
        .filter(annotator=Slot("annotator"), lease_until__lt=Slot("now"), state="open")
        .order_by("task")
    )
)

_with_position = Prepared(
    lambda: Assignment.objects.filter(pk=Slot("pk")).annotate(stands_at=F("task__position")).order_by()
)
_renewal = PreparedUpdate(
    lambda: Assignment.objects.filter(
        pk=Slot("pk"), lease_until=Slot("seen"), task__in=Task.objects.filter(closed_at__isnull=True)
    ),
    "draft",
    "lease_until",
)
_inserted = PreparedInsert(Assignment)
# annotate/database/prepared.py builds on parts of Django that no release promises: read what a new one changed in them
# (`SQLCompiler.klass_info`, `get_related_populators`), then add it.
READ = {(5, 2)}


@pytest.fixture
def ada() -> User:
    """She has three tasks of one dataset, whose leases end at one, two and three o'clock."""
    ada = User.objects.create_user("ada")
    dataset = Dataset.objects.create(name="rivers", scheme="felm", ready=True)
    for hour in (1, 2, 3):
        task = Task.objects.create(dataset=dataset, position=hour)
        lease = NOON + timedelta(hours=hour)
        Assignment.objects.create(
            task=task, annotator=ada, place=0, state="open", lease_until=lease, draft={"7": {"hour": hour}}
        )
    return ada


def test_it_finds_what_the_queryset_finds(ada):
    at_half_past_two = NOON + timedelta(hours=2, minutes=30)
    assignments = _of_ada.all(annotator=ada.pk, now=at_half_past_two)
    assert assignments == list(
        Assignment.objects.filter(annotator=ada, lease_until__lt=at_half_past_two, state="open").order_by("task")
    )
    assert [(each.task.position, each.draft, each.lease_until) for each in assignments] == [
        (1, {"7": {"hour": 1}}, NOON + timedelta(hours=1)),
        (2, {"7": {"hour": 2}}, NOON + timedelta(hours=2)),
    ]


def test_the_example_of_the_docs_finds_the_segments_of_a_task():
    names: dict = {}
    exec(example("docs/prepared-queries.md", "How it works"), names)
    response = make_response(make_dataset(), ["One is odd.", "Two is even."])
    make_response(response.dataset, ["Three is odd."])
    assert names["segments_of"](make_task(response)) == list(response.segments.order_by("position"))


def test_one_statement_brings_the_related_objects_too(ada, django_assert_max_num_queries):
    with django_assert_max_num_queries(1):
        assert {each.task.dataset.name for each in _of_ada.all(annotator=ada.pk, now=NOON + timedelta(days=1))} == {
            "rivers"
        }


def test_each_call_has_values_of_its_own(ada):
    later = NOON + timedelta(days=1)
    assert len(_of_ada.all(annotator=ada.pk, now=later)) == 3
    assert _of_ada.all(annotator=ada.pk + 1, now=later) == []
    assert _of_ada.first(annotator=ada.pk, now=NOON) is None
    with pytest.raises(Assignment.DoesNotExist):
        _of_ada.get(annotator=ada.pk, now=NOON)


def test_what_is_annotated_comes_with_it(ada):
    second = Assignment.objects.get(task__position=2)
    assert vars(_with_position.get(pk=second.pk))["stands_at"] == 2


def test_a_value_that_is_missing_is_an_error(ada):
    with pytest.raises(KeyError, match="now"):
        _of_ada.all(annotator=ada.pk)


def test_a_number_that_no_column_holds_finds_nothing(ada):
    assert _of_ada.all(annotator=2**63, now=NOON) == []


def test_an_update_writes_where_its_conditions_hold(ada):
    first, second = Assignment.objects.order_by("task")[:2]
    new = {"draft": {"7": "élan"}, "lease_until": NOON}
    assert _renewal.run(new, pk=first.pk, seen=first.lease_until) == 1
    assert _renewal.run(new, pk=first.pk, seen=first.lease_until) == 0
    Task.objects.filter(pk=second.task_id).update(closed_at=NOON)
    assert _renewal.run(new, pk=second.pk, seen=second.lease_until) == 0
    first.refresh_from_db()
    assert (first.draft, first.lease_until) == ({"7": "élan"}, NOON)
    assert Assignment.objects.filter(draft={"7": "élan"}).count() == 1


def test_an_address_that_nobody_has_is_not_found(ada, client):
    client.force_login(ada)
    assert client.get(reverse("assignment", args=["A" * 16])).status_code == 404


def test_this_version_of_django_was_read():
    assert django.VERSION[:2] in READ


def test_inserted_objects_are_stored_as_by_the_orm_and_have_their_keys(ada):
    task = Task.objects.create(dataset=Dataset.objects.get(), position=4)
    row = {"task": task, "state": "open", "lease_until": NOON, "draft": {"7": {"hour": "é"}}}
    by_orm = Assignment.objects.create(annotator=User.objects.create_user("bea"), place=0, key="a", **row)
    prepared = Assignment(annotator=User.objects.create_user("cleo"), place=1, key="b", **row)
    _inserted.run([prepared])
    own = {"id", "annotator_id", "place", "key"}
    stored = Assignment.objects.values(*(set(_columns(by_orm)) - own))
    assert stored.get(pk=prepared.pk) == stored.get(pk=by_orm.pk)
    prepared.draft_version = 7
    prepared.save()
    assert Assignment.objects.get(annotator__username="cleo").draft_version == 7


def test_many_objects_are_inserted_in_their_order(ada):
    segments = make_response(make_dataset(), [f"Sentence {number}." for number in range(200)]).segments
    labels = [
        Label(assignment=ada.assignments.first(), segment=segment, value="supported", reason=segment.text)
        for segment in segments.order_by("-position")
    ]
    PreparedInsert(Label).run(labels)
    assert [label.reason for label in Label.objects.order_by("pk")] == [label.reason for label in labels]
    assert all(Label.objects.get(pk=label.pk).segment == label.segment for label in labels[::50])


def test_an_insert_that_breaks_a_constraint_raises(ada):
    held = ada.assignments.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        _inserted.run([Assignment(task=held.task, annotator=ada, place=0, state="open")])
    _inserted.run([])
    assert ada.assignments.count() == 3


def _columns(instance: Assignment) -> list[str]:
    return [field.attname for field in instance._meta.concrete_fields]
