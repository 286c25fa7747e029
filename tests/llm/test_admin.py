"""Administrators find endpoints and answers; nobody changes an answer or sees a key."""

import pytest

from llm.models import Call, Endpoint, Price
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin_pages(client):
    dora = make_person("dora")
    dora.is_staff = dora.is_superuser = True
    dora.save()
    client.force_login(dora)
    return client


@pytest.fixture
def call():
    endpoint = Endpoint.objects.create(name="lab", base_url="http://lab/v1", key_variable="TOUCHSTONE_KEY_LAB")
    Price.objects.create(endpoint=endpoint, model="m", prompt_usd=1, completion_usd=2)
    return Call.objects.create(
        endpoint=endpoint, request_hash="abc", model="m", request={"sample": 0}, answer="It is so.", seconds=0.1
    )


def test_an_answer_is_found_by_its_text(admin_pages, call):
    assert "abc" in admin_pages.get("/admin/llm/call/", {"q": "it is so"}).text
    assert "0 calls" in admin_pages.get("/admin/llm/call/", {"q": "something else"}).text


def test_an_answer_cannot_be_changed(admin_pages, call):
    assert admin_pages.get(f"/admin/llm/call/{call.pk}/change/").status_code == 200
    assert admin_pages.post(f"/admin/llm/call/{call.pk}/change/", {"answer": "It is not."}).status_code == 403
    assert admin_pages.get("/admin/llm/call/add/").status_code == 403


def test_an_endpoint_shows_the_name_of_its_key_and_not_the_key(admin_pages, call, monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_KEY_LAB", "sk-very-secret")

    page = admin_pages.get(f"/admin/llm/endpoint/{call.endpoint_id}/change/").text

    assert "TOUCHSTONE_KEY_LAB" in page
    assert "sk-very-secret" not in page


@pytest.mark.parametrize("name", ["DATA_DIR", "SECRET_KEY", "DATABASE_URL"])
def test_an_endpoint_sends_no_secret_of_the_server_there_either(admin_pages, call, name):
    address = f"/admin/llm/endpoint/{call.endpoint_id}/change/"
    none = {"prices-TOTAL_FORMS": 0, "prices-INITIAL_FORMS": 0}
    fields = {"name": "lab", "base_url": "http://elsewhere.example/v1", **none}
    refused = admin_pages.post(address, {**fields, "key_variable": name})
    assert "or one that KEY_VARIABLES lists" in refused.text
    assert admin_pages.post(address, {**fields, "key_variable": "TOUCHSTONE_KEY_LAB"}).status_code == 302
    assert Endpoint.objects.get().key_variable == "TOUCHSTONE_KEY_LAB"


def test_an_answer_cannot_be_deleted(admin_pages, call):
    assert admin_pages.post(f"/admin/llm/call/{call.pk}/delete/", {"post": "yes"}).status_code == 403
    deleted = {"action": "delete_selected", "_selected_action": call.endpoint_id, "post": "yes"}
    admin_pages.post(f"/admin/llm/endpoint/{call.endpoint_id}/delete/", {"post": "yes"})
    admin_pages.post("/admin/llm/endpoint/", deleted)
    assert Call.objects.exists()
