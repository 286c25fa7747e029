"""What a call cost."""

from decimal import ROUND_HALF_UP, Decimal

from jobs.errors import StartError
from jobs.limits import Limits
from llm.models import Endpoint, Price
from llm.requests import Request

MILLION = Decimal(1_000_000)
CENT_FRACTION = Decimal("0.000001")


def price_of(endpoint: Endpoint, model: str) -> Price | None:
    """The price that an administrator entered for the model at this endpoint, if any."""
    return Price.objects.filter(endpoint=endpoint, model=model).first()


def cost_usd(price: Price | None, prompt_tokens: int | None, completion_tokens: int | None) -> Decimal | None:
    """US dollars, to the millionth; None where the price or either count of tokens is unknown."""
    if price is None or prompt_tokens is None or completion_tokens is None:
        return None
    cost = (price.prompt_usd * prompt_tokens + price.completion_usd * completion_tokens) / MILLION
    return cost.quantize(CENT_FRACTION, rounding=ROUND_HALF_UP)


def most_usd(price: Price | None, request: Request) -> Decimal | None:
    """The greatest possible cost of the request (Request.most_tokens); None where the price is unknown."""
    answer = int(request.parameters.get("max_tokens", 0))
    return cost_usd(price, request.most_tokens - answer, answer)


def check_price(endpoint: Endpoint, model: str, limits: Limits) -> None:
    """Raises StartError where there is a limit in dollars and the model's price at the endpoint is not known."""
    if limits.cost_usd is not None and price_of(endpoint, model.strip()) is None:
        raise StartError(
            f"What {model} costs is not known, so no price can be kept to: enter its price, or limit tokens."
        )
