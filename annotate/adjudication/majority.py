"""Clear majorities become gold in bulk, by a rule that a person sets and stands for under their name."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from django.db import transaction

from annotate.adjudication.decide import DecisionError, check_why
from annotate.adjudication.unanimous import labels_at, write_gold
from annotate.cases.addresses import AddressStatus, OpenCase, Vote, open_cases, tasks_to_settle
from annotate.cases.close import close_settled
from annotate.models import Dataset, GoldLabel, Label, Scheme, User

# The shares of annotators that a majority can be asked to have at least, in words.
SHARES = {
    "1/2": "more than half",
    "2/3": "two thirds or more",
    "3/4": "three quarters or more",
    "4/5": "four fifths or more",
}
FEWEST = 3


def majorities_in(dataset: Dataset, share: str) -> list[OpenCase]:
    """The disputed units on which three or more annotators judged, and at least the share of them (always more than
    half) say the same: each with the votes of these alone. DecisionError for a share that is none of SHARES."""
    if share not in SHARES:
        raise DecisionError("choose how large the majority has to be")
    least = Fraction(share)
    kept = []
    for case in open_cases(dataset):
        if _is_of_votes(case, dataset) and (votes := _majority(case.votes, least)):
            kept.append(replace(case, votes=votes))
    return kept


@transaction.atomic
def accept_majorities(dataset: Dataset, share: str, who: User, why: str, expected: int) -> int:
    """Make them gold in one revision, with the reasons and references of those who say so; return how many there were.

    `expected` is the number the person was shown: DecisionError if it has changed since, if there is none, if `why` is
    missing or no database can keep it.
    """
    why = check_why(why)
    revision = dataset.next_gold_revision()
    cases = majorities_in(dataset, share)
    if expected != len(cases):
        raise DecisionError(f"there are now {len(cases)}, not {expected}: reload the page")
    if not cases:
        raise DecisionError("no unit has such a majority")
    labels = labels_at(sorted({case.task for case in cases}))
    said = {case.address: [label for label in labels[case.address] if _is_among(label, case.votes)] for case in cases}
    write_gold(cases, said, who, why, revision, GoldLabel.Source.ADJUDICATED)
    close_settled(dataset, tasks_to_settle(dataset))
    return len(cases)


def _is_among(label: Label, votes: tuple[Vote, ...]) -> bool:
    return Vote(label.value, label.error_type).position == votes[0].position


def _is_of_votes(case: OpenCase, dataset: Dataset) -> bool:
    """Votes can settle it: a sentence of facts that is irrelevant as a whole, or a challenge, is for a person."""
    of_facts = dataset.scheme == Scheme.FACTSCORE and case.fact is None
    return case.standing == AddressStatus.DISPUTED and not case.split and not case.challenged and not of_facts


def _majority(votes: tuple[Vote, ...], least: Fraction) -> tuple[Vote, ...]:
    """The votes of the majority; none where there is none."""
    if len(votes) < FEWEST:
        return ()
    position, number = Counter(vote.position for vote in votes).most_common(1)[0]
    share = Fraction(number, len(votes))
    if share < least or 2 * share <= 1:
        return ()
    return tuple(vote for vote in votes if vote.position == position)
