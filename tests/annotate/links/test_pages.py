"""The pages of links, and what a card is told; blind to what others cite."""

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.http import Http404
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from pytest_django import DjangoAssertNumQueries, Settings

from annotate.links.reach import fetch_cited
from annotate.links.requested_page_job import RequestedPageJob
from annotate.links.write import write_links
from annotate.models import Assignment, Dataset, Label, ReferenceLink, RequestedPage, Role, Task
from jobs.work import work_on
from knowledge.models import Snapshot
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.blindness.walk import without_chance
from tests.annotate.links.pages import TEXT, cite, dead, frozen
from tests.factories import make_dataset, make_person, make_response
from tests.knowledge.fetching.server import WebServer, web_server

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    """Ada and Ben judged one response; Dora adjudicates, Rhea researches."""
    dataset = make_dataset()
    response = make_response(dataset)
    task = make_task(response)
    for name in ("ada", "ben"):
        judge(task, make_person(name, dataset), dict.fromkeys(response.segments.all(), "supported"))
    make_person("dora", dataset, Role.ADJUDICATOR)
    make_person("rhea", dataset, Role.RESEARCHER)
    return dataset


def label_of(name: str) -> Label:
    return Label.objects.filter(assignment__annotator__username=name).order_by("pk")[0]


def as_person(name: str) -> Client:
    client = Client()
    client.force_login(make_person(name))
    return client


def in_work(dataset: Dataset, name: str = "ada", **references: object) -> Assignment:
    """Work at hand of the person, with a draft that has one card."""
    response = make_response(dataset)
    draft = {str(response.segments.all()[0].pk): {"value": "", "references": [references]}} if references else {}
    return Assignment.objects.create(
        task=make_task(response),
        annotator=make_person(name),
        place=0,
        state="open",
        lease_until=timezone.now(),
        draft=draft,
    )


def links_page(dataset: Dataset, **query: str) -> str:
    return as_person("rhea").get(reverse("links", args=[dataset.pk]), query).content.decode()


def test_who_is_limited_to_another_dataset_reaches_no_cited_page(dataset: Dataset) -> None:
    page = frozen()
    cite(label_of("ada"), page)
    rhea, other = make_person("rhea"), make_dataset("other")
    other.memberships.create(user=rhea, role=Role.RESEARCHER)
    assert fetch_cited(rhea, page.pk).dataset == dataset
    rhea.only_dataset = other.pk
    with pytest.raises(Http404):
        fetch_cited(rhea, page.pk)


class TestLinks:
    def test_dead_links_and_missing_quotes_are_shown(self, dataset: Dataset) -> None:
        cite(label_of("ada"), dead())
        cite(label_of("ben"), frozen(), "wrote the last program", found=False)
        html = links_page(dataset)
        assert "Not reached 1" in html and "The server answered 404 Not Found." in html
        assert "Quote not found 1" in html and "wrote the last program" in html

    def test_they_can_be_picked_out(self, dataset: Dataset) -> None:
        cite(label_of("ada"), dead())
        cite(label_of("ben"), frozen(), "Ada", found=True)
        html = links_page(dataset, condition="dead")
        assert "gone.example" in html and "ada.example" not in html
        assert "No matching links" in links_page(dataset, condition="missing")

    def test_what_was_revised_counts_no_more(self, dataset: Dataset) -> None:
        label = label_of("ada")
        cite(label, dead())
        Label.objects.create(assignment=label.assignment, segment=label.segment, value="supported", revision=1)
        assert "No links yet" in links_page(dataset)

    def test_known_answers_stay_out(self, dataset: Dataset) -> None:
        cite(label_of("ada"), dead())
        Task.objects.update(kind=Task.Kind.CONTROL)
        assert "No links yet" in links_page(dataset)

    def test_work_done_before_its_answers_were_known_stays(self, dataset: Dataset) -> None:
        cite(label_of("ada"), dead())
        Task.objects.update(kind=Task.Kind.CONTROL, known_since=timezone.now())
        assert "gone.example" in links_page(dataset)

    def test_pages_never_asked_for_are_asked_for_at_a_word(self, dataset: Dataset) -> None:
        label_of("ada").references.create(position=0, url="https://old.example/")
        label_of("ada").references.create(position=1, url="Smith 1999, p. 3")
        assert "Fetch pages not requested" in links_page(dataset)
        as_person("rhea").post(reverse("links", args=[dataset.pk]))
        assert Snapshot.objects.get().url == "https://old.example/"
        html = links_page(dataset)
        assert "Fetching 1" in html and "Not on the web 1" in html and "Fetch pages not requested" not in html

    def test_a_long_list_takes_as_few_queries_as_a_short_one(
        self, dataset: Dataset, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        for number in range(60):
            cite(label_of("ada"), dead(f"https://gone.example/{number}"))
        rhea, address = as_person("rhea"), reverse("links", args=[dataset.pk])
        rhea.get(address)  # the number in the navigation is counted once a minute
        with django_assert_max_num_queries(8):
            assert "1 to 50 of 60" in rhea.get(address).content.decode()


class TestSnapshot:
    def test_a_frozen_page_is_read_with_its_quote_marked(self, dataset: Dataset) -> None:
        page = frozen()
        cite(label_of("ada"), page, "wrote the first program")
        cite(label_of("ben"), page, "wrote the last program")
        html = as_person("dora").get(reverse("snapshot", args=[page.pk])).content.decode()
        assert "<mark>wrote the first program</mark>" in html
        assert "Not found in the page: <q>wrote the last program</q>" in html
        assert page.text_hash in html and page.url in html

    def test_what_the_page_says_is_text_and_nothing_else(self, dataset: Dataset) -> None:
        page = frozen(text="<script>alert(1)</script>", title="<b>Ada</b>")
        cite(label_of("ada"), page)
        html = as_person("dora").get(reverse("snapshot", args=[page.pk])).content.decode()
        assert "<script>alert" not in html and "<b>Ada" not in html

    def test_an_annotator_reads_no_page_by_its_number(self, dataset: Dataset) -> None:
        """Not even one of their own: a number would tell how many were fetched before."""
        page = frozen()
        cite(label_of("ada"), page, "wrote the first program")
        in_work(dataset, url=page.url, quote="born in 1815")
        assert as_person("ada").get(reverse("snapshot", args=[page.pk])).status_code == 404

    def test_what_was_fetched_again_is_read_beside_it(self, dataset: Dataset) -> None:
        cited, later = frozen(text="as it was"), frozen(text="as it is")
        cite(label_of("ada"), cited, "as it was")
        html = as_person("dora").get(reverse("snapshot", args=[later.pk])).content.decode()
        assert "Not found in the page: <q>as it was</q>" in html
        assert reverse("snapshot", args=[cited.pk]) in html

    def test_who_has_left_the_dataset_reads_no_more(self, dataset: Dataset) -> None:
        page = frozen()
        cite(label_of("ada"), page)
        rhea = as_person("rhea")
        assert rhea.get(reverse("snapshot", args=[page.pk])).status_code == 200
        make_person("rhea").memberships.all().delete()
        assert rhea.get(reverse("snapshot", args=[page.pk])).status_code == 404


class TestAdjudication:
    def test_who_decides_sees_what_is_not_said_there(self, dataset: Dataset) -> None:
        page, label = frozen(), label_of("ada")
        cite(label, page, "wrote the last program", found=False)
        address = reverse("adjudicate-segment", args=[dataset.pk, label.segment_id])
        html = as_person("dora").get(address).content.decode()
        assert "✗ quote not found there" in html and reverse("snapshot", args=[page.pk]) in html


class CardPage:
    """What the workbench asks for a card."""

    def __init__(self, work: Assignment, url: str) -> None:
        self.client = as_person(work.annotator.username)
        self.asked = self.client.post(reverse("card", args=[work.key]), {"url": url})
        self.requested = work.requested_pages.filter(key=self.asked.json().get("key")).first()

    def state(self, quote: str = "") -> dict[str, object]:
        answer: dict[str, object] = self.client.post(self.asked.json()["state"], {"quote": quote}).json()
        return answer

    def settle(self) -> None:
        """What a worker does."""
        assert self.requested is not None
        work_on(RequestedPageJob(), self.requested.pk)


@pytest.fixture
def web(settings: Settings) -> Iterator[WebServer]:
    with web_server() as server:
        settings.SNAPSHOT_ALLOW = server.limits.allowed
        yield server


class TestCard:
    def test_a_new_page_is_being_fetched(self, dataset: Dataset) -> None:
        card = CardPage(in_work(dataset), "https://new.example/#part")
        assert card.requested is not None and card.requested.url == "https://new.example/"
        state = card.state("Ada")
        assert (state["state"], state["words"], state["waits"]) == ("queued", "being fetched", True)
        assert (state["quote"], state["page"], state["fetched_at"]) == (None, None, None)

    def test_a_frozen_one_has_a_title_and_the_quote_is_looked_up(self, dataset: Dataset, web: WebServer) -> None:
        card = CardPage(in_work(dataset), web.serve("/", f"<title>Ada</title><p>{TEXT}"))
        card.settle()
        found, missing = card.state("wrote the first program"), card.state("wrote the last program")
        assert (found["title"], found["quote"], found["waits"]) == ("Ada", "found", False)
        assert missing["quote"] == "missing"
        assert found["words"] == f"frozen {date_format(timezone.now(), 'j F Y')}"

    def test_a_dead_one_says_why(self, dataset: Dataset, web: WebServer) -> None:
        card = CardPage(in_work(dataset), web.url("/nothing"))
        card.settle()
        assert card.state()["words"] == "not reached: The server answered 404 Not Found."

    def test_a_dead_one_is_asked_for_again_after_an_hour(self, dataset: Dataset, web: WebServer) -> None:
        work, url = in_work(dataset), web.url("/nothing")
        card = CardPage(work, url)
        card.settle()
        assert CardPage(work, url).requested == card.requested
        RequestedPage.objects.update(settled_at=timezone.now() - timedelta(hours=2))
        assert CardPage(work, url).state()["state"] == "queued"

    def test_what_is_no_address_is_told(self, dataset: Dataset) -> None:
        asked = CardPage(in_work(dataset), "Smith 1999").asked
        assert asked.status_code == 422 and "not a web address" in asked.json()["error"]

    def test_a_draft_of_the_version_before_gets_its_page(self, dataset: Dataset, web: WebServer) -> None:
        """Its number counts for nothing; the page is asked for when the workbench opens."""
        page = frozen(web.serve("/", f"<p>{TEXT}"))
        work = in_work(dataset, url=page.url, snapshot=page.pk, quote="born in 1815")
        card = CardPage(work, page.url)
        card.settle()
        html = card.client.get(str(card.state()["page"])).content.decode()
        assert "<mark>born in 1815</mark>" in html

    def test_the_page_opens_by_the_key_of_the_card_with_ones_own_quotes(self, dataset: Dataset, web: WebServer) -> None:
        url = web.serve("/", f"<title>Ada</title><p>{TEXT}")
        cite(label_of("ben"), frozen(url), "wrote the first program")
        card = CardPage(in_work(dataset, url=f"{url}#part", quote="born in 1815"), url)
        assert card.requested is not None
        address = reverse("requested-page", args=[card.requested.assignment.key, card.requested.key])
        assert card.client.get(address).status_code == 404
        card.settle()
        assert card.state()["page"] == address
        html = card.client.get(address).content.decode()
        assert "<mark>born in 1815</mark>" in html and "<mark>wrote" not in html
        assert "Fetch again" not in html and "/snapshots/" not in html
        assert as_person("ben").get(address).status_code == 404

    def test_a_key_opens_nothing_from_another_assignment(self, dataset: Dataset) -> None:
        theirs = CardPage(in_work(dataset, "ben"), "https://bens.example/").requested
        assert theirs is not None
        own = in_work(dataset)
        for name, method in (("requested-page", "get"), ("card-state", "post")):
            answer = getattr(as_person("ada"), method)(reverse(name, args=[own.key, theirs.key]))
            assert answer.status_code == 404

    def test_submission_keeps_the_page_that_was_fetched_for_it(self, dataset: Dataset, web: WebServer) -> None:
        url = web.serve("/", "<p>As it is.")
        before = frozen(url, "As it was.")
        work = in_work(dataset)
        CardPage(work, url).settle()
        label = Label.objects.create(
            assignment=work, segment=work.task.responses.get().segments.all()[0], value="supported"
        )
        write_links([ReferenceLink(label=label, position=0, url=url, quote="As it is.")])
        link = label.references.get()
        assert link.snapshot != before and link.quote_found is True


class TestNobodyElseShows:
    """Whether somebody has asked for an address before changes nothing that an annotator is shown."""

    def asked_and_settled(self, dataset: Dataset, url: str) -> list[str]:
        """All answers to a card from the first to the last, with what differs each time left out."""
        card = CardPage(in_work(dataset), url)
        answers = [card.asked]
        answers += [card.client.post(card.asked.json()["state"], {"quote": "Ada"})]
        card.settle()
        answers += [card.client.post(card.asked.json()["state"], {"quote": "Ada"})]
        answers += [card.client.get(answers[-1].json()["page"])]
        assert card.requested is not None
        card.requested.refresh_from_db()
        changing = [card.requested.key, f"assignments/{card.requested.assignment.key}/", url]
        texts = []
        for answer in answers:
            headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
            text = f"{answer.status_code} {headers} {answer.content.decode()}"
            for each in changing:
                text = text.replace(each, "-")
            texts.append(without_chance(re.sub(r"\d\d:\d\d(:\d\d[.\d]*)?", "", text).encode()).decode())
        return texts

    @pytest.mark.parametrize("where", ["here", "elsewhere"])
    def test_every_answer_is_the_same(self, dataset: Dataset, web: WebServer, where: str) -> None:
        known, unknown = (web.serve(path, f"<title>Ada</title><p>{TEXT}") for path in ("/known", "/other"))
        page = frozen(known, TEXT)
        Snapshot.objects.update(settled_at="2026-01-21T08:00:00Z", media_type="text/html")
        if where == "elsewhere":
            response = make_response(make_dataset("elsewhere"))
            judge(make_task(response, wants=1), "zoe", dict.fromkeys(response.segments.all(), "supported"))
        cite(label_of("zoe" if where == "elsewhere" else "ben"), page, "Ada")
        assert self.asked_and_settled(dataset, known) == self.asked_and_settled(dataset, unknown)
        shown = RequestedPage.objects.get(url=known)
        assert shown.snapshot == page, "the text is not stored twice"

    def test_the_site_is_asked_each_time(self, dataset: Dataset, web: WebServer) -> None:
        """So neither the time that it takes nor the site's own log tells."""
        url = web.serve("/", f"<p>{TEXT}")
        for name in ("ben", "ada"):
            CardPage(in_work(dataset, name), url).settle()
        assert [path for path, _ in web.asked] == ["/", "/"]

    def test_a_page_that_changed_is_shown_as_it_is_now(self, dataset: Dataset, web: WebServer) -> None:
        url = web.serve("/", "<p>As it is.")
        frozen(url, "As it was.")
        card = CardPage(in_work(dataset), url)
        card.settle()
        assert card.state("As it is.")["quote"] == "found"
        assert Snapshot.objects.filter(url=url).count() == 2

    def test_a_site_that_is_gone_is_dead_though_somebody_had_it(self, dataset: Dataset, web: WebServer) -> None:
        page = frozen(web.url("/gone"))
        cite(label_of("ben"), page)
        card = CardPage(in_work(dataset), page.url)
        card.settle()
        assert card.state()["state"] == "dead"

    def test_an_address_is_asked_for_and_not_looked_up(self, dataset: Dataset) -> None:
        page, work = frozen(), in_work(dataset)
        answer = as_person("ada").get(reverse("card", args=[work.key]), {"url": page.url})
        assert answer.status_code == 405
