"""An identity provider in Chromium, under the site's own content security policy: a new account, log-in, connect."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.fake_provider import CLIENT, SECRET, FakeProvider, fake_provider

MAKE = """
from tests.factories import make_dataset, make_person
from annotate.invitations.invite import invitation_path, make_invitation
dataset = make_dataset("lab")
dora = make_person("dora", dataset, "adjudicator")
print(invitation_path(make_invitation(dataset, dora, "Zoe", "", "annotator")[1]))
"""
BUTTON = "Continue with University log-in"


@pytest.fixture(scope="module")
def provider() -> Iterator[FakeProvider]:
    """At another origin than the site: another port."""
    with fake_provider() as running:
        yield running


@pytest.fixture(scope="module")
def variables(provider: FakeProvider) -> dict[str, str]:
    return {
        "OIDC_SERVER": provider.issuer,
        "OIDC_CLIENT_ID": CLIENT,
        "OIDC_CLIENT_SECRET": SECRET,
        "OIDC_NAME": "University log-in",
    }


@pytest.fixture
def page(site: Site, browser: Browser) -> Iterator[Page]:
    """Any script error, and whatever the policy refuses, fails the test."""
    errors: list[str] = []
    context = browser.new_context(base_url=site.address)
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
    page.on("console", lambda line: line.type == "error" and errors.append(f"{page.url}: {line.text}"))
    yield page
    context.close()
    assert errors == []


def test_people_join_log_in_and_connect_by_the_provider(site: Site, page: Page, provider: FakeProvider) -> None:
    link = site.run_script(MAKE).splitlines()[-1]
    page.goto(link)
    page.get_by_role("button", name=BUTTON).click()
    expect(page.get_by_label("User name")).to_have_value("zoe")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="lab")).to_be_visible()

    page.get_by_role("button", name="Log out").click()
    page.goto("/account/")
    page.get_by_role("button", name=BUTTON).click()
    expect(page.get_by_text("Connected (zoe@university.example)")).to_be_visible()

    page.get_by_role("button", name="Log out").click()
    provider.answers.subject, provider.answers.username = "person-2", "dora"
    page.goto("/login/")
    page.get_by_label("Name").fill("dora")
    page.get_by_label("Password").fill("dora")
    page.get_by_role("button", name="Log in", exact=True).click()
    page.goto("/account/")
    page.get_by_role("button", name="Connect", exact=True).click()
    page.get_by_label("Password").fill("dora")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_text("Connected (dora)")).to_be_visible()
    page.get_by_role("link", name="Disconnect").click()
    page.get_by_role("button", name="Disconnect").click()
    expect(page.get_by_text("Not connected.")).to_be_visible()
