"""Annotators have pseudonyms on every page, but for adjudicators of the dataset."""

import re
from itertools import pairwise

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, Label, Sample, User
from annotate.people.names import Names, names_for, pseudonym
from factor.models import BenchmarkBuild, CompletionScore, OpenEndedLabel
from ratings.rate import rate
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.blindness.walk import walk
from tests.annotate.links.pages import cite, frozen
from tests.factor.open_ended.work import make_benchmark as make_studied
from tests.factor.open_ended.work import make_scoring, texts_of, written_study
from tests.factor.thresholds.work import labelled_sample
from tests.factor.validation.work import FACTUAL, draw, make_benchmark, rate_all
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.sweeps import Share
from tests.world import make_world

# By the world's names, in another order than theirs.
RENAMED = {"ada": "zq-yvonne", "ben": "zq-xaver", "cleo": "zq-wanda"}
TOLD = re.compile(rb"zq-[a-z]+")
PSEUDONYM = re.compile(r"annotator [B-DF-HJ-NP-TV-XZ2-9]{3}-[B-DF-HJ-NP-TV-XZ2-9]{3}")


def make_judged_world() -> Dataset:
    """Three annotators judge, cite and rate everything that there is to rate, and all of it is complete."""
    world = make_world()
    dataset = Dataset.objects.get(pk=world["dataset"])
    make_person("cleo", dataset)
    people = [make_person(name) for name in RENAMED]
    for name in ("news", "lives"):
        dataset.benchmarks.filter(name=name).update(name=f"{name} of yesterday")
    for _ in range(3):
        response = make_response(dataset)
        task = make_task(response, wants=3)
        for person, value in zip(people, ("supported", "not_supported", "supported"), strict=True):
            judge(task, person, dict.fromkeys(response.segments.all(), value))
            task.shared_messages.create(author=person, text="It is odd.")
        add_gold(response.segments.all()[0], "supported")
    for label in Label.objects.filter(assignment__annotator__in=people).order_by("pk"):
        cite(label, frozen(f"https://cited.example/{label.pk}"))
    validation = draw(make_benchmark(dataset), raters=3)
    for person, words in zip(people, ({}, {(0, 1): FACTUAL}, {}), strict=True):
        rate_all(validation, person, words)
    labelled = labelled_sample(BenchmarkBuild.objects.get(), people[0], size=1)
    type(labelled).objects.filter(pk=labelled.pk).update(created_by=make_person("dora"))
    sample = Sample.objects.create(dataset=dataset, kind="safety", size=1, population=1, seed=7)
    sample.items.create(position=0, response=response).ratings.create(rater=people[0], safe=True, valid=False)
    begun = Sample.objects.create(dataset=dataset, kind="safety", size=1, population=1, seed=7, raters=2)
    begun.items.create(position=0, response=response).ratings.create(rater=people[1], safe=True, valid=False)
    rate_all_but_one = draw(validation.benchmark, raters=2, seed=8)
    item = rate_all_but_one.next_item(people[2])
    assert item is not None
    rate(item, people[2], FACTUAL)
    study = written_study(scoring=make_scoring(make_studied(dataset=dataset), (-2, -3, -1), (-2, -3, -1), name="open"))
    for text in texts_of(study):
        OpenEndedLabel.objects.create(item=text, rater=people[0], answer="true")
    CompletionScore.objects.all().delete()  # they have no tokens to show
    for old, new in RENAMED.items():
        User.objects.filter(username=old).update(username=new)
    return dataset


@pytest.fixture(scope="module")
def dataset(module_db: None) -> Dataset:
    return make_judged_world()


def login(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def names_told(name: str, method: str, share: Share) -> dict[bytes, str]:
    """The annotators' user names that somebody learns, each with the first request that brings it out."""
    told: dict[bytes, str] = {}
    for asked, text in walk(login(name), method, share=share):
        for word in TOLD.findall(text):
            told.setdefault(word, asked)
    return told


def test_a_researcher_learns_no_annotators_name_at_any_address(dataset: Dataset, share: Share) -> None:
    assert names_told("rhea", "get", share) == {}


def test_an_adjudicator_sees_names_where_a_researcher_sees_pseudonyms(dataset: Dataset) -> None:
    pages = [reverse(name, args=[dataset.pk]) for name in ("agreement", "splits", "links")]
    validation = dataset.benchmarks.get(name="news").validations.order_by("pk")[0]
    pages += [reverse("validation-export", args=[validation.pk])]
    for page in pages:
        named, veiled = (_body(login(name), page) for name in ("dora", "rhea"))
        assert TOLD.search(named.encode()) and not PSEUDONYM.search(named), page
        assert PSEUDONYM.search(veiled), page


def _body(client: Client, page: str) -> str:
    return b"".join(client.get(page)).decode()


def test_the_annotators_of_a_table_stand_in_the_order_of_their_pseudonyms(dataset: Dataset) -> None:
    rows = login("rhea").get(reverse("agreement", args=[dataset.pk])).context["heat"]
    shown = [row.annotator for row in rows]
    assert shown == sorted(pseudonym(dataset.pk, User.objects.get(username=name).pk) for name in RENAMED.values())


def test_units_can_be_filtered_by_a_pseudonym_and_by_no_user_name(dataset: Dataset) -> None:
    address, rhea = reverse("splits", args=[dataset.pk]), login("rhea")
    ada = User.objects.get(username="zq-yvonne")
    assert rhea.get(address, {"who": pseudonym(dataset.pk, ada.pk)}).context["rows"]
    assert not rhea.get(address, {"who": ada.username}).context["rows"]


@pytest.mark.django_db
def test_a_pseudonym_is_stable_within_a_dataset_and_differs_between_datasets() -> None:
    ada, ben = make_person("ada"), make_person("ben")
    one, other = make_dataset("one"), make_dataset("other")
    assert PSEUDONYM.fullmatch(pseudonym(one.pk, ada.pk))
    assert pseudonym(one.pk, ada.pk) == names_for("researcher", one).of(ada) == names_for(None, one).of(ada)
    assert len({pseudonym(dataset.pk, who.pk) for dataset in (one, other) for who in (ada, ben)}) == 4
    assert names_for("adjudicator", one).of(ada) == "ada"


def test_pseudonyms_of_a_large_dataset_differ_and_follow_no_order() -> None:
    names = [Names(1, are_shown=False).known_as(person, "") for person in range(1, 1001)]
    assert len(set(names)) == 1000
    rising = sum(one < other for one, other in pairwise(names))
    assert 400 < rising < 600
