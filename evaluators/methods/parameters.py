"""Parameters of a method: from text to typed, checked values."""

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from evaluators.methods.base import AS_PROFILE, OTHER_MODELS, PROFILES, RELEASED_CODE, Method, Parameter
from llm.weights import find_weights, hash_weights

Value = str | int | float | bool
PROFILE = "profile"
SENT = ("temperature", "max_tokens", "reasoning_effort", "top_p")  # with every request
EXTRA_BODY = "extra_body"
OF_REQUESTS = frozenset({"model", "messages", "prompt", "stream", "n", "logprobs", "top_logprobs"})
TRUTHS = {"true": True, "false": False}
AT_ENDPOINT = "::"
MOST_OTHER_MODELS = 8
WEIGHTS_PARAMETERS = ("np_weights", "retrieval_weights", "nli_weights")  # of all methods, those that name a folder


class ParameterError(ValueError):
    """A parameter that the method does not have, or a value that it does not take."""


def split_pairs(texts: Iterable[str]) -> dict[str, str]:
    """`k=v` texts as a mapping. Raises ParameterError where one is no pair or a name comes twice."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ParameterError(f"{text!r} is not a parameter: write name=value.")
        if name in pairs:
            raise ParameterError(f"The parameter {name} is given twice.")
        pairs[name] = value
    return pairs


def read_parameters(method: Method, texts: Mapping[str, Any]) -> dict[str, Any]:
    """Every parameter of the method with its value, the defaults of the profile spelled out, in the order of their
    declaration.

    Each may be a text or a value. Raises ParameterError.
    """
    known = {parameter.name for parameter in method.parameters}
    for name in texts:
        if name not in known:
            takes = ", ".join(parameter.name for parameter in method.parameters) or "none"
            raise ParameterError(f"{method.name} has no parameter {name!r}; it takes: {takes}.")
    profile = str(texts.get(PROFILE, "")).strip()
    values = {
        parameter.name: read_value(parameter, str(texts[parameter.name]))
        if parameter.name in texts
        else parameter.default_under(profile)
        for parameter in method.parameters
    }
    extra_fields(values)
    unneeded = {each.name for each in method.parameters if each.optional and values[each.name] == each.default}
    return {name: value for name, value in values.items() if name not in unneeded}


def sent_with_requests(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that go to the model with every request."""
    return {name: parameters[name] for name in SENT if name in parameters} | extra_fields(parameters)


def extra_fields(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `extra_body`. Raises ParameterError where it is no JSON object, or holds what makes up a
    request."""
    text = str(parameters.get(EXTRA_BODY, ""))
    try:
        fields = json.loads(text) if text else {}
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        raise ParameterError(f"{EXTRA_BODY} is {text!r}; it must be a JSON object.")
    if taken := sorted(OF_REQUESTS & fields.keys()):
        raise ParameterError(f"{EXTRA_BODY} holds {taken[0]!r}, which makes up the request itself.")
    return fields


def read_value(parameter: Parameter, text: str) -> Value:
    """The text as a value of the parameter's type, within its bounds."""
    value = _typed(parameter, text.strip())
    too_low = parameter.minimum is not None and isinstance(value, int | float) and value < parameter.minimum
    too_high = parameter.maximum is not None and isinstance(value, int | float) and value > parameter.maximum
    unknown = bool(parameter.choices) and value not in parameter.choices
    if value is None or too_low or too_high or unknown:
        raise ParameterError(f"{parameter.name} is {text!r}; it must be {describe(parameter)}.")
    return value


def layout_of(parameters: Mapping[str, Any]) -> str:
    """The profile by which a method lays out its prompts: another than the one by which it parses where a run reads
    again the answers that prompts of another layout were given."""
    layout = parameters.get("layout", AS_PROFILE)
    return str(parameters.get("profile", PROFILES[0]) if layout == AS_PROFILE else layout)


def other_models(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """The names in the parameter `other_models`, in their order; () without it. Raises ParameterError where there are
    too many, or one is empty or comes twice."""
    text = str(parameters.get(OTHER_MODELS.name, ""))
    names = tuple(name.strip() for name in text.split(",")) if text.strip() else ()
    if any(not split_model(name, "")[1] for name in names):
        raise ParameterError(f"other_models is {text!r}, and one of its names is empty.")
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise ParameterError(f"other_models names {repeated} twice.")
    if len(names) > MOST_OTHER_MODELS:
        raise ParameterError(f"other_models names {len(names)} models; it takes {MOST_OTHER_MODELS} at most.")
    return names


def check_other_models(method: Method, parameters: Mapping[str, Any]) -> None:
    """Raises ParameterError, also where a method that asks several models is given none besides the run's."""
    if not other_models(parameters) and OTHER_MODELS in method.parameters:
        raise ParameterError(f"{method.name} needs other_models: name at least one model besides the run's.")


def split_model(name: str, endpoint: str) -> tuple[str, str]:
    """Endpoint and model of a name in `other_models`: "lab::m" is the model m at the endpoint lab, and "m" is at this
    one."""
    at, _, model = name.rpartition(AT_ENDPOINT)
    return at.strip() or endpoint, model.strip()


PROFILE_TITLES = {"repaired": "tolerant", "paper": "as the paper", AS_PROFILE: "as answers are parsed"}
PUBLISHED = {"felm": "as FELM's code", "factscore": "as FActScore's code", "edit": "as FActScore's code"}


def profile_title(profile: str, method: str) -> str:
    """What pages call a protocol profile of the method of this name."""
    if profile == RELEASED_CODE:
        return PUBLISHED.get(method.partition("-")[0], "as the published code")
    return PROFILE_TITLES.get(profile, profile)


def choice_title(method: str, parameter: str, choice: str) -> str:
    """What pages call a choice of the parameter of this name, of the method of this name."""
    return profile_title(choice, method) if parameter in (PROFILE, "layout") else choice


def describe(parameter: Parameter) -> str:
    """The values of the parameter in words: "a whole number from 1 to 1024"."""
    if parameter.choices:
        return "one of " + ", ".join(parameter.choices)
    if isinstance(parameter.default, bool):
        return "true or false"
    if isinstance(parameter.default, str):
        return "a text"
    kind = "a whole number" if isinstance(parameter.default, int) else "a number"
    lowest = "" if parameter.minimum is None else f" from {parameter.minimum:g}"
    highest = "" if parameter.maximum is None else f" to {parameter.maximum:g}"
    return kind + lowest + highest


def describe_parameters(method: Method) -> dict[str, Any]:
    """The method's parameters by name, each with its default, its bounds (None: unbounded) and its help."""
    return {
        each.name: {
            "default": each.default,
            "choices": list(each.choices) or None,
            "minimum": each.minimum,
            "maximum": each.maximum,
            "help": each.help,
        }
        for each in method.parameters
    }


def _typed(parameter: Parameter, text: str) -> Value | None:
    """The text as a value of the default's type; None where it is none."""
    if isinstance(parameter.default, str):
        return text
    if isinstance(parameter.default, bool):
        return TRUTHS.get(text.lower())
    if not text.isascii() or "_" in text:  # Python takes 1_000 for a number, people do not
        return None
    try:
        if isinstance(parameter.default, int):
            return int(text)
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def hash_named_weights(parameters: Mapping[str, Any]) -> dict[str, str]:
    """The hash of each folder of weights, by the parameter that names it; {} where none does.

    Raises NotReadyError as find_weights does.
    """
    names = [name for name in WEIGHTS_PARAMETERS if parameters.get(name)]
    return {name: hash_weights(find_weights(parameters[name], name)) for name in names}
