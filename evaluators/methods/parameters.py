"""Parameters of a method: from text to typed, checked values."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

from evaluators.methods.base import AS_PROFILE, Method, Parameter
from llm.weights import find_weights, hash_weights

Value = str | int | float | bool
TRUTHS = {"true": True, "false": False}
WEIGHTS_PARAMETERS = ("np_weights", "retrieval_weights")  # of all methods together, those that name a folder


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
    """Every parameter of the method with its value, the defaults spelled out, in the order of their declaration.

    Each may be a text or a value. Raises ParameterError.
    """
    known = {parameter.name for parameter in method.parameters}
    for name in texts:
        if name not in known:
            takes = ", ".join(parameter.name for parameter in method.parameters) or "none"
            raise ParameterError(f"{method.name} has no parameter {name!r}; it takes: {takes}.")
    return {
        parameter.name: read_value(parameter, str(texts[parameter.name]))
        if parameter.name in texts
        else parameter.default
        for parameter in method.parameters
    }


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
    return str(parameters["profile"] if parameters["layout"] == AS_PROFILE else parameters["layout"])


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
