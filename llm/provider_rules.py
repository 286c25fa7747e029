"""What an endpoint of another provider than OpenAI's needs (llm/providers.py), for its form: nothing is imported."""

import re
from importlib.util import find_spec
from urllib.parse import urlsplit

from llm.models.endpoint import Provider

PACKAGE = "any_llm"
PACKAGES = {
    Provider.ANTHROPIC: (PACKAGE, "anthropic"),
    Provider.GEMINI: (PACKAGE, "google.genai"),
    Provider.BEDROCK: (PACKAGE, "boto3"),
}
AMAZON = re.compile(r"bedrock-runtime\.([a-z0-9-]+)\.amazonaws\.com")


def why_not_installed(provider: str) -> str:
    """The sentence where this server lacks what the provider needs; "" where it has it."""
    if not provider or all(_is_there(name) for name in PACKAGES[Provider(provider)]):
        return ""
    label = Provider(provider).label
    return f"{label} needs packages that this server does not have: install requirements-providers.txt."


def why_not_there(provider: str, base_url: str) -> str:
    """The sentence where the address is none of the provider's; "" where it may be."""
    if provider == Provider.BEDROCK and region_of(base_url) is None:
        return "The address of Amazon Bedrock is https://bedrock-runtime.REGION.amazonaws.com."
    return ""


def region_of(base_url: str) -> str | None:
    """The region in an address of Amazon Bedrock; None of any other address."""
    parts = urlsplit(base_url)
    found = AMAZON.fullmatch(parts.hostname or "") if parts.scheme == "https" else None
    return found.group(1) if found else None


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False
