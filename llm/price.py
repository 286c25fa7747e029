"""What calls cost, as far as prices are known."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from core.numbers import listed
from jobs.errors import StartError
from jobs.limits import Limits
from llm.completion import ModelCompletion
from llm.models import Call, Endpoint, Price
from llm.requests import Request

MILLION = Decimal(1_000_000)
CENT_FRACTION = Decimal("0.000001")


class Part(StrEnum):
    """A part of a price, as pages and files name it. CALLS: of calls that do not say which part is not known."""

    PROMPTS = "prompts"
    CACHED = "cached prompts"
    ANSWERS = "answers"
    SEARCHES = "searches"
    CALLS = "calls"


@dataclass(frozen=True)
class Cost:
    """known_usd: US dollars of the parts whose price is known, to the millionth. unpriced: the other parts, in the
    order of Part; () where the cost is exact."""

    known_usd: Decimal = Decimal(0)
    unpriced: tuple[str, ...] = ()

    @property
    def usd(self) -> Decimal | None:
        """None where the price of a part is not known."""
        return None if self.unpriced else self.known_usd


NOT_KNOWN = Cost(unpriced=(Part.CALLS,))


def sum_costs(costs: Iterable[Cost]) -> Cost:
    costs = list(costs)
    return Cost(sum((each.known_usd for each in costs), Decimal(0)), in_order(each.unpriced for each in costs))


def in_order(unpriced: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The parts of all, each once."""
    found = {part for parts in unpriced for part in parts}
    return tuple(part for part in Part if part in found)


def unpriced_of(noted: str) -> tuple[str, ...]:
    """The parts that a stored call of unknown cost notes; calls of earlier versions note none."""
    return tuple(noted.split(", ")) if noted else (Part.CALLS,)


def stored_cost(call: Call) -> Cost:
    if call.cost_usd is not None:
        return Cost(call.cost_usd)
    return Cost(call.known_usd or Decimal(0), unpriced_of(call.unpriced))


def price_of(endpoint: Endpoint, model: str) -> Price | None:
    """The price that was entered for the model at this endpoint, if any."""
    return Price.objects.filter(endpoint=endpoint, model=model).first()


def cost_of(
    price: Price | None,
    prompt_tokens: int | None,
    completion_tokens: int | None,
    cached_tokens: int | None = None,
    searches: int | None = None,
) -> Cost:
    """The cost by the price. cached_tokens: of the prompt's tokens. searches: that the model made by itself. Each is
    None where the server does not say; then there is no cached token and no search."""
    cached = min(cached_tokens or 0, prompt_tokens or 0)
    rest = None if prompt_tokens is None else prompt_tokens - cached
    if price is None:
        return Cost(unpriced=(Part.PROMPTS, Part.ANSWERS))
    parts = (
        (Part.PROMPTS, price.prompt_usd, rest, MILLION),
        (Part.CACHED, price.cached_usd, cached, MILLION),
        (Part.ANSWERS, price.completion_usd, completion_tokens, MILLION),
        (Part.SEARCHES, price.search_usd, searches or 0, Decimal(1)),
    )
    known, unpriced = Decimal(0), []
    for part, usd, count, unit in parts:
        if usd is not None and count is not None:
            known += usd * count / unit
        elif count != 0:
            unpriced.append(part)
    return Cost(known.quantize(CENT_FRACTION, rounding=ROUND_HALF_UP), tuple(unpriced))


def cost_of_call(price: Price | None, completion: ModelCompletion) -> Cost:
    """The cost that the server names, which knows best what it bills; otherwise that by the price."""
    if completion.served_usd is not None:
        return Cost(completion.served_usd)
    return cost_of(
        price,
        completion.prompt_tokens,
        completion.completion_tokens,
        completion.cached_tokens,
        completion.searches,
    )


def counted_usd(price: Price | None, completion: ModelCompletion) -> Decimal | None:
    """What the call counts against limits in dollars: the known parts, and cached prompts whose price is not known as
    any prompt, which costs no less. None where prompts or answers have no price, or the server does not count them."""
    cost = cost_of_call(price, completion)
    if Part.CACHED in cost.unpriced:
        cost = cost_of(price, completion.prompt_tokens, completion.completion_tokens, None, completion.searches)
    return None if {Part.PROMPTS, Part.ANSWERS} & set(cost.unpriced) else cost.known_usd


def most_usd(price: Price | None, request: Request) -> Decimal | None:
    """The greatest possible cost of the request (Request.most_tokens), without searches of the model's own; None where
    the price of prompts or of answers is unknown."""
    answer = int(request.parameters.get("max_tokens", 0))
    return cost_of(price, request.most_tokens - answer, answer).usd


def missing_parts(price: Price | None) -> tuple[str, ...]:
    """The parts that every call has and whose price is not known: () where limits in dollars can be kept."""
    return cost_of(price, 1, 1).unpriced


def is_priced(endpoint: Endpoint, model: str) -> bool:
    """Whether the prices of the model's prompts and answers are known."""
    return not missing_parts(price_of(endpoint, model))


def why_no_limit(model: str, price: Price | None) -> str:
    """The sentence where a limit in dollars cannot be kept; "" where it can."""
    missing = missing_parts(price)
    if not missing:
        return ""
    what = model if price is None else f"{listed(missing)} of {model}"
    verb = "costs" if price is None else "cost"
    return f"What {what} {verb} is not known, so no price can be kept to: enter its price, or limit tokens."


def check_price(endpoint: Endpoint, model: str, limits: Limits) -> None:
    """Raises StartError where there is a limit in dollars that cannot be kept."""
    model = model.strip()
    if limits.cost_usd is not None and (why := why_no_limit(model, price_of(endpoint, model))):
        raise StartError(why)
