"""The pages of second looks, without a script."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.evidence.precedents import precedents
from annotate.labels.units import Unit
from annotate.models import GoldLabel, Look, ReferenceLink, Task, User
from annotate.samples.draw import draw_sample
from annotate.samples.rate import items_for
from annotate.second_look.send import send
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.second_look.work import case_of, look_at, make_units, send_all
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def login(client, name):
    client.force_login(User.objects.get(username=name))
    return client


@pytest.fixture
def item():
    dataset, (unit,) = make_units(["supported"])
    return send_all(dataset, [unit])[0]


def looks(item):
    return reverse("second-looks", args=[item.second_look.dataset_id])


def test_an_annotator_says_what_they_see(client, item):
    login(client, "ada")
    assert "0 is odd." in client.get(looks(item)).content.decode()
    said = {
        "value": "not_supported",
        "error_type": "reasoning",
        "reason": "It is not.",
        "links": "https://one.example/",
    }
    answer = client.post(looks(item), {"item": item.pk, **said}, follow=True)
    assert "Thank you" in answer.content.decode()
    look = Look.objects.get()
    assert (look.value, look.error_type, look.reason, look.links) == (
        "not_supported",
        "reasoning",
        "It is not.",
        ["https://one.example/"],
    )


def test_a_word_without_a_value_is_refused_and_the_rest_kept(client, item):
    answer = login(client, "ada").post(looks(item), {"item": item.pk, "reason": "Because of this."})
    assert answer.status_code == 422
    assert "Because of this." in answer.content.decode()


def test_the_last_one_is_shown_to_be_changed(client, item):
    look_at(item, "ada", "not_supported", "My reason.")
    page = login(client, "ada").get(f"{looks(item)}?last").content.decode()
    assert "My reason." in page


@pytest.mark.parametrize("key", ["", "x", "0", "99999"])
def test_a_unit_that_is_not_there_is_not_found(client, item, key):
    assert login(client, "ada").post(looks(item), {"item": key, "value": "supported"}).status_code == 404


def test_who_has_judged_a_unit_can_neither_look_at_it_nor_for_evidence(client, item):
    judge(make_task(item.segment.response), User.objects.get(username="ada"), {item.segment: "supported"})
    login(client, "ada")
    assert client.post(looks(item), {"item": item.pk, "value": "supported"}).status_code == 404
    assert client.get(reverse("second-look-evidence", args=[item.pk])).status_code == 404


def test_who_comes_too_late_is_told_and_goes_on(client, item):
    look_at(item, "ben", "supported")
    answer = login(client, "ada").post(looks(item), {"item": item.pk, "value": "supported"}, follow=True)
    assert "Others have looked at that one meanwhile" in answer.content.decode()
    assert Look.objects.count() == 1


def test_evidence_is_searched_in_what_came_with_the_response(client, item):
    ReferenceLink.objects.create(response=item.segment.response, position=0, url="https://o.example/", content="Odd.")
    page = login(client, "ada").get(reverse("second-look-evidence", args=[item.pk]) + "?q=odd").content.decode()
    assert "https://o.example/" in page


def test_a_fact_is_looked_at_with_its_kinds_of_irrelevance(client):
    dataset = make_dataset(scheme="factscore")
    make_person("ada", dataset)
    make_person("dora", dataset, "adjudicator")
    fact, _ = add_facts(make_response(dataset), [["A fact."], ["Another."]])
    add_gold(fact, "supported")
    dataset.refresh_from_db()
    (item,) = send(
        dataset, [(fact.segment_id, fact.pk)], 1, 1, dataset.gold_revision, User.objects.get(username="dora")
    )
    login(client, "ada").post(looks(item), {"item": item.pk, "value": "irrelevant", "irrelevance": "unrelated"})
    assert (Look.objects.get().value, Look.objects.get().irrelevance) == ("irrelevant", "unrelated")


def test_an_adjudicator_sees_both_and_takes_one(client, item):
    look = look_at(item, "ada", "not_supported", "It is not.")
    login(client, "dora")
    address = reverse("second-look-cases", args=[item.second_look.dataset_id])
    page = client.get(address).content.decode()
    assert "Gold is right" in page and "It is not." in page
    answer = client.post(
        reverse("second-look-settle", args=[item.pk]),
        {"look": look.pk, "why": "She is right.", "seen": ""},
        follow=True,
    )
    assert "Changed" in answer.content.decode()
    assert GoldLabel.objects.current().get(segment=item.segment).value == "not_supported"


def test_settling_without_a_reason_changes_nothing(client, item):
    look = look_at(item, "ada", "not_supported")
    answer = login(client, "dora").post(
        reverse("second-look-settle", args=[item.pk]), {"look": look.pk, "why": ""}, follow=True
    )
    assert "Say why" in answer.content.decode()
    assert case_of(item).item.settled_at is None


def test_settling_without_a_side_changes_nothing(client, item):
    look_at(item, "ada", "not_supported")
    answer = login(client, "dora").post(
        reverse("second-look-settle", args=[item.pk]), {"look": "7777", "why": "So."}, follow=True
    )
    assert "whether gold stands" in answer.content.decode()


def closed_with_gold(unit):
    """Somebody else's closed task, its gold decided by a person."""
    task = make_task(unit.response, wants=1)
    judge(task, "zoe", {unit: "supported"})
    Task.objects.filter(pk=task.pk).update(closed_at=timezone.now())
    unit.gold.update(source="adjudicated", adjudication=unit.adjudications.create(who=make_person("dora"), why="So."))


def test_what_waits_for_a_look_is_no_precedent():
    dataset, units = make_units(["supported", "supported"])
    closed_with_gold(units[0])
    own = judge(make_task(units[1].response), User.objects.get(username="ada"), {units[1]: "supported"})
    units[1].text = "Whether 0 is odd: odd numbers 0."
    unit = Unit(units[1], None, required=True)
    before = [each.gold.segment for each in precedents(own, unit)]
    send_all(dataset, units[:1])
    assert (before, precedents(own, unit)) == ([units[0]], [])


def test_the_references_of_what_waits_for_a_look_are_not_rated_by_annotators():
    dataset, (unit,) = make_units(["supported"])
    closed_with_gold(unit)
    ReferenceLink.objects.create(gold=unit.gold.get(), position=0, url="https://gold.example/")
    sample = draw_sample(dataset, "reliability", 1, 1, 7, make_person("dora"))
    before = items_for(sample, "annotator").count()
    send_all(dataset, [unit])
    assert (before, items_for(sample, "annotator").count(), items_for(sample, "researcher").count()) == (1, 0, 1)


def test_the_overview_says_how_many_wait(client, item):
    page = login(client, "ada").get(reverse("dataset", args=[item.second_look.dataset_id])).content.decode()
    assert "1 unit waits for a second look" in page
