"""Files that are written while they are sent."""

from collections.abc import Iterable

from django.http import StreamingHttpResponse

from core.chunks import begun
from core.csv import marked


def download(pieces: Iterable[str | bytes], name: str, content_type: str) -> StreamingHttpResponse:
    """The answer with the file as an attachment of this name.

    Its first piece is made at once, so that what is wrong with the whole is raised here, before a status is sent. What
    is raised later nobody may catch: then the server cuts the connection, and the reader knows that the file is not
    whole.
    """
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(begun(pieces), content_type=content_type, headers=headers)


def download_csv(lines: Iterable[str], name: str) -> StreamingHttpResponse:
    """Lines without their ends as a CSV file for a spreadsheet."""
    return download(marked(lines), name, "text/csv; charset=utf-8")
