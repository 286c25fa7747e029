"""What a model costs that is asked through a Batch API."""

from copy import copy
from decimal import Decimal

from django.db.models import DecimalField

from llm.models import Endpoint, Price

# Of tokens; what a model searches by itself has no discount.
DISCOUNTED = [
    field.name
    for field in Price._meta.concrete_fields
    if isinstance(field, DecimalField) and field.name != "search_usd"
]


def batch_price(endpoint: Endpoint, price: Price | None) -> Price | None:
    """The price less the endpoint's discount, not to be stored; None where it is not known."""
    if price is None:
        return None
    less = copy(price)
    for name in DISCOUNTED:
        usd: Decimal | None = getattr(price, name)
        setattr(less, name, None if usd is None else usd * (100 - endpoint.batch_discount) / 100)
    return less
