"""What an annotator can learn of others' judgements, of gold, of predictions, asked of every address.

Two ways to look. A secret that is a text is a word that no answer may hold. One that is a choice from a list cannot be
told from the list: so the choices are made otherwise, and no answer may become another one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.utils import timezone

from annotate.models import Assignment, Dataset, GoldLabel, Label, Removal, ResponseLabel, SecondLookRating, Task, User
from api.urls import API
from evaluators.models import AuditItem, Prediction
from tests.annotate.blindness.api_walk import OF_A_JOB, api_table_of, walk_api
from tests.annotate.blindness.secrets import WORD, make_world, secret
from tests.annotate.blindness.walk import WORDS, Answer, addresses, pages, table_of, walk, without_chance
from tests.sweeps import Share

pytestmark = pytest.mark.django_db

SCHEMES = ["felm", "factscore"]
EVIDENCE = {"url", "quote", "snapshot"}
JUDGED = {"reason", "edit", "removal", *EVIDENCE}
# What Ben wrote to all, once both had submitted.
TO_ALL = secret("toall", "done")
DECIDED = {"gold", "goldurl", "goldedit", "goldremoval", "why", "cites"}


def login(name: str) -> Client:
    cache.clear()  # a walk sends more passwords than are looked at
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def learnt(name: str, share: Share, *allowed: str) -> dict[str, str]:
    """The secrets that come out though they may not, each with the first request that brings it out."""
    return secrets_in(everything(name, share), *allowed)


def everything(name: str, share: Share) -> Iterator[Answer]:
    """What pages and the API answer."""
    yield from walk(login(name), "get", "post", share=share)
    yield from walk_api(User.objects.get(username=name), share)


def secrets_in(answers: Iterable[tuple[str, bytes]], *allowed: str) -> dict[str, str]:
    address_of: dict[str, str] = {}
    for address, text in answers:
        for word in WORD.findall(text):
            address_of.setdefault(word.decode(), address)
    return {word: address for word, address in address_of.items() if word not in allowed}


def finished() -> Task:
    """The task that both have submitted."""
    return Task.objects.order_by("position")[0]


def test_every_number_in_an_address_is_known():
    unknown = [
        (each.name, number)
        for each in addresses()
        for number in each.numbers
        if number not in WORDS and table_of(each, number) is None
    ]
    assert unknown == [], "say in walk.py what these numbers are of"


def test_every_number_in_an_address_of_the_api_is_known():
    unknown = [
        (each.name, number)
        for each in API
        for number in each.pattern.converters
        if list(each.pattern.converters) != OF_A_JOB and api_table_of(each, number) is None
    ]
    assert unknown == [], "say in api_walk.py what these numbers are of"


def test_the_api_answers_an_annotator():
    """So there is something to be blind at."""
    make_world("felm")
    statuses = Counter(text[:3] for _, text in walk_api(User.objects.get(username="ada")))
    assert statuses[b"200"] > 5 and statuses[b"403"] > 5 and statuses[b"404"] > 5, statuses


def test_in_rebuttal_an_annotator_learns_the_evidence_of_that_task_alone(share: Share):
    make_world("factscore")
    Dataset.objects.update(rebuttal=True)
    Task.objects.filter(pk=finished().pk).update(rebuttal_at=timezone.now())
    assert learnt("ada", share, *(secret(what, "done") for what in EVIDENCE)) == {}


def test_once_it_is_closed_an_annotator_learns_what_was_judged_and_decided_there(share: Share):
    make_world("factscore")
    Task.objects.filter(pk=finished().pk).update(closed_at=timezone.now())
    assert learnt("ada", share, TO_ALL, *(secret(what, "done") for what in JUDGED | DECIDED)) == {}


def test_somebody_of_another_dataset_learns_nothing_ever(share: Share):
    make_world("felm")
    Task.objects.update(closed_at=timezone.now())
    assert learnt("oscar", share) == {}


def choose_otherwise() -> None:
    """Ben's judgements, gold and predictions are turned round, and the task at hand is a control."""
    Label.objects.exclude(assignment__annotator__username="ada").update(value="supported", error_type="")
    ResponseLabel.objects.exclude(assignment__annotator__username="ada").update(keep=True)
    GoldLabel.objects.update(value="not_supported", error_type="reasoning")
    Removal.objects.update(keep=True)
    Prediction.objects.update(value="not_supported", score=0.75)
    SecondLookRating.objects.exclude(rater__username="ada").update(value="supported")
    AuditItem.objects.update(against=1 - F("against"), gold="not_supported")
    Task.objects.exclude(pk=finished().pk).update(kind=Task.Kind.CONTROL)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_before_the_task_is_closed_an_annotator_learns_nothing_and_what_others_chose_changes_no_answer(
    scheme: str, share: Share
):
    make_world(scheme)
    before = dict(everything("ada", share))
    assert secrets_in(before.items(), TO_ALL) == {}
    choose_otherwise()
    after = dict(everything("ada", share))
    assert [address for address in before if without_chance(before[address]) != without_chance(after[address])] == []


@pytest.mark.parametrize(("shown", "allowed"), [("before", ("hand",)), ("after", ())])
def test_of_predictions_an_annotator_learns_the_suggestions_that_are_shown_alone(
    shown: str, allowed: tuple[str, ...], share: Share
):
    """After: the annotator has not labelled the unit yet. Another run says something of the same unit."""
    make_world("felm")
    said = Prediction.objects.get(rationale=secret("rationale", "hand"))
    other = Prediction.objects.get(rationale=secret("rationale", "done")).run
    Prediction.objects.create(run=other, segment=said.segment, value="supported", rationale=secret("rationale", "any"))
    at_hand = Assignment.objects.filter(annotator__username="ada", state="open")
    at_hand.update(suggestion=shown, suggestion_run=said.run_id)
    text = login("ada").get(f"/assignments/{at_hand.get().key}/").content.decode()
    assert (secret("rationale", "hand") in text) == (shown == "before")
    assert learnt("ada", share, *(secret("rationale", name) for name in allowed)) == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_who_looks_again_is_shown_the_unit(scheme: str):
    """So there is something to be blind at; of the tasks they had nothing."""
    make_world(scheme)
    page = login("ada").get(f"/datasets/{Dataset.objects.get(name='lab').pk}/second-looks/")
    assert page.context["left"] == 1 and page.context["item"].position == 0


def test_an_adjudicator_learns_all_of_it():
    """So it is there to be found."""
    make_world("factscore")
    missing = {
        f"zq-{what}-" for what in ("reason", "url", "quote", "edit", "gold", "why", "rationale", "name", "toall")
    }
    for text in pages(login("dora")):
        missing -= {each for each in missing if each.encode() in text}
        if not missing:
            break
    assert missing == set()


def test_an_adjudicator_learns_of_it_by_the_api():
    make_world("factscore")
    Removal.objects.all().delete()  # gold of what is removed is not listed
    found = {word.rpartition("-")[0] for word in secrets_in(walk_api(User.objects.get(username="dora")))}
    assert found >= {"zq-reason", "zq-url", "zq-gold", "zq-why", "zq-name"}
