"""Public links as JSON, and what is chosen of a new one."""

from typing import Any

from rest_framework import serializers

from api.comparison.serializers import ComparisonOptionsSerializer
from api.rest.views import Fields
from evaluators.models import SharedComparison
from evaluators.sharing.share import link_of


class PublicLinkSerializer(Fields):
    """A comparison that stands behind a public link, as it was when the link was made."""

    id = serializers.IntegerField(source="pk")
    title = serializers.CharField()
    texts = serializers.BooleanField(source="with_texts", help_text="Whether texts are shared beside the figures.")
    link = serializers.SerializerMethodField(help_text="Opens without a log-in; null once it is revoked.")
    created_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)

    def get_link(self, share: SharedComparison) -> str | None:
        return link_of(self.context["request"], share) or None


class NewPublicLinkSerializer(ComparisonOptionsSerializer):
    """The comparison that is shared, and how."""

    title = serializers.CharField(max_length=200, help_text="Whoever has the link reads it.")
    texts = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Share prompts, responses, gold and answers too; for adjudicators.",
    )

    def comparison(self) -> dict[str, Any]:
        """The options of the comparison alone."""
        return {str(name): value for name, value in self.validated_data.items() if name not in ("title", "texts")}
