"""A dataset's guidelines as part of a prompt."""

from annotate.models import Dataset, Guideline
from llm.templates import PromptError


def find_guidelines(dataset: Dataset, version: int) -> Guideline:
    """This version of the dataset's guidelines; 0: the newest. Raises PromptError where there is none."""
    newest = dataset.guidelines.first()
    if newest is None:
        raise PromptError(f"{dataset.name} has no guidelines: an adjudicator writes them under People & guidelines.")
    found = dataset.guidelines.filter(version=version).first() if version else newest
    if found is None:
        raise PromptError(f"{dataset.name} has no version {version} of its guidelines; the newest is {newest.version}.")
    return found
