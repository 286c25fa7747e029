"""Passkeys in Chromium, with an authenticator of its own making: added, named, used in each way, removed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site

MAKE = """
from tests.factories import make_person
make_person("ada")
"""
RECORDED = """
from audit.models import AuditEntry
print(*AuditEntry.objects.order_by("pk").values_list("action", "detail"), sep="\\n")
"""
# Of a telephone or a laptop: it keeps passkeys, and has looked at the finger.
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
}


@pytest.fixture
def page(site: Site, browser: Browser) -> Iterator[Page]:
    """At localhost: there are no passkeys for a bare number. Any script error, or refused script, fails the test."""
    errors: list[str] = []
    context = browser.new_context(base_url=site.address.replace("127.0.0.1", "localhost"))
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
    page.on("console", lambda line: line.type == "error" and errors.append(f"{page.url}: {line.text}"))
    yield page
    context.close()
    assert errors == []


def give_password(page: Page) -> None:
    page.goto("/login/")
    page.get_by_label("Name").fill("ada")
    page.get_by_label("Password").fill("ada")
    page.get_by_role("button", name="Log in", exact=True).click()


def log_out(page: Page) -> None:
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Password")).to_be_visible()


def confirm(page: Page) -> None:
    page.get_by_label("Password").fill("ada")
    page.get_by_role("button", name="Continue").click()


def test_a_passkey_is_added_named_used_and_removed(site: Site, page: Page) -> None:
    site.run_script(MAKE)
    wire = page.context.new_cdp_session(page)
    wire.send("WebAuthn.enable")
    device = wire.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})["authenticatorId"]

    give_password(page)
    page.goto("/account/")
    page.get_by_role("link", name="Add a passkey").click()
    confirm(page)
    page.get_by_label("Name").fill("Telephone")
    page.keyboard.press("Enter")  # as the button
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.goto("/account/passkeys/")
    page.get_by_role("link", name="Rename Telephone").click()
    page.get_by_label("Name").fill("Old telephone")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("rowheader", name="Old telephone")).to_be_visible()

    # A second one on the same device is refused by the browser, and the page says so.
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("This device has a passkey for your account already.")).to_be_visible()
    log_out(page)

    # By itself, and on to the page that was asked for.
    page.goto("/account/profile/")
    page.get_by_role("button", name="Log in with a passkey").click()
    page.wait_for_url("**/account/profile/")
    log_out(page)

    # After the password, which is not enough any more.
    give_password(page)
    page.wait_for_url("**/account/codes/authenticate/")
    page.goto("/account/")
    page.wait_for_url("**/account/codes/authenticate/")
    page.get_by_role("button", name="Use your passkey").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()

    # To confirm that it is oneself; then it goes.
    page.goto("/account/passkeys/")
    page.get_by_role("link", name="Remove Old telephone").click()
    page.get_by_role("link", name="Use a passkey instead.").click()
    page.get_by_role("button", name="Use your passkey").click()
    page.get_by_role("button", name="Remove this passkey").click()
    expect(page.get_by_text("You have none.")).to_be_visible()
    log_out(page)

    # The device has it still; the site knows it no more.
    assert len(wire.send("WebAuthn.getCredentials", {"authenticatorId": device})["credentials"]) == 1
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_text("This passkey was not accepted.")).to_be_visible()
    wire.send("WebAuthn.clearCredentials", {"authenticatorId": device})
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_text("No passkey was used.")).to_be_visible()
    give_password(page)
    expect(page.get_by_role("button", name="Log out")).to_be_visible()

    recorded = site.run_script(RECORDED)
    for action in ("codes-on", "codes-off", "login-failed"):
        assert f"('{action}', 'webauthn')" in recorded
    assert recorded.count("'login', '") == 4


def test_at_a_bare_number_no_passkey_is_offered(site: Site, page: Page) -> None:
    page.goto(f"{site.address}/login/")
    expect(page.get_by_label("Password")).to_be_visible()
    expect(page.get_by_role("button", name="Log in with a passkey")).to_have_count(0)
