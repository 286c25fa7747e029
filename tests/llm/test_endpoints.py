"""The endpoint that the environment names."""

import pytest

from llm.endpoints import checked_address, default_endpoint, key_of
from llm.errors import EndpointAddressError
from llm.models import Endpoint


@pytest.mark.django_db
def test_the_address_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:8000/v1/")

    endpoint = default_endpoint()

    assert (endpoint.base_url, endpoint.name) == ("http://localhost:8000/v1", "http://localhost:8000/v1")
    assert default_endpoint() == endpoint


@pytest.mark.django_db
def test_without_an_address_it_is_openai(monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    assert default_endpoint().base_url == "https://api.openai.com/v1"


@pytest.mark.django_db
def test_http_and_https_of_one_host_are_two_endpoints(monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://lab/v1")
    plain = default_endpoint()
    monkeypatch.setenv("OPENAI_BASE_URL", "https://lab/v1")

    assert default_endpoint() != plain


@pytest.mark.parametrize(
    ("address", "cause"),
    [
        ("localhost:8000/v1", "begin with http"),
        ("ftp://lab/v1", "begin with http"),
        ("http:///v1", "name a host"),
        ("http://lab:port/v1", "an address that can be read"),
        ("http://[lab/v1", "an address that can be read"),
        ("http://ada:sk-secret@lab/v1", "no user name"),
        ("http://lab/v1?key=sk-secret", "query"),
        ("http://lab/v1#sk-secret", "fragment"),
    ],
)
def test_an_address_that_cannot_be_used_or_holds_a_secret_is_refused(address, cause):
    with pytest.raises(EndpointAddressError, match=cause) as error:
        checked_address(address)

    assert "sk-secret" not in str(error.value)


@pytest.mark.parametrize(
    "address",
    [
        "https://lab.example/openai/deployments/judge?api-version=2024-10-21",
        "https://lab.example/openai/deployments/judge/?api-version=2024-10-21",
        "https://lab.example/openai/deployments/judge/chat/completions?api-version=2024-10-21",
        "https://lab.example/openai/deployments/judge/embeddings?API-version=2024-10-21",
    ],
)
def test_a_deployment_of_azure_is_an_address(address):
    assert checked_address(address) == "https://lab.example/openai/deployments/judge?api-version=2024-10-21"


@pytest.mark.parametrize(
    ("address", "base_url"),
    [
        ("https://lab.example/v1/chat/completions", "https://lab.example/v1"),
        ("https://lab.example/v1/completions/", "https://lab.example/v1"),
        ("https://lab.example/models/chat/completions?api-version=1", "https://lab.example/models?api-version=1"),
        ("https://lab.example/openai/v1/?api-version=preview", "https://lab.example/openai/v1?api-version=preview"),
        ("https://lab.example//", "https://lab.example"),
    ],
)
def test_the_path_of_a_call_is_no_part_of_an_address(address, base_url):
    assert checked_address(address) == base_url


@pytest.mark.parametrize("query", ["api-version=1&key=sk-secret", "api-version=", "key=sk-secret"])
def test_no_other_query_is_part_of_an_address(query):
    with pytest.raises(EndpointAddressError, match="query"):
        checked_address(f"https://lab.example/openai/deployments/judge?{query}")


def test_the_key_is_read_when_needed_from_the_variable_named(monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_KEY_LAB", " sk-lab ")

    assert key_of(Endpoint(key_variable="TOUCHSTONE_KEY_LAB")) == "sk-lab"
    assert key_of(Endpoint(key_variable="TOUCHSTONE_KEY_NONE")) == "no-key"


@pytest.mark.parametrize("name", ["DATA_DIR", "SECRET_KEY", "DATABASE_URL", "LAB_API_KEY", "XTOUCHSTONE_KEY_A", ""])
def test_no_other_variable_is_ever_sent(monkeypatch, settings, name):
    """However the name came into the table."""
    if name:
        monkeypatch.setenv(name, "a secret of the server")
    assert key_of(Endpoint(key_variable=name)) == "no-key"
    settings.KEY_VARIABLES = frozenset({"LAB_API_KEY"})
    assert key_of(Endpoint(key_variable=name)) == ("a secret of the server" if name == "LAB_API_KEY" else "no-key")
