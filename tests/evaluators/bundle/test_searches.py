"""Searches of the web in results bundles: a run that searched is audited in another database."""

import json
import re
from datetime import UTC, datetime
from decimal import Decimal
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotate.models import Role
from core.errors import DataError
from evaluators.bundle.export import export_results
from evaluators.bundle.run_lines import hash_lines
from evaluators.bundle.take_in import import_results
from evaluators.models import Run
from evaluators.reproduction.measure import scratch_database
from evaluators.run_page.searches_view import searches_of
from evaluators.runs.run_searches import describe_searches
from knowledge.engines.engine import FoundPage
from knowledge.models import Snapshot, WebSearch
from knowledge.web_search.frozen import Answered, Query, look_up, store
from llm.models import Endpoint
from tests.evaluators.bundle.lab import NAME, add_own_run, make_lab
from tests.factories import make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

ADDRESS = "https://search.example/search"
QUERIES = [Query("serper", ADDRESS, "Is one odd?", 3), Query("serper", ADDRESS, "Is two odd?", 3)]
FOUND = (FoundPage("Numbers", "https://numbers.example/", "One is odd: ½."),)


@pytest.fixture
def lab(tmp_path):
    """Of two searches one found a page, which was read; the other found nothing, at a price that is not known."""
    dataset = make_lab(tmp_path)
    run = add_own_run(dataset)
    run.manifest["search"] = {"engine": "serper", "address": ADDRESS}
    run.save(update_fields=["manifest"])
    store([Answered(QUERIES[0], FOUND, Decimal("0.001")), Answered(QUERIES[1], (), None)])
    run.searches.set(WebSearch.objects.all())
    now = datetime(2026, 11, 1, tzinfo=UTC)
    page = Snapshot.objects.create(url=FOUND[0].url, state="done", settled_at=now, text="One.", text_hash="f" * 64)
    WebSearch.objects.get(query="Is one odd?").pages.add(page)
    return dataset


@pytest.fixture
def packed(lab, tmp_path):
    path = tmp_path / "results.zip"
    export_results(lab, path, gold_version="v1", searches=True)
    return path


def without_pages(run):
    return [row | {"pages": []} for row in describe_searches(run)]


def test_searches_come_along_and_are_read_on_the_page_of_the_run(lab, packed, tmp_path, client) -> None:
    there = without_pages(Run.objects.get())
    assert [row["query"] for row in there] == ["Is one odd?", "Is two odd?"]
    with scratch_database():
        here = make_lab(tmp_path)
        assert import_results(here, packed).differences == []
        run = Run.objects.get()
        assert without_pages(run) == there
        client.force_login(make_person("rhea", here, Role.RESEARCHER))
        page = squeezed(client.get(reverse("run-searches", args=[run.pk])).text)
        assert "2 searches, together of unknown price. They came with the results bundle" in page
        assert "One is odd: ½." in page
        assert "not those that were fetched" not in page
        assert not Snapshot.objects.exists()


def test_no_query_is_answered_from_them_and_they_count_as_nobodys(packed, tmp_path, capsys) -> None:
    with scratch_database():
        import_results(make_lab(tmp_path), packed)
        assert look_up(QUERIES) == [None, None]
        Endpoint.objects.create(name="mine", base_url=ADDRESS, search_engine="serper")
        call_command("search_engines", json=True)
        assert json.loads(capsys.readouterr().out)[0]["searches"] == 0
        store([Answered(QUERIES[0], (), None)])
        assert [found and found.pages for found in look_up(QUERIES)] == [(), None]


def test_the_same_searches_of_two_runs_are_stored_once(packed, tmp_path) -> None:
    with scratch_database():
        here = make_lab(tmp_path)
        import_results(here, packed)
        assert import_results(here, packed).unchanged == 1
        import_results(here, packed, suffix=" (lab B)")
        assert [searches_of(run).count() for run in Run.objects.all()] == [2, 2]
        assert WebSearch.objects.count() == 2


def test_they_are_there_on_request_alone(lab, tmp_path) -> None:
    path = tmp_path / "plain.zip"
    export_results(lab, path, gold_version="v1")
    with ZipFile(path) as archive:
        assert not [name for name in archive.namelist() if name.endswith("searches.jsonl")]
    call_command("export_results", NAME, output=path, gold_version="v1", searches=True)
    with ZipFile(path) as archive:
        [line, _] = archive.read("runs/1/searches.jsonl").decode().splitlines()
    assert [page["sha256"] for page in json.loads(line)["pages"]] == ["f" * 64]


def test_the_page_offers_them(lab, client) -> None:
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    assert 'name="searches"' in client.get(reverse("bundle", args=[lab.pk])).text
    answer = client.post(reverse("bundle-file", args=[lab.pk]), {"gold": "v1", "searches": "on"})
    assert b"searches.jsonl" in b"".join(answer.streaming_content)


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"query": " "}, "query is empty"),
        ({"engine": "e" * 51}, "engine has 51 characters; at most 50 fit"),
        ({"count": 0}, "count is 0"),
        ({"count": 40_000}, "count is 40000"),
        ({"fetched_at": None}, "fetched_at is no time"),
        ({"fetched_at": "2026-11-01T09:00:00"}, "fetched_at has no time zone"),
        ({"cost_usd": -1}, "cost_usd is no price of a search"),
        ({"results": [{"title": "T", "url": "u"}]}, "the key 'text' is missing in results"),
        ({"results": [1]}, "results holds a number, not an object"),
        ({"more": 1}, "unknown key 'more'"),
    ],
)
def test_a_search_that_does_not_fit_is_an_error_that_names_its_line(packed, tmp_path, change, cause) -> None:
    changed = rewritten(packed, tmp_path / "changed.zip", change)
    with scratch_database():
        here = make_lab(tmp_path)
        with pytest.raises(DataError, match=f"searches.jsonl, line 1: {re.escape(cause)}"):
            import_results(here, changed)
        assert not Run.objects.exists()
        assert not WebSearch.objects.exists()


def test_results_that_are_not_those_of_their_hash_are_marked_on_the_page(packed, tmp_path, client) -> None:
    changed = rewritten(packed, tmp_path / "changed.zip", {"results": []})
    with scratch_database():
        here = make_lab(tmp_path)
        import_results(here, changed)
        client.force_login(make_person("rhea", here, Role.RESEARCHER))
        page = client.get(reverse("run-searches", args=[Run.objects.get().pk])).text
        assert "The results are not those that were fetched." in page


@pytest.mark.parametrize("lost", ["hash", "file"])
def test_searches_that_are_not_what_the_index_says_are_refused(packed, tmp_path, lost) -> None:
    changed = rewritten(packed, tmp_path / "changed.zip", {}, lost)
    with scratch_database():
        here = make_lab(tmp_path)
        with pytest.raises(DataError, match="is not what its hash says"):
            import_results(here, changed)


def rewritten(path, target, change, lost=""):
    """The bundle with another first search, its hash put right; without the hash or the file that is `lost`."""
    with ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    index, name = json.loads(files["bundle.json"]), "runs/1/searches.jsonl"
    first, *rest = files[name].decode().splitlines()
    lines = [json.dumps(json.loads(first) | change, ensure_ascii=False), *rest]
    files[name] = "".join(f"{line}\n" for line in lines).encode()
    index["runs"][0]["searches"] = hash_lines({"searches.jsonl": iter(lines)})
    if lost == "hash":
        del index["runs"][0]["searches"]
    elif lost == "file":
        del files[name]
    files["bundle.json"] = json.dumps(index).encode()
    with ZipFile(target, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return target
