"""Recipes that people keep under a name (annotate/corpus/recipe.py)."""

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models

RECIPE_NAME = r"^[a-z0-9][a-z0-9-]*$"
LONGEST_RECIPE_NAME = 60


class StoredRecipe(models.Model):
    """A person's recipe. A file that was imported by it keeps a copy, so it may be replaced."""

    name = models.CharField(max_length=LONGEST_RECIPE_NAME, validators=[RegexValidator(RECIPE_NAME)])
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="recipes")
    document = models.JSONField()
    saved_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="recipe_name_once")]

    def __str__(self) -> str:
        return self.name
