"""Facts and segments edited in a browser: by keyboard, by buttons, against somebody else, with the network gone."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.conftest import Site, enter

PEOPLE = """
from annotate.models import Dataset, Membership, User
for name in ("edda", "ella"):
    person = User.objects.filter(username=name).first() or User.objects.create_user(name, password=name)
    for dataset in Dataset.objects.filter(name__in=["Lives", "Sums"]):
        Membership.objects.get_or_create(user=person, dataset=dataset, defaults={"role": "adjudicator"})
"""
LIVES = [
    {"topic": topic, "prompt": f"Who was {topic}?", "response": f"{topic} painted and sang. She died in 1944."}
    for topic in ("Maria", "Irma", "Olga", "Dina", "Nora", "Ruth")
]
# One for each test that changes segments.
SUMS = [
    {"prompt": f"Solve it {time}.", "response": "Halve it 😀.\r\nSo x = 2. Done.", "domain": "math"}
    for time in ("once", "twice", "again")
]


@pytest.fixture(scope="module")
def lives(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Six biographies with a model's facts, and solutions that the import cut into three sentences each."""
    folder: Path = tmp_path_factory.mktemp("files")
    for name, rows in (("lives", LIVES), ("sums", SUMS)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    site.manage(
        "import_dataset", "Lives", str(folder / "lives"), "--format", "responses-for-facts", "--subject", "amber"
    )
    site.manage("import_dataset", "Sums", str(folder / "sums"), "--format", "responses")
    site.run_script(PEOPLE)
    site.manage("propose", "Lives", "facts", "--model", "tiny", "--wait")
    return site


@pytest.fixture
def open_as(browser: Browser, site: Site) -> Iterator[Callable[[str], Page]]:
    """A browser of a person's own, logged in. Requests fail on purpose here, so that only errors of scripts count."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_one(name: str) -> Page:
        context = browser.new_context(base_url=site.address, viewport={"width": 1280, "height": 900})
        contexts.append(context)
        context.set_default_timeout(30_000)
        context.on("weberror", lambda error: errors.append(str(error.error)))
        return enter(context, name, name)

    yield open_one
    for context in contexts:
        context.close()
    assert errors == []


def open_list(page: Page, dataset: str, tab: str) -> None:
    page.get_by_role("link", name=dataset).first.click()
    page.wait_for_url("**/datasets/*/")
    page.goto(f"{page.url}{tab}/")


def open_editor(page: Page, dataset: str, tab: str, response: str) -> str:
    """Go to the editor of the response by its list; the editor's address."""
    open_list(page, dataset, tab)
    page.get_by_role("link", name=response).click()
    expect(page.locator(".units textarea").first).to_be_visible()
    page.wait_for_load_state()  # the script that saves comes last
    return page.url


def facts(page: Page) -> list[str]:
    return page.locator(".units textarea").evaluate_all("list => list.map((area) => area.value)")


def wait_for(page: Page, expected: list[str]) -> None:
    page.wait_for_function(
        "(expected) => JSON.stringify([...document.querySelectorAll('.units textarea')].map((area) => area.value))"
        " === JSON.stringify(expected)",
        arg=expected,
    )


def saved(page: Page) -> None:
    expect(page.locator("[data-status]")).to_have_text(re.compile("Draft saved"))


def finish_by_keyboard(page: Page) -> None:
    """The page says so for a moment before it is loaded anew."""
    with page.expect_event("load"):
        page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Finished, last saved by edda")).to_be_visible()


def test_facts_are_edited_with_the_keyboard_alone(lives: Site, log_in) -> None:
    page = log_in("edda", "edda")
    open_editor(page, "Lives", "facts", "amber/Maria")
    assert facts(page) == ["Maria painted.", "sang.", "She died in 1944."]

    page.locator(".units textarea").nth(1).focus()
    page.keyboard.press("Home")
    page.keyboard.type("She ")
    page.keyboard.press("Home")
    page.keyboard.press("Backspace")  # merged with the one before
    wait_for(page, ["Maria painted. She sang.", "She died in 1944."])
    page.keyboard.press("Enter")  # and split where they were joined
    wait_for(page, ["Maria painted.", "She sang.", "She died in 1944."])
    page.keyboard.press("Alt+ArrowUp")
    wait_for(page, ["She sang.", "Maria painted.", "She died in 1944."])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Alt+Enter")
    page.keyboard.type("She lived.")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Alt+Delete")
    wait_for(page, ["She sang.", "Maria painted.", "She lived."])
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    wait_for(page, ["She sang.", "Maria painted.", "", "She died in 1944."])
    page.keyboard.press("Control+Shift+z")
    wait_for(page, ["She sang.", "Maria painted.", "She lived.", "She died in 1944."])
    saved(page)
    finish_by_keyboard(page)
    assert facts(page) == ["She sang.", "Maria painted.", "She lived.", "She died in 1944."]
    page.locator(".units textarea").last.fill("She died in 1945.")
    expect(page.locator("#standing")).to_have_text("A draft, not judged yet, last saved by edda.")
    page.keyboard.press("Control+z")
    wait_for(page, ["She sang.", "Maria painted.", "She lived.", "She died in 1944."])
    saved(page)
    finish_by_keyboard(page)
    assert stored(lives, "Maria") == [
        ["She sang.", ["Maria painted.", "sang."]],
        ["Maria painted.", ["Maria painted.", "sang."]],
        ["She lived.", []],
        ["She died in 1944.", ["She died in 1944."]],
    ]


def stored(site: Site, topic: str) -> list[list[object]]:
    """Each human fact of the response with the model's facts that it was made of."""
    lines = site.run_script(
        "import json; from annotate.models import AtomicFact; print(json.dumps([[fact.text, "
        "sorted(fact.derived_from.values_list('text', flat=True))] for fact in AtomicFact.objects.filter("
        f"fact_set__response__index='amber/{topic}', fact_set__origin='human')"
        ".order_by('segment__position', 'position')]))",
    )
    return json.loads(lines.strip().splitlines()[-1])


def test_every_command_has_a_button_that_leaves_the_cursor_where_it_is(lives: Site, log_in) -> None:
    page = log_in("edda", "edda")
    page.set_viewport_size({"width": 390, "height": 800})
    open_editor(page, "Lives", "facts", "amber/Irma")
    first = page.locator(".units textarea").first
    first.click()
    first.evaluate("(area) => area.setSelectionRange(4, 4)")

    page.get_by_role("button", name="Split at cursor").click()
    wait_for(page, ["Irma", "painted.", "sang.", "She died in 1944."])
    page.get_by_role("button", name="Merge with next").click()
    wait_for(page, ["Irma", "painted. sang.", "She died in 1944."])
    page.get_by_role("button", name="Up").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Remove").click()
    wait_for(page, ["Irma", "She died in 1944."])
    page.get_by_role("button", name="Add a fact").last.click()
    page.keyboard.type("She is gone.")
    wait_for(page, ["Irma", "She died in 1944.", "She is gone."])
    saved(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_whoever_comes_second_chooses_and_loses_nothing(lives: Site, open_as) -> None:
    edda, ella = open_as("edda"), open_as("ella")
    address = open_editor(edda, "Lives", "facts", "amber/Olga")
    ella.goto(address)
    edda.locator(".units textarea").first.fill("Olga drew.")
    saved(edda)

    with ella.expect_response(lambda answer: answer.status == 409):
        ella.locator(".units textarea").first.fill("Olga wrote.")
    expect(ella.get_by_text("edda saved these facts")).to_be_visible()
    ella.get_by_role("button", name="Use theirs").click()
    assert facts(ella)[0] == "Olga drew."
    expect(ella.locator("#standing")).to_have_text("A draft, not judged yet, last saved by edda.")
    expect(ella.locator(".units textarea").first).to_be_focused()
    ella.keyboard.press("Control+z")
    wait_for(ella, ["Olga wrote.", *facts(ella)[1:]])
    saved(ella)

    ella.reload()
    assert facts(ella)[0] == "Olga wrote."


def test_what_each_changed_in_another_sentence_stands_beside_the_other(lives: Site, open_as) -> None:
    edda, ella = open_as("edda"), open_as("ella")
    address = open_editor(edda, "Lives", "facts", "amber/Nora")
    ella.goto(address)
    ella.locator(".units textarea").last.fill("She died in 1945.")
    saved(ella)

    edda.locator(".units textarea").first.fill("Nora drew.")
    expect(edda.locator("#notice")).to_have_text("ella has changed one sentence meanwhile, shown here now.")
    saved(edda)
    both = ["Nora drew.", "sang.", "She died in 1945."]
    assert facts(edda) == both
    assert [text for text, _ in stored(lives, "Nora")] == both

    edda.keyboard.press("Control+z")  # only what is one's own
    wait_for(edda, ["Nora painted.", *both[1:]])
    saved(edda)
    assert [text for text, _ in stored(lives, "Nora")] == ["Nora painted.", *both[1:]]


def test_who_keeps_theirs_keeps_it_where_both_have_changed_and_nowhere_else(lives: Site, open_as) -> None:
    edda, ella = open_as("edda"), open_as("ella")
    address = open_editor(edda, "Lives", "facts", "amber/Ruth")
    ella.goto(address)
    ella.locator(".units textarea").first.fill("Ruth wove.")
    ella.locator(".units textarea").last.fill("She died in 1945.")
    saved(ella)

    edda.locator(".units textarea").first.fill("Ruth drew.")
    conflict = edda.locator("#trouble li:has([data-sentence])")
    expect(conflict.locator("[data-sentence]")).to_have_text("Ruth painted and sang.")
    expect(conflict.locator("[data-theirs] li")).to_have_text(["Ruth wove.", "sang."])
    edda.locator(".units textarea").first.fill("Ruth drew well.")
    expect(conflict.locator("[data-mine] li")).to_have_text(["Ruth drew well.", "sang."])
    edda.get_by_role("button", name="Keep mine").click()
    saved(edda)
    resolved = ["Ruth drew well.", "sang.", "She died in 1945."]
    assert facts(edda) == resolved
    assert [text for text, _ in stored(lives, "Ruth")] == resolved


def lose_answers(page: Page, requests: list[dict[str, object]]) -> None:
    """Of what it opens from here on the server gets every save, and its answer gets lost."""

    def lose(route: Route) -> None:
        requests.append(json.loads(route.request.post_data or ""))
        route.fetch()
        route.abort()

    page.route("**/save/", lose)


def test_a_save_whose_answer_was_lost_is_no_conflict_with_oneself(lives: Site, open_as) -> None:
    page = open_as("edda")
    lose_answers(page, [])
    open_editor(page, "Lives", "facts", "amber/Dina")
    page.locator(".units textarea").first.fill("Dina sewed.")
    expect(page.locator("[data-status]")).to_have_text(re.compile("Offline"))
    page.locator(".units textarea").first.fill("Dina sewed well.")
    page.unroute("**/save/")

    saved(page)
    expect(page.locator("#trouble")).to_be_empty()
    assert stored(lives, "Dina")[0][0] == "Dina sewed well."


def test_what_was_finished_without_an_answer_is_shown_as_finished(lives: Site, open_as) -> None:
    page = open_as("edda")
    requests: list[dict[str, object]] = []
    lose_answers(page, requests)
    open_editor(page, "Lives", "facts", "amber/Dina")
    page.get_by_role("button", name="Finish").click()
    expect(page.locator("[data-status]")).to_have_text(re.compile("Offline – not finished yet"))
    page.unroute("**/save/")

    expect(page.get_by_text("Finished, last saved by edda")).to_be_visible()
    assert requests[0]["finish"] is True


def test_who_goes_on_writing_after_finishing_without_an_answer_is_told(lives: Site, open_as) -> None:
    page = open_as("edda")
    open_editor(page, "Lives", "facts", "amber/Dina")
    page.context.set_offline(True)
    page.get_by_role("button", name="Finish").click()
    expect(page.locator("[data-status]")).to_have_text(re.compile("Offline – not finished yet"))
    page.locator(".units textarea").first.fill("Dina dyed.")
    page.context.set_offline(False)

    saved(page)
    expect(page.locator("#notice")).to_contain_text("Not finished: you have changed the facts since.")
    expect(page.locator("#standing")).to_have_text("A draft, not judged yet, last saved by edda.")


def test_what_is_written_offline_is_saved_once_the_network_is_back(lives: Site, open_as) -> None:
    page = open_as("edda")
    open_editor(page, "Lives", "facts", "amber/Dina")
    page.context.set_offline(True)
    page.locator(".units textarea").first.fill("Dina drew.")
    expect(page.locator("[data-status]")).to_have_text(re.compile("Offline"))

    page.context.set_offline(False)
    saved(page)

    page.reload()
    assert facts(page)[0] == "Dina drew."


def test_who_writes_on_and_on_is_saved_meanwhile(lives: Site, open_as) -> None:
    page = open_as("edda")
    page.clock.install(time=0)
    open_editor(page, "Lives", "facts", "amber/Dina")
    page.clock.pause_at(3600)
    page.locator(".units textarea").first.fill("")
    for _ in range(2):
        with page.expect_request("**/save/"):
            for letter in "Dina drew ":
                page.keyboard.type(letter)
                page.clock.run_for(100)
    page.clock.resume()
    saved(page)


def test_facts_are_saved_after_the_session_was_renewed(lives: Site, open_as) -> None:
    page = open_as("edda")
    open_editor(page, "Lives", "facts", "amber/Dina")
    page.context.clear_cookies()
    page.locator(".units textarea").first.fill("Dina etched.")
    expect(page.get_by_text("You are logged out.")).to_be_visible()
    enter(page.context, "edda", "edda")
    saved(page)
    assert stored(lives, "Dina")[0][0] == "Dina etched."


def test_segments_are_split_merged_and_restored(lives: Site, log_in) -> None:
    page = log_in("edda", "edda")
    open_editor(page, "Sums", "segments", "1")
    assert facts(page) == ["Halve it 😀.", "So x = 2.", "Done."]

    page.locator(".units textarea").first.focus()
    page.keyboard.type("nothing is written here")
    page.keyboard.press("End")
    page.keyboard.press("Delete")
    wait_for(page, ["Halve it 😀.\nSo x = 2.", "Done."])
    page.keyboard.press("Home")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Control+z")
    wait_for(page, ["Halve it 😀.", "So x = 2.", "Done."])
    page.keyboard.press("Control+Shift+z")
    page.locator(".units textarea").first.evaluate("(area) => area.setSelectionRange(15, 15)")  # after "So", in halves
    page.keyboard.press("Enter")
    wait_for(page, ["Halve it 😀.\nSo", "x = 2.", "Done."])
    page.keyboard.press("Control+Enter")

    expect(page.get_by_text("Saved.")).to_be_visible()
    wait_for(page, ["Halve it 😀.\nSo", "x = 2.", "Done."])
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_text("Restored.")).to_be_visible()
    wait_for(page, ["Halve it 😀.", "So x = 2.", "Done."])


def test_proposals_are_followed_on_the_page(lives: Site, log_in) -> None:
    page = log_in("edda", "edda")
    open_list(page, "Sums", "segments")
    page.get_by_role("link", name="List the models of the endpoints").click()
    page.get_by_label("Select 2").check()
    page.locator("select[name=model]").select_option(label="m")

    page.get_by_role("button", name="Propose for selected").click()

    expect(page.locator("#list").get_by_text("Split by a model")).to_be_visible()
    expect(page.locator("#progress")).not_to_contain_text("Waiting")


def close_offline(page: Page, change: Callable[[Page], None]) -> BrowserContext:
    """A tab that closes without the network, in the middle of writing; its browser, with the network back.

    The session ends with it, so that nothing that the browser sends after the tab is gone can be stored.
    """
    context = page.context
    context.set_offline(True)
    change(page)
    context.clear_cookies()
    page.close()
    context.set_offline(False)
    return context


def write_first(text: str) -> Callable[[Page], None]:
    return lambda page: page.locator(".units textarea").first.fill(text)


def test_facts_of_a_tab_that_closed_offline_are_there_when_it_is_opened_again(lives: Site, open_as) -> None:
    page = open_as("edda")
    address = open_editor(page, "Lives", "facts", "amber/Dina")
    again = enter(close_offline(page, write_first("Dina dan")), "edda", "edda")
    again.goto(address)
    expect(again.locator("#notice")).to_contain_text("Restored from this browser: facts of one sentence")
    assert facts(again)[0] == "Dina dan"
    saved(again)
    assert stored(lives, "Dina")[0][0] == "Dina dan"
    again.reload()
    expect(again.locator("#notice")).to_be_empty()


def test_restored_facts_meet_what_somebody_else_has_saved(lives: Site, open_as) -> None:
    edda, ella = open_as("edda"), open_as("ella")
    address = open_editor(edda, "Lives", "facts", "amber/Olga")
    ella.goto(address)
    context = close_offline(edda, write_first("Olga carved."))
    ella.locator(".units textarea").first.fill("Olga wove.")
    saved(ella)
    again = enter(context, "edda", "edda")
    again.goto(address)
    expect(again.get_by_text("ella saved these facts")).to_be_visible()
    assert facts(again)[0] == "Olga carved."
    assert stored(lives, "Olga")[0][0] == "Olga wove."
    again.get_by_role("button", name="Keep mine").click()
    saved(again)
    assert stored(lives, "Olga")[0][0] == "Olga carved."


def test_segments_of_a_tab_that_closed_offline_are_there_when_it_is_opened_again(lives: Site, open_as) -> None:
    page = open_as("edda")
    address = open_editor(page, "Sums", "segments", "3")
    before = facts(page)

    def merge(page: Page) -> None:
        page.locator(".units textarea").first.focus()
        page.get_by_role("button", name="Merge with next").click()

    again = enter(close_offline(page, merge), "edda", "edda")
    again.goto(address)
    expect(again.locator("#notice")).to_contain_text("Restored from this browser")
    assert facts(again) == ["\n".join(before[:2]), *before[2:]]
    expect(again.locator("[data-status]")).to_contain_text("not saved yet")
    again.get_by_role("button", name="Save these segments").click()
    expect(again.get_by_text("Saved.")).to_be_visible()
    again.wait_for_load_state()
    expect(again.locator("#notice")).to_be_empty()
    assert len(facts(again)) == len(before) - 1
