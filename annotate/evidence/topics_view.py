"""The page of a dataset's topics: which have no page in its knowledge source, and a way to name the right one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from annotate.access import MemberRequest, fetch_dataset, role_in
from annotate.evidence.source import may_extend
from annotate.evidence.topics import name_page, report_topics
from annotate.models import Dataset, Role
from core.errors import DataError


@require_GET
def topics(request: MemberRequest, pk: int) -> HttpResponse:
    """The resolution of each topic; an empty page where the dataset has no source."""
    return _page(request, fetch_dataset(request.user, pk, Role.ADJUDICATOR, Role.RESEARCHER))


@require_POST
def topic_name(request: MemberRequest, pk: int) -> HttpResponse:
    """Have ?topic looked up on the page titled ?title."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    topic, title = request.POST.get("topic", ""), request.POST.get("title", "")
    try:
        if not may_extend(dataset, str(dataset.knowledge_source)):
            raise DataError(f"{dataset.knowledge_source} is shared: others judge by it too.")
        page = name_page(dataset, topic, title)
    except DataError as error:
        messages.error(request, f"Not changed: {error}")
        return _page(request, dataset, status=422)
    messages.success(request, f"{topic} is looked up on the page {page} now.")
    return redirect("topics", pk)


def _page(request: MemberRequest, dataset: Dataset, status: int = 200) -> HttpResponse:
    context = {
        "dataset": dataset,
        "role": role_in(request.user, dataset),
        "tab": "knowledge",
        "report": report_topics(dataset) if dataset.knowledge_source else None,
    }
    return render(request, "evidence/topics.html", context, status=status)
