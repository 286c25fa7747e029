"""Operations of the client that no recipe has, against a site."""

import re
from pathlib import Path

import httpx
import pytest

from tests.browser.conftest import Site
from tests.client.conftest import ROOT
from tests.client.documented import DEMO, PAGE
from touchstone import Dataset, NotFoundError, Run, Touchstone
from touchstone.cases import JudgedCase, Judgement
from touchstone.operations import Operations, operation

MAKE_LABELS = """
from annotate.models import Dataset
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_person
dataset = Dataset.objects.get(name="operations")
response = dataset.responses.earliest("position")
ada = make_person("ada", dataset)
judge(make_task(response), ada, {response.segments.earliest("position"): "not_supported/knowledge/It is not so."})
"""


@pytest.fixture(scope="module")
def touchstone(site: Site, token: str) -> Touchstone:
    return Touchstone(site.address, token)


@pytest.fixture(scope="module")
def dataset(touchstone: Touchstone) -> Dataset:
    return touchstone.import_dataset("operations", DEMO, format="felm")


@pytest.fixture
def outside(touchstone: Touchstone, dataset: Dataset) -> Run:
    """A run that no worker takes up."""
    return touchstone.outside_run(dataset, "by hand", anew=True)


def test_every_operation_is_tried() -> None:
    """Here, in a recipe or in another test."""
    files = [*(ROOT / "tests" / "client").glob("test_*.py"), ROOT / "client" / "touchstone" / "evaluators.py"]
    tried = PAGE + "".join(file.read_text(encoding="utf-8") for file in files)
    names = [name for name, value in vars(Operations).items() if isinstance(value, operation)]
    assert names
    assert [name for name in names if not re.search(rf"\.{name}\(", tried)] == []


def test_methods_are_listed_with_their_parameters(touchstone: Touchstone) -> None:
    methods = {row["name"]: row for row in touchstone.methods()}
    assert "lexical" in methods
    assert "seed" in methods["random"]["parameters"]


def test_labels_are_read_with_their_text(site: Site, touchstone: Touchstone, dataset: Dataset) -> None:
    site.run_script(MAKE_LABELS)
    [label] = touchstone.labels(dataset)
    first = touchstone.responses(dataset)[0]
    assert (label["index"], label["segment"], label["text"]) == (first["index"], 0, first["segments"][0]["text"])
    assert (label["annotator"], label["value"], label["reason"]) == ("ada", "not_supported", "It is not so.")


def test_a_run_is_listed_stopped_and_resumed(touchstone: Touchstone, dataset: Dataset, outside: Run) -> None:
    assert [row["state"] for row in touchstone.runs(dataset) if row["id"] == outside.id] == ["queued"]
    assert touchstone.stop_run(outside).state == "cancelled"
    stopped = touchstone.lease(outside)
    assert (stopped.state, stopped.cases) == ("cancelled", [])
    assert touchstone.resume_run(outside).state == "queued"
    lease = touchstone.lease(outside, count=1)
    [case] = lease.cases
    touchstone.renew(outside, lease, seconds=30)
    judged = JudgedCase(case.index, [Judgement(unit, "supported") for unit in case.units])
    assert touchstone.send_judgements(outside, lease, [judged]) == []
    assert touchstone.run(outside.id).progress["done"] == 1


def test_releases_are_listed(touchstone: Touchstone, dataset: Dataset) -> None:
    touchstone.freeze_gold(dataset, "v1")
    made = touchstone.release(dataset, "v1")
    assert touchstone.releases(dataset) == [made]


def test_what_is_written_about_a_run_stays_until_it_is_deleted(touchstone: Touchstone, dataset: Dataset) -> None:
    run = touchstone.follow(touchstone.start_run(dataset, "random", name="coin"))
    touchstone.change_run(run, name="toss", tags=["late", "paper"])
    changed = touchstone.change_run(run, note="Odd.", archived=True)
    assert (changed.evaluator, changed.tags, changed.note) == ("toss", ["late", "paper"], "Odd.")
    assert changed.archived_at is not None
    assert touchstone.change_run(run, tags=[], archived=False).archived_at is None
    assert touchstone.run(run.id).tags == []
    touchstone.delete_run(run)
    with pytest.raises(NotFoundError):
        touchstone.run(run.id)


def test_two_runs_differ_in_all_units_where_one_says_the_contrary(touchstone: Touchstone, dataset: Dataset) -> None:
    """Each is right where the other is wrong; all pages of the units come."""
    yes = touchstone.follow(touchstone.start_run(dataset, "always-supported"))
    correct = [row for row in touchstone.gold(dataset) if row["value"] == "supported"]
    wrong = [row for row in touchstone.gold(dataset) if row["value"] in ("not_supported", "irrelevant")]
    diff = touchstone.run_diff(yes, "always-not-supported", show="one")
    assert diff.counts == {
        "one": len(correct),
        "other": len(wrong),
        "differ": len(correct) + len(wrong),
        "wrong": 0,
        "right": 0,
    }
    assert [(row["index"], row["segment"]) for row in diff] == [(row["index"], row["segment"]) for row in correct]
    assert {(row["gold"], row["one"]) for row in diff} == {("supported", "supported")}
    assert "method" in [entry["name"] for entry in diff.document["differing"]]


def test_a_shared_comparison_opens_until_it_is_revoked(touchstone: Touchstone, dataset: Dataset) -> None:
    share = touchstone.share(dataset, "As sent", figure="recall", texts=True)
    assert share.link is not None
    found = httpx.get(share.link.replace("/shared/", "/shared/comparison.json")).json()
    assert (found["title"], found["figure"], found["units"]["of"]) == ("As sent", "recall", found["n"])
    assert [each for each in touchstone.shares(dataset) if each.link] == [share]
    revoked = touchstone.revoke_share(share)
    assert (revoked.link, httpx.get(share.link).status_code) == (None, 404)


def test_results_come_back_into_a_dataset(touchstone: Touchstone, dataset: Dataset, tmp_path: Path) -> None:
    run = touchstone.follow(touchstone.start_run(dataset, "random", parameters={"seed": 5}, name="travels"))
    bundle = touchstone.download_results(dataset, tmp_path / "results.zip", evaluators=["travels"])
    touchstone.delete_run(run)
    report = touchstone.import_results(dataset, bundle).report
    assert report is not None
    assert (len(report["runs"]), report["other_gold"], report["differences"]) == (1, False, [])
    again = touchstone.import_results(dataset, bundle).report
    assert again is not None
    assert again["runs"] == []
