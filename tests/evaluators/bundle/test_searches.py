"""Searches of the web in results bundles: a run that searched is audited in another database."""

import json
import re
from datetime import UTC, datetime
from decimal import Decimal
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotate.links.prune import pages_to_prune
from annotate.models import Role
from core.errors import DataError
from evaluators.bundle.export import export_results
from evaluators.bundle.run_lines import hash_lines
from evaluators.bundle.take_in import import_results
from evaluators.models import Run
from evaluators.reproduction.measure import scratch_database
from evaluators.run_page.searches_view import searches_of
from evaluators.runs.references import read_frozen
from evaluators.runs.run_searches import describe_pages, describe_searches
from knowledge.engines.engine import FoundPage
from knowledge.fetching.page import hash_of
from knowledge.fetching.request import snapshots_at
from knowledge.models import Snapshot, WebSearch
from knowledge.web_search.frozen import Answered, Query, look_up, store
from llm.models import Endpoint
from tests.evaluators.bundle.lab import NAME, add_own_run, make_lab
from tests.factories import make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

ADDRESS = "https://search.example/search"
QUERIES = [Query("serper", ADDRESS, "Is one odd?", 3), Query("serper", ADDRESS, "Is two odd?", 3)]
FOUND = (
    FoundPage("Numbers", "https://numbers.example/", "One is odd: ½."),
    FoundPage("Gone", "https://gone.example/", "Nothing."),
)
TEXT = "One is odd.\nTwo is even: 2 = 2 · 1."
NO_PAGE = {"url": "https://other.example/", "fetched_at": "2026-11-01T09:00:00+00:00", "sha256": "f" * 64}
SEARCHES, PAGES = "runs/1/searches.jsonl", "runs/1/pages.jsonl"


@pytest.fixture
def lab(tmp_path):
    """Of two searches one found two pages, of which one was read and one is dead; the other found nothing, at a price
    that is not known."""
    dataset = make_lab(tmp_path)
    run = add_own_run(dataset)
    run.manifest["search"] = {"engine": "serper", "address": ADDRESS}
    run.save(update_fields=["manifest"])
    store([Answered(QUERIES[0], FOUND, Decimal("0.001")), Answered(QUERIES[1], (), None)])
    run.searches.set(WebSearch.objects.all())
    now = datetime(2026, 11, 1, tzinfo=UTC)
    known = {"title": "Numbers", "media_type": "text/html", "final_url": f"{FOUND[0].url}all"}
    page = Snapshot.objects.create(
        url=FOUND[0].url, state="done", settled_at=now, text=TEXT, text_hash=hash_of(TEXT), **known
    )
    dead = Snapshot.objects.create(url="https://gone.example/", state="failed", settled_at=now, error="It is gone.")
    WebSearch.objects.get(query="Is one odd?").pages.add(page, dead)
    return dataset


@pytest.fixture
def packed(lab, tmp_path):
    path = tmp_path / "results.zip"
    export_results(lab, path, gold_version="v1", searches=True)
    return path


def test_searches_come_along_and_are_read_on_the_page_of_the_run(lab, packed, tmp_path, client) -> None:
    there = list(describe_searches(Run.objects.get()))
    assert [row["query"] for row in there] == ["Is one odd?", "Is two odd?"]
    with scratch_database():
        here = make_lab(tmp_path)
        assert import_results(here, packed).differences == []
        run = Run.objects.get()
        assert list(describe_searches(run)) == there
        client.force_login(make_person("rhea", here, Role.RESEARCHER))
        page = squeezed(client.get(reverse("run-searches", args=[run.pk])).text)
        assert "2 searches, together at least $0.0010, 1 of unknown price. They came with the results bundle" in page
        assert f"a run with <code>search=run:{run.pk}</code> is answered from them, and no other." in page
        assert "One is odd: ½." in page
        assert "not those that were fetched" not in page


def test_the_pages_that_were_read_come_along(lab, packed, tmp_path, client) -> None:
    own = Run.objects.get()
    there = list(describe_pages(own))
    assert [page["text"] for page in there] == [TEXT]
    with scratch_database():
        here = make_lab(tmp_path)
        import_results(here, packed)
        run = Run.objects.get()
        assert list(describe_pages(run)) == there
        client.force_login(make_person("rhea", here, Role.RESEARCHER))
        page = squeezed(client.get(reverse("run-searches", args=[run.pk])).text)
        assert "Download 1 page as JSON lines" in page
        assert "<code>https://gone.example/</code>" in page
        assert "1 November 2026, 00:00 UTC: It is gone." in page
        file = client.get(reverse("run-pages-file", args=[run.pk]))
        assert [json.loads(line) for line in b"".join(file.streaming_content).splitlines()] == there
        export_results(here, tmp_path / "again.zip", searches=True)
    with ZipFile(packed) as first, ZipFile(tmp_path / "again.zip") as second:
        assert [first.read(name) for name in (SEARCHES, PAGES)] == [second.read(name) for name in (SEARCHES, PAGES)]


def test_no_link_leads_to_them_and_they_are_not_pruned(packed, tmp_path) -> None:
    with scratch_database():
        import_results(make_lab(tmp_path), packed)
        assert Snapshot.objects.count() == 2
        assert not snapshots_at(FOUND[0].url)
        assert read_frozen([FOUND[0].url]) == {}
        assert pages_to_prune(datetime(2027, 1, 1, tzinfo=UTC), None).count() == 0


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
        assert (WebSearch.objects.count(), Snapshot.objects.count()) == (2, 2)


def test_the_same_search_with_another_page_is_another_search(packed, tmp_path) -> None:
    other = changed_page(packed, tmp_path / "other.zip", text="Two.", sha256=hash_of("Two."))
    with scratch_database():
        here = make_lab(tmp_path)
        import_results(here, packed)
        import_results(here, other, suffix=" (lab B)")
        texts = [[page["text"] for page in describe_pages(run)] for run in Run.objects.order_by("pk")]
        assert texts == [[TEXT], ["Two."]]


def test_they_are_there_on_request_alone(lab, tmp_path) -> None:
    path = tmp_path / "plain.zip"
    export_results(lab, path, gold_version="v1")
    with ZipFile(path) as archive:
        assert not {SEARCHES, PAGES} & set(archive.namelist())
    call_command("export_results", NAME, output=path, gold_version="v1", searches=True)
    with ZipFile(path) as archive:
        [line, _] = archive.read(SEARCHES).decode().splitlines()
        [page] = map(json.loads, archive.read(PAGES).decode().splitlines())
    assert [page["sha256"] for page in json.loads(line)["pages"]] == ["", hash_of(TEXT)]
    assert (page["sha256"], page["text"]) == (hash_of(TEXT), TEXT)


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
        ({"pages": [1]}, "pages holds a number, not an object"),
        ({"pages": [{"url": "u"}]}, "the key 'fetched_at' is missing in pages"),
        ({"pages": [{**NO_PAGE, "url": "javascript:1"}]}, "url is 'javascript:1', no address of a page"),
        ({"pages": [{**NO_PAGE, "error": " "}]}, "error is empty"),
        ({"pages": [NO_PAGE] * 101}, "pages holds 101; at most 100 fit"),
        ({"pages": [NO_PAGE]}, f"pages.jsonl lacks the text of https://other.example/, SHA-256 {'f' * 64}"),
    ],
)
def test_a_search_that_does_not_fit_is_an_error_that_names_its_line(packed, tmp_path, change, cause) -> None:
    changed = rewritten(packed, tmp_path / "changed.zip", change)
    with scratch_database():
        here = make_lab(tmp_path)
        with pytest.raises(DataError, match=f"searches.jsonl, line 1: {re.escape(cause)}"):
            import_results(here, changed)
        assert not (Run.objects.exists() or WebSearch.objects.exists() or Snapshot.objects.exists())


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ({"sha256": "f" * 64}, "the text of https://numbers.example/ is not what its SHA-256 says"),
        ({"text": f"{TEXT} "}, "the text of https://numbers.example/ is not what its SHA-256 says"),
        ({"url": "ftp://numbers.example/"}, "url is 'ftp://numbers.example/', no address of a page"),
        ({"fetched_at": None}, "fetched_at is no time"),
        ({"media_type": "m" * 101}, "media_type has 101 characters; at most 100 fit"),
        ({"more": 1}, "unknown key 'more'"),
    ],
)
def test_a_page_that_does_not_fit_is_refused_and_nothing_is_kept(packed, tmp_path, change, cause) -> None:
    changed = rewritten(packed, tmp_path / "changed.zip", change, of=PAGES)
    with scratch_database():
        here = make_lab(tmp_path)
        with pytest.raises(DataError, match=f"^pages.jsonl, line 1: {re.escape(cause)}"):
            import_results(here, changed)
        assert not (Run.objects.exists() or WebSearch.objects.exists() or Snapshot.objects.exists())


def test_a_page_that_no_bundle_can_hold_is_refused_at_export(lab, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("evaluators.bundle.run_lines.LONGEST_LINE", 200)
    with pytest.raises(DataError, match=re.escape("The page https://numbers.example/ that judge · tiny read has more")):
        export_results(lab, tmp_path / "large.zip", searches=True)
    assert not (tmp_path / "large.zip").exists()


def test_results_that_are_not_those_of_their_hash_are_marked_on_the_page(packed, tmp_path, client) -> None:
    changed = rewritten(packed, tmp_path / "changed.zip", {"results": []})
    with scratch_database():
        here = make_lab(tmp_path)
        import_results(here, changed)
        client.force_login(make_person("rhea", here, Role.RESEARCHER))
        page = client.get(reverse("run-searches", args=[Run.objects.get().pk])).text
        assert "The results are not those that were fetched." in page


@pytest.mark.parametrize("lost", ["hash", "file"])
@pytest.mark.parametrize("of", [SEARCHES, PAGES])
def test_searches_and_pages_that_are_not_what_the_index_says_are_refused(packed, tmp_path, lost, of) -> None:
    changed = rewritten(packed, tmp_path / "changed.zip", {}, lost, of)
    with scratch_database():
        here = make_lab(tmp_path)
        with pytest.raises(DataError, match="is not what its hash says"):
            import_results(here, changed)


def changed_page(path, target, **change):
    """The bundle with another page, which the search names as well."""
    with ZipFile(path) as archive:
        pages = json.loads(archive.read(SEARCHES).decode().splitlines()[0])["pages"]
    named = [page if "error" in page else page | {"sha256": change["sha256"]} for page in pages]
    return rewritten(rewritten(path, target, {"pages": named}), target.with_suffix(".2"), change, of=PAGES)


def rewritten(path, target, change, lost="", of=SEARCHES):
    """The bundle with another first search or page, its hash put right; without the hash or the file that is `lost`."""
    with ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    index, name = json.loads(files["bundle.json"]), of.rpartition("/")[2]
    first, *rest = files[of].decode().splitlines()
    lines = [json.dumps(json.loads(first) | change, ensure_ascii=False), *rest]
    files[of] = "".join(f"{line}\n" for line in lines).encode()
    index["runs"][0][name.removesuffix(".jsonl")] = hash_lines({name: iter(lines)})
    if lost == "hash":
        del index["runs"][0][name.removesuffix(".jsonl")]
    elif lost == "file":
        del files[of]
    files["bundle.json"] = json.dumps(index).encode()
    with ZipFile(target, "w") as archive:
        for each, content in files.items():
            archive.writestr(each, content)
    return target
