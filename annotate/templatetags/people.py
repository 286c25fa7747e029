"""Names of people on pages."""

from typing import Any

from django import template
from django.contrib.auth.models import AbstractUser

from annotate.people.names import names_for

register = template.Library()


@register.simple_tag(takes_context=True)
def name_of(context: dict[str, Any], person: AbstractUser) -> str:
    """The name of somebody who judges in the page's `dataset`, as its reader's `role` there allows."""
    return names_for(context["role"], context["dataset"]).of(person)
