"""The pages of perplexity."""

import pytest
from django.urls import reverse

from annotate.models import Role
from factor.models import Perplexity
from jobs.models import JobItem
from knowledge.models import Document
from tests.factor.perplexity.work import make_insects, make_model, make_perplexity
from tests.factories import make_dataset, make_person
from tests.figure_names import check_figure_names
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_dataset()


@pytest.fixture(autouse=True)
def enqueued(monkeypatch):
    """Kinds and keys that the queue got."""
    sent: list[tuple[str, int]] = []
    monkeypatch.setattr("jobs.tasks.work.apply_async", lambda message, **_: sent.append(message))
    return sent


@pytest.fixture
def rhea(client, dataset):
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    return client


def score(perplexity, total=-10.0, count=5, characters=20):
    """All documents as if they had been scored so."""
    perplexity.items.update(state=JobItem.State.DONE, total=total, count=count, characters=characters, windows=1)
    Perplexity.objects.filter(pk=perplexity.pk).update(state=Perplexity.State.FINISHED)


def page(client, name, *keys):
    return squeezed(client.get(reverse(name, args=keys)).content.decode())


def test_without_a_source_the_page_says_what_to_do_first(rhea, dataset):
    assert "No knowledge source yet" in page(rhea, "perplexities", dataset.pk)


def test_without_a_model_the_page_says_what_to_do_first(rhea, dataset):
    make_insects()

    assert "No language models yet" in page(rhea, "perplexities", dataset.pk)


@pytest.mark.usefixtures("neural")
def test_a_researcher_begins_a_pass(rhea, dataset, enqueued, settings, tmp_path):
    settings.WEIGHTS_DIR = tmp_path
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny" / "config.json").write_text("{}")
    model, insects = make_model(dataset), make_insects()
    form = {"model": model.pk, "source": insects.pk, "documents": 2, "seed": 1, "context_length": 64}

    response = rhea.post(reverse("perplexity-start", args=[dataset.pk]), form)

    begun = Perplexity.objects.get()
    assert response.url == reverse("perplexity", args=[begun.pk])
    assert (begun.documents, begun.seed, begun.created_by.username) == (2, 1, "rhea")
    assert enqueued == [("perplexity", begun.pk)]


def test_a_model_whose_weights_are_not_there_is_refused(rhea, dataset, settings, tmp_path):
    settings.WEIGHTS_DIR = tmp_path
    model, insects = make_model(dataset), make_insects()
    form = {"model": model.pk, "source": insects.pk, "documents": 2, "seed": 1, "context_length": 64}

    response = rhea.post(reverse("perplexity-start", args=[dataset.pk]), form)

    assert response.status_code == 422
    assert "tiny" in response.content.decode()
    assert not Perplexity.objects.exists()


def test_a_model_that_was_scored_elsewhere_cannot_be_chosen(rhea, dataset):
    make_insects()
    make_model(dataset, reached_by="elsewhere")

    assert "No language models yet" in page(rhea, "perplexities", dataset.pk)


def test_a_model_of_another_dataset_cannot_be_chosen(rhea, dataset):
    other, insects = make_model(make_dataset("other")), make_insects()
    make_model(dataset, name="own")
    form = {"model": other.pk, "source": insects.pk, "documents": 2, "seed": 1, "context_length": 64}

    response = rhea.post(reverse("perplexity-start", args=[dataset.pk]), form)

    assert response.status_code == 422
    assert not Perplexity.objects.exists()


def test_the_list_shows_perplexity_and_bits_per_character(rhea, dataset):
    score(make_perplexity(dataset))

    shown = page(rhea, "perplexities", dataset.pk)

    assert "7.39" in shown  # exp(10 / 5)
    assert "0.721" in shown  # 10 / ln 2 / 20


def test_a_pass_tells_which_documents_the_model_may_know(rhea, dataset):
    perplexity = make_perplexity(dataset, cutoff="2021-10-01")
    Document.objects.filter(title="Bee").update(published="2020-05-05")

    shown = page(rhea, "perplexity", perplexity.pk)

    assert "1 document is from before this date and may be known to the model;" in shown
    assert "0 are later, and 2 without a date" in shown


def test_a_pass_shows_why_a_document_failed(rhea, dataset):
    perplexity = make_perplexity(dataset)
    perplexity.items.update(state=JobItem.State.FAILED, error="The text is not one.")

    assert "The text is not one." in page(rhea, "perplexity", perplexity.pk)


def test_a_pass_is_stopped_and_goes_on(rhea, dataset, enqueued):
    perplexity = make_perplexity(dataset)

    rhea.post(reverse("perplexity-stop", args=[perplexity.pk]))
    assert "Go on" in page(rhea, "perplexity", perplexity.pk)

    rhea.post(reverse("perplexity-resume", args=[perplexity.pk]))
    perplexity.refresh_from_db()
    assert perplexity.state == Perplexity.State.SCORING
    assert enqueued == [("perplexity", perplexity.pk)]


def test_progress_refreshes_the_page_at_the_end(rhea, dataset):
    perplexity = make_perplexity(dataset)
    address = reverse("perplexity-progress", args=[perplexity.pk])

    assert "HX-Refresh" not in rhea.get(address, headers={"hx-request": "true"}).headers
    score(perplexity)
    assert rhea.get(address, headers={"hx-request": "true"}).headers["HX-Refresh"] == "true"


def test_the_list_takes_as_many_queries_for_many_passes_as_for_one(rhea, dataset, django_assert_max_num_queries):
    insects = make_insects()
    for number in range(5):
        score(make_perplexity(dataset, insects, name=f"model {number}"))

    page(rhea, "perplexities", dataset.pk)  # the number in the navigation is counted once a minute
    with django_assert_max_num_queries(16):
        page(rhea, "perplexities", dataset.pk)


def test_names_of_figures_link_to_their_definitions(rhea, dataset):
    perplexity = make_perplexity(dataset)
    score(perplexity)
    check_figure_names(rhea.get(reverse("perplexities", args=[dataset.pk])).text, "Perplexity", "Before cut-off")
    check_figure_names(rhea.get(reverse("perplexity", args=[perplexity.pk])).text, "Perplexity")
