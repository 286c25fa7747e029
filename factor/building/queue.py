"""The knock on the workers' door, and finding what was lost: when a worker starts, and with every beat of its heart."""

from django.db.models import OuterRef

from annotate.leased.workers import tell_of, tell_of_abandoned
from factor.models import BenchmarkBuild, BenchmarkBuildItem


def knock(build: int) -> bool:
    """Tell the workers of the build (its primary key); False where the queue is out of reach."""
    from factor.building.tasks import work_on_benchmark_build

    return tell_of(BenchmarkBuild, build, work_on_benchmark_build)


def sweep() -> list[int]:
    """Free expired leases, and knock for the builds that nobody works on; their keys."""
    return tell_of_abandoned(BenchmarkBuild, BenchmarkBuildItem.objects.filter(build=OuterRef("pk")), knock)
