"""Lists: methods, and the endpoints, search engines and evaluators of a dataset."""

from django.db.models import Count, Prefetch, Q, QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.access import fetch_dataset
from annotate.grants.endpoints import endpoints_of, engines_of
from api.evaluators.serializers import EndpointSerializer, EvaluatorSerializer, MethodSerializer, SearchEngineSerializer
from api.rest.access import READERS
from api.rest.views import ApiView, ListView
from evaluators.methods import METHODS
from evaluators.models import Evaluator
from llm.models import Endpoint, Price


class MethodsView(ApiView):
    """The methods of this server."""

    @extend_schema(operation_id="methods_list", responses=MethodSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Every method, with its parameters. The list has no pages."""
        return Response(MethodSerializer(METHODS.values(), many=True).data)


class EndpointsView(ListView):
    serializer_class = EndpointSerializer

    def rows(self) -> QuerySet[Endpoint]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        return endpoints_of(dataset).prefetch_related(Prefetch("prices", Price.objects.order_by("model")))

    @extend_schema(operation_id="endpoints_list", responses=EndpointSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The endpoints that the dataset may use; never a key."""
        return super().get(request)


class SearchEnginesView(ListView):
    serializer_class = SearchEngineSerializer

    def rows(self) -> QuerySet[Endpoint]:
        return engines_of(fetch_dataset(self.request.user, self.kwargs["pk"], *READERS))

    @extend_schema(operation_id="search_engines_list", responses=SearchEngineSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The search engines that the dataset may use; never a key."""
        return super().get(request)


class EvaluatorsView(ListView):
    serializer_class = EvaluatorSerializer

    def rows(self) -> QuerySet[Evaluator]:
        dataset = fetch_dataset(self.request.user, self.kwargs["pk"], *READERS)
        return Evaluator.objects.annotate(runs_here=Count("runs", filter=Q(runs__dataset=dataset))).filter(
            runs_here__gt=0
        )

    @extend_schema(operation_id="evaluators_list", responses=EvaluatorSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The evaluators that have a run over the dataset."""
        return super().get(request)
