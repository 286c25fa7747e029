"""The rules of an endpoint, for its page and for the admin pages."""

from typing import Any

from django import forms

from llm.endpoints import checked_address, is_key_variable
from llm.errors import EndpointAddressError
from llm.models import Endpoint
from llm.provider_rules import why_not_installed, why_not_there
from llm.reachable import refuse_closed_address


class EndpointForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Endpoint
        fields = [
            "name",
            "base_url",
            "provider",
            "key_variable",
            "max_in_flight",
            "requests_per_minute",
            "tokens_per_minute",
        ]
        labels = {"base_url": "Address", "provider": "Protocol", "max_in_flight": "Calls in flight"}
        help_texts = {
            "name": "What runs call it by, in the parameter endpoint.",
            "key_variable": "The environment variable that holds the key, such as TOUCHSTONE_KEY_LOCAL. "
            "The key itself is never stored.",
            "base_url": "Up to the version, such as https://models.example/v1; of Azure OpenAI the deployment, such as "
            "https://lab.example/openai/deployments/judge?api-version=2024-10-21.",
            "provider": "What the server speaks. Other protocols than OpenAI's need packages of their own.",
            "max_in_flight": "At most, of all workers together. Empty: no limit but the run's own.",
            "requests_per_minute": "Of all workers together. Empty: no limit.",
            "tokens_per_minute": "Of prompts and answers. Empty: no limit.",
        }

    def clean_base_url(self) -> str:
        try:
            address = checked_address(self.cleaned_data["base_url"], "The address")
            refuse_closed_address(address)
        except EndpointAddressError as error:
            raise forms.ValidationError(str(error)) from None
        return address

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        provider = cleaned.get("provider", "")
        if why := why_not_installed(provider):
            self.add_error("provider", why)
        elif why := why_not_there(provider, cleaned.get("base_url", "")):
            self.add_error("base_url", why)
        return cleaned

    def clean_key_variable(self) -> str:
        """Its value is sent to the address."""
        name: str = self.cleaned_data["key_variable"]
        if not is_key_variable(name):
            raise forms.ValidationError(
                "Name OPENAI_API_KEY, a variable TOUCHSTONE_KEY_…, or one that KEY_VARIABLES lists."
            )
        return name
