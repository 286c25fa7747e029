"""The file that a worker has made, into its item."""

from pathlib import Path
from typing import Any

from django.core.files import File
from django.db import transaction

from jobs.leases import Lease


@transaction.atomic
def finish_with_file(lease: Lease[Any], path: Path, **columns: Any) -> bool:
    """Store the file in the columns `file` and `size` and mark the item done, unless another worker has taken it
    meanwhile; whether it did."""
    if not lease.finish(size=path.stat().st_size, **columns):
        return False
    with path.open("rb") as content:
        lease.item.file.save(path.name, File(content), save=False)
    type(lease.item)._default_manager.filter(pk=lease.item.pk).update(file=lease.item.file.name)
    return True
