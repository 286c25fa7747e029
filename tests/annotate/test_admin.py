"""The admin pages find things, and what experts said is only read there."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, GoldLabel, User
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_gold, make_dataset, make_response

pytestmark = pytest.mark.django_db

OURS = [model for model in admin.site._registry if model._meta.app_label == "annotate"]


@pytest.fixture
def root(client: Client) -> User:
    """Logged in, with a row of most kinds to list."""
    one, two = (response := make_response(make_dataset())).segments.all()
    judge(make_task(response, wants=1), "ada", {one: "supported", two: "not_supported//No."})
    add_gold(one, "supported")
    root = User.objects.create_superuser("root", password="root")
    client.force_login(root)
    return root


@pytest.mark.parametrize("model", OURS, ids=lambda model: model._meta.model_name)
def test_each_list_can_be_searched(client: Client, root: User, model: type) -> None:
    address = reverse(f"admin:annotate_{model._meta.model_name}_changelist")
    assert client.get(address, {"q": "odd"}).status_code == 200


@pytest.mark.parametrize("action", ["change", "delete"])
def test_gold_is_neither_changed_nor_deleted_there(client: Client, root: User, action: str) -> None:
    address = reverse(f"admin:annotate_goldlabel_{action}", args=[GoldLabel.objects.get().pk])
    assert client.post(address, {"value": "not_supported"}).status_code == 403


def test_whoever_left_a_trace_is_not_deleted(client: Client, root: User) -> None:
    ada, zoe = User.objects.get(username="ada"), User.objects.create_user("zoe")
    answers = [
        client.post(reverse("admin:annotate_user_delete", args=[each.pk]), {"post": "yes"}) for each in (ada, zoe)
    ]
    chosen = {"action": "delete_selected", "_selected_action": ada.pk, "post": "yes"}
    client.post(reverse("admin:annotate_user_changelist"), chosen)
    assert [answer.status_code for answer in answers] == [403, 302]
    assert User.objects.filter(username="ada").exists()


def test_roles_change_on_the_pages_of_members_alone(client: Client, root: User) -> None:
    member = Dataset.objects.get().memberships.create(user=User.objects.get(username="ada"), role="annotator")
    for action in ("change", "delete"):
        address = reverse(f"admin:annotate_membership_{action}", args=[member.pk])
        assert client.post(address, {"role": "adjudicator", "post": "yes"}).status_code == 403
    assert client.get(reverse("admin:annotate_membership_add")).status_code == 403


def test_nobody_sets_the_password_of_somebody_else(client: Client, root: User) -> None:
    ada = User.objects.get(username="ada")
    new = {"password1": "seven red herons", "password2": "seven red herons"}
    assert client.post(reverse("admin:auth_user_password_change", args=[ada.pk]), new).status_code == 403
    assert client.post(reverse("admin:annotate_user_add"), new | {"username": "zoe"}).status_code == 403
    assert "../password/" not in client.get(reverse("admin:annotate_user_change", args=[ada.pk])).text
