"""What an adjudicator or a rater writes is sent by the form it stands in, and stays where no answer comes."""

import re
from collections.abc import Iterator
from threading import Event

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.bench import log_in_again, press, press_foreign, write
from tests.browser.conftest import Site

MAKE = """
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import make_dataset, make_person, make_response
dataset = make_dataset({name!r})
dataset.review = {review!r}
dataset.save()
make_person("ada", dataset, "adjudicator")
one, two = (response := make_response(dataset)).segments.all()
task = make_task(response)
judge(task, "ben", {{one: "supported", two: "supported"}})
judge(task, "cleo", {{one: "supported", two: {second!r}}})
print(dataset.pk, response.pk)
"""
DECIDED = """
from annotate.models import GoldLabel, Removal, Signature
signed = Signature.objects.filter(response__dataset={dataset}).count()
removals = Removal.objects.filter(response__dataset={dataset}).values_list("why", flat=True)
print([signed, *removals])
"""
WITHDRAW = """
from django.utils import timezone
from annotate.models import Signature
Signature.objects.filter(response__dataset={dataset}).update(withdrawn_at=timezone.now())
"""
SAMPLE = """
from tests.factories import make_dataset, make_person
from tests.factor.validation.work import draw, make_benchmark
dataset = make_dataset("kept while rating")
make_person("ada", dataset)
print("sample", draw(make_benchmark(dataset)).pk)
"""
LOOKS = """
from annotate.second_look.send import send
from tests.annotate.second_look.work import look_at
from tests.factories import add_gold, make_dataset, make_person, make_response
dataset = make_dataset({name!r})
make_person("ada", dataset, {role!r})
lena = make_person("lena", dataset)
segments = [make_response(dataset, [f"{{n}} is odd."]).segments.get() for n in range(2)]
for segment in segments:
    add_gold(segment, "supported")
dataset.refresh_from_db()
for item in send(dataset, [(each.pk, None) for each in segments], 1, 7, dataset.gold_revision, lena):
    if {role!r} == "adjudicator":
        look_at(item, "lena", "not_supported", "It is even.")
print(dataset.pk)
"""


@pytest.fixture
def ada(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """Ada's browser. Requests fail on purpose, so that only errors of scripts count."""
    context = browser.new_context(base_url=site.address, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(30_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context
    context.close()
    assert errors == []


def make(site: Site, name: str, second: str, review: str = "bulk") -> tuple[str, str]:
    """A dataset with one response, whose second segment the second annotator judges so; the primary keys of both."""
    dataset, response = site.run_script(MAKE.format(name=name, second=second, review=review)).split()[-2:]
    return dataset, response


def fails_and_stays(page: Page, context: BrowserContext, send: str, unsaved: str) -> None:
    """Nothing is sent offline, nor logged out, and the page says so and stays; logged in again, it goes through."""
    message = page.locator("[data-not]:visible")
    context.set_offline(True)
    press(page, send)
    expect(message).to_have_text(f"{unsaved}: no answer. What you wrote is still here: try again.")
    context.set_offline(False)
    context.clear_cookies(name="sessionid")
    press(page, send)
    expect(message).to_have_text(f"{unsaved}: you are logged out. Log in on another tab, then try again.")
    log_in_again(context).close()


def settled(page: Page) -> None:
    """HTMX has taken up the forms that it put on the page: before, they are sent as those of any page."""
    expect(page.locator(".htmx-settling")).to_have_count(0)


def test_a_decision_stays_on_the_page_until_it_is_made(site: Site, ada: BrowserContext) -> None:
    dataset, _ = make(site, "no answer to a decision", second="not_supported")
    page = log_in_again(ada)
    refusing = Event()
    page.route("**/adjudicate/**", lambda route: route.fulfill(status=403) if refusing.is_set() else route.continue_())
    page.goto(f"/datasets/{dataset}/adjudicate/")
    why = page.get_by_role("textbox", name="Reason for the decision")
    press(page, "1")
    expect(why).to_be_focused()
    page.keyboard.type("Two is prime.")
    fails_and_stays(page, ada, "Control+Enter", "Not saved")
    expect(why).to_have_value("Two is prime.")
    refusing.set()
    press(page, "Control+Enter")
    expect(page.locator("[data-not]:visible")).to_contain_text("no answer")
    refusing.clear()
    press(page, "Control+Enter")
    expect(page.get_by_role("link", name="Change this decision")).to_be_visible()


def test_ctrl_enter_sends_the_form_one_writes_in_and_signs_nothing(site: Site, ada: BrowserContext) -> None:
    dataset, response = make(site, "two forms", second="supported", review="reviewer")
    page = log_in_again(ada)
    page.goto(f"/responses/{response}/review/")
    page.get_by_role("textbox", name="Note").fill("All of it.")
    page.get_by_text("Keep or remove the response").click()
    page.get_by_role("textbox", name="Reason").fill("A fair question.")
    press(page, "Control+Enter")
    expect(page.locator(".messages")).to_contain_text("Saved.")
    assert site.run_script(DECIDED.format(dataset=dataset)).splitlines()[-1] == "[0, 'A fair question.']"


def test_a_reason_half_written_is_there_when_one_comes_back(site: Site, ada: BrowserContext) -> None:
    dataset, response = make(site, "half a reason", second="not_supported")
    page = log_in_again(ada)
    page.goto(f"/datasets/{dataset}/adjudicate/")
    why = page.get_by_role("textbox", name="Reason for the decision")
    press_foreign(page, ("&", "Digit1"))  # on a French keyboard
    expect(page.locator("[data-choice='1']")).to_be_checked()
    press_foreign(page, ("é", "Digit2"))  # in the reason by now
    expect(page.locator("[data-choice='1']")).to_be_checked()
    why.blur()
    restored = page.get_by_text("Restored from this browser")
    press(page, "2")
    page.keyboard.type("Two is")
    page.goto(f"/responses/{response}/review/")
    expect(restored).to_have_count(0)
    page.goto(f"/datasets/{dataset}/adjudicate/")
    expect(restored).to_be_visible()
    expect(why).to_have_value("Two is")
    expect(page.locator("[data-choice='2']")).to_be_checked()
    why.focus()
    press(page, "Control+Enter")
    page.get_by_role("link", name="Change this decision").click()
    expect(page.get_by_role("button", name="Change")).to_be_visible()
    page.wait_for_load_state()
    expect(restored).to_have_count(0)
    expect(why).to_have_value("")


def test_a_removal_stays_on_the_page_until_it_is_settled(site: Site, ada: BrowserContext) -> None:
    dataset, response = make(site, "no answer to a removal", second="supported", review="reviewer")
    page = log_in_again(ada)
    page.goto(f"/responses/{response}/review/")
    page.get_by_text("Keep or remove the response").click()
    page.get_by_role("radio", name="Remove it").check()
    why = page.get_by_role("textbox", name="Reason")
    why.fill(" ")
    press(page, "Control+Enter")
    expect(page.get_by_role("alert").filter(has_text="say why")).to_be_visible()
    expect(page.get_by_role("radio", name="Remove it")).to_be_checked()
    settled(page)
    why.fill("It asks for nothing.")
    fails_and_stays(page, ada, "Control+Enter", "Not saved")
    expect(why).to_have_value("It asks for nothing.")
    press(page, "Control+Enter")
    expect(page.locator(".messages")).to_contain_text("Saved.")
    expect(page).to_have_url(re.compile(rf"/responses/{response}/review/$"))
    stored = site.run_script(DECIDED.format(dataset=dataset)).splitlines()[-1]
    assert stored == "[0, 'It asks for nothing.']"
    settled(page)
    page.get_by_role("textbox", name="Note").fill("All of it.")
    press(page, "Control+Enter")
    expect(page.get_by_text("No responses to sign")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/review/\?level=reviewer$"))


def test_a_signature_that_was_saved_is_not_restored(site: Site, ada: BrowserContext) -> None:
    dataset, response = make(site, "signed once", second="supported", review="super")
    page = log_in_again(ada)
    page.goto(f"/responses/{response}/review/")
    page.get_by_role("textbox", name="Note").click()
    page.keyboard.type("All of it.")
    press(page, "Control+Enter")
    expect(page.get_by_text("No responses to sign")).to_be_visible()
    site.run_script(WITHDRAW.format(dataset=dataset))
    page.goto(f"/responses/{response}/review/")
    expect(page.get_by_role("textbox", name="Note")).to_have_value("All of it.")  # proposed by the server
    expect(page.get_by_text("Restored from this browser")).to_have_count(0)


def test_a_refused_signature_is_said_at_its_button(site: Site, ada: BrowserContext) -> None:
    _, response = make(site, "refused below", second="supported", review="reviewer")
    page = log_in_again(ada)
    page.set_viewport_size({"width": 900, "height": 300})
    page.goto(f"/responses/{response}/review/")
    page.get_by_role("textbox", name="Note").click()
    page.keyboard.type(" ")
    press(page, "Control+Enter")
    refusal = page.get_by_role("alert").filter(has_text="say what you looked at")
    expect(refusal).to_be_focused()
    expect(refusal).to_be_in_viewport()
    expect(page.get_by_role("button", name="Sign as reviewer")).to_be_in_viewport()


def test_ratings_stay_until_they_are_saved(site: Site, ada: BrowserContext) -> None:
    pk = int(site.run_script(SAMPLE).split()[-1])
    page = log_in_again(ada)
    page.goto(f"/validations/{pk}/rate/")
    note = page.get_by_role("textbox", name="Note")
    press(page, "2", "p", "3", "5")
    write(page, "n", "First.")
    fails_and_stays(page, ada, "Enter", "Not saved")
    expect(note).to_have_value("First.")
    press(page, "Enter")
    # Whoever types has seen where they are: until then the focus is on its way there.
    expect(page.get_by_role("heading", name="Completion 2")).to_be_focused()

    press(page, "1")
    write(page, "n", "Half written.")
    press(page, "b")
    expect(page.get_by_role("heading", name="Completion 1")).to_be_visible()
    page.wait_for_load_state()
    expect(page.get_by_text("Restored from this browser")).to_have_count(0)
    page.goto(f"/validations/{pk}/rate/")
    expect(note).to_have_value("Half written.")
    expect(page.get_by_text("Restored from this browser")).to_be_visible()
    press(page, "p", "3", "5", "Enter")
    expect(page.get_by_role("heading", name="Completion 3")).to_be_visible()
    press(page, "b")
    expect(page.get_by_role("heading", name="Completion 2")).to_be_visible()
    page.wait_for_load_state()
    expect(page.get_by_text("Restored from this browser")).to_have_count(0)
    expect(note).to_have_value("Half written.")


def test_a_second_look_stays_until_it_is_saved(site: Site, ada: BrowserContext) -> None:
    output = site.run_script(LOOKS.format(name="kept while looking", role="annotator"))
    page = log_in_again(ada)
    page.goto(f"/datasets/{output.split()[-1]}/second-looks/")
    press(page, "2")
    write(page, "n", "It is even.")
    fails_and_stays(page, ada, "Enter", "Not saved")
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("It is even.")
    press(page, "Enter")
    expect(page.get_by_text("1 open · 1 done")).to_be_visible()


def test_what_settles_a_second_look_stays_until_it_is_settled(site: Site, ada: BrowserContext) -> None:
    output = site.run_script(LOOKS.format(name="kept while settling", role="adjudicator"))
    page = log_in_again(ada)
    page.goto(f"/datasets/{output.split()[-1]}/second-looks/cases/")
    press(page, "1")
    write(page, "n", "It is odd.")
    fails_and_stays(page, ada, "Enter", "Not saved")
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("It is odd.")
    press(page, "Enter")
    expect(page.get_by_text("1 to adjudicate")).to_be_visible()
    expect(page.get_by_text("Gold kept")).to_be_visible()
