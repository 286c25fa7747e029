"""The pages of benchmarks: brought as a file, searched, read, renamed, deleted."""

import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import Role
from factor.models import Benchmark, BenchmarkBuild, Completion, Example, ScoredModel
from llm.models import Endpoint
from tests.factor.csv_format.files import ANTS, BEES, HEADER
from tests.factories import make_dataset, make_person
from tests.knowledge.sources import make_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_dataset()


@pytest.fixture
def dora(client, dataset):
    """Her browser."""
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    return client


@pytest.fixture
def insects(dataset):
    """Bees of 2021, ants of 2023, and a wasp that nobody has dated."""
    benchmark = Benchmark.objects.create(dataset=dataset, name="insects")
    for position, (key, dated, true, false, error_type) in enumerate(
        [
            ("bees", date(2021, 10, 5), "They dance in hives.", "They dance in hills.", "circumstance"),
            ("ants", date(2023, 1, 1), "They march home.", "They fly home.", "predicate"),
            ("wasps", None, "A wasp builds nests of paper.", "A wasp builds nests of glass.", ""),
        ]
    ):
        example = benchmark.examples.create(
            position=position, document_key=key, dated=dated, prefix=f"All about {key}. "
        )
        example.completions.create(place=0, text=true)
        example.completions.create(place=1, text=false, error_type=error_type)
    return benchmark


def upload(client, dataset, *lines, name="insects"):
    file = SimpleUploadedFile("insects.csv", "".join(f"{line}\n" for line in lines).encode())
    return client.post(reverse("benchmark-import", args=[dataset.pk]), {"name": name, "file": file}, follow=True)


def examples_on(client, benchmark, query=""):
    """The numbers of the examples that the page shows, in order."""
    page = client.get(reverse("benchmark", args=[benchmark.pk]) + query)
    assert page.status_code == 200
    return [int(number) for number in re.findall(r">Example (\d+)</a>", page.text)]


def test_a_file_becomes_a_benchmark_and_comes_down_again(dora, dataset):
    page = upload(dora, dataset, HEADER, BEES, ANTS)
    assert "2 examples imported." in page.text

    down = dora.get(reverse("benchmark-export", args=[Benchmark.objects.get().pk]))
    assert b"".join(down.streaming_content).decode() == f"{HEADER}\n{BEES}\n{ANTS}\n"
    assert 'filename="insects.csv"' in down["Content-Disposition"]


def test_the_same_file_again_leads_to_the_benchmark_that_is_there(dora, dataset):
    upload(dora, dataset, HEADER, BEES)
    assert "insects already exists with the same content." in upload(dora, dataset, HEADER, BEES).text


def test_a_bad_file_is_told_at_the_form_and_nothing_is_kept(dora, dataset):
    page = upload(dora, dataset, HEADER, ANTS.replace("They fly.", ""))
    assert page.status_code == 422
    assert "line 2: the column &#x27;contradiction_0&#x27; is empty" in page.text
    assert "Nothing was stored." in page.text
    assert not Example.objects.exists()


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [1, 2, 3]),
        ("?q=DANCE", [1]),
        ("?q=about+ants", [2]),
        ("?type=predicate", [2]),
        ("?type=none", [3]),
        ("?since=2021-10-06", [2]),
        ("?until=2021-10-05", [1]),
        ("?since=2021-01-01&until=2023-01-01", [1, 2]),
        ("?document=wasps", [3]),
        ("?sort=newest", [2, 1, 3]),
        ("?sort=oldest", [1, 2, 3]),
        ("?sort=document", [2, 1, 3]),
        ("?type=nonsense&since=yesterday&sort=random&page=nine", [1, 2, 3]),
    ],
)
def test_examples_are_narrowed_and_ordered_by_the_address(dora, insects, query, numbers):
    assert examples_on(dora, insects, query) == numbers


def test_what_fits_nothing_says_how_to_go_on(dora, insects):
    page = dora.get(reverse("benchmark", args=[insects.pk]) + "?q=beetle")
    assert "No matching examples" in page.text
    assert "0 of 3 examples match" in page.text


def test_long_lists_are_paged_and_cost_as_many_queries_as_short_ones(dora, insects, django_assert_max_num_queries):
    for position in range(3, 40):
        example = insects.examples.create(position=position)
        Completion.objects.bulk_create(Completion(example=example, place=n, text=f"{position} {n}") for n in range(4))

    dora.get(reverse("account"))  # the number in the navigation is counted once a minute
    with django_assert_max_num_queries(16):
        assert examples_on(dora, insects) == list(range(1, 26))
    assert examples_on(dora, insects, "?page=2") == list(range(26, 41))


def test_false_completions_show_what_differs(dora, insects):
    page = dora.get(reverse("example", args=[insects.examples.get(document_key="ants").pk]))
    assert "They <del>march</del> <ins>fly</ins> home." in page.text
    assert "False: predicate" in page.text
    assert '<time datetime="2023-01-01">' in page.text


def test_of_a_long_prefix_its_end_comes_first_and_all_of_it_is_there(dora, insects):
    example = insects.examples.get(position=0)
    example.prefix = "First of all. " + "Bees hum. " * 100 + "Last of all. "
    example.save()

    page = dora.get(reverse("example", args=[example.pk])).text
    far, near = re.findall(r'<div class="reading(?: near)?" dir="auto">(.*?)</div>', page, re.DOTALL)
    assert far.startswith("First of all.") and near.rstrip().endswith("Last of all.")
    assert far + re.sub(r"<span.*?</span> ", "", near) == example.prefix


def test_the_edits_that_a_model_planned_stand_by_its_contradiction(dora, insects):
    source = make_source(ants="All about ants. They march home.")
    example = insects.examples.get(document_key="ants")
    example.document = source.documents.get()
    example.save()
    endpoint = Endpoint.objects.create(shared=True, name="e", base_url="http://127.0.0.1:1")
    asked = {"source": source, "source_revision": 1, "endpoint": endpoint, "model": "tiny", "documents": 1, "seed": 7}
    build = BenchmarkBuild.objects.create(benchmark=insects, **asked)
    item = build.items.create(document=example.document, position=0)
    item.candidates.create(
        error_type="predicate", position=0, edits="march → fly", text="They fly home.", outcome="chosen"
    )

    assert "Planned: march → fly" in dora.get(reverse("example", args=[example.pk])).text


def test_an_example_tells_what_each_model_gave_and_whether_that_is_right(dora, insects):
    """Tokens count: −6 over three is likelier than −5 over two."""
    example = insects.examples.get(document_key="ants")
    true, false = example.completions.all()
    for name, falses in (("amber", {"total": -5.0, "count": 2}), ("basalt", {"error": "Too long."})):
        model = ScoredModel.objects.create(
            dataset=insects.dataset, name=name, reached_by=ScoredModel.Reached.LLAMA_CPP, reached_as=f"{name}.gguf"
        )
        scoring = insects.scorings.create(model=model)
        scoring.scores.create(completion=true, total=-6.0, count=3)
        scoring.scores.create(completion=false, **falses)

    rows = re.findall(r"<tr>(.*?)</tr>", dora.get(reverse("example", args=[example.pk])).text, re.DOTALL)[1:]
    amber, basalt = (" ".join(re.sub(r"<.*?>", " ", row).split()) for row in rows)
    assert amber == "amber ▸ −2.000 −2.500 right"
    assert basalt.startswith("basalt ▸ −2.000") and basalt.endswith("missing")


def test_an_example_that_figures_leave_out_says_why(dora, insects):
    example = insects.examples.get(document_key="ants")
    dora.post(reverse("example-exclude", args=[example.pk]), {"reason": "Both are true."})
    assert "Excluded from figures: Both are true." in dora.get(reverse("example", args=[example.pk])).text
    assert "excluded" in dora.get(reverse("benchmark", args=[insects.pk])).text


def test_a_benchmark_gets_another_name(dora, insects):
    dora.post(reverse("benchmark-rename", args=[insects.pk]), {"name": "six legs"})
    insects.refresh_from_db()
    assert insects.name == "six legs"


def test_a_name_that_another_has_is_refused(dora, insects):
    Benchmark.objects.create(dataset=insects.dataset, name="birds")
    page = dora.post(reverse("benchmark-rename", args=[insects.pk]), {"name": "birds"})
    assert page.status_code == 422
    assert "This dataset already has a benchmark named birds." in page.text
    assert "<h1>insects</h1>" in page.text


def test_deleting_counts_what_goes_with_it_and_asks_for_the_name(dora, insects):
    address = reverse("benchmark-delete", args=[insects.pk])
    page = dora.get(address).text
    assert "3 examples" in page and "6 completions" in page

    assert "Not deleted" in dora.post(address, {"name": "bees"}).text
    assert dora.post(address, {"name": "insects"}).status_code == 302
    assert not Benchmark.objects.exists()


def test_what_is_being_scored_is_not_deleted(dora, insects):
    model = ScoredModel.objects.create(
        dataset=insects.dataset, name="tiny", reached_by=ScoredModel.Reached.LLAMA_CPP, reached_as="tiny.gguf"
    )
    insects.scorings.create(model=model)
    page = dora.post(reverse("benchmark-delete", args=[insects.pk]), {"name": "insects"})
    assert "Stop a model&#x27;s pass over it first" in page.text
    assert Benchmark.objects.exists()
