"""The pages of links, and what a card is told; blind to what others cite."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from annotate.models import Assignment, Dataset, Label, Role, Task
from knowledge.models import Snapshot
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.links.pages import cite, dead, frozen
from tests.factories import make_dataset, make_person, make_response
from tests.pages import squeezed

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
        assert "No link is like that" in links_page(dataset, condition="missing")

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
        assert "Fetch the pages never asked for" in links_page(dataset)
        as_person("rhea").post(reverse("links", args=[dataset.pk]))
        assert Snapshot.objects.get().url == "https://old.example/"
        html = links_page(dataset)
        assert "Being fetched 1" in html and "Not on the web 1" in html and "Fetch the pages" not in html

    def test_a_long_list_takes_as_few_queries_as_a_short_one(
        self, dataset: Dataset, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        for number in range(60):
            cite(label_of("ada"), dead(f"https://gone.example/{number}"))
        rhea, address = as_person("rhea"), reverse("links", args=[dataset.pk])
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

    def test_an_annotator_reads_what_they_cite_and_sees_their_own_quotes_only(self, dataset: Dataset) -> None:
        page = frozen()
        cite(label_of("ada"), page, "wrote the first program")
        cite(label_of("ben"), page, "born in 1815")
        html = as_person("ada").get(reverse("snapshot", args=[page.pk])).content.decode()
        assert "<mark>wrote the first program</mark>" in html
        assert "<mark>born" not in html and "Fetch again" not in html

    def test_what_only_others_cite_is_not_there(self, dataset: Dataset) -> None:
        page = frozen()
        cite(label_of("ben"), page)
        assert as_person("ada").get(reverse("snapshot", args=[page.pk])).status_code == 404

    def test_since_when_it_is_frozen_is_known_once_ones_work_is_submitted(self, dataset: Dataset) -> None:
        """Before, it would tell whether others had cited the page earlier."""
        page, earlier = frozen(), frozen(text="as it was")
        Snapshot.objects.update(settled_at="2026-11-21T08:00:00Z")
        cite(label_of("ben"), page)
        in_work(dataset, url=page.url)
        ada, address = as_person("ada"), reverse("snapshot", args=[page.pk])
        html = squeezed(ada.get(address).content.decode())
        assert "The date is shown once your work that cites it is submitted." in html
        assert reverse("snapshot", args=[earlier.pk]) in html and "November" not in html
        cite(label_of("ada"), page)
        assert "21 November 2026, 08:00 UTC" in squeezed(ada.get(address).content.decode())

    def test_a_page_in_ones_own_draft_is_read(self, dataset: Dataset) -> None:
        page = frozen()
        in_work(dataset, url=f"{page.url}#part", snapshot=page.pk, quote="born in 1815")
        html = as_person("ada").get(reverse("snapshot", args=[page.pk])).content.decode()
        assert "<mark>born in 1815</mark>" in html
        assert as_person("ben").get(reverse("snapshot", args=[page.pk])).status_code == 404

    def test_what_was_fetched_again_is_read_beside_it(self, dataset: Dataset) -> None:
        cited, later = frozen(text="as it was"), frozen(text="as it is")
        cite(label_of("ada"), cited, "as it was")
        html = as_person("dora").get(reverse("snapshot", args=[later.pk])).content.decode()
        assert "Not found in the page: <q>as it was</q>" in html
        assert reverse("snapshot", args=[cited.pk]) in html

    def test_a_number_written_into_a_draft_opens_nothing(self, dataset: Dataset) -> None:
        page = frozen("https://bens.example/")
        cite(label_of("ben"), page)
        in_work(dataset, url="https://adas.example/", snapshot=page.pk)
        assert as_person("ada").get(reverse("snapshot", args=[page.pk])).status_code == 404

    def test_who_has_left_the_dataset_reads_no_more(self, dataset: Dataset) -> None:
        page = frozen()
        cite(label_of("ada"), page)
        make_person("ada").memberships.all().delete()
        assert as_person("ada").get(reverse("snapshot", args=[page.pk])).status_code == 404


class TestAdjudication:
    def test_who_decides_sees_what_is_not_said_there(self, dataset: Dataset) -> None:
        page, label = frozen(), label_of("ada")
        cite(label, page, "wrote the last program", found=False)
        address = reverse("adjudicate-segment", args=[dataset.pk, label.segment_id])
        html = as_person("dora").get(address).content.decode()
        assert "✗ quote not found there" in html and reverse("snapshot", args=[page.pk]) in html


class TestCard:
    def ask(self, assignment: Assignment, **fields: str) -> tuple[int, dict[str, object]]:
        answer = as_person("ada").post(reverse("card", args=[assignment.key]), fields)
        return answer.status_code, answer.json()

    def test_a_new_page_is_being_fetched(self, dataset: Dataset) -> None:
        status, card = self.ask(in_work(dataset), url="https://new.example/#part", quote="Ada")
        assert status == 200
        assert (card["state"], card["words"], card["waits"], card["quote"]) == ("queued", "being fetched", True, None)
        assert card["snapshot"] == Snapshot.objects.get().pk

    def test_a_frozen_one_has_a_title_and_the_quote_is_looked_up(self, dataset: Dataset) -> None:
        page, work = frozen(), in_work(dataset)
        _, card = self.ask(work, url=page.url, quote="wrote the first program")
        _, missing = self.ask(work, url=page.url, quote="wrote the last program")
        assert (card["words"], card["title"], card["quote"]) == ("frozen", "Ada", "found")
        assert (missing["quote"], missing["waits"]) == ("missing", False)
        assert card["page"] == reverse("snapshot", args=[page.pk])

    def test_a_dead_one_says_why(self, dataset: Dataset) -> None:
        _, card = self.ask(in_work(dataset), url=dead().url)
        assert card["words"] == "not reached: The server answered 404 Not Found."

    def test_what_is_no_address_is_told(self, dataset: Dataset) -> None:
        status, card = self.ask(in_work(dataset), url="Smith 1999")
        assert status == 422 and "not a web address" in str(card["error"])

    def test_since_when_it_is_frozen_is_told_once_ones_work_is_submitted(self, dataset: Dataset) -> None:
        page, work = frozen(), in_work(dataset)
        Snapshot.objects.update(settled_at="2026-11-21T08:00:00Z")
        cite(label_of("ben"), page)
        _, before = self.ask(work, url=page.url)
        cite(label_of("ada"), page)
        _, after = self.ask(work, url=page.url)
        assert (before["words"], before["fetched_at"]) == ("frozen", None)
        assert (after["words"], after["fetched_at"]) == ("frozen 21 November 2026", "2026-11-21T08:00:00+00:00")

    def test_whether_others_have_asked_cannot_be_looked_up(self, dataset: Dataset) -> None:
        page, work = frozen(), in_work(dataset)
        answer = as_person("ada").get(reverse("card", args=[work.key]), {"url": page.url})
        assert answer.status_code == 405
