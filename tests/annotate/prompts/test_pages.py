"""The pages of prompts: Dora brings, asks, stops and describes; Rhea reads."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.corpus.rows import PromptRow
from annotate.models import Generation, Role, SubjectModel
from annotate.prompts.collect import collect
from annotate.prompts.generation_job import GenerationJob
from jobs.work import work_on
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

ASK = {"model": "tiny", "interface": "chat", "temperature": 0, "max_tokens": 50, "samples": 1, "sample_temperature": 1}


@pytest.fixture
def lives():
    dataset = make_dataset("lives", scheme="factscore")
    collect(dataset, [PromptRow("Tell me a bio of Maria.", topic="Maria")], "file")
    return dataset


@pytest.fixture
def dora(client, lives):
    client.force_login(make_person("dora", lives, Role.ADJUDICATOR))
    return client


def bring(client, dataset, *rows):
    text = "".join(json.dumps(row) + "\n" for row in rows)
    file = SimpleUploadedFile("more.jsonl", text.encode())
    return client.post(reverse("prompts-import", args=[dataset.pk]), {"file": file}, follow=True)


def test_a_file_of_prompts_is_collected(dora, lives):
    page = bring(dora, lives, {"prompt": "Tell me a bio of Otto.", "topic": "Otto"})

    assert "1 prompts are new, 0 already existed." in page.content.decode()
    assert [prompt.topic for prompt in page.context["page"]] == ["Maria", "Otto"]


def test_what_is_wrong_with_a_file_is_said_at_the_form(dora, lives):
    page = bring(dora, lives, {"prompt": "Who?"})

    assert (page.status_code, lives.collected_prompts.count()) == (422, 1)
    assert "more.jsonl, line 1: topic is missing" in page.content.decode()


def test_a_model_is_asked_and_its_answers_are_shown(dora, lives, model):
    model.control(answer="Maria painted.")
    page = dora.post(reverse("generation-start", args=[lives.pk]), ASK, follow=True)
    assert "0 of 1 prompts answered" in squeezed(page.content.decode())

    generation = Generation.objects.get()
    work_on(GenerationJob(), generation.pk)

    page = squeezed(dora.get(reverse("generation", args=[generation.pk])).content.decode())
    assert "1 of 1 prompts answered" in page
    assert "Maria painted." in page
    assert 'hx-trigger="every' not in page
    assert generation.created_by.username == "dora"


def test_the_progress_ends_with_the_whole_page(dora, lives, model):
    dora.post(reverse("generation-start", args=[lives.pk]), ASK)
    generation = Generation.objects.get()
    address = reverse("generation-progress", args=[generation.pk])

    assert "HX-Refresh" not in dora.get(address, headers={"HX-Request": "true"})
    dora.post(reverse("generation-stop", args=[generation.pk]))
    assert dora.get(address, headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_stopped_it_goes_on_or_ends_with_what_there_is(dora, lives, model):
    dora.post(reverse("generation-start", args=[lives.pk]), ASK)
    generation = Generation.objects.get()
    dora.post(reverse("generation-stop", args=[generation.pk]))
    dora.post(reverse("generation-resume", args=[generation.pk]))
    assert Generation.objects.get().state == "asking"

    dora.post(reverse("generation-stop", args=[generation.pk]))
    generation.items.update(state="done", text="Maria painted.")
    page = dora.post(reverse("generation-accept", args=[generation.pk]), follow=True)
    assert "1 answers are now responses." in page.content.decode()
    assert lives.responses.get().text == "Maria painted."


def test_two_askings_of_one_subject_are_refused(dora, lives):
    dora.post(reverse("generation-start", args=[lives.pk]), ASK)

    page = dora.post(reverse("generation-start", args=[lives.pk]), ASK)

    assert (page.status_code, "tiny is already in use" in page.content.decode()) == (422, True)


def test_a_subject_model_is_described_and_described_anew(dora, lives):
    make_response(lives, ["Maria sang."], prompt="Maria", subject="amber 7B")
    address = reverse("subject-describe", args=[lives.pk])
    dora.post(address, {"name": "amber 7B", "base": "amber", "size": "7B", "open": "yes", "released": "2023-03"})
    dora.post(address, {"name": "amber 7B", "base": "resin", "size": "7B", "open": "no", "released": ""})

    subject = SubjectModel.objects.get()
    assert (subject.base, subject.open, subject.released) == ("resin", False, "")
    page = dora.get(reverse("statistics", args=[lives.pk])).content.decode()
    assert "resin" in page


def test_a_month_must_be_one(dora, lives):
    page = dora.post(reverse("subject-describe", args=[lives.pk]), {"name": "amber", "released": "March"})

    assert (page.status_code, SubjectModel.objects.count()) == (422, 0)
    assert "Write year and month" in page.content.decode()


def test_a_researcher_reads_and_finds_no_form(client, lives):
    client.force_login(make_person("rhea", lives, Role.RESEARCHER))

    page = client.get(reverse("prompts", args=[lives.pk])).content.decode()

    assert "Tell me a bio of Maria." in page
    assert reverse("generation-start", args=[lives.pk]) not in page
