"""The gold page."""

import pytest
from django.urls import reverse

from annotate.adjudication.decide import Note, decide
from annotate.adjudication.whole import settle_removal
from annotate.gold.freeze import freeze_gold
from annotate.models import Role
from annotate.overview.progress import progress_of
from tests.factories import add_correction, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def test_what_was_removed_is_not_counted_and_that_is_said(client):
    dataset = make_dataset()
    dora = make_person("dora", dataset, Role.ADJUDICATOR)
    remaining, removed = make_response(dataset, ["One is odd."]), make_response(dataset)
    for segment in (*remaining.segments.all(), *removed.segments.all()):
        add_gold(segment, "supported")
    settle_removal(removed, dora, keep=False, why="It asks for nothing.")
    client.force_login(dora)
    answer = client.get(reverse("gold", args=[dataset.pk]))
    assert [source["n"] for source in answer.context["sources"]] == [1] == [progress_of(dataset).gold]
    assert "1 response was removed from the dataset" in squeezed(answer.text)


def test_corrections_since_the_last_version_are_counted(client):
    dataset = make_dataset()
    dora = make_person("dora", dataset, Role.ADJUDICATOR)
    one, two = make_response(dataset).segments.all()
    for segment in (one, two):
        add_gold(segment, "supported")
    add_correction(one, "One is an odd number.")
    freeze_gold(dataset, "v1")
    client.force_login(dora)
    address = reverse("gold", args=[dataset.pk])
    assert "nothing has changed" in squeezed(client.get(address).text)
    add_correction(one, "One is odd.")
    add_correction(two, "Two is even.")
    assert "0 new, 0 changed, 0 withdrawn; 2 corrections of sentences" in squeezed(client.get(address).text)


def test_decisions_are_listed_by_what_the_disagreement_was_about(client):
    dataset = make_dataset()
    dora = make_person("dora", dataset, Role.ADJUDICATOR)
    one, two = make_response(dataset).segments.all()
    for segment, why, category in ((one, "One is odd indeed.", "slip"), (two, "Two is even.", "")):
        add_gold(segment, "supported")
        decide((segment.pk, None), dora, "not_supported", why=why, note=Note(category=category))
    client.force_login(dora)
    address = reverse("gold", args=[dataset.pk])
    assert "Two is even." in client.get(address).text
    answer = client.get(address, {"category": "slip"})
    assert "One is odd indeed." in answer.text
    assert "Two is even." not in answer.text
    assert client.get(address, {"category": "nonsense"}).context["page"].paginator.count == 2
