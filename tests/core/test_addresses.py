"""Which network addresses are asked at all."""

from ipaddress import ip_address

import pytest

from core.addresses import AddressError, AllowedNetworks, is_public, read_network, refuse_closed

NOTHING = AllowedNetworks([])


@pytest.mark.parametrize(
    "address", ["93.184.215.14", "8.8.8.8", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8"]
)
def test_the_open_internet_is_asked(address: str) -> None:
    assert is_public(ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.10",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",  # where clouds tell a machine its secrets
        "100.64.0.1",  # carrier-grade NAT
        "0.0.0.0",
        "192.0.2.1",
        "198.18.0.1",
        "192.88.99.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "3fff::1",
        "2001::1",  # Teredo
        "::ffff:127.0.0.1",
        "::ffff:192.168.1.1",
        "::127.0.0.1",
        "2002:7f00:1::",  # 6to4 of 127.0.0.1
        "2002:c0a8:101::1",
        "64:ff9b::a00:1",  # NAT64 of 10.0.0.1
        "64:ff9b::7f00:1",
        "64:ff9b:1::a00:1",
    ],
)
def test_no_other_network_is_asked(address: str) -> None:
    assert not is_public(ip_address(address))


def test_one_closed_address_closes_the_host() -> None:
    with pytest.raises(AddressError, match=r"rebind\.example leads to 10\.0\.0\.1"):
        refuse_closed("rebind.example", 443, ["93.184.215.14", "10.0.0.1"], NOTHING)


@pytest.mark.parametrize(
    ("text", "address", "port"),
    [
        ("127.0.0.1:8000", "127.0.0.1", 8000),
        ("127.0.0.1", "127.0.0.1", 9),
        ("10.1.0.0/16", "10.1.2.3", 80),
        ("10.1.0.0/16:80", "10.1.2.3", 80),
        ("[::1]:8000", "::1", 8000),
        ("::1", "::1", 80),
    ],
)
def test_what_is_allowed_is_asked(text: str, address: str, port: int) -> None:
    refuse_closed("here", port, [address], AllowedNetworks([read_network(text)]))


@pytest.mark.parametrize(
    ("text", "address", "port"),
    [
        ("127.0.0.1:8000", "127.0.0.1", 8001),
        ("127.0.0.1:8000", "127.0.0.2", 8000),
        ("10.1.0.0/16", "10.2.0.1", 80),
        ("127.0.0.0/8", "169.254.169.254", 80),
        ("127.0.0.1", "::1", 80),
        ("127.0.0.1", "::ffff:127.0.0.1", 80),
    ],
)
def test_nothing_beside_it_is(text: str, address: str, port: int) -> None:
    with pytest.raises(AddressError):
        refuse_closed("here", port, [address], AllowedNetworks([read_network(text)]))


@pytest.mark.parametrize("text", ["localhost", "127.0.0.1:", "127.0.0.1:0", "127.0.0.1:70000", "10.0.0.1/8", ":80", ""])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_network(text)
