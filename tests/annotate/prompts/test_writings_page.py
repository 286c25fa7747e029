"""The page on which Dora drafts prompts, and a model writes more of them."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.corpus.rows import PromptRow
from annotate.models import PromptWriting, Role
from annotate.prompts.collect import collect
from annotate.prompts.writing_job import WritingJob
from annotate.prompts.writings import start_writing
from jobs.enqueue import sweep
from jobs.leases import lease_items
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.retries import RetryPolicy
from tests.factories import make_dataset, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

AT_ONCE = RetryPolicy(attempts=2, first_wait=0.01)
WRITE = {"model": "tiny", "domain": "science", "wanted": 2, "seed": 7}
ANSWER = "- Which metals rust?\n- How do bees find their way?"


@pytest.fixture
def lab():
    dataset = make_dataset("lab")
    collect(dataset, [PromptRow("Why is the sky blue at noon?", domain="science")], "file")
    return dataset


@pytest.fixture
def dora(client, lab):
    client.force_login(make_person("dora", lab, Role.ADJUDICATOR))
    return client


@pytest.fixture
def enqueued(monkeypatch):
    items = []
    monkeypatch.setattr("jobs.tasks.work.apply_async", lambda args, **_: items.append(args))
    return items


def page_of(client, dataset, **headers):
    return client.get(reverse("prompt-writings", args=[dataset.pk]), headers=headers)


def test_drafts_are_collected_line_by_line(dora, lab):
    drafts = {"prompts": "Why does ice float?\n\n Why is snow white? ", "domain": "science"}

    dora.post(reverse("prompt-drafts", args=[lab.pk]), drafts)

    assert list(lab.collected_prompts.values_list("text", "domain", "origin"))[1:] == [
        ("Why does ice float?", "science", "file"),
        ("Why is snow white?", "science", "file"),
    ]


def test_a_draft_that_is_there_with_another_domain_is_refused(dora, lab):
    drafts = {"prompts": "Why is the sky blue at noon?", "domain": "weather"}

    page = dora.post(reverse("prompt-drafts", args=[lab.pk]), drafts)

    assert (page.status_code, lab.collected_prompts.count()) == (422, 1)
    assert "line 1: the prompt is there already, with another topic, domain or category" in page.content.decode()


def test_a_model_writes_after_the_drafts(dora, lab, model, enqueued):
    model.control(answer=ANSWER)
    page = dora.post(reverse("prompt-writing-start", args=[lab.pk]), WRITE, follow=True)
    assert "2 waiting to be written" in squeezed(page.content.decode())
    writing = PromptWriting.objects.get()
    assert (enqueued, writing.created_by.username) == ([("prompt_writing", writing.pk)], "dora")

    work_on(WritingJob(AT_ONCE), writing.pk)

    page = squeezed(page_of(dora, lab).content.decode())
    assert "2 of 2 written" in page
    assert 'hx-trigger="every' not in page
    assert [prompt.text for prompt in page_of(dora, lab).context["page"]] == [
        "How do bees find their way?",
        "Which metals rust?",
    ]


def test_the_progress_ends_with_the_whole_page(dora, lab, model):
    model.control(answer=ANSWER)
    writing = start_writing(lab, default_endpoint(), "tiny", 2, 7, "science")
    assert "HX-Refresh" not in page_of(dora, lab, **{"HX-Request": "true"})

    work_on(WritingJob(AT_ONCE), writing.pk)

    assert page_of(dora, lab, **{"HX-Request": "true"})["HX-Refresh"] == "true"


def test_a_refusal_of_the_endpoint_is_shown_and_nothing_is_collected(dora, lab, model):
    model.control(fail_every=1, fail_status=401, fail_text="wrong key")
    writing = start_writing(lab, default_endpoint(), "tiny", 2, 7, "science")

    work_on(WritingJob(AT_ONCE), writing.pk)

    page = page_of(dora, lab).content.decode()
    assert "Nothing written" in page
    assert "wrong key" in page
    assert lab.collected_prompts.count() == 1


def test_what_a_killed_worker_held_is_found_and_written_once(lab, model, enqueued):
    model.control(answer=ANSWER)
    writing = start_writing(lab, default_endpoint(), "tiny", 2, 7, "science")
    lease_items(WritingJob().waiting(writing.pk), "killed worker", 1, 3)
    assert sweep(WritingJob()) == []

    PromptWriting.objects.update(lease_until=timezone.now())
    assert sweep(WritingJob()) == [writing.pk]
    assert sweep(WritingJob()) == []  # it has been told
    work_on(WritingJob(AT_ONCE), writing.pk)
    work_on(WritingJob(AT_ONCE), writing.pk)

    assert lab.collected_prompts.filter(origin="model").count() == 2


def test_a_written_prompt_is_removed_unless_a_model_was_asked_it(dora, lab):
    collect(lab, [PromptRow("Is it?"), PromptRow("Is it so?")], "model")
    _, answered, bad = lab.collected_prompts.all()
    generation = lab.generations.create(subject="tiny", model="tiny", endpoint=default_endpoint())
    generation.items.create(prompt=answered)

    for prompt in (answered, bad):
        page = dora.post(reverse("prompt-remove", args=[prompt.pk]), follow=True)

    assert "Removed: Is it so?" in page.content.decode()
    assert list(lab.collected_prompts.values_list("pk", flat=True).order_by("position"))[1:] == [answered.pk]


def test_without_a_draft_the_page_says_what_to_do(client):
    empty = make_dataset("empty")
    client.force_login(make_person("dora", empty, Role.ADJUDICATOR))

    page = page_of(client, empty).content.decode()

    assert "Write a few prompts first" in page
    assert reverse("prompt-writing-start", args=[empty.pk]) not in page
