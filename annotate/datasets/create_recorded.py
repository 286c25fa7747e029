"""A person creates a dataset or a sandbox, with its entry in the audit log."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from annotate.datasets.create import create_dataset
from annotate.models import Dataset, User
from audit.models import Action
from audit.record import record


@transaction.atomic
def create_recorded(request: HttpRequest, person: User, fields: Mapping[str, Any], *, sandbox: bool) -> Dataset:
    """fields: name, scheme and description. Raises IntegrityError where the name is taken."""
    description = fields.get("description", "")
    made = create_dataset(fields["name"], fields["scheme"], person, description, ready=True, sandbox=sandbox)
    record(request, Action.DATASET_CREATED, made, detail="a sandbox" if sandbox else "")
    return made
