"""The links of a packed run's items to the model's answers: those answers are found again that are here already."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from annotate.corpus.rows import LONGEST_INDEX
from annotate.grants.endpoints import endpoints_of
from core.chunks import in_chunks
from core.errors import RowError, at_line
from core.row_fields import check_keys, check_list, filled_text
from evaluators.bundle.contents import CALLS
from evaluators.bundle.run_rows import rows_in
from evaluators.models import Run
from evaluators.predictions.align import CHUNK
from evaluators.runs.item_calls import link_calls
from llm.models import Call

REQUEST_HASH = re.compile(r"[0-9a-f]{64}")


def fill_calls(run: Run, folder: Path) -> None:
    """Link the run's items with their answers. Only answers of endpoints that the dataset may use are found: a file
    shows nobody what a run of theirs would not be given. Raises DataError."""
    usable = Call.objects.filter(endpoint__in=endpoints_of(run.dataset))
    items = dict(run.items.values_list("response__index", "pk"))
    for some in in_chunks(_read_links(folder, items), CHUNK):
        found = usable.filter(request_hash__in={request_hash for _, request_hash in some})
        calls = dict(found.values_list("request_hash", "pk"))
        given: defaultdict[int, list[int]] = defaultdict(list)
        for item, request_hash in some:
            if request_hash in calls:
                given[item].append(calls[request_hash])
        link_calls(given)


def _read_links(folder: Path, items: Mapping[str, int]) -> Iterator[tuple[int, str]]:
    """(item's key, hash of a request); none where the bundle has no such file. items: keys by the response's index."""
    path = folder / CALLS
    for _, line, row in rows_in(path) if path.exists() else ():
        try:
            check_keys(row, ("index", "calls"))
            index = filled_text(row, "index", LONGEST_INDEX)
            if index not in items:
                raise RowError(f"response {index!r} is not among the items of the run")
            for request_hash in check_list(row["calls"], "calls"):
                if not isinstance(request_hash, str) or not REQUEST_HASH.fullmatch(request_hash):
                    raise RowError("calls holds what is no SHA-256")
                yield items[index], request_hash
        except RowError as error:
            raise at_line(path, line, error) from None
