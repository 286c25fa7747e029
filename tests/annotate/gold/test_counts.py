"""How much gold there is: right whatever came and went since it was counted, and without reading all of it again."""

import json
from pathlib import Path

import pytest

from annotate.corpus.importing import import_file
from annotate.gold.counts import count_gold
from annotate.models import Dataset, GoldCount, GoldLabel, Removal, Response, Segment
from bench.pages import counted
from tests.annotate.corpus.files import felm_row
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def supersede(segment: Segment, value: str, source: str = "import") -> None:
    """Other gold in place of what the segment has."""
    revision = segment.response.dataset.next_gold_revision()
    segment.gold.filter(superseded=None).update(superseded=revision)
    GoldLabel.objects.create(segment=segment, value=value, source=source, revision=revision)


def withdraw(segment: Segment) -> None:
    segment.gold.filter(superseded=None).update(superseded=segment.response.dataset.next_gold_revision())


def remove(response: Response, *, keep: bool = False) -> None:
    revision = response.dataset.next_gold_revision()
    response.removals.filter(superseded=None).update(superseded=revision)
    Removal.objects.create(response=response, keep=keep, who=make_person("dora"), why="Empty.", revision=revision)


def gilded(name: str, responses: int) -> tuple[Dataset, list[Response]]:
    """Two segments a response, both supported."""
    dataset = make_dataset(name)
    made = [make_response(dataset, ("One is odd.", "Two is odd.")) for _ in range(responses)]
    for response in made:
        for segment in response.segments.all():
            add_gold(segment, "supported")
    return dataset, made


def test_gold_that_comes_changes_and_goes_is_counted() -> None:
    dataset, (first, _) = gilded("moons", 2)
    one, two = first.segments.all()
    supported, wrong = ("import", "supported"), ("import", "not_supported")
    assert count_gold(dataset) == {supported: 4}
    supersede(one, "not_supported")
    assert count_gold(dataset) == {supported: 3, wrong: 1}
    # What came and went again in between is counted neither way.
    supersede(one, "supported")
    supersede(one, "not_supported")
    withdraw(two)
    assert count_gold(dataset) == {supported: 2, wrong: 1}
    add_gold(two, "irrelevant")
    assert count_gold(dataset) == {supported: 2, wrong: 1, ("import", "irrelevant"): 1}
    for segment in (one, two):
        withdraw(segment)
    assert count_gold(dataset) == {supported: 2}
    assert GoldCount.objects.get().revision == dataset.find_gold_revision()


def test_gold_of_removed_responses_is_left_out_until_they_are_kept_again() -> None:
    dataset, (first, _) = gilded("moons", 2)
    assert count_gold(dataset).total() == 4
    remove(first)
    assert count_gold(dataset).total() == 2
    supersede(first.segments.all()[0], "not_supported")
    assert count_gold(dataset) == {("import", "supported"): 2}
    remove(first, keep=True)
    assert count_gold(dataset) == {("import", "supported"): 3, ("import", "not_supported"): 1}


def test_gold_of_an_import_is_counted_once_it_is_finished(tmp_path: Path) -> None:
    """Somebody decides meanwhile, which takes the revision that the import's gold began with."""
    dataset, (first,) = gilded("moons", 1)
    file = tmp_path / "more.jsonl"
    file.write_text(json.dumps(felm_row("more")) + "\n")
    seen = []

    def decide(written: int, total: int) -> None:
        supersede(first.segments.all()[0], "not_supported")
        seen.append(count_gold(dataset).total())

    import_file(file, dataset.name, "felm", progress=decide)
    segments = Segment.objects.filter(response__index="more").count()
    assert seen == [2]
    assert count_gold(dataset).total() == 2 + segments > 2


def test_one_more_label_is_counted_without_reading_the_others() -> None:
    """Ten times as much gold: the steps of SQLite's virtual machine stay nearly the same."""
    steps = []
    for number in (3, 30):
        dataset, _ = gilded(f"of {number}", number)
        count_gold(dataset)
        add_gold(make_response(dataset, ("Last.",)).segments.get(), "supported")
        with counted(1) as cost:
            assert count_gold(dataset).total() == 2 * number + 1
        steps.append(cost.steps)
    few, many = steps
    assert 0 < many < 2 * few
