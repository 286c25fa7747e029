"""Who looks again cannot tell a candidate from a control, nor what gold, evaluators and others say of it.

The walk of every address (tests/annotate/blindness) holds this for the whole site; here are the pages of second looks.
"""

import pytest
from django.db.models import F
from django.urls import reverse

from annotate.models import GoldLabel, SecondLookRating, User
from evaluators.models import AuditItem, Prediction
from tests.annotate.blindness.walk import without_chance
from tests.evaluators.audit.work import answer, make_audited, send_all

pytestmark = pytest.mark.django_db


def everything_shown(client, audit):
    """What Ben is served, and what he is told when he asks for any unit and for evidence on it."""
    page = reverse("second-looks", args=[audit.dataset_id])
    asked = [client.get(page), client.get(reverse("dataset", args=[audit.dataset_id]))]
    for item in audit.second_look.items.order_by("pk"):
        asked.append(client.get(reverse("second-look-evidence", args=[item.pk]) + "?q=odd"))
        asked.append(client.post(page, {"item": item.pk}))
    return [(each.status_code, without_chance(each.content)) for each in asked]


def test_what_was_chosen_otherwise_changes_nothing_that_is_shown(client):
    dataset, _ = make_audited(20, 4)
    audit = send_all(dataset, wants=2)
    answer(audit, 2, control=False)
    client.force_login(User.objects.get(username="ben"))
    before = everything_shown(client, audit)
    GoldLabel.objects.update(value="not_supported", error_type="reasoning", reason="Because.")
    Prediction.objects.update(value="not_supported", score=0.75, rationale="I think so.")
    SecondLookRating.objects.update(value="not_supported", note="I read it.")
    AuditItem.objects.update(against=F("judged") - F("against"), gold="not_supported")
    assert everything_shown(client, audit) == before
    assert {status for status, _ in before} == {200, 422}


def test_who_looks_opens_no_page_that_knows_more(client):
    dataset, units = make_audited(20, 4)
    audit = send_all(dataset)
    client.force_login(User.objects.get(username="ben"))
    known = {
        "gold-audits": dataset.pk,
        "gold-audit": audit.pk,
        "second-look-cases": dataset.pk,
        "error-analyses": dataset.pk,
        "gold": dataset.pk,
        "leaderboard": dataset.pk,
        "response": units[0].response_id,
        "response-evidence": units[0].response_id,
    }
    answers = {name: client.get(reverse(name, args=[pk])).status_code for name, pk in known.items()}
    unknown = dict.fromkeys(("gold-audit", "response", "response-evidence"), 404)
    assert answers == dict.fromkeys(known, 403) | unknown
