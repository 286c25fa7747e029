"""The name of the lab's identity provider, for each page."""

from django.conf import settings
from django.http import HttpRequest


def provider(request: HttpRequest) -> dict[str, str]:
    """`provider_name`: the words of its button; "" where none is configured."""
    return {"provider_name": settings.OIDC_NAME}
