"""Whether a model can be scored with here: found out before anything is run, and said in a sentence."""

from typing import Any

from annotate.grants.endpoints import check_granted
from factor.language_models.gguf import find_gguf
from factor.models import ScoredModel
from llm.errors import NotGrantedError
from llm.models import Capabilities, Endpoint
from llm.weights import NotReadyError, find_weights

# With room for no token at all some servers never answer: what is generated is cut off.
ECHO: dict[str, Any] = {"echo": True, "logprobs": True, "max_tokens": 1, "temperature": 0}
PROMPT_LOGPROBS: dict[str, Any] = {"prompt_logprobs": 0, "max_tokens": 1, "temperature": 0}

OWN_TOKENS = 2  # besides the text: what an endpoint may put before it, and what it generates


def check_ready(model: ScoredModel, context_length: int) -> None:
    """Raises NotReadyError with what is missing. Loads no weights; an endpoint that was never probed for this model is
    probed."""
    match model.reached_by:
        case ScoredModel.Reached.TRANSFORMERS:
            find_weights(model.reached_as, "The model")
        case ScoredModel.Reached.LLAMA_CPP:
            find_gguf(model.reached_as)
        case ScoredModel.Reached.ELSEWHERE:
            raise NotReadyError(f"{model} has only imported scores: add it as a model.")
        case _:
            assert model.endpoint is not None  # noqa: S101 - a constraint of the table
            try:
                check_model_granted(model)
            except NotGrantedError as error:
                raise NotReadyError(str(error)) from None
            how_asked(model.endpoint, model.reached_as)
            can = capabilities_of(model.endpoint, model.reached_as)
            if can.context_length is not None and can.context_length < context_length + OWN_TOKENS:
                raise NotReadyError(
                    f"{model.reached_as} at {model.endpoint} takes {can.context_length:,} tokens, the mark of the "
                    f"beginning and one that it generates among them: ask for a context of "
                    f"{can.context_length - OWN_TOKENS:,} at most."
                )


def check_model_granted(model: ScoredModel) -> None:
    """Raises NotGrantedError where the model's dataset may not use its endpoint. A model that is not stored may have no
    dataset, and is asked."""
    if model.endpoint is not None and model.dataset_id is not None:
        check_granted(model.dataset, model.endpoint)


def how_asked(endpoint: Endpoint, model: str) -> dict[str, Any]:
    """The parameters with which the model there gives the log-probabilities of a text. Raises NotReadyError."""
    can = capabilities_of(endpoint, model)
    if can.echo:
        return ECHO
    if can.prompt_logprobs:
        return PROMPT_LOGPROBS
    if can.nothing_known:
        raise NotReadyError(f"The features of {model} at {endpoint} are unknown. {can.error}".strip())
    if not can.completions:
        raise NotReadyError(
            f"{model} at {endpoint} cannot be scored with: it has no /completions, which goes on with a text as it is."
        )
    raise NotReadyError(
        f"{model} at {endpoint} cannot be scored with: it gives no log-probabilities of a text, neither by echo nor as "
        "prompt_logprobs."
    )


def capabilities_of(endpoint: Endpoint, model: str) -> Capabilities:
    """As last probed; probed now where that was never done, or brought nothing."""
    known = Capabilities.objects.filter(endpoint=endpoint, model=model).first()
    if known is not None and not known.nothing_known:
        return known
    from llm.probing import probe  # with openai, which no page needs until then

    return probe(endpoint, model)
