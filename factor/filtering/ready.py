"""Whether filters can measure on this machine, found out before anything is begun."""

from annotate.grants.endpoints import find_granted
from annotate.models import Dataset
from factor.filtering.nli import find_nli_weights
from factor.filtering.settings import JUDGE, MODEL, WEIGHTS, FilterSettings
from factor.language_models.ready import check_ready as check_scorable
from factor.models import ScoredModel
from llm.errors import EndpointAddressError
from llm.weights import NotReadyError


def check_ready(settings: FilterSettings, dataset: Dataset) -> None:
    """Raises NotReadyError, in a sentence, where a model of the filters is not there. Loads no weights; an endpoint
    whose log-probabilities were never looked for is asked for some."""
    contradiction, fluency = settings.contradiction, settings.fluency
    if contradiction.by == WEIGHTS:
        find_nli_weights(contradiction.weights, "contradiction.weights")
    if contradiction.by == JUDGE:
        _check_endpoint(dataset, contradiction.endpoint, "contradiction.endpoint")
    if fluency.by == MODEL:
        check_scorable(language_model_named(dataset, fluency.model), fluency.context_length)
    if fluency.by == JUDGE:
        _check_endpoint(dataset, fluency.endpoint, "fluency.endpoint")


def language_model_named(dataset: Dataset, name: str) -> ScoredModel:
    """The dataset's model of this name. Raises NotReadyError where it has none."""
    model = ScoredModel.objects.select_related("endpoint").filter(dataset=dataset, name=name).first()
    if model is None:
        raise NotReadyError(f"fluency.model is {name!r}; the dataset has no language model of that name to score with.")
    return model


def _check_endpoint(dataset: Dataset, name: str, field: str) -> None:
    try:
        find_granted(dataset, name)
    except EndpointAddressError as error:
        raise NotReadyError(f"{field}: {error}") from None
