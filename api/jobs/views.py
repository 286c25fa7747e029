"""The list of jobs."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.models import Dataset
from api.evaluators.views import READERS
from api.jobs.listing import list_jobs
from api.jobs.serializers import JobFilterSerializer, JobPageSerializer, JobSerializer
from api.rest.problems import Unprocessable
from api.rest.views import FIELDS, ApiView

Place = tuple[datetime, str, int]


class JobsView(ApiView):
    @extend_schema(
        operation_id="jobs_list",
        parameters=[
            JobFilterSerializer,
            OpenApiParameter(FIELDS, str, description="Names of the fields to answer with; all without it."),
        ],
        responses=JobPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Background work of the datasets that you adjudicate or research, the newest first."""
        sent = JobFilterSerializer(data=request.query_params)
        sent.is_valid(raise_exception=True)
        asked = sent.validated_data
        datasets = Dataset.objects.of(self.request.user, *READERS)
        size, before = asked["page_size"], read_cursor(asked["cursor"])
        jobs = list_jobs(datasets, size + 1, asked["kind"], asked["state"], before)
        page = jobs[:size]
        query = request.query_params.copy()
        if len(jobs) > size:
            query["cursor"] = write_cursor(page[-1].place)
        following = request.build_absolute_uri(f"?{query.urlencode()}") if len(jobs) > size else None
        rows = JobSerializer(page, many=True, context={"request": request}).data
        return Response({"next": following, "results": rows})


def write_cursor(place: Place) -> str:
    moment, kind, pk = place
    return urlsafe_b64encode(f"{moment.isoformat()} {kind} {pk}".encode()).decode()


def read_cursor(text: str) -> Place | None:
    """None for the first page."""
    if not text:
        return None
    try:
        moment, kind, pk = urlsafe_b64decode(text.encode()).decode().split(" ")
        place = datetime.fromisoformat(moment), kind, int(pk)
    except ValueError:
        raise Unprocessable("The cursor is none of a page before.") from None
    if place[0].tzinfo is None:
        raise Unprocessable("The cursor is none of a page before.")
    return place
