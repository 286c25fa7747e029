"""Members of a dataset and invitations to it by the API."""

import pytest
from django.core import mail
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from annotate.invitations.invite import find_invitation
from annotate.models import Dataset, Role, User
from api.models import RepeatedAnswer
from audit.models import AuditEntry
from tests.api.conftest import ApiClient, client_of
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset("numbers")


@pytest.fixture
def dora(dataset: Dataset) -> User:
    return make_person("dora", dataset, Role.ADJUDICATOR)


@pytest.fixture
def api(dora: User) -> ApiClient:
    return client_of(dora)


def test_a_person_is_added_and_listed(api: ApiClient, dataset: Dataset) -> None:
    make_person("ada")
    added = api.post(f"datasets/{dataset.pk}/members/", {"username": "ada", "role": "annotator"})
    assert added.status_code == 201
    expected = {"id": added.json()["id"], "username": "ada", "name": "", "is_active": True, "role": "annotator"}
    assert added.json() == expected == api.get(added["Location"]).json()
    found = api.get(f"datasets/{dataset.pk}/members/").json()["results"]
    assert [each["username"] for each in found] == ["dora", "ada"]
    assert AuditEntry.objects.get(action="member-added").detail == "numbers: annotator"


def test_an_unknown_person_and_a_second_role_are_refused(api: ApiClient, dataset: Dataset) -> None:
    address = f"datasets/{dataset.pk}/members/"
    answer = api.post(address, {"username": "zoe", "role": "annotator"})
    assert (answer.status_code, answer.json()["detail"]) == (422, "No user is called 'zoe': invite them instead.")
    assert api.post(address, {"username": "dora", "role": "annotator"}).status_code == 422
    assert not AuditEntry.objects.filter(action="member-added").exists()


def test_a_role_is_changed_but_not_ones_own(api: ApiClient, dataset: Dataset, dora: User) -> None:
    ben = make_person("ben", dataset).memberships.get()
    changed = api.patch(f"members/{ben.pk}/", {"role": "researcher"})
    assert (changed.status_code, changed.json()["role"]) == (200, "researcher")
    assert AuditEntry.objects.get(action="role-changed").detail == "numbers: annotator to researcher"
    own = api.patch(f"members/{dora.memberships.get().pk}/", {"role": "researcher"})
    assert own.json()["detail"] == "Your own role is for another adjudicator to change."


def test_members_are_removed_and_leave_but_for_the_last_adjudicator(
    api: ApiClient, dataset: Dataset, dora: User
) -> None:
    ben, rhea = make_person("ben", dataset), make_person("rhea", dataset, Role.RESEARCHER)
    assert api.delete(f"members/{ben.memberships.get().pk}/").status_code == 204
    assert client_of(rhea).delete(f"members/{rhea.memberships.get().pk}/").status_code == 204
    last = api.delete(f"members/{dora.memberships.get().pk}/")
    assert (last.status_code, "only adjudicator" in last.json()["detail"]) == (422, True)
    assert list(dataset.memberships.values_list("user__username", flat=True)) == ["dora"]


def test_a_token_of_another_dataset_ends_no_membership(dataset: Dataset) -> None:
    ben = make_person("ben", dataset)
    letters = make_dataset("letters")
    letters.memberships.create(user=ben, role=Role.ANNOTATOR)
    own = dataset.memberships.get(user=ben).pk
    assert client_of(ben, dataset=letters).delete(f"members/{own}/").status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_members(api: ApiClient, dataset: Dataset) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert api.get(f"datasets/{dataset.pk}/members/").status_code == 200
        return len(captured)

    queries()
    few = queries()
    for name in ("ada", "ben", "cleo"):
        make_person(name, dataset)
    assert queries() == few


def test_the_link_of_an_invitation_is_given_once(api: ApiClient, dataset: Dataset) -> None:
    sent = {"name": "Zoe", "role": "annotator"}
    made, again = (api.post(f"datasets/{dataset.pk}/invitations/", sent, idempotency_key="k1") for _ in range(2))
    assert (made.status_code, made.json()["state"], made.json()["emailed"]) == (201, "open", False)
    key = made.json()["link"].partition("key=")[2]
    assert made.json()["link"].startswith("http://testserver/invitation/")
    invitation = find_invitation(key)
    assert invitation is not None
    assert invitation.pk == made.json()["id"]
    assert (again.status_code, again.json()["detail"].startswith("This was done.")) == (409, True)
    assert RepeatedAnswer.objects.get().body is None
    assert "link" not in api.get(made["Location"]).json()
    assert AuditEntry.objects.filter(action="invited").count() == 1


@override_settings(EMAIL_CONFIGURED=True)
def test_the_link_of_an_invitation_by_email_is_given_to_nobody_else(api: ApiClient, dataset: Dataset) -> None:
    sent = {"name": "Zoe", "email": "zoe@example.org", "role": "annotator"}
    made = api.post(f"datasets/{dataset.pk}/invitations/", sent).json()
    assert (made["link"], made["emailed"], made["email"]) == ("", True, "zoe@example.org")
    assert "/invitation/?key=" in str(mail.outbox[-1].body)


def test_many_are_invited_and_each_address_is_answered(api: ApiClient, dataset: Dataset) -> None:
    sent = {"addresses": "zoe@example.org\nnobody", "role": "annotator"}
    zoe, nobody = api.post(f"datasets/{dataset.pk}/invitations/many/", sent).json()
    assert (zoe["line"], zoe["outcome"]) == (1, "NEW")
    assert find_invitation(zoe["link"].partition("key=")[2]) is not None
    assert nobody == {"line": 2, "name": "nobody", "email": "nobody", "outcome": "UNREADABLE", "link": ""}


def test_an_invitation_is_revoked_once(api: ApiClient, dataset: Dataset) -> None:
    made = api.post(f"datasets/{dataset.pk}/invitations/", {"name": "Zoe", "role": "annotator"})
    assert api.delete(made["Location"]).status_code == 204
    assert api.delete(made["Location"]).status_code == 409
    (listed,) = api.get(f"datasets/{dataset.pk}/invitations/").json()["results"]
    assert (listed["name"], listed["state"], listed["accepted_by"]) == ("Zoe", "revoked", None)
    assert AuditEntry.objects.filter(action="invitation-revoked").count() == 1
