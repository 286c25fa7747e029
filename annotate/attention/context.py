"""The number of items in the navigation, for each page."""

from typing import Any

from django.http import HttpRequest

from annotate.attention.read import count_of
from annotate.models import User


def navigation(request: HttpRequest) -> dict[str, Any]:
    """`attention_count` is computed where a template asks for it; 0 for somebody who is not logged in."""
    user = getattr(request, "user", None)
    return {"attention_count": lambda: count_of(user) if isinstance(user, User) else 0}
