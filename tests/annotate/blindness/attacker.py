"""Who looks for hidden controls in everything that was served: every number, name, length, date and order, the
differences from the work before and after, and a classifier over all of it."""

import re
from base64 import urlsafe_b64decode
from binascii import Error
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import groupby, pairwise

import numpy as np
import scipy

from tests.annotate.blindness.visits import SEED, SHARE, WORDS, Visit

TREES = 200
LEAF = 5  # visits at the end of a branch, at least: with single ones the trees learn chance by heart
# Of thousands of features, those that differ most among the work that is learnt from.
KEPT = 5  # of some 40,000: with more of them chance hides what there is to be found
PERMUTATIONS = 2_000
STRETCH = round(1 / SHARE)
VALUES = re.compile(r"""([\w-]+)["']?\s*[=:]\s*(?:"([^"]*)"|([\w.:+/-]+))""")
NUMBERS = re.compile(r"\d+(?:\.\d+)?")
DATES = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:\d\d)")
START = datetime.fromisoformat("2031-05-06T00:00:00Z")

Features = dict[str, float]


def auc_and_p(visits: Sequence[Visit]) -> tuple[float, float]:
    """The area under the ROC curve of scores for annotators who were not learnt from, and the share of permutations of
    the kinds that have as large a one: the p of a test whose hypothesis is chance.

    The kinds are permuted within each stretch of an annotator's work, in which the product draws the turn of one
    control (annotate/qualification/turns.py): so under chance every permutation is as likely as what happened.
    """
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.feature_selection import SelectKBest, VarianceThreshold, f_classif
    from sklearn.metrics import roc_auc_score
    from sklearn.model_selection import LeaveOneGroupOut, cross_val_predict
    from sklearn.pipeline import make_pipeline

    controls = np.array([visit.control for visit in visits])
    people = np.array([visit.annotator for visit in visits])
    # By ranks: the variance of numbers as large as a coded key is lost in rounding.
    table = _distinct(scipy.stats.rankdata(DictVectorizer(sparse=False).fit_transform(features_of(visits)), axis=0))
    forest = RandomForestClassifier(TREES, min_samples_leaf=LEAF, class_weight="balanced", random_state=SEED)
    guess = make_pipeline(VarianceThreshold(), SelectKBest(f_classif, k=KEPT), forest)
    others = LeaveOneGroupOut()
    guessed = cross_val_predict(guess, table, controls, groups=people, cv=others, method="predict_proba")
    scores = guessed[:, 1]
    # Within a person, so that a forest that calls one person's work likelier than another's gains nothing by it.
    ranks = np.concatenate([_ranks(scores[people == name]) for name in dict.fromkeys(people)])
    auc = float(roc_auc_score(controls, ranks))
    draw = np.random.default_rng(SEED)
    whole = np.concatenate([np.arange(np.sum(people == name)) // STRETCH for name in dict.fromkeys(people)])
    stretches = dict.fromkeys(zip(people, whole, strict=True))
    places = [np.flatnonzero((people == name) & (whole == number)) for name, number in stretches]
    as_large = 0
    for _ in range(PERMUTATIONS):
        permuted = controls.copy()
        for place in places:
            permuted[place] = draw.permutation(controls[place])
        as_large += ranks[permuted].sum() >= ranks[controls].sum()
    return auc, (1 + as_large) / (1 + PERMUTATIONS)


def _distinct(table: np.ndarray) -> np.ndarray:
    """Without columns that say nothing, or what another says."""
    varying = table[:, table.std(axis=0) > 0]
    return varying[:, list({varying[:, place].tobytes(): place for place in range(varying.shape[1])}.values())]


def _ranks(scores: np.ndarray) -> np.ndarray:
    """From 0 to 1; equal scores share one."""
    return np.array([(np.mean(scores < score) + np.mean(scores <= score)) / 2 for score in scores])


def features_of(visits: Sequence[Visit]) -> list[Features]:
    """Each visit by itself, and beside those before and after it in the work of its annotator."""
    rows: list[Features] = []
    for _, own in groupby(visits, key=lambda visit: visit.annotator):
        session = list(own)
        alone = [_features(visit) for visit in session]
        rows += [_beside(alone, place) for place in range(len(alone))]
    return rows


def _beside(alone: list[Features], place: int) -> Features:
    here = alone[place]
    before = alone[place - 1] if place else {}
    after = alone[place + 1] if place + 1 < len(alone) else {}
    row = dict(here)
    for name, value in here.items():
        behind, ahead = value - before.get(name, value), after.get(name, value) - value
        row[f"{name} since before"], row[f"{name} until after"] = behind, ahead
        # A number that dips and then returns, or the other way round; and by how much it leaves its neighbours.
        row[f"{name} turns"] = float(behind * ahead < 0)
        row[f"{name} leaves"] = abs(ahead - behind)
    return row


def _features(visit: Visit) -> Features:
    row: Features = {}
    for name, text in visit.served.items():
        row |= {f"{name} {feature}": value for feature, value in _of_text(text).items()}
    for name in ("list before", "work", "list after"):
        row |= {f"{name}, own row {feature}": value for feature, value in _of_row(visit, visit.served[name]).items()}
    return row


def _of_row(visit: Visit, page: str) -> Features:
    """The place of the task in the list, and the row itself; the prompt tells it where the address does not."""
    rows = re.findall(r"<tr>.*?</tr>", page, re.DOTALL)
    prompt = re.search(r'<div class="prompt">.*?<p>(.*?)</p>', visit.served["page"], re.DOTALL)
    assert prompt is not None
    mine = [place for place, row in enumerate(rows) if visit.address in row or prompt[1] in row]
    features: Features = {"found": len(mine), "rows": len(rows)}
    if mine:
        features |= {"place": mine[0], "place from below": len(rows) - mine[0], **_of_text(rows[mine[0]])}
    return features


def _of_text(text: str) -> Features:
    """Its length, its words, its tags and attributes, and each value and number by what stands before it."""
    row: Features = {"length": len(text)}
    tags = re.findall(r"<(\w+)", text)
    row |= {f"<{name}>": number for name, number in Counter(tags).items()}
    words = Counter(word for word in re.findall(r"[A-Za-z]+", text) if word not in WORDS)
    row |= {f"word {name}": number for name, number in words.items()}
    found: defaultdict[str, list[float]] = defaultdict(list)
    for name, quoted, bare in VALUES.findall(text):
        for kind, value in _of_value(quoted or bare):
            found[f"{name} {kind}"].append(value)
    bare_text = re.sub(r"<[^>]*>", " ", text)
    for number in NUMBERS.finditer(bare_text):
        word = re.findall(r"[A-Za-z]+", bare_text[max(0, number.start() - 20) : number.start()])[-1:]
        found[f"number after {word}"].append(float(number[0]))
    for name, values in found.items():
        row |= {f"{name} first": values[0], f"{name} last": values[-1], f"{name} count": len(values)}
        row |= {f"{name} least": min(values), f"{name} most": max(values)}
        row[f"{name} rises"] = sum(one < other for one, other in pairwise(values)) / len(values)
    return row


def _of_value(value: str) -> Iterator[tuple[str, float]]:
    """A value as a length, as the numbers and dates in it, and as the number that a coded key may be."""
    yield "length", len(value)
    dates = DATES.findall(value)
    for date in dates:
        yield "date", (datetime.fromisoformat(date) - START).total_seconds()
    if dates:
        return
    for place, number in enumerate(NUMBERS.findall(value)[:3]):
        yield f"number {place}", min(float(number), 1e12)
    for part in re.findall(r"[\w-]{8,}", value)[:1]:
        try:
            yield "code", float(int.from_bytes(urlsafe_b64decode(part[:8])))
        except (Error, ValueError):
            yield "code", float(int.from_bytes(part[:8].encode()))
