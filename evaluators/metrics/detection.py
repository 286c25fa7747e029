"""Error detection (definitions.md §2): the positive class is *error*, and what was not decided is never filled in.

Every figure is one function over arrays of counts, so that a point and its two thousand resamples are computed alike: pass
scalars or arrays, NaN means undefined.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int8]

# What is known of a unit. Gold has the first two and MISSING; predictions have all four.
CORRECT, ERROR, MISSING, UNPARSED = 0, 1, 2, 3

COLUMNS = ("tp", "fp", "fn", "tn", "unparsed_error", "unparsed_correct", "missing")


def precision(tp: ArrayLike, fp: ArrayLike) -> Floats:
    """TP / (TP + FP); undefined where nothing was judged an error."""
    tp = np.asarray(tp, float)
    return _ratio(tp, tp + fp)


def recall(tp: ArrayLike, fn: ArrayLike) -> Floats:
    """TP / (TP + FN); undefined without gold errors."""
    tp = np.asarray(tp, float)
    return _ratio(tp, tp + fn)


def f1(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike) -> Floats:
    """2 TP / (2 TP + FP + FN); undefined without gold errors, 0 where there are some and none was found."""
    tp, fn = np.asarray(tp, float), np.asarray(fn, float)
    return np.where(tp + fn > 0, _ratio(2 * tp, 2 * tp + fp + fn), np.nan)


def macro_f1(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike) -> Floats:
    """Mean of the F1 of both classes; undefined where gold has only one of them."""
    return (f1(tp, fp, fn) + f1(tn, fn, fp)) / 2


def balanced_accuracy(tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike) -> Floats:
    """Mean of the recall of both classes; undefined where gold has only one of them."""
    return (recall(tp, fn) + recall(tn, fp)) / 2


def _ratio(part: ArrayLike, whole: ArrayLike) -> Floats:
    """part / whole, NaN where whole is 0."""
    part, whole = np.asarray(part, float), np.asarray(whole, float)
    return np.divide(part, whole, out=np.full(np.broadcast(part, whole).shape, np.nan), where=whole > 0)


def indicator_columns(gold: Codes, predicted: Codes) -> Floats:
    """(units, 7): which of COLUMNS each unit counts in. Units without gold count in none."""
    error, correct = gold == ERROR, gold == CORRECT
    known = error | correct
    return np.column_stack(
        [
            error & (predicted == ERROR),
            correct & (predicted == ERROR),
            error & (predicted == CORRECT),
            correct & (predicted == CORRECT),
            error & (predicted == UNPARSED),
            correct & (predicted == UNPARSED),
            known & (predicted == MISSING),
        ]
    ).astype(float)


def response_codes(codes: Codes, responses: NDArray[np.intp], n_responses: int) -> Codes:
    """One code a response from those of its units (definitions.md §2, response level).

    ERROR if any known decision is; else UNPARSED if any is; else MISSING if any is, or the response has no unit; else
    CORRECT.
    """

    def any_is(code: int) -> NDArray[np.bool_]:
        return np.bincount(responses[codes == code], minlength=n_responses) > 0

    result = np.full(n_responses, MISSING, np.int8)
    result[any_is(CORRECT)] = CORRECT
    result[any_is(MISSING)] = MISSING
    result[any_is(UNPARSED)] = UNPARSED
    result[any_is(ERROR)] = ERROR
    return result


@dataclass(frozen=True)
class Counts:
    """How the decisions of one evaluator fall on one slice."""

    tp: int
    fp: int
    fn: int
    tn: int
    unparsed_error: int
    unparsed_correct: int
    missing: int

    @property
    def predicted(self) -> int:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def unparsed(self) -> int:
        return self.unparsed_error + self.unparsed_correct

    @property
    def n(self) -> int:
        return self.predicted + self.unparsed + self.missing

    @property
    def best(self) -> "Counts":
        """Every unparsed answer set equal to gold."""
        return Counts(
            self.tp + self.unparsed_error, self.fp, self.fn, self.tn + self.unparsed_correct, 0, 0, self.missing
        )

    @property
    def worst(self) -> "Counts":
        """Every unparsed answer set to the opposite of gold."""
        return Counts(
            self.tp, self.fp + self.unparsed_correct, self.fn + self.unparsed_error, self.tn, 0, 0, self.missing
        )


def figures(counts: Counts) -> tuple[dict[str, float | None], dict[str, str]]:
    """The figures of the decisions that were made, None where undefined, and why each of those is."""
    tp, fp, fn, tn = counts.tp, counts.fp, counts.fn, counts.tn
    values = {
        "precision": precision(tp, fp),
        "recall": recall(tp, fn),
        "f1": f1(tp, fp, fn),
        "macro_f1": macro_f1(tp, fp, fn, tn),
        "balanced_accuracy": balanced_accuracy(tp, fp, fn, tn),
    }
    known = {name: or_none(value) for name, value in values.items()}
    return known, {name: _reason(name, counts) for name, value in known.items() if value is None}


def or_none(value: ArrayLike) -> float | None:
    """A figure as a plain number, None for NaN."""
    number = float(np.asarray(value))
    return None if np.isnan(number) else number


def _reason(figure: str, counts: Counts) -> str:
    if counts.predicted == 0:
        return "nothing was predicted"
    if figure == "precision":
        return "nothing was judged an error"
    if counts.tp + counts.fn == 0:
        return "gold has no error among what was judged"
    return "gold has nothing correct among what was judged"
