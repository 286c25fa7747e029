"""The evidence panel in an adjudication case: search, cite with a quote and a stance, settle."""

import json

from playwright.sync_api import Page, expect

from tests.browser.bench import press
from tests.browser.conftest import Site

MAKE = """
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response
dataset = make_dataset({name!r})
make_person("ada", dataset, "adjudicator")
one, two = (response := make_response(dataset)).segments.all()
response.references.create(position=0, url="https://numbers.example", content="Two is even. So is four.")
task = make_task(response)
judge(task, "ben", {{one: "supported", two: "supported"}})
judge(task, "cleo", {{one: "supported", two: "not_supported/knowledge/It is even."}})
print("dataset", dataset.pk)
"""
REFERENCES = """
import json
from annotate.models import ReferenceLink
links = ReferenceLink.objects.filter(gold__segment__response__dataset={dataset}).exclude(quote="")
print("links", json.dumps(list(links.values_list("url", "quote", "stance"))))
"""


def test_an_adjudicator_cites_a_passage_by_key_and_it_goes_into_gold(site: Site, log_in) -> None:
    dataset = site.run_script(MAKE.format(name="case evidence")).split()[-1]
    page: Page = log_in("ada", "ada")
    page.goto(f"/datasets/{dataset}/adjudicate/")
    press(page, "/")
    expect(page.locator("[data-passage]")).to_be_focused()
    press(page, "ArrowRight", "2")
    card = page.locator(".decision .cards li")
    expect(card.locator("q")).to_have_text("Two is even.")
    expect(card.get_by_role("combobox")).to_have_value("refutes")

    page.reload()
    expect(card.locator("q")).to_have_text("Two is even.")
    card.get_by_role("combobox").select_option("insufficient")
    page.locator("#case").focus()
    press(page, "1")
    page.get_by_role("textbox", name="Reason for the decision").fill("So it stands there.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Adjudicated:")).to_be_visible()
    printed = site.run_script(REFERENCES.format(dataset=dataset)).splitlines()
    links = json.loads(next(line for line in printed if line.startswith("links"))[6:])
    assert links == [["https://numbers.example", "Two is even.", "insufficient"]]
