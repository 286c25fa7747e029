"""What people have dismissed from the list of what needs their attention."""

from django.conf import settings
from django.db import models


class Dismissal(models.Model):
    """An item that a person hid, by its key (annotate/attention/items.py). An item that changes has another key."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="dismissals")
    key = models.CharField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="dismissal_once")]

    def __str__(self) -> str:
        return f"{self.key}, dismissed by {self.user}"
