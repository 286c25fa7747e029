"""The common part of all pages of one benchmark."""

from typing import Any

from annotate.access import MemberRequest, fetch_in_dataset, role_in
from annotate.models import Role
from factor.models import Benchmark

READERS = (Role.ADJUDICATOR, Role.RESEARCHER)


def fetch_benchmark(request: MemberRequest, pk: int, *roles: str) -> Benchmark:
    """The benchmark, for people of these roles in its dataset (none named: adjudicators and researchers)."""
    benchmarks = Benchmark.objects.select_related("dataset", "source", "created_by")
    return fetch_in_dataset(request.user, benchmarks, pk, "dataset", *(roles or READERS))


def page_of(request: MemberRequest, benchmark: Benchmark, room: str) -> dict[str, Any]:
    """The context that templates/factor/benchmark_base.html needs; `room` is the tab of factor/tabs.html to mark."""
    return {
        "benchmark": benchmark,
        "dataset": benchmark.dataset,
        "role": role_in(request.user, benchmark.dataset),
        "tab": "benchmarks",
        "room": room,
    }
