"""Checks of what belongs to the server: database, broker, workers, clock, files, disk, settings."""

import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core import checks
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage, default_storage
from django.db import Error as DatabaseFailure
from django.db import connection
from django.template.defaultfilters import filesizeformat
from django.utils import timezone

from annotate.prompt_sets.sets import server_faults
from evaluators.methods import FAULTS
from health.findings import Finding, State, error, ok, warning
from health.services import BrokerError, ask_broker, ask_database, missing_migrations
from jobs.kinds import Queue
from jobs.models import Worker, alive_workers
from knowledge.engines import FAULTS as ENGINE_FAULTS

# Leases and sessions are compared across machines.
CLOCK_SECONDS = 2.0
DISK_ERROR = 200 * 1024**2
DISK_WARNING = 2 * 1024**3


def check_inside() -> Iterator[Finding]:
    database = check_database()
    yield database
    if database.state is not State.ERROR:
        migrations = check_migrations()
        yield migrations
        if migrations.state is State.OK:
            yield from check_workers()
            yield check_clock()
    yield check_broker()
    yield from check_storage()
    yield check_disk()
    yield from check_settings()
    yield from check_plug_ins()
    yield check_tls()


def check_database() -> Finding:
    try:
        ask_database()
    except DatabaseFailure as failure:
        return error("database", f"The database does not answer: {_line(failure)}. See DATABASE_URL.")
    if settings.PRODUCTION and connection.vendor == "sqlite":
        return warning("database", "SQLite serves one machine and a handful of people: set DATABASE_URL.")
    return ok("database", f"{connection.display_name} answers.")


def check_migrations() -> Finding:
    missing = missing_migrations()
    if missing:
        first = ".".join(missing[0])
        plural = "" if len(missing) == 1 else "s"
        return error("migrations", f"The database lacks {len(missing)} migration{plural}, {first} first: run migrate.")
    return ok("migrations", "The database has all migrations.")


def check_broker() -> Finding:
    try:
        ask_broker()
    except BrokerError as failure:
        return error("broker", f"The broker does not answer: {_line(failure)}. See CELERY_BROKER_URL.")
    return ok("broker", "The broker answers.")


def check_workers() -> Iterator[Finding]:
    """A finding for each queue."""
    for queue in Queue:
        names = sorted(alive_workers().filter(queue=queue).values_list("name", flat=True))
        if names:
            yield ok("workers", f"The queue {queue} is served by {', '.join(names)}.")
        else:
            yield error("workers", f"No worker serves the queue {queue}: its work waits. Start one.")


def check_clock() -> Finding:
    """Against the database's clock, and that of workers, whose last beats are not in the future."""
    now = timezone.now()
    limit = timedelta(seconds=CLOCK_SECONDS)
    ahead = Worker.objects.filter(beat_at__gt=now + limit).order_by("-beat_at").first()
    if ahead:
        return error("clock", f"The clock of the worker {ahead.name} is ahead of this machine's: synchronise them.")
    difference = abs(database_time() - now)
    if difference > limit:
        seconds = difference.total_seconds()
        return error("clock", f"The database's clock differs by {seconds:.0f} seconds: synchronise the machines.")
    return ok("clock", "The clocks of this machine, database and workers agree.")


def database_time() -> datetime:
    """That of SQLite is this machine's."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        time: datetime = cursor.fetchone()[0]
    return time


def check_storage() -> Iterator[Finding]:
    """DATA_DIR, the folders in it, the bucket of uploads, and the files that collectstatic writes."""
    faults = [fault for folder in _folders() if (fault := _write_fault(folder))] + list(_bucket_fault())
    yield from (error("storage", fault) for fault in faults)
    if not faults:
        yield ok("storage", f"{settings.DATA_DIR} and its folders can be written to.")
    if settings.PRODUCTION and not (Path(settings.STATIC_ROOT) / "staticfiles.json").exists():
        yield error("storage", "Styles and scripts are missing: run collectstatic.")


def _bucket_fault() -> Iterator[str]:
    """Uploads and releases in a store elsewhere (STORAGE_URL)."""
    if not isinstance(default_storage, FileSystemStorage):
        try:
            default_storage.delete(default_storage.save("doctor", ContentFile(b"doctor")))
        except OSError as failure:
            yield f"Uploads and releases cannot be written: {failure.strerror}."


def _folders() -> list[Path]:
    return [settings.DATA_DIR, *sorted(path for path in settings.DATA_DIR.iterdir() if path.is_dir())]


def _write_fault(folder: Path) -> str:
    """The sentence; empty where there is none."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"doctor")
    except OSError as failure:
        return f"{folder} cannot be written to: {failure.strerror}."
    return ""


def check_disk() -> Finding:
    free = shutil.disk_usage(settings.DATA_DIR).free
    sentence = f"{filesizeformat(free)} are left on the disk of {settings.DATA_DIR}.".replace("\xa0", " ")
    if free < DISK_ERROR:
        return error("disk", sentence)
    return warning("disk", sentence) if free < DISK_WARNING else ok("disk", sentence)


def check_settings() -> Iterator[Finding]:
    """Django's own checks, for a server those of `check --deploy` too."""
    found = checks.run_checks(include_deployment_checks=settings.PRODUCTION)
    shown = [message for message in found if not message.is_silenced()]
    for message in shown:
        make = error if message.is_serious() else warning
        yield make("settings", f"{_line(message.msg)} ({message.id})")
    if not shown:
        yield ok("settings", "The settings pass Django's checks.")


def check_plug_ins() -> Iterator[Finding]:
    """Methods, search engines and prompt sets that other packages bring; the site does without one that fails."""
    faults = [*FAULTS.values(), *ENGINE_FAULTS.values(), *server_faults()]
    yield from (warning("plug-ins", fault) for fault in faults)
    if not faults:
        yield ok("plug-ins", "All plug-ins can be loaded.")


def check_tls() -> Finding:
    if not settings.PRODUCTION:
        return ok("tls", "A development checkout serves HTTP. A server needs DEBUG=false.")
    if not settings.SECURE_SSL_REDIRECT:
        return warning("tls", "HTTP is not redirected to HTTPS: set SECURE_SSL_REDIRECT=true unless the proxy does it.")
    if not settings.BEHIND_PROXY:
        return error("tls", "Every page redirects to HTTPS for ever: the proxy ends TLS, so set BEHIND_PROXY=true.")
    if not settings.SITE_URL.startswith("https://"):
        return warning("tls", f"Links in e-mails begin with {settings.SITE_URL}: set SITE_URL to the https:// address.")
    return ok("tls", "The proxy ends TLS, and HTTP is redirected to HTTPS.")


def _line(failure: object) -> str:
    """In one line, without a full stop at its end."""
    return " ".join(str(failure).split()).rstrip(".")[:300]
