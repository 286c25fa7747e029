"""The field's evaluators on one leaderboard, by pages only: a file of Factcheck-Bench's form through its recipe; `safe`
with a search engine, `nli` with weights on this machine and `felm-segment`; what they extract, and the exports. The
same with the published file, where it is there."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Download, Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.test_research import ROOT, add_endpoint
from tests.conftest import PUBLISHED
from tests.evaluators.methods.tiny_model import make_byte_weights
from tests.fake_openai import FakeOpenAI, fake_openai
from tests.fake_search import FakeSearch, fake_search

RESPONSES = 12
FACTCHECK_BENCH = PUBLISHED / "outside" / "factcheck_bench.jsonl"
LONGEST_MILLISECONDS = 600_000  # of a run
EVALUATORS = ("safe · m", "nli", "felm-segment · m")
Rows = list[dict[str, Any]]

pytestmark = pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed: make neural")


def sentence(text: str, needs_edit: str, passage: str) -> dict[str, object]:
    """As Factcheck-Bench has it: one claim, with one passage."""
    return {
        "text": text,
        "decontext": text,
        "sentence_factuality_label": needs_edit == "no",
        "revised_decontext": text,
        "sentence_checkworthiness": "yes",
        "most_importance_sentence": "yes",
        "revised_claims": [text],
        "claims": [text],
        "if_claim_needs_edit": [needs_edit],
        "claims_factuality_label": [needs_edit == "no"],
        "claim_checkworthiness": ["factual"],
        "if_most_important_claim": ["yes"],
        "if_automatic_evidence_enough_to_verify": ["yes"],
        "usedEvidence_index_in_revision": ["0"],
        "human_evidence": ["NA"],
        "auto_evidence": [[passage]],
        "auto_evidence_url": [["https://example.org/rivers"]],
        "stance_claim_autoEvid": [["completely-support" if needs_edit == "no" else "refute"]],
    }


def row(number: int) -> dict[str, object]:
    north = sentence(f"River {number} flows north.", "no", f"River {number} flows north to the sea.")
    fish = sentence(f"It is wrong that river {number} has fish.", "yes", f"River {number} has fish.")
    return {
        "prompt": f"Which way does river {number} flow?",
        "response": f"{north['text']} {fish['text']}",
        "response_factuality": False,
        "revised_response": north["text"],
        "sentences": {"sentence1": north, "sentence2": fish},
    }


@pytest.fixture(scope="module")
def variables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    weights = tmp_path_factory.mktemp("weights")
    (weights / "tiny").mkdir()
    make_byte_weights(weights / "tiny", positions=514, kind="SequenceClassification")
    return {"WEIGHTS_DIR": str(weights)}


@pytest.fixture(scope="module")
def lab(site: Site) -> None:
    site.run_script(ROOT)


@pytest.fixture
def root(lab: None, log_in: Callable[[str, str], Page]) -> Page:
    return log_in("root", "root")


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture
def web() -> Iterator[FakeSearch]:
    with fake_search() as server:
        yield server


def test_evaluators_of_the_field_stand_on_one_leaderboard(
    root: Page, model: FakeOpenAI, web: FakeSearch, tmp_path: Path
) -> None:
    file = tmp_path / "factcheck_bench.jsonl"
    file.write_text("".join(json.dumps(row(number)) + "\n" for number in range(RESPONSES)))
    dataset = import_by_recipe(root, "Rivers", file, RESPONSES)
    run_evaluators(root, dataset, "Rivers", model, web, RESPONSES)

    see_the_leaderboard(root, dataset)
    report, released = export(root, dataset, f"River {RESPONSES - 1} flows north.")
    [safe] = [each for each in report if each["evaluator"] == "safe · m"]
    assert (safe["results"][0]["f1"], safe["extraction"]["figures"]["unit_coverage"]["share"]) == (1.0, 1.0)
    assert safe["at_k"]["mean"]["f1"] == 0.5
    assert [each["output"] for each in released] == [row(number)["response"] for number in range(RESPONSES)]


@pytest.mark.skipif(not FACTCHECK_BENCH.exists(), reason="the published file is not here")
def test_so_they_do_on_the_published_factcheck_bench(root: Page, model: FakeOpenAI, web: FakeSearch) -> None:
    """94 responses with 678 claims, of two none. The judge follows a rule, so that its figures say nothing."""
    dataset = import_by_recipe(root, "Factcheck-Bench", FACTCHECK_BENCH, 94)
    run_evaluators(root, dataset, "Facts", model, web, 92)

    root.goto(f"{dataset}leaderboard/")
    board = root.get_by_role("region", name="Leaderboard")
    for name in EVALUATORS:
        f1, precision, covered, f1_at_k = cells(board, name, ("F1", "Claim precision", "Units covered", "F1@K"))
        assert re.fullmatch(r"0\.\d{3}", f1)
        assert re.fullmatch(r"0\.\d{3}", f1_at_k)
        assert re.fullmatch(r"\d\d %" if name == "safe · m" else "–", precision)
        assert re.fullmatch(r"\d\d %" if name == "safe · m" else "–", covered)
    report, released = export(root, dataset)
    assert {each["evaluator"] for each in report} >= set(EVALUATORS)
    assert len(released) == 63  # FActScore's form holds those whose every claim is true or false


def import_by_recipe(page: Page, name: str, file: Path, responses: int) -> str:
    """The address of the dataset."""
    page.goto("/import/")
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Name of the dataset").fill(name)
    page.get_by_text("A folder, or how the file is read").click()
    page.get_by_label("File format").select_option("mapped")
    page.get_by_label("Subject model").fill("model-amber")
    page.get_by_label("Recipe").select_option("factcheck-bench")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name=f"Import {responses} responses").click()
    page.get_by_role("link", name=f"Open {name}").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)
    return re.sub(r"^https?://[^/]+", "", page.url)


def run_evaluators(page: Page, dataset: str, name: str, model: FakeOpenAI, web: FakeSearch, judged: int) -> None:
    """name: of the endpoint and the search engine that are added for them. judged: how many responses have a unit."""
    add_endpoint(page, dataset, model, name)
    add_engine(page, dataset, web, f"{name} web")
    run(page, dataset, "safe", judged, model="m", **{"Search engine": f"{name} web"})
    run(page, dataset, "nli", judged, **{"Weights of the classifier": "tiny"})
    run(page, dataset, "felm-segment", judged, model="m")
    assert {protocol for protocol, _ in web.asked} == {"searxng"}


def add_engine(page: Page, dataset: str, web: FakeSearch, name: str) -> None:
    page.goto(f"{dataset}endpoints/")
    form = page.locator("form", has=page.get_by_role("button", name="Add", exact=True))
    form.get_by_label("Name").fill(name)
    form.get_by_label("Address").fill(f"{web.address}/searxng")
    form.get_by_label("What it serves").select_option("searxng")
    form.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def run(page: Page, dataset: str, method: str, judged: int, model: str = "", **parameters: str) -> None:
    page.goto(f"{dataset}runs/new/?method={method}")
    if model:
        page.locator("#model-field select").select_option(model)  # once the endpoint has listed its models
    page.get_by_text("Advanced", exact=True).click()
    for label, value in parameters.items():
        field = page.get_by_label(label, exact=True)
        field.select_option(value) if field.evaluate("each => each.tagName") == "SELECT" else field.fill(value)
    page.get_by_role("button", name="Start the run").click()
    progress = page.get_by_role("region", name="Progress")
    expect(progress.get_by_text("Finished", exact=True)).to_be_visible(timeout=LONGEST_MILLISECONDS)
    expect(progress).to_contain_text(f"{judged} of {judged} responses")


def see_the_leaderboard(page: Page, dataset: str) -> None:
    """The model is right on all 24 claims, in its own words as in those given; of `nli` the weights are not trained."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{dataset}leaderboard/")
    board = page.get_by_role("region", name="Leaderboard")
    assert board.evaluate("element => element.scrollWidth <= element.clientWidth")
    heads = ("F1", "Claim precision", "Units covered", "F1@K")
    # One supported claim of two in every response: precision 1/2, K 2, so recall 1/2 and F1@2 1/2.
    assert cells(board, "safe · m", heads) == ["1.000", "100 %", "100 %", "0.500"]
    assert cells(board, "felm-segment · m", heads) == ["1.000", "–", "–", "0.500"]
    assert cells(board, "nli", heads)[1:3] == ["–", "–"]
    for name in EVALUATORS:
        assert re.fullmatch(r"0\.\d{3}|1\.000", cells(board, name, ("F1@K",))[0])
    expect(page.get_by_text("mean over subject models of the whole dataset")).to_be_visible()

    page.get_by_text("Columns", exact=True).click()
    page.get_by_role("checkbox", name="Claims invented").check()
    page.get_by_role("button", name="Show").click()
    expect(board.get_by_role("columnheader", name="Claims invented")).to_be_visible()
    assert cells(board, "safe · m", ("Claims invented", "F1@K")) == ["0 %", "0.500"]
    board.locator("#sort-f1_at_k").click()
    page.wait_for_url("**sort=-f1_at_k**")

    page.goto(f"{dataset}leaderboard/?level=estimate")
    expect(page.get_by_role("columnheader", name="F1@K").first).to_be_visible()
    expect(page.get_by_role("row", name="safe · m").first).to_contain_text("0.500")


def cells(board: Locator, evaluator: str, heads: Sequence[str]) -> list[str]:
    """The figures of an evaluator in these columns, without what stands below them."""
    row = board.get_by_role("row").filter(has=board.page.get_by_role("rowheader", name=evaluator)).first
    expect(row).to_be_visible()
    first_lines = "each => each.map(cell => cell.innerText.trim().split('\\n')[0])"
    titles = board.locator("thead th").evaluate_all(first_lines)
    texts = row.locator(":scope > *").evaluate_all(first_lines)
    return [texts[titles.index(head)] for head in heads]


def export(page: Page, dataset: str, searched: str = "") -> tuple[Rows, Rows]:
    """The evaluators of the report and the rows of the released dataset; between them the runs with what they said and
    found. searched: what one of the queries was."""
    page.goto(f"{dataset}leaderboard/")
    with page.expect_download() as report:
        page.get_by_role("link", name="Report as JSON").click()

    page.goto(f"{dataset}runs/bundle/")
    page.get_by_label("include searches of the web").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export bundle").click()
    assert set(lines_of(download.value, "claims.jsonl")[0]) >= {"text", "value"}
    searches = lines_of(download.value, "searches.jsonl")
    assert {search["engine"] for search in searches} == {"searxng"}
    assert not searched or searched in {search["query"] for search in searches}

    page.goto(f"{dataset}gold/")
    page.get_by_label("Name of the version").fill("v1")
    page.get_by_role("button", name="Freeze").click()
    page.get_by_label("Licence").fill("CC0-1.0")
    page.get_by_role("button", name="Create a release").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download", exact=True).click()
    evaluators = json.loads(Path(report.value.path()).read_text())["evaluators"]
    return evaluators, lines_of(download.value, "factscore-model-amber.jsonl")


def lines_of(download: Download, name: str) -> Rows:
    """The rows of the only file of this name in the zip."""
    with zipfile.ZipFile(download.path()) as archive:
        [found] = [each for each in archive.namelist() if each.rpartition("/")[2] == name]
        return [json.loads(line) for line in archive.read(found).splitlines()]
