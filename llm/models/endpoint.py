"""Where language models are reached."""

from django.db import models


class Endpoint(models.Model):
    """An OpenAI-compatible server. Its key is read from the environment variable named here and never stored."""

    name = models.CharField(max_length=500, unique=True)
    base_url = models.CharField(max_length=500, unique=True)
    key_variable = models.CharField(max_length=100, default="OPENAI_API_KEY")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Price(models.Model):
    """What one model costs at one endpoint, in US dollars for a million tokens."""

    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="prices")
    model = models.CharField(max_length=200)
    prompt_usd = models.DecimalField(max_digits=10, decimal_places=4)
    completion_usd = models.DecimalField(max_digits=10, decimal_places=4)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["endpoint", "model"], name="price_once"),
            models.CheckConstraint(
                condition=models.Q(prompt_usd__gte=0) & models.Q(completion_usd__gte=0), name="price_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model} at {self.endpoint}"
