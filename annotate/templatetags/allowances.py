"""What is left to spend, on the pages that start work."""

from typing import Any

from django import template

from annotate.models import Allowance

register = template.Library()


@register.inclusion_tag("endpoints/money_left.html", takes_context=True)
def money_left(context: dict[str, Any]) -> dict[str, Any]:
    """For the reader in the page's `dataset`: the dataset's limit and their own."""
    dataset, user = context["dataset"], context["request"].user
    holding = Allowance.objects.holding_for(dataset, user).select_related("person") if dataset else ()
    return {"allowances": holding}
