"""Links of items to calls in results bundles: an imported run lists those calls that are stored there."""

import json
import re
from zipfile import ZipFile

import pytest
from django.urls import reverse

from annotate.models import Role
from core.errors import DataError
from evaluators.bundle.contents import ALWAYS
from evaluators.bundle.export import export_results
from evaluators.bundle.run_lines import hash_lines, hash_run, lines_of
from evaluators.bundle.take_in import import_results
from evaluators.models import Run
from evaluators.reproduction.measure import scratch_database
from evaluators.runs.manage import delete_run
from llm.models import Call, Endpoint
from tests.evaluators.bundle.lab import add_own_run, make_lab
from tests.factories import make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

CALLS = "runs/1/calls.jsonl"


@pytest.fixture
def lab(tmp_path):
    """Four of six responses have a call that predictions cite; the first has one more, and the failed one has one."""
    dataset = make_lab(tmp_path)
    run = add_own_run(dataset)
    add_call(run.items.get(position=0), "a")
    add_call(run.items.get(position=5), "b")
    return dataset


def add_call(item, letter):
    known = {"endpoint": Endpoint.objects.get(), "request": {}, "seconds": 1, "cost_usd": "0.1"}
    item.calls.add(Call.objects.create(request_hash=letter * 64, model="tiny", **known))


@pytest.fixture
def packed(lab, tmp_path):
    path = tmp_path / "results.zip"
    export_results(lab, path, gold_version="v1")
    return path


def test_a_run_that_was_deleted_comes_back_with_its_calls(lab, packed, client) -> None:
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    own = Run.objects.get()
    there = calls_on_page(client, own)
    assert [len(calls) for calls in there.values()] == [2, 1, 1, 1, 1]
    delete_run(own)
    assert import_results(lab, packed).differences == []
    imported = Run.objects.get()
    assert imported.pk != own.pk
    assert calls_on_page(client, imported) == there
    of_call = client.get(reverse("run-call", args=[imported.pk, Call.objects.get(request_hash="b" * 64).pk])).text
    assert "The results bundle does not say what was read from this answer." in of_call


def calls_on_page(client, run):
    """By the index of a response the keys of the calls that the run's page lists for it."""
    page = squeezed(client.get(reverse("run", args=[run.pk])).text).partition('<ol class="listed"')[2]
    listed = {}
    for response in page.split("<h3>")[1:]:
        calls = response.partition("Calls (")[2].partition("</div>")[0]
        index = re.search(r">(r[0-9])</a>", response)[1]
        if calls:
            listed[index] = re.findall(rf"/runs/{run.pk}/calls/([0-9]+)/", calls)
    return listed


def test_elsewhere_a_run_lists_the_answers_that_are_stored_there_and_no_other(lab, packed, tmp_path) -> None:
    with scratch_database():
        here = make_lab(tmp_path)
        assert import_results(here, packed).differences == []
        assert not Call.objects.exists()
        run = Run.objects.get()
        endpoint = Endpoint.objects.create(name="e", base_url="http://127.0.0.1:1", shared=True)
        Call.objects.create(endpoint=endpoint, request_hash="b" * 64, model="tiny", request={}, seconds=1)
        delete_run(run)
        import_results(here, packed)
        assert [item.calls.count() for item in Run.objects.get().items.order_by("position")] == [0, 0, 0, 0, 0, 1]


def test_answers_of_endpoints_that_the_dataset_may_not_use_are_not_shown(lab, packed) -> None:
    delete_run(Run.objects.get())
    Endpoint.objects.update(shared=False)
    import_results(lab, packed)
    assert not Run.objects.get().items.filter(calls__isnull=False).exists()


def test_a_run_keeps_the_hash_that_it_had_before_there_were_links(lab, packed, tmp_path) -> None:
    run = Run.objects.get()
    assert hash_run(run) == hash_lines({name: lines for name, lines in lines_of(run).items() if name in ALWAYS})
    before = rewritten(packed, tmp_path / "before.zip", None)
    assert import_results(lab, before).unchanged == 1
    delete_run(run)
    assert len(import_results(lab, before).runs) == 1
    assert not Run.objects.get().items.filter(calls__isnull=False).exists()


def test_links_can_be_handed_on(lab, packed, tmp_path) -> None:
    delete_run(Run.objects.get())
    import_results(lab, packed)
    export_results(lab, tmp_path / "again.zip", gold_version="v1")
    with ZipFile(packed) as first, ZipFile(tmp_path / "again.zip") as second:
        assert first.read(CALLS) == second.read(CALLS)


def test_a_run_of_an_earlier_version_is_linked_by_what_its_predictions_cite(lab, tmp_path) -> None:
    for item in Run.objects.get().items.all():
        item.calls.clear()
    export_results(lab, tmp_path / "early.zip", gold_version="v1")
    with ZipFile(tmp_path / "early.zip") as archive:
        lines = [json.loads(line) for line in archive.read(CALLS).decode().splitlines()]
    assert lines == [{"index": f"r{place}", "calls": [f"{place:064d}"]} for place in range(4)]


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"index": "r9"}, "response 'r9' is not among the items of the run"),
        ({"calls": [1]}, "calls holds what is no SHA-256"),
        ({"calls": ["A" * 64]}, "calls holds what is no SHA-256"),
        ({"calls": "a"}, "calls must be a list"),
        ({"more": 1}, "unknown key 'more'"),
    ],
)
def test_a_link_that_does_not_fit_is_an_error_that_names_its_line(lab, packed, tmp_path, change, cause) -> None:
    changed = rewritten(packed, tmp_path / "changed.zip", change)
    delete_run(Run.objects.get())
    with pytest.raises(DataError, match=f"calls.jsonl, line 1: {re.escape(cause)}"):
        import_results(lab, changed)
    assert not Run.objects.exists()


def test_links_that_are_not_what_the_index_says_are_refused(lab, packed, tmp_path) -> None:
    changed = rewritten(packed, tmp_path / "changed.zip", {"index": "r1"}, same_hash=True)
    with pytest.raises(DataError, match="is not what its hash says"):
        import_results(lab, changed)


def rewritten(path, target, change, same_hash=False):
    """The bundle with another first link, its hash put right; None: without links, as earlier versions wrote it."""
    with ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    index = json.loads(files["bundle.json"])
    if change is None:
        del files[CALLS], index["runs"][0]["calls"]
    else:
        first, *rest = files[CALLS].decode().splitlines()
        lines = [json.dumps(json.loads(first) | change), *rest]
        files[CALLS] = "".join(f"{line}\n" for line in lines).encode()
        if not same_hash:
            index["runs"][0]["calls"] = hash_lines({"calls.jsonl": iter(lines)})
    files["bundle.json"] = json.dumps(index).encode()
    with ZipFile(target, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return target
