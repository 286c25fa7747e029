"""The number of items in the navigation, for each page."""

from typing import Any

from django.http import HttpRequest

from annotate.attention.read import known_count
from annotate.models import User


def navigation(request: HttpRequest) -> dict[str, Any]:
    """`attention_count`, read where a template asks for it: None where the page asks for it after it is shown."""
    user = getattr(request, "user", None)
    return {"attention_count": lambda: known_count(user) if isinstance(user, User) else 0}
