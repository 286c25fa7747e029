"""Files of people's own data: asked for, found, deleted."""

from django.db import transaction
from django.db.models import QuerySet

from annotate.models import PersonalExport, User
from jobs.enqueue import enqueue


def ask_for_export(person: User) -> PersonalExport:
    """Enqueue a new file in place of the one that is there; one that is being made stays."""
    delete_exports(PersonalExport.objects.filter(person=person).exclude(state__in=PersonalExport.UNSETTLED))
    export, created = PersonalExport.objects.get_or_create(person=person)
    if created:
        enqueue(export)
    return export


@transaction.atomic
def delete_exports(exports: QuerySet[PersonalExport]) -> int:
    """With their files, whatever a worker does meanwhile; how many there were."""
    found = list(exports.select_for_update())
    for export in found:
        export.file.delete(save=False)
        export.delete()
    return len(found)
