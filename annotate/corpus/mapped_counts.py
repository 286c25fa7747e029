"""What a recipe makes of a whole file, and what it leaves out: counted as the rows are checked."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from annotate.corpus.mapping import KEPT
from annotate.corpus.rows import FactRow, ResponseRow, SegmentRow
from annotate.corpus.segmenting import NOT_ALIGNED, segments_of


@dataclass
class MappedCounts:
    """facts: claims are judged, not segments. units: these. outcomes: by outcome, those without a label as "no_label".
    claims: those that came without their sentences, `aligned` of them now have one. evidence: passages and links that
    stand with a judgement; references: those that stand with a response; passages: those that claims are judged by,
    each claim's counted. unread: keys that the recipe does not read, which are kept as details. left_out: rows that the
    recipe's conditions pass over."""

    facts: bool
    units: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    claims: int = 0
    aligned: int = 0
    evidence: int = 0
    references: int = 0
    passages: int = 0
    unread: list[str] = field(default_factory=list)
    left_out: int = 0

    def add(self, row: ResponseRow, profile: str) -> None:
        segments = segments_of(row, profile)
        facts = [fact for segment in segments for fact in segment.human_facts]
        for unit in facts if self.facts else segments:
            self.units += 1
            self.outcomes[_outcome(unit)] += 1
            self.evidence += len(unit.judged.cards) if unit.judged else 0
        self.references += len(row.references)
        self.passages += sum(len(segment.passages) for segment in segments)
        self.claims += len(row.claims)
        loose = [segment for segment in segments if segment.extra == NOT_ALIGNED]
        self.aligned += len(row.claims) - sum(len(segment.human_facts) for segment in loose)

    def document(self) -> dict[str, Any]:
        """As JSON; `share_aligned` is null where all claims came with their sentences."""
        return {
            "units": self.units,
            "outcomes": dict(sorted(self.outcomes.items())),
            "claims": self.claims,
            "aligned": self.aligned,
            "share_aligned": self.aligned / self.claims if self.claims else None,
            "evidence": self.evidence,
            "references": self.references,
            "passages": self.passages,
            "unread": self.unread,
        }


def describe_counts(counts: MappedCounts) -> list[str]:
    """Lines for people: units by outcome, the share aligned, and what was left out."""
    by_outcome = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.outcomes.most_common())
    lines = [f"{counts.units:,} units: {by_outcome}" if counts.units else "no units are judged"]
    if counts.claims:
        share = counts.aligned / counts.claims
        lines.append(f"{counts.aligned:,} of {counts.claims:,} claims aligned to a sentence ({share:.1%})")
    if counts.evidence or counts.references:
        lines.append(f"evidence: {counts.evidence:,} with judgements, {counts.references:,} with responses")
    if counts.passages:
        lines.append(f"passages: {counts.passages:,} that claims are judged by")
    if counts.left_out:
        plural = "" if counts.left_out == 1 else "s"
        lines.append(f"{counts.left_out:,} row{plural} left out by the recipe's condition")
    if counts.unread:
        lines.append(f"kept as details: {', '.join(counts.unread)}")
    return lines


def _outcome(unit: FactRow | SegmentRow) -> str:
    if unit.judged is not None:
        return unit.judged.value
    return str(unit.extra.get(KEPT, {}).get("outcome", "no_label"))
