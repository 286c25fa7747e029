"""The pages of second looks, without a script."""

import pytest
from django.urls import reverse
from django.utils import timezone

from annotate.evidence.precedents import precedents
from annotate.judgements.units import LabelUnit
from annotate.models import GoldLabel, ReferenceLink, SecondLookRating, Task, User, ViewReceipt
from annotate.samples.draw import draw_sample
from annotate.samples.views import items_for
from annotate.second_look.cases import settled_items
from annotate.second_look.send import send
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.second_look.work import case_of, look_at, make_units, send_all
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def login(client, name):
    client.force_login(User.objects.get(username=name))
    return client


@pytest.fixture
def item():
    dataset, (unit,) = make_units(["supported"])
    return send_all(dataset, [unit])[0]


def looks(item):
    return reverse("second-looks", args=[item.sample.dataset_id])


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
    assert "All done" in answer.content.decode()
    look = SecondLookRating.objects.get()
    assert (look.value, look.error_type, look.note, look.links) == (
        "not_supported",
        "reasoning",
        "It is not.",
        ["https://one.example/"],
    )


def test_a_word_without_a_value_is_refused_and_the_rest_kept(client, item):
    answer = login(client, "ada").post(looks(item), {"item": item.pk, "reason": "Because of this."})
    assert answer.status_code == 422
    assert "Because of this." in answer.content.decode()
    assert "Choose a value." in answer.content.decode()


def test_the_last_one_is_shown_to_be_changed(client, item):
    look_at(item, "ada", "not_supported", "My reason.")
    page = login(client, "ada").get(f"{looks(item)}?last").content.decode()
    assert "My reason." in page


@pytest.mark.parametrize("key", ["", "x", "0", "99999", "9" * 5000])
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
    assert SecondLookRating.objects.count() == 1


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
    assert (SecondLookRating.objects.get().value, SecondLookRating.objects.get().irrelevance) == (
        "irrelevant",
        "unrelated",
    )


def read(client, item):
    """The adjudicator's page; what it says has been read there."""
    page = client.get(reverse("second-look-cases", args=[item.sample.dataset_id]))
    return page.content.decode(), page.context["case"]["seen"]


def settle(client, item, seen, **said):
    return client.post(reverse("second-look-settle", args=[item.pk]), {"seen": seen, **said}, follow=True)


def test_an_adjudicator_sees_both_and_takes_one(client, item):
    look = look_at(item, "ada", "not_supported", "It is not.")
    page, seen = read(login(client, "dora"), item)
    assert "Gold is right" in page and "It is not." in page
    answer = settle(client, item, seen, look=look.pk, why="She is right.")
    assert "Changed" in answer.content.decode()
    assert GoldLabel.objects.current().get(segment=item.segment).value == "not_supported"


def test_what_cannot_be_settled_stays_on_the_page_as_it_was_chosen(client, item):
    look = look_at(item, "ada", "not_supported")
    _, seen = read(login(client, "dora"), item)
    for said, told in (
        ({"look": look.pk, "why": " "}, "say why"),
        ({"look": "7777", "why": "So it is."}, "whether to keep or change gold"),
        ({"look": "9" * 5000, "why": "So it is."}, "whether to keep or change gold"),
    ):
        answer = settle(client, item, seen, **said)
        assert answer.status_code == 422
        assert told in squeezed(answer.content.decode())
        shown = answer.context["case"]
        assert (shown["case"].item, shown["chosen"], shown["why"]) == (item, str(said["look"]), said["why"])
    assert case_of(item).settlement is None
    assert 'data-key="2" checked' in squeezed(settle(client, item, seen, look=look.pk).content.decode())


def test_of_what_changed_meanwhile_the_reason_stays_and_the_choice_does_not(client, item):
    look = look_at(item, "ada", "not_supported", "It is even.")
    _, seen = read(login(client, "dora"), item)
    look_at(item, "ada", "irrelevant", "It is beside the point.")
    answer = settle(client, item, seen, look=look.pk, why="It is even indeed.")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "a second look has changed" in page and "It is beside the point." in page and "It is even indeed." in page
    assert " checked" not in page
    assert settle(client, item, answer.context["case"]["seen"], look=look.pk, why="So.").status_code == 200
    assert case_of(item).settlement is not None


def test_of_what_somebody_else_has_settled_the_reason_stays(client, item):
    look_at(item, "ada", "not_supported")
    _, seen = read(login(client, "dora"), item)
    settle(client, item, seen, look="gold", why="It is odd.")
    answer = settle(client, item, seen, look="gold", why="I thought so, too.")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert (
        "Somebody has adjudicated this in the meantime" in page and "I thought so, too." in page and "Next unit" in page
    )
    assert case_of(item).settlement.why == "It is odd."


def test_a_script_is_answered_with_what_it_swaps(client, item):
    look_at(item, "ada", "not_supported")
    _, seen = read(login(client, "dora"), item)
    address = reverse("second-look-settle", args=[item.pk])
    said = {"look": "gold", "seen": seen, "why": "It is odd."}
    page = client.post(address, said, headers={"HX-Request": "true"}, follow=True).content.decode()
    assert page.strip().startswith('<div id="item">') and "Adjudicated." in page and "Nothing to adjudicate" in page
    login(client, "ben")
    page = client.post(looks(item), {"item": item.pk, "value": "supported"}, headers={"HX-Request": "true"})
    assert page.status_code == 409
    assert page.content.decode().strip().startswith('<div id="item">')


def test_settled_ones_are_read_page_by_page(client, monkeypatch):
    monkeypatch.setattr("annotate.second_look.views.PER_PAGE", 2)
    dataset, units = make_units(["supported"] * 3)
    login(client, "dora")
    for item in send_all(dataset, units):
        look_at(item, "ada", "not_supported")
        _, seen = read(client, item)
        settle(client, item, seen, look="gold", why=f"{item.pk} is odd.")
    last, before, first = settled_items(dataset)
    address = reverse("second-look-cases", args=[dataset.pk])
    pages = [client.get(f"{address}?page={number}").context["settled_cases"] for number in (1, 2)]
    assert [[case.item for case in cases] for cases in pages] == [[last, before], [first]]


def test_who_settles_has_seen_the_labels(client, item):
    task = make_task(item.segment.response)
    look_at(item, "ada", "not_supported")
    _, seen = read(login(client, "dora"), item)
    read(client, item)
    assert list(ViewReceipt.objects.values_list("task", "who__username", "what", "times")) == [
        (task.pk, "dora", "labels", 2)
    ]
    settle(client, item, seen, look="gold", why="It is odd.")
    assert ViewReceipt.objects.get().times == 3


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
    unit = LabelUnit(units[1], None, required=True)
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
    page = login(client, "ada").get(reverse("dataset", args=[item.sample.dataset_id])).content.decode()
    assert "1 unit waits for a second look" in page
