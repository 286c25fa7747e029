"""What a call costs that goes through a Batch API."""

from decimal import ROUND_HALF_UP, Decimal

from llm.models import Endpoint
from llm.price import CENT_FRACTION


def batch_usd(endpoint: Endpoint, usd: Decimal | None) -> Decimal | None:
    """The price less the endpoint's discount, to the millionth; None where the price is not known."""
    if usd is None:
        return None
    return (usd * (100 - endpoint.batch_discount) / 100).quantize(CENT_FRACTION, rounding=ROUND_HALF_UP)
