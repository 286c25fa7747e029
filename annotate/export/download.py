"""An export as the answer to a request, of a page or of the API."""

from django.http import StreamingHttpResponse

from annotate.corpus.finding import Search
from annotate.export.dataset import FORMATS, Reader, ask
from annotate.export.export_format import ExportFormat
from annotate.export.files import KINDS, kind_of, write_file
from annotate.export.read import Asked
from annotate.models import Dataset, GoldLabel, User, ViewReceipt
from annotate.people.receipts import note_receipts
from core.downloads import download


def send_export(
    dataset: Dataset, format: str, kind: str, search: Search, gold_version: str, reader: Reader, who: User
) -> StreamingHttpResponse:
    """The file. format: a key of FORMATS; kind: one of KINDS, or "" for the format's own. A response that the format
    cannot hold is left out. DataError: as `ask`, and what is wrong with the first rows."""
    export_format = FORMATS[format]
    kind = kind_of(export_format, kind)
    asked = ask(dataset, format, search, gold_version, reader)
    answer = download(write_file(export_format, asked, kind), f"{format}.{kind}", KINDS[kind].content_type)
    _note_seen(export_format, asked, who)
    return answer


def note_gold(dataset: Dataset, who: User) -> None:
    """Whoever reads gold has seen what became of the labels."""
    gold = GoldLabel.objects.of(dataset).filter(segment__response__task__isnull=False)
    tasks = gold.order_by().values_list("segment__response__task", flat=True).distinct()
    note_receipts(list(tasks), who, ViewReceipt.What.LABELS)


def _note_seen(export_format: ExportFormat, asked: Asked, who: User) -> None:
    note_gold(asked.dataset, who)
    if export_format.of_people:
        tasks = asked.labels.order_by().values_list("assignment__task", flat=True).distinct()
        note_receipts(list(tasks), who, ViewReceipt.What.LABELS)
