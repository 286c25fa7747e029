"""Read a fetched page in a process of its own, which may take so much time and memory and knows no secret.

`python -m knowledge.fetching.read TYPE SECONDS BYTES CHARSET` is that process: it reads the page from its input and
writes one JSON object, {"title", "published", "text"} or {"error"}. A page made to choke its reader ends that process,
not the worker.
"""

import json
import logging
import resource
import subprocess
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from knowledge.fetching.charsets import decode
from knowledge.fetching.errors import FetchError
from knowledge.fetching.fetch import HTML_TYPES, Fetched
from knowledge.fetching.page import PageContent, tidy

logger = logging.getLogger("touchstone.snapshots")

ROOT = Path(__file__).resolve().parent.parent.parent
MEMORY_BYTES = 1024**3
TEXT_LIMIT = 5_000_000


def read(fetched: Fetched, seconds: float, memory: int = MEMORY_BYTES) -> PageContent:
    """The page's text, title and date. FetchError if it has no text, or takes more time or memory (bytes) to read."""
    command = [sys.executable, "-X", "utf8", "-m", __name__, fetched.media_type, str(seconds), str(memory)]
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and the charset is only ever looked up
            [*command, fetched.charset or ""],
            cwd=ROOT,
            env={},
            input=fetched.body,
            capture_output=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        raise FetchError(f"The page could not be read within {seconds:g} seconds.") from None
    if done.returncode:
        logger.warning("Reading %s ended with %s: %s", fetched.final_url, done.returncode, done.stderr[-500:])
        raise FetchError("The page could not be read: it is too large or damaged.")
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise FetchError(answer["error"])
    return PageContent(**answer)


def read_body(media_type: str, charset: str | None, body: bytes) -> PageContent:
    """By the reader of its kind. FetchError if nothing is left to be kept, or too much."""
    page = _read_by_kind(media_type, charset, body)
    if not page.text.strip():
        raise FetchError("The page has no text: it is a picture or needs scripts.")
    if len(page.text) > TEXT_LIMIT:
        raise FetchError(f"The page's text is longer than {TEXT_LIMIT:,} characters.")
    return page


def _read_by_kind(media_type: str, charset: str | None, body: bytes) -> PageContent:
    # The readers' libraries are loaded in the process that needs them, and no worker.
    if media_type in HTML_TYPES:
        from knowledge.fetching.read_html import read_html

        return read_html(body, charset)
    if media_type == "application/pdf":
        from knowledge.fetching.read_pdf import read_pdf

        return read_pdf(body)
    return PageContent("", "", tidy(decode(body, charset)))


def main(media_type: str, seconds: str, memory: str, charset: str) -> None:
    cpu_seconds = int(float(seconds)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))
    with suppress(ValueError):  # macOS has no such limit
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    try:
        answer = asdict(read_body(media_type, charset or None, sys.stdin.buffer.read()))
    except FetchError as error:
        answer = {"error": str(error)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
