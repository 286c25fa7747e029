"""The cache of answers: an answer is paid for once."""

from django.db import models
from django.db.models import Value

from llm.models.endpoint import Endpoint


class Call(models.Model):
    """One answered request. `request_hash` covers everything that can change the answer: the endpoint's address, the
    model, the interface, the messages, every parameter, and the number of the sample (llm/requests.py).

    `answer` is the raw text of the server, where its thought can still be in it (llm/thoughts.py); `thought` came
    beside it. `adapted`: what was sent otherwise than asked (llm/dialects.py), in words. `searches`: those that the
    model made by itself; None: the server counts none.

    `cost_usd` is the price: `served_usd`, which the server named, or the one by the prices entered; None where a part
    is not known. Then `known_usd` is that of the other parts, and `unpriced` lists the unknown ones (llm/price.py).
    """

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="calls")
    request_hash = models.CharField(max_length=64, unique=True)
    model = models.CharField(max_length=200)
    request = models.JSONField()
    answer = models.TextField(blank=True)
    tokens = models.JSONField(default=list, blank=True, help_text="Of each: text, log-probability, alternatives.")
    echoed = models.JSONField(
        default=list, blank=True, help_text="Of each token of a text asked back: start, end, log-probability."
    )
    thought = models.TextField(blank=True, default="", db_default="")
    adapted = models.JSONField(default=list, blank=True, db_default=Value([], models.JSONField()))
    finish_reason = models.CharField(max_length=50, blank=True)
    served_model = models.CharField(max_length=200, blank=True, help_text="The model that the server says answered.")
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    cached_tokens = models.PositiveIntegerField(null=True, blank=True)
    reasoning_tokens = models.PositiveIntegerField(null=True, blank=True)
    searches = models.PositiveIntegerField(null=True, blank=True)
    served_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    cost_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    known_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    unpriced = models.CharField(max_length=100, blank=True, default="", db_default="")
    attempts = models.PositiveSmallIntegerField(default=1)
    seconds = models.FloatField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.model} {self.request_hash[:12]}"


class Embedding(models.Model):
    """The vector of one text, as 32-bit numbers. `request_hash` covers the endpoint's address, the model, the text."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="embeddings")
    request_hash = models.CharField(max_length=64, unique=True)
    model = models.CharField(max_length=200)
    vector = models.BinaryField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.model} {self.request_hash[:12]}"
