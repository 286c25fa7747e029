"""Consequences of a detector's printed rates for one another, and for the counts behind them.

See docs/statistics.md, Error detection.

Errors are the positive class; `errors` and `correct` are how many units of each kind there are. With recall r and
precision p there are r·errors true positives and r·errors·(1 − p)/p false ones, and everything else follows.
"""

from dataclasses import dataclass
from fractions import Fraction

from evaluators.reproduction.rounded import NONE, Range, exactly, hull, read_percent


@dataclass(frozen=True)
class PrintedRates:
    """One printed cell "F1/precision/recall" in percent, as shares. f1: None where it is printed as a dash."""

    f1: Range | None
    precision: Range
    recall: Range

    @property
    def nothing_found(self) -> bool:
        """Printed as 0 throughout: how many false alarms there were does not follow."""
        return self.precision.low <= 0


def read_rates(cell: str) -> PrintedRates:
    """A cell such as "28.7/17.6/79.0"; "-/0.0/0.0" where there is no F1."""
    f1, precision, recall = cell.split("/")
    return PrintedRates(None if f1 == NONE else read_percent(f1), read_percent(precision), read_percent(recall))


def f1_of(precision: Range, recall: Range) -> Range:
    """The harmonic mean, which grows with either; 0 where both are."""

    def mean(p: Fraction, r: Fraction) -> Fraction:
        return 2 * p * r / (p + r) if p + r else Fraction(0)

    return Range(mean(precision.low, recall.low), mean(precision.high, recall.high))


def balanced_accuracy_of(precision: Range, recall: Range, errors: int, correct: int) -> Range:
    """The mean of recall and of the share of correct units left alone. Precision must be above 0.

    Linear in recall and growing with precision, so the ends are at the corners.
    """

    def at(p: Fraction, r: Fraction) -> Fraction:
        return (r + 1 - r * Fraction(errors, correct) * (1 - p) / p) / 2

    return hull(at(p, r) for p in (precision.low, precision.high) for r in (recall.low, recall.high))


@dataclass(frozen=True)
class Alarms:
    """True and false positives, as ranges."""

    true: Range
    false: Range

    def __add__(self, other: "Alarms") -> "Alarms":
        return Alarms(self.true + other.true, self.false + other.false)


def alarms_of(rates: PrintedRates, errors: int, correct: int, balanced_accuracy: Range | None) -> Alarms:
    """The counts behind the rates. Where nothing was found, the false alarms follow from balanced accuracy alone
    (None: it is not known, and there may be any number)."""
    true = rates.recall * exactly(errors)
    if not rates.nothing_found:
        one = exactly(1)
        return Alarms(true, true * (one / rates.precision - one))
    if balanced_accuracy is None:
        return Alarms(true, Range(Fraction(0), Fraction(correct)))
    left_alone = exactly(2) * balanced_accuracy - rates.recall
    return Alarms(true, ((exactly(1) - left_alone) * exactly(correct)).within(0, correct))


def f1_of_alarms(alarms: Alarms, errors: int) -> Range:
    """2TP / (TP + FP + errors)."""

    def at(true: Fraction, false: Fraction) -> Fraction:
        return 2 * true / (true + false + errors)

    return Range(at(alarms.true.low, alarms.false.high), at(alarms.true.high, alarms.false.low))


def fits_whole_counts(rates: PrintedRates, errors: int, correct: int) -> bool:
    """Whether any whole numbers of true and false positives round to all three rates."""
    for true in (rates.recall * exactly(errors)).within(0, errors).whole_numbers():
        if not true:
            return rates.precision.low <= 0 and (rates.f1 is None or rates.f1.low <= 0)
        for false in _false_alarms(true, rates.precision, correct):
            f1 = Fraction(2 * true, true + false + errors)
            if rates.f1 is not None and rates.f1.low <= f1 <= rates.f1.high:
                return True
    return False


def _false_alarms(true: int, precision: Range, correct: int) -> range:
    if not precision.low:
        return range(0)
    low, high = true / precision.high - true, true / precision.low - true
    return Range(low, high).within(0, correct).whole_numbers()


def nearest_rates(rates: PrintedRates, errors: int, correct: int) -> str:
    """The rates "F1/precision/recall" that whole numbers of units give and that come nearest to these, with the
    numbers (true and false positives); nearest: the largest of the three differences is the smallest."""
    wanted = [_middle(each) for each in (rates.f1, rates.precision, rates.recall) if each is not None]
    middle = round(wanted[-1] * errors)
    tried = [
        (
            max(abs(one - other) for one, other in zip(wanted, fractions[-len(wanted) :], strict=True)),
            true,
            false,
            fractions,
        )
        for true in range(max(1, middle - 2), min(errors, middle + 2) + 1)
        for false in _around(true, _middle(rates.precision), correct)
        for fractions in [
            (Fraction(2 * true, true + false + errors), Fraction(true, true + false), Fraction(true, errors))
        ]
    ]
    _, true, false, fractions = min(tried)
    shares = "/".join(f"{float(100 * share):.1f}" for share in fractions)
    return f"{shares} ({true}, {false})"


def _around(true: int, precision: Fraction, correct: int) -> range:
    false = round(true / precision - true)
    return range(max(0, false - 3), min(correct, false + 3) + 1)


def _middle(range_: Range) -> Fraction:
    return (range_.low + range_.high) / 2
