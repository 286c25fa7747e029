"""A researcher's ten minutes, by pages only: endpoint → two methods → which is better → units, table, chart → link."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Download, Page, expect

from tests.annotate.corpus.files import felm_row
from tests.browser.conftest import Site
from tests.fake_openai import FakeOpenAI

ROOT = """
from annotate.models import User
User.objects.create_superuser("root", password="root")
"""
PROMPTS = 24
PAPER = r"""\documentclass{article}\usepackage{booktabs,graphicx}\begin{document}
%s
\clearpage\noindent\includegraphics[width=\linewidth]{evaluators.pdf}\end{document}
"""


def rows() -> list[dict[str, object]]:
    """The model calls the second segment wrong, as gold does; `lexical` also the first of every other response."""
    return [
        felm_row(
            str(number),
            prompt=f"Which way does river {number} flow?",
            response=f"River {number} flows north. It is wrong that fish are there.",
            segmented_response=[f"River {number} flows north.", "It is wrong that fish are there."],
            labels=[True, False],
            ref_contents=[f"River {number} flows north." if number % 2 else "Nothing is known."],
        )
        for number in range(PROMPTS)
    ]


@pytest.fixture
def rivers(tmp_path: Path) -> Path:
    path = tmp_path / "rivers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    return path


def test_from_an_endpoint_to_a_paper_and_a_public_link(
    site: Site, log_in, browser: Browser, rivers: Path, fake_model: FakeOpenAI, tmp_path: Path
) -> None:
    site.run_script(ROOT)
    root = log_in("root", "root")
    dataset = import_gold(root, rivers)
    add_endpoint(root, dataset, fake_model)
    run_both(root, dataset, fake_model)

    root.goto(f"{dataset}compare/")
    # The model has all 24 errors and no false alarm, `lexical` 12 false ones: 2*24 / (2*24 + 12) = 0.8.
    verdict = root.locator("#compare")
    expect(verdict).to_contain_text(
        "felm-segment · m has the highest F1. Significant: better than the other evaluator."
    )
    expect(verdict).to_contain_text("felm-segment · m is better than lexical: difference 0.200")
    expect(root.get_by_role("row", name="lexical").first).to_contain_text("0.800")
    latex, chart = latex_of(root), chart_of(root)
    see_the_difference(root)
    check_paper(latex, chart, tmp_path)
    share(root, dataset, browser, site)


def import_gold(page: Page, file: Path) -> str:
    page.goto("/import/")
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Name of the dataset").fill("Rivers with gold")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name=f"Import {PROMPTS} responses").click()
    page.get_by_role("link", name="Open Rivers with gold").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rivers with gold")
    return re.sub(r"^https?://[^/]+", "", page.url)


def add_endpoint(page: Page, dataset: str, model: FakeOpenAI, name: str = "Lab") -> None:
    page.goto(f"{dataset}endpoints/")
    form = page.locator("form", has=page.get_by_role("button", name="Add", exact=True))
    form.get_by_label("Name").fill(name)
    form.get_by_label("Address").fill(model.base_url)
    form.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()


def run_both(page: Page, dataset: str, model: FakeOpenAI) -> None:
    page.goto(f"{dataset}batches/new/")
    expect(page.get_by_label("Endpoint")).to_contain_text(model.base_url)
    page.get_by_label("m", exact=True).check()
    for method in ("felm-segment", "lexical"):
        page.locator(f'input[name=methods][value="{method}"]').check()
    expect(page.get_by_text("2 runs, about 24 calls")).to_be_visible()
    page.get_by_role("button", name="Start the runs").click()
    expect(page.locator("#batch")).to_contain_text("2 of 2")


def latex_of(page: Page) -> str:
    link = page.locator("[data-copy]", has_text="LaTeX").first.get_attribute("href")
    return page.request.get(page.url.partition("?")[0] + str(link)).text()


def chart_of(page: Page) -> Download:
    with page.expect_download() as download:
        page.get_by_role("link", name="PDF of F1 by evaluator").click()
    return download.value


def see_the_difference(page: Page) -> None:
    """On half of the first segments the model is right and `lexical` is not, and never the other way."""
    page.get_by_text("All pairs", exact=True).click()
    page.get_by_role("link", name="Test all pairs").click()
    page.locator("#pairs td a[title='The units on which they differ']").first.click()
    expect(page.get_by_text(re.compile(r"^felm-segment · m right, lexical wrong: 12$"))).to_be_visible()
    expect(page.get_by_text(re.compile(r"^lexical right, felm-segment · m wrong: 0$"))).to_be_visible()
    expect(page.get_by_text("1 to 10 of 12")).to_be_visible()


def check_paper(latex: str, chart: Download, folder: Path) -> None:
    """A table and a chart on two pages; compiled where there is a TeX."""
    assert r"\toprule" in latex
    assert re.search(r"lexical & 0\.80 \[0\.\d\d, 0\.\d\d\]", latex)
    chart.save_as(folder / "evaluators.pdf")
    assert (folder / "evaluators.pdf").read_bytes().startswith(b"%PDF")
    (folder / "paper.tex").write_text(PAPER % latex)
    if program := shutil.which("pdflatex"):
        command = [program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert "Output written on paper.pdf (2 pages" in done.stdout, done.stdout[-2000:]


def share(page: Page, dataset: str, browser: Browser, site: Site) -> None:
    page.goto(f"{dataset}compare/")
    page.get_by_role("link", name="Share by a public link").click()
    page.get_by_label("Title").fill("Rivers, compared")
    page.get_by_role("button", name="Make the link").click()
    link = page.get_by_label("Link to Rivers, compared").input_value()
    outside = browser.new_context(base_url=site.address)
    try:
        stranger = outside.new_page()
        stranger.goto(link)
        expect(stranger.get_by_role("heading", name="Rivers, compared")).to_be_visible()
        expect(stranger.get_by_role("row", name="lexical").first).to_contain_text("0.800")
        expect(stranger.get_by_text("It is wrong that fish are there.")).to_have_count(0)
    finally:
        outside.close()
