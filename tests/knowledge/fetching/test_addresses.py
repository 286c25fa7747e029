"""Which links and which network addresses are asked at all."""

import pytest

from core.addresses import resolve
from knowledge.fetching.addresses import canonical_url, checked_addresses
from knowledge.fetching.errors import FetchError

NOTHING: frozenset[tuple[str, int]] = frozenset()


@pytest.mark.parametrize(
    ("link", "canonical"),
    [
        ("https://example.org/a?b=c", "https://example.org/a?b=c"),
        (" HTTP://Example.ORG:80/a#part ", "http://example.org/a"),
        ("https://exämple.org/über", "https://xn--exmple-cua.org/%C3%BCber"),
    ],
)
def test_one_address_has_one_form(link: str, canonical: str) -> None:
    assert canonical_url(link) == canonical


@pytest.mark.parametrize(
    "link",
    [
        "",
        "Smith 1999, p. 3",
        "example.org",
        "//example.org/",
        "ftp://example.org/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http:///path",
        "http://ex\x00ample.org/",
        "http://example.org:65536/",
        "http://example.org:0/",
    ],
)
def test_only_the_web_is_asked(link: str) -> None:
    with pytest.raises(FetchError, match="not a web address"):
        canonical_url(link)


def test_a_link_holds_no_password() -> None:
    with pytest.raises(FetchError, match="password"):
        canonical_url("https://ada:secret@example.org/")


def test_a_link_is_not_endless() -> None:
    with pytest.raises(FetchError, match="longer than 2,000"):
        canonical_url("https://example.org/" + "a" * 2000)


def test_one_closed_answer_among_open_ones_closes_the_host() -> None:
    with pytest.raises(FetchError, match=r"rebind\.example leads to 10\.0\.0\.1"):
        checked_addresses("rebind.example", 443, lambda host, port: ["93.184.215.14", "10.0.0.1"], NOTHING)


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "localhost"])
def test_other_ways_to_write_this_machine_are_seen_through(host: str) -> None:
    with pytest.raises(FetchError, match="not an address of the open internet"):
        checked_addresses(host, 80, resolve, NOTHING)


def test_only_the_ports_of_the_web_are_asked() -> None:
    with pytest.raises(FetchError, match="Port 6379"):
        checked_addresses("example.org", 6379, lambda host, port: ["93.184.215.14"], NOTHING)


def test_what_tests_allow_is_one_port_of_one_address() -> None:
    allowed = frozenset({("127.0.0.1", 8000)})
    assert checked_addresses("here", 8000, lambda host, port: ["127.0.0.1"], allowed) == ["127.0.0.1"]
    with pytest.raises(FetchError):
        checked_addresses("here", 8001, lambda host, port: ["127.0.0.1"], allowed)
    with pytest.raises(FetchError):
        checked_addresses("here", 8000, lambda host, port: ["127.0.0.2"], allowed)
