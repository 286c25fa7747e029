"""The pages of prompt sets."""

from io import BytesIO
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import PromptSet, Role
from annotate.prompt_sets.upload import store_set
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db

WELL = b"== user\nWell, what is it?"


@pytest.fixture
def lab():
    return make_dataset()


@pytest.fixture
def rhea(client, lab):
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    return client


def show(rhea, lab, query):
    return rhea.get(reverse("prompt-set", args=[lab.pk]) + query)


def upload(rhea, lab, name, *files):
    return rhea.post(reverse("prompt-sets", args=[lab.pk]), {"name": name, "templates": files})


def test_an_upload_of_several_files_becomes_a_set_and_is_shown(rhea, lab):
    answer = upload(rhea, lab, "mine", SimpleUploadedFile("ask.txt", WELL), SimpleUploadedFile("tell.txt", WELL))
    stored = PromptSet.objects.get()
    assert answer.url.endswith(f"?set={quote(str(stored))}")
    assert (sorted(stored.templates), stored.uploaded_by.username) == (["ask", "tell"], "rhea")
    assert "mine, version 1" in rhea.get(reverse("prompt-sets", args=[lab.pk])).content.decode()


def test_a_file_that_is_no_template_is_said_at_the_form(rhea, lab):
    text = upload(rhea, lab, "mine", SimpleUploadedFile("ask.txt", b"Hello")).content.decode()
    assert "ask.txt must begin with a line that names a turn" in text
    assert not PromptSet.objects.exists()


def test_a_name_that_is_never_filled_in_is_said_at_the_form(rhea, lab):
    file = SimpleUploadedFile("factscore_facts.txt", b"== user\n$sentence\n$subject")
    text = upload(rhea, lab, "mine", file).content.decode()
    assert "factscore_facts.txt, line 3: $subject is not filled in here ($sentence is)" in text
    assert not PromptSet.objects.exists()


def test_a_form_without_a_file_asks_for_one(rhea, lab):
    assert "This field is required" in upload(rhea, lab, "mine").content.decode()


def test_what_sets_one_version_apart_from_another_is_marked(rhea, lab):
    first, second = (
        store_set(lab, "mine", [("ask.txt", BytesIO(text))], None) for text in (WELL, WELL[:-3] + b"that?")
    )
    text = show(rhea, lab, f"?set={second}&against={first}").content.decode()
    assert "<del> it?</del><ins> that?</ins>" in text


def test_templates_that_do_not_differ_are_only_named(rhea, lab):
    first = store_set(lab, "mine", [("ask.txt", BytesIO(WELL)), ("tell.txt", BytesIO(WELL))], None)
    second = store_set(lab, "mine", [("ask.txt", BytesIO(WELL)), ("more.txt", BytesIO(WELL))], None)
    context = show(rhea, lab, f"?set={second}&against={first}").context
    assert [template.name for template in context["templates"]] == ["more"]
    assert (context["same"], context["missing"]) == (["ask"], ["tell"])


def test_a_set_that_is_not_there_is_not_found(rhea, lab):
    assert show(rhea, lab, "?set=nobody").status_code == 404
    assert show(rhea, lab, "?set=touchstone&against=nobody").status_code == 404
