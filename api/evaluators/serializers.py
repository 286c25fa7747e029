"""Methods, endpoints, search engines and evaluators as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.rest.views import Fields
from evaluators.methods.base import Method
from evaluators.methods.parameters import describe_parameters
from llm.endpoints import has_key
from llm.models import Endpoint

SCALAR = {"type": ["string", "number", "boolean"]}


class MethodParameterSerializer(serializers.Serializer[Any]):
    """A parameter of a method; null: without that bound."""

    default = extend_schema_field(SCALAR)(serializers.JSONField)()
    choices = serializers.ListField(child=serializers.CharField(), allow_null=True)
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    help = serializers.CharField()


class MethodSerializer(Fields):
    """A method of evaluation."""

    name = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    schemes = serializers.ListField(child=serializers.CharField(), help_text="Of datasets that it judges.")
    needs_model = serializers.BooleanField()
    needs_source = serializers.BooleanField(help_text="Whether it searches the dataset's knowledge source.")
    needs_search = serializers.BooleanField(help_text="Whether it searches the web.")
    parameters = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DictField(child=MethodParameterSerializer()))
    def get_parameters(self, method: Method) -> dict[str, Any]:
        return describe_parameters(method)


class PriceSerializer(serializers.Serializer[Any]):
    """US dollars for a million tokens, and for a search by the model itself; null: not known."""

    model = serializers.CharField()
    prompt_usd = serializers.FloatField(allow_null=True)
    cached_usd = serializers.FloatField(allow_null=True, help_text="Of prompts that the server had read before.")
    completion_usd = serializers.FloatField(allow_null=True, help_text="Of answers, thoughts included.")
    search_usd = serializers.FloatField(allow_null=True)
    as_of = serializers.DateField(allow_null=True, help_text="Of the public table they are from; null: entered.")


class EndpointSerializer(Fields):
    """A server of language models that a dataset may use."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    base_url = serializers.CharField()
    provider = serializers.CharField(help_text="Whose protocol it speaks; empty: OpenAI's.")
    has_key = serializers.SerializerMethodField(help_text="Whether the server here has a key for it.")
    shared = serializers.BooleanField(help_text="Whether every dataset may use it.")
    prices = PriceSerializer(many=True)

    def get_has_key(self, endpoint: Endpoint) -> bool:
        return has_key(endpoint)


class SearchEngineSerializer(Fields):
    """A search engine that a dataset may use: runs name it in the parameter `search`."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    protocol = serializers.CharField(source="search_engine")
    address = serializers.CharField(source="base_url")
    has_key = serializers.SerializerMethodField(help_text="Whether the server here has a key for it.")
    shared = serializers.BooleanField(help_text="Whether every dataset may use it.")
    search_usd = serializers.FloatField(allow_null=True, help_text="US dollars for a search; null: not known.")
    requests_per_minute = serializers.IntegerField(allow_null=True, help_text="At most; null: without limit.")
    max_in_flight = serializers.IntegerField(
        allow_null=True, help_text="Searches under way at once, of all workers; null: as the run says."
    )

    def get_has_key(self, engine: Endpoint) -> bool:
        return has_key(engine)


class EvaluatorSerializer(Fields):
    """A method with everything that is fixed before a run."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    method = serializers.CharField(help_text="“imported”: it ran elsewhere.")
    model = serializers.CharField(help_text="Empty: it calls none.")
    parameters = serializers.DictField(child=extend_schema_field(SCALAR)(serializers.JSONField)())
    runs = serializers.IntegerField(source="runs_here", help_text="Runs over this dataset.")
    created_at = serializers.DateTimeField()
