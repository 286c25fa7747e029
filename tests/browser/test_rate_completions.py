"""Completions are rated without the mouse and without a reload."""

from playwright.sync_api import expect

from tests.browser.bench import press, write
from tests.browser.conftest import Site

MAKE = """
from tests.factories import make_dataset, make_person
from tests.factor.validation.work import draw, make_benchmark
dataset = make_dataset("rated by keyboard")
make_person("ada", dataset)
print("sample", draw(make_benchmark(dataset)).pk)
"""


def test_a_rater_answers_is_told_what_is_missing_and_goes_back(site: Site, log_in) -> None:
    pk = int(site.run_script(MAKE).split()[-1])
    page = log_in("ada", "ada")
    page.goto(f"/validations/{pk}/rate/")
    kinds = page.get_by_role("group", name="Error type")
    expect(kinds).to_be_hidden()
    press(page, "1")
    expect(kinds).to_be_visible()
    press(page, "p", "3", "5")
    write(page, "n", "It slept.")
    press(page, "Enter")
    expect(page.get_by_role("heading", name="Completion 2")).to_be_focused()
    expect(page.get_by_text("1 rated; 2 are open.")).to_be_visible()
    press(page, "2", "Enter")
    expect(page.get_by_role("heading", name="Completion 2")).to_be_visible()
    press(page, "b")
    expect(page.get_by_role("heading", name="Completion 1")).to_be_visible()
    expect(page.get_by_role("textbox", name="Note")).to_have_value("It slept.")
    expect(page.get_by_role("radio", name="Predicate")).to_be_checked()
