"""The entities that there are responses on already, which are not to be asked about again (FActScore §4.3.1)."""

from collections.abc import Iterable

from annotate.models import Dataset, Prompt
from annotate.prompts.sample_entities import name_key
from core.errors import DataError


def labelled_topics(datasets: Iterable[Dataset]) -> set[str]:
    """Keys (name_key) of the topics of their responses' prompts."""
    prompts = Prompt.objects.filter(dataset__in=list(datasets)).exclude(topic="")
    return {name_key(topic) for topic in prompts.values_list("topic", flat=True).distinct()}


def datasets_named(names: Iterable[str]) -> list[Dataset]:
    """DataError for a name that no dataset has."""
    datasets = []
    for name in names:
        dataset = Dataset.objects.ready().filter(name=name).first()
        if dataset is None:
            raise DataError(f"there is no dataset {name!r}")
        datasets.append(dataset)
    return datasets
