"""The list of jobs."""

from datetime import datetime

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotate.models import Dataset
from api.jobs.listing import find_job, list_jobs
from api.jobs.serializers import JobFilterSerializer, JobPageSerializer, JobSerializer, WholeJobSerializer
from api.rest.access import READERS
from api.rest.pages import read_cursor, write_cursor
from api.rest.sent import read_query
from api.rest.views import FIELDS, ApiView

Place = tuple[datetime, str, int]
CURSOR = "jobs"


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
        asked = read_query(JobFilterSerializer, request)
        datasets = Dataset.objects.of(self.request.user, *READERS)
        size, before = asked["page_size"], _place(asked["cursor"])
        jobs = list_jobs(datasets, size + 1, asked["kind"], asked["state"], before)
        page = jobs[:size]
        query = request.query_params.copy()
        if len(jobs) > size:
            query["cursor"] = write_cursor(page[-1].place, CURSOR)
        following = request.build_absolute_uri(f"?{query.urlencode()}") if len(jobs) > size else None
        rows = JobSerializer(page, many=True, context={"request": request}).data
        return Response({"next": following, "results": rows})


class JobView(ApiView):
    @extend_schema(operation_id="job", responses=WholeJobSerializer)
    def get(self, request: Request, kind: str, pk: int) -> Response:
        """One job: its items by state, its rate, its spending, why items failed."""
        found = find_job(Dataset.objects.of(self.request.user, *READERS), kind, pk)
        if found is None:
            raise Http404("There is no such job.")
        return Response(WholeJobSerializer(found).data)


def _place(text: str) -> Place | None:
    """None for the first page."""
    if not text:
        return None
    moment, kind, pk = read_cursor(text, CURSOR)
    return datetime.fromisoformat(moment), kind, pk
