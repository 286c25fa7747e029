"""The name of every figure on the pages of figures links to its section of docs/statistics.md: heads of numbers in
tables, and the terms of a run's headline."""

from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import AtomicFact
from core.caching import memory
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

# Tables whose heads are the names of slices, evaluators or values.
OTHER_HEADS = ("by slice", "all pairs")


class FigureNames(HTMLParser):
    """Collects (name, whether it links to the definitions) of heads of numbers, or of terms."""

    def __init__(self, terms: bool) -> None:
        super().__init__()
        self._terms = terms
        self.names: list[tuple[str, bool]] = []
        self._definitions = reverse("how-computed") + "#"
        self._tag, self._text, self._linked = "", "", False
        self._passed = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        own = {key: value or "" for key, value in attrs}
        classes = own.get("class", "").split()
        if own.get("role") == "region":
            self._passed = any(words in own["aria-label"] for words in OTHER_HEADS)
        if tag == "table" and "confusion" in classes:
            self._passed = True
        head = tag == "th" and own.get("scope") == "col" and "num" in classes and not self._passed
        if head or (tag == "dt" and self._terms):
            self._tag, self._text, self._linked = tag, "", False
        if tag == "a" and own.get("href", "").startswith(self._definitions):
            self._linked = True

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag == self._tag and tag in ("th", "dt"):
            self.names.append((" ".join(self._text.split()), self._linked))
            self._tag = ""
        if tag == "table":
            self._passed = False


@pytest.fixture
def bios(db):
    """Two subjects with gold, and a run that supports every fact."""
    memory.clear()
    dataset = make_dataset(scheme="factscore")
    for subject in ("amber", "basalt"):
        response = make_response(dataset, ["She wrote.", "She drew."], prompt="Ada", subject=subject, frequency="rare")
        for fact, value in zip(add_facts(response, [["One."], ["Two."]]), ("supported", "not_supported"), strict=True):
            add_gold(fact, value)
    return dataset


@pytest.fixture
def run(bios):
    return add_run(bios, dict.fromkeys(AtomicFact.objects.all(), "S"))


@pytest.fixture
def rhea(bios) -> Client:
    client = Client()
    client.force_login(make_person("rhea", bios, "researcher"))
    return client


def names_on(client, address, of="", **query):
    answer = client.get(address, query)
    assert answer.status_code == 200
    text = answer.content.decode()
    # Of the run's page only the headline: what follows is no statistics.
    parser = FigureNames(terms=bool(of))
    parser.feed(text.partition(of)[2].partition("</section>")[0] if of else text)
    return parser.names


@pytest.mark.parametrize(
    ("page", "query", "some"),
    [
        ("subject-models", {}, {"F1@K", "Recall at K", "FActScore", "Bias", "Cancelling", "Share"}),
        ("subject-ranking", {}, {"F1@K", "FActScore", "Rank", "Coverage", "Labelled"}),
        ("leaderboard", {}, {"F1", "Precision", "Coverage", "Rank", "Cost"}),
        ("leaderboard", {"level": "estimate"}, {"Gold", "Estimated", "Bias", "Error rate"}),
        ("compare", {}, {"F1", "Bounds", "Units", "Coverage", "Price", "Rank"}),
    ],
)
def test_heads_of_figures_link_to_their_definitions(bios, run, rhea, page, query, some):
    names = [
        (name.removesuffix("?").partition("How it is computed")[0].strip(), linked)
        for name, linked in names_on(rhea, reverse(page, args=[bios.pk]), **query)
    ]

    assert some <= {name for name, _ in names}
    assert [name for name, linked in names if not linked] == []


def test_the_headline_of_a_run_links_to_its_definitions(bios, run, rhea):
    names = names_on(rhea, reverse("run", args=[run.pk]), of='<section class="headline"')

    assert {"Balanced accuracy", "Coverage", "Units judged", "Cost", "Took"} == {name for name, _ in names}
    assert [name for name, linked in names if not linked] == []
