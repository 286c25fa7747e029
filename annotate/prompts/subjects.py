"""The subject models of a dataset with their known facts (FActScore table 7)."""

from annotate.models import Dataset, SubjectModel


def subjects_of(dataset: Dataset) -> list[SubjectModel]:
    """One a name that responses or descriptions have, by name; those not described are blank and not stored."""
    described = {subject.name: subject for subject in dataset.subject_models.all()}
    named = dataset.responses.visible().exclude(subject="").order_by().values_list("subject", flat=True).distinct()
    return [described.get(name) or SubjectModel(dataset=dataset, name=name) for name in sorted({*described, *named})]
