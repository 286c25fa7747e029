"""A mistake as a tagger reads it: the unit in its response, gold with its reason, and all that the evaluator said."""

from dataclasses import dataclass

from annotate.corpus.highlight import HighlightPiece, pieces
from annotate.models import GoldLabel, ReferenceLink
from evaluators.models import ErrorAnalysis, Mistake, MistakeTag, Prediction, Tagger
from llm.models import Call


@dataclass(frozen=True)
class Shown:
    """`gold` is the label at the revision that the sample was drawn against, None if it is that of a whole sentence
    that has gone since; `calls` hold what the evaluator was given and its raw answers; `own` is the reader's tag."""

    mistake: Mistake
    pieces: list[HighlightPiece]
    gold: GoldLabel | None
    prediction: Prediction | None
    calls: tuple[Call, ...]
    references: tuple[ReferenceLink, ...]
    own: MistakeTag | None


def show(analysis: ErrorAnalysis, mistake: Mistake, tagger: Tagger | None) -> Shown:
    response = mistake.segment.response
    prediction = (
        analysis.run.predictions.filter(segment=mistake.segment, fact=mistake.fact).prefetch_related("calls").first()
    )
    gold = GoldLabel.objects.at(analysis.revision).filter(segment=mistake.segment, fact=mistake.fact)
    return Shown(
        mistake=mistake,
        pieces=pieces(response.text, list(response.segments.all())),
        gold=gold.select_related("adjudication").prefetch_related("references").first(),
        prediction=prediction,
        calls=tuple(prediction.calls.all()) if prediction else (),
        references=tuple(response.references.all()),
        own=None if tagger is None else mistake.ratings.filter(rater=tagger.who_id).select_related("cause").first(),
    )
