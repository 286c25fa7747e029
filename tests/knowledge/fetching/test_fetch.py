"""Fetching from real servers: what comes, and what is refused on the way."""

import gzip
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.addresses import resolve
from knowledge.fetching.addresses import checked_addresses
from knowledge.fetching.errors import FetchError
from knowledge.fetching.fetch import FetchLimits, fetch
from tests.knowledge.fetching.server import Answer, WebServer, web_server
from tests.waiting import LONGEST


def test_a_page_comes_with_its_type_and_charset(web: WebServer) -> None:
    url = web.serve("/ada", b"<p>Ada</p>", "Text/HTML; charset=ISO-8859-1")
    fetched = fetch(url, web.limits)
    assert (fetched.final_url, fetched.media_type, fetched.charset) == (url, "text/html", "iso-8859-1")
    assert fetched.body == b"<p>Ada</p>"


def test_redirects_are_followed_and_the_last_address_is_told(web: WebServer) -> None:
    page = web.serve("/new/ada", "Ada")
    web.redirect("/old", "moved", status=301)
    start = web.redirect("/moved", "/new/ada", status=308)
    assert fetch(web.url("/old"), web.limits).final_url == page
    assert [path for path, _ in web.asked] == ["/old", "/moved", "/new/ada"]
    assert start == web.url("/moved")


def test_five_redirects_are_enough(web: WebServer) -> None:
    for number in range(9):
        web.redirect(f"/{number}", f"/{number + 1}")
    with pytest.raises(FetchError, match="more than 5 times"):
        fetch(web.url("/0"), web.limits)
    assert len(web.asked) == 6


def test_a_redirect_into_this_network_is_not_followed(web: WebServer) -> None:
    with web_server() as inner:
        inner.serve("/secret", "secret")
        web.redirect("/", inner.url("/secret"))
        with pytest.raises(FetchError, match="not an address of the open internet"):
            fetch(web.url(), web.limits)
        assert inner.asked == []


@pytest.mark.parametrize(
    ("target", "refusal"),
    [
        ("http://169.254.169.254/latest/meta-data/", "not an address of the open internet"),
        ("http://[::ffff:127.0.0.1]/", "not an address of the open internet"),
        ("http://localhost/", "not an address of the open internet"),
        ("file:///etc/passwd", "not a web address"),
        ("ftp://example.org/", "not a web address"),
        ("http://ada:secret@example.org/", "password"),
        ("http://example.org:70000/", "not a web address"),
        ("http://[oops/", "redirected to an invalid address"),
    ],
)
def test_a_redirect_obeys_the_rules_of_links(web: WebServer, target: str, refusal: str) -> None:
    web.redirect("/", target)
    with pytest.raises(FetchError, match=refusal):
        fetch(web.url(), web.limits)


@pytest.mark.parametrize("sent", ["/à la café".encode(), "/à la café".encode("latin-1"), b"/%C3%A0%20la%20caf%C3%A9"])
def test_a_redirect_may_be_written_in_letters(web: WebServer, sent: bytes) -> None:
    page = web.serve("/%C3%A0%20la%20caf%C3%A9", "Coffee")
    assert fetch(web.redirect("/", sent.decode("latin-1")), web.limits).final_url == page


def test_a_redirect_that_ends_in_a_letter_with_a_blank_among_its_bytes(web: WebServer) -> None:
    """In UTF-8 the last byte of à is the no-break space of Latin-1."""
    page = web.serve("/voil%C3%A0", "Here")
    assert fetch(web.redirect("/", "/voilà".encode().decode("latin-1")), web.limits).final_url == page


def test_the_address_that_was_checked_is_the_one_connected_to(web: WebServer) -> None:
    """A name that leads to the allowed server once and elsewhere ever after."""
    web.serve("/", "Ada")
    looked_up: list[str] = []

    def rebinding(host: str, port: int) -> list[str]:
        looked_up.append(host)
        return ["127.0.0.1"] if len(looked_up) == 1 else ["10.0.0.1"]

    assert fetch(web.url(host="rebind.example"), web.limits, rebinding).body == b"Ada"
    assert looked_up == ["rebind.example"]
    assert web.asked[0][1]["host"] == f"rebind.example:{web.port}"


def test_each_redirect_is_looked_up_and_checked_anew(web: WebServer) -> None:
    web.redirect("/", web.url("/next", host="second.example"))
    answers = {"first.example": ["127.0.0.1"], "second.example": ["10.0.0.1"]}
    with pytest.raises(FetchError, match=r"second\.example leads to 10\.0\.0\.1"):
        fetch(web.url(host="first.example"), web.limits, lambda host, port: answers[host])


def test_an_address_that_does_not_answer_gives_way_to_the_next(web: WebServer) -> None:
    web.serve("/", "Ada")
    allowed = web.limits.allowed | {("127.0.0.9", web.port)}
    limits = replace(web.limits, allowed=allowed)
    assert fetch(web.url(host="two.example"), limits, lambda host, port: ["127.0.0.9", "127.0.0.1"]).body == b"Ada"


def test_what_a_browser_would_tell_of_itself_is_not_told(web: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """No cookie comes back, and no proxy of the environment is used."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    web.pages["/"] = Answer(status=302, headers={"Location": "/next", "Set-Cookie": "who=ada"})
    web.serve("/next", "Ada")
    fetch(web.url(), web.limits)
    _, headers = web.asked[1]
    assert set(headers) == {"host", "user-agent", "accept", "accept-encoding"}
    assert headers["user-agent"].startswith("Touchstone")


def test_a_page_that_says_it_is_too_large_is_not_begun(web: WebServer) -> None:
    url = web.serve("/", "few", Content_Length="100001")
    with pytest.raises(FetchError, match=r"larger than 0\.09\d+ MB"):
        fetch(url, web.limits)


def test_a_page_that_turns_out_too_large_is_broken_off(web: WebServer) -> None:
    web.pages["/"] = Answer(b"a" * 100_001, headers={"Content-Type": "text/plain"}, drips=True)
    with pytest.raises(FetchError, match="larger than"):
        fetch(web.url(), web.limits)


def test_a_packed_page_is_unpacked(web: WebServer) -> None:
    url = web.serve("/", gzip.compress(b"Ada"), Content_Encoding="gzip")
    assert fetch(url, web.limits).body == b"Ada"


def test_a_bomb_goes_off_in_small(web: WebServer) -> None:
    """100 MB of nothing, packed into 100 kB, are broken off at the limit."""
    url = web.serve("/", gzip.compress(bytes(100_000_000)), Content_Encoding="gzip")
    limits = replace(web.limits, size=200_000)
    with pytest.raises(FetchError, match="larger than"):
        fetch(url, limits)


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd"])
def test_packings_that_were_not_asked_for_are_refused(web: WebServer, encoding: str) -> None:
    url = web.serve("/", b"Ada", Content_Encoding=encoding)
    with pytest.raises(FetchError, match="unknown compression"):
        fetch(url, web.limits)


def test_a_damaged_and_a_cut_packing_are_told(web: WebServer) -> None:
    damaged = web.serve("/damaged", b"not gzip", Content_Encoding="gzip")
    cut = web.serve("/cut", gzip.compress(b"Ada" * 100)[:-10], Content_Encoding="gzip")
    with pytest.raises(FetchError, match="damaged"):
        fetch(damaged, web.limits)
    with pytest.raises(FetchError, match="incomplete"):
        fetch(cut, web.limits)


@pytest.mark.parametrize("media_type", ["image/png", "application/zip", "text/javascript", "video/mp4"])
def test_other_types_are_refused(web: WebServer, media_type: str) -> None:
    with pytest.raises(FetchError, match=media_type):
        fetch(web.serve("/", b"?", media_type), web.limits)


def test_a_page_without_a_type_is_refused(web: WebServer) -> None:
    web.pages["/"] = Answer(b"?")
    with pytest.raises(FetchError, match="of an unknown type"):
        fetch(web.url(), web.limits)


@pytest.mark.parametrize(("status", "temporary"), [(404, False), (403, False), (410, False), (503, True), (429, True)])
def test_what_the_server_answers_says_whether_another_try_makes_sense(
    web: WebServer, status: int, temporary: bool
) -> None:
    web.pages["/"] = Answer(status=status)
    with pytest.raises(FetchError, match=f"answered {status}") as caught:
        fetch(web.url(), web.limits)
    assert caught.value.retry == temporary


def test_a_server_that_drips_is_left_when_the_time_is_up(web: WebServer) -> None:
    web.pages["/"] = Answer(b"<p>", headers={"Content-Type": "text/html"}, drips=True)
    began = time.monotonic()
    with pytest.raises(FetchError, match=r"more than 0\.5 seconds") as caught:
        fetch(web.url(), replace(web.limits, seconds=0.5))
    assert caught.value.retry
    assert time.monotonic() - began < 60  # it would never end


def test_a_server_that_is_away_may_come_back() -> None:
    with socket.socket() as silent, pytest.raises(FetchError, match="could not be reached") as caught:
        silent.bind(("127.0.0.1", 0))
        address, port = silent.getsockname()
        fetch(f"http://{address}:{port}/", FetchLimits(LONGEST, 1000, frozenset({(address, port)})))
    assert caught.value.retry


def test_a_name_that_nobody_knows() -> None:
    with pytest.raises(FetchError, match=r"No address is known for nowhere\.invalid"):
        checked_addresses("nowhere.invalid", 443, resolve, frozenset())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for named.example, with its key in the same file."""
    folder = tmp_path_factory.mktemp("certificate")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=named.example"]
    command += ["-addext", "subjectAltName=DNS:named.example", "-keyout", "key.pem", "-out", "certificate.pem"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text((folder / "key.pem").read_text() + (folder / "certificate.pem").read_text())
    return both


@pytest.fixture
def secure(certificate: Path) -> Iterator[WebServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with web_server(context) as server:
        server.serve("/", "Ada")
        yield server


def local(host: str, port: int) -> list[str]:
    return ["127.0.0.1"]


def test_tls_verifies_the_name_though_the_address_is_pinned(secure: WebServer, certificate: Path) -> None:
    trust = ssl.create_default_context(cafile=certificate)
    assert fetch(secure.url(host="named.example", scheme="https"), secure.limits, local, trust).body == b"Ada"
    with pytest.raises(FetchError, match="certificate is not valid"):
        fetch(secure.url(host="other.example", scheme="https"), secure.limits, local, trust)


def test_a_certificate_that_nobody_signed_is_refused(secure: WebServer) -> None:
    with pytest.raises(FetchError, match="certificate is not valid"):
        fetch(secure.url(host="named.example", scheme="https"), secure.limits, local)
