"""Where language models are reached."""

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

# The parts of a model's price.
PRICES = ("prompt_usd", "cached_usd", "completion_usd", "search_usd")


class Provider(models.TextChoices):
    """Whose protocol a server of models speaks, where it is not OpenAI's (llm/providers.py)."""

    ANTHROPIC = "anthropic", "Anthropic"
    GEMINI = "gemini", "Google Gemini"
    BEDROCK = "bedrock", "Amazon Bedrock"


class EndpointQuerySet(models.QuerySet["Endpoint"]):
    def of_models(self) -> "EndpointQuerySet":
        return self.filter(search_engine="")

    def of_search(self) -> "EndpointQuerySet":
        return self.exclude(search_engine="")


class Endpoint(models.Model):
    """A server of models, OpenAI-compatible or of another `provider`, or, with `search_engine`, a server that searches
    the web. Its key is read from the environment variable named here and never stored.

    `search_engine`: the name of its protocol (knowledge/engines); "" of a server of models. `search_usd`:
    the price of one search; None: not known. `batch_discount`: how much less a call costs that goes through the
    endpoint's Batch API (llm/batch_api).

    The limits hold for all workers together; None: no limit. `owner` grants it to datasets, as administrators do; None:
    whoever runs the server. `shared`: every dataset may use it.
    """

    name = models.CharField(max_length=500, unique=True)
    base_url = models.CharField(max_length=500, unique=True)
    key_variable = models.CharField(max_length=100, default="OPENAI_API_KEY")
    max_in_flight = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text="Calls under way at once."
    )
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    tokens_per_minute = models.PositiveIntegerField(null=True, blank=True, validators=[MinValueValidator(1)])
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="endpoints"
    )
    shared = models.BooleanField(default=False, db_default=False)
    provider = models.CharField(
        max_length=20, blank=True, default="", db_default="", choices=[("", "OpenAI-compatible"), *Provider.choices]
    )
    search_engine = models.CharField(max_length=50, blank=True, default="", db_default="")
    search_usd = models.DecimalField(
        max_digits=10, decimal_places=6, null=True, blank=True, validators=[MinValueValidator(0)]
    )
    batch_discount = models.PositiveSmallIntegerField(
        default=50, db_default=50, validators=[MaxValueValidator(100)], help_text="Per cent, of its Batch API."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    objects = EndpointQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(search_usd__isnull=True) | models.Q(search_usd__gte=0),
                name="endpoint_search_price_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(provider__in=["", *Provider.values]), name="endpoint_provider_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_paced(self) -> bool:
        return bool(self.requests_per_minute or self.tokens_per_minute)


class Capabilities(models.Model):
    """The capabilities of a model at an endpoint (llm/probing.py); None: not known.

    `context_length` is in tokens. `seed`: the same seed brought the same answer twice. `echo`: the prompt comes back
    with the log-probabilities of its own tokens; `prompt_logprobs`: they come beside the answer, as vLLM gives them.
    """

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="capabilities")
    model = models.CharField(max_length=200)
    chat = models.BooleanField(null=True)
    completions = models.BooleanField(null=True)
    logprobs = models.BooleanField(null=True)
    echo = models.BooleanField(null=True)
    prompt_logprobs = models.BooleanField(null=True)
    embeddings = models.BooleanField(null=True)
    seed = models.BooleanField(null=True)
    context_length = models.PositiveIntegerField(null=True)
    error = models.TextField(blank=True)
    probed_at = models.DateTimeField()

    class Meta:
        ordering = ["model"]
        constraints = [models.UniqueConstraint(fields=["endpoint", "model"], name="capabilities_once")]

    def __str__(self) -> str:
        return f"{self.model} at {self.endpoint}"

    @property
    def abilities(self) -> tuple[bool | None, ...]:
        return (
            self.chat,
            self.completions,
            self.logprobs,
            self.echo,
            self.prompt_logprobs,
            self.embeddings,
            self.seed,
        )

    @property
    def nothing_known(self) -> bool:
        return all(able is None for able in self.abilities)


class Adaptation(models.Model):
    """What a model at an endpoint refused, and how it is asked since (llm/dialects.py): `value` is the other name of
    the parameter, or the most or the least of it that is taken; of the context its tokens, and the characters for each
    token of a prompt. `said`: the words of the refusal."""

    class Way(models.TextChoices):
        LEFT_OUT = "left_out", "left out"
        RENAMED = "renamed", "sent under another name"
        AT_MOST = "at_most", "at most"
        AT_LEAST = "at_least", "at least"
        IN_USER_TURN = "in_user_turn", "sent in the user's turn"
        WITHIN = "within", "within the context"

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="adaptations")
    model = models.CharField(max_length=200)
    parameter = models.CharField(max_length=100)
    way = models.CharField(max_length=20, choices=Way.choices)
    value = models.JSONField(null=True)
    said = models.TextField(blank=True)
    learnt_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["model", "parameter", "way"]
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "model", "parameter", "way"], name="adaptation_once"),
            models.CheckConstraint(
                condition=models.Q(way__in=["left_out", "renamed", "at_most", "at_least", "in_user_turn", "within"]),
                name="adaptation_way_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.parameter} of {self.model} at {self.endpoint}"


class Price(models.Model):
    """The price of one model at one endpoint, in US dollars; None: not known.

    `prompt_usd`, `cached_usd`, `completion_usd`: for a million tokens of prompts, of prompts that the server had read
    before, and of answers, thoughts included. `search_usd`: for a search that the model makes by itself. `as_of`: the
    day of the public table that they are taken from (llm/public_prices.py); None: entered.
    """

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="prices")
    model = models.CharField(max_length=200)
    prompt_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    cached_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    completion_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    search_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    as_of = models.DateField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "model"], name="price_once"),
            models.CheckConstraint(
                condition=models.Q(
                    *(models.Q(**{f"{part}__isnull": True}) | models.Q(**{f"{part}__gte": 0}) for part in PRICES)
                ),
                name="price_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} at {self.endpoint}"
