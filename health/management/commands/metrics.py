"""Metrics for Prometheus, by HTTP (docs/commands.md, `metrics`)."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseFailure
from django.db import close_old_connections, connection
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from core.counters import counters_folder
from health.gauges import WorkCollector


class Guarded:
    """The gauges of the database, and whether it answered: without it counters are served still."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        close_old_connections()
        try:
            families = list(WorkCollector().collect())
        except DatabaseFailure:
            families = []
        finally:
            connection.close()  # each scrape has a thread of its own
        yield from families
        yield GaugeMetricFamily("touchstone_database_up", "1: the database answered.", value=int(bool(families)))


class Command(BaseCommand):
    help = "Serve metrics for Prometheus at METRICS_ADDRESS."

    def handle(self, *args: Any, **options: Any) -> None:
        if settings.METRICS_ADDRESS is None:
            raise CommandError("METRICS_ADDRESS is not set: processes count nothing, and there is nothing to serve.")
        host, port = settings.METRICS_ADDRESS
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=str(counters_folder()))  # type: ignore[no-untyped-call]
        registry.register(Guarded())
        try:
            _, thread = start_http_server(port, host, registry)
        except OSError as failure:
            raise CommandError(f"METRICS_ADDRESS is {host}:{port}, which cannot be used: {failure.strerror}.") from None
        thread.join()
