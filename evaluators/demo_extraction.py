"""The demo's run with claims of its own: sent as an outside evaluator sends them, without a network."""

import json
from pathlib import Path

from django.db import transaction

from annotate.models import Dataset
from evaluators.models import Run
from evaluators.runs.outside import SentCase, create_outside_run, lease_cases, receive_cases
from evaluators.runs.sent_claims import SentClaim


@transaction.atomic
def make_extraction(dataset: Dataset, evaluator: str, claims: Path) -> None:
    """The run of the evaluator that found these claims, where it is missing; in other responses it found none.

    Rows: {"index", "claims": [{"text", "value", "score", "rationale"}]}.
    """
    if Run.objects.filter(dataset=dataset, evaluator__name=evaluator).exists():
        return
    rows = map(json.loads, claims.read_text(encoding="utf-8").splitlines())
    found = {row["index"]: [SentClaim(**claim) for claim in row["claims"]] for row in rows}
    run = create_outside_run(dataset, evaluator).run
    leased = lease_cases(run, dataset.responses.count())
    sent = [SentCase(case.index, {}, claims=found.get(case.index, [])) for case in leased.cases]
    receive_cases(run, leased.owner, sent)
