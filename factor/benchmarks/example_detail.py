"""An example as a page shows it: the end of its prefix, and where its false completions differ from the true one."""

from dataclasses import dataclass

from factor.models import Candidate, Completion, Example, Exclusion
from stats.edits import edits

# Characters of a prefix on the page before the rest is requested.
NEAR = 500


@dataclass(frozen=True)
class EditPiece:
    """A piece of a false completion. `text`: in the false completion. `was`: in the true one at that place; "" where it
    has nothing there. `changed`: whether they differ."""

    text: str
    was: str = ""
    changed: bool = False


@dataclass(frozen=True)
class FalseCompletion:
    """`planned`: the edits that the model planned before it wrote it, "" where it was not made here."""

    completion: Completion
    pieces: list[EditPiece]
    planned: str = ""


@dataclass(frozen=True)
class ExampleDetail:
    """The prefix is `far` + `near`. `exclusion`: by which figures leave the example out, None where they do not."""

    example: Example
    far: str
    near: str
    true: Completion
    false: list[FalseCompletion]
    exclusion: Exclusion | None


def example_detail(example: Example, near: int = NEAR, planned: dict[str, str] | None = None) -> ExampleDetail:
    """`planned`: the planned edits by the false completion's text."""
    true, *falses = example.completions.all()
    border = _border(example.prefix, near)
    return ExampleDetail(
        example,
        far=example.prefix[:border],
        near=example.prefix[border:],
        true=true,
        false=[
            FalseCompletion(each, pieces(true.text, each.text), (planned or {}).get(each.text, "")) for each in falses
        ],
        exclusion=next((each for each in example.exclusions.all() if each.lifted_at is None), None),
    )


def pieces(true: str, false: str) -> list[EditPiece]:
    """The false completion cut at its differences from the true one."""
    cut: list[EditPiece] = []
    place = 0
    for edit in edits(true, false):
        start, end = edit.other
        cut += [EditPiece(false[place:start])] if start > place else []
        cut.append(EditPiece(false[start:end], true[slice(*edit.one)], changed=True))
        place = end
    return cut + ([EditPiece(false[place:])] if place < len(false) else [])


def planned_edits(example: Example) -> dict[str, str]:
    """The plan of the model for each chosen false completion, by its text; {} for an imported example."""
    chosen = Candidate.objects.filter(
        item__build__benchmark=example.benchmark_id,
        item__document=example.document_id,
        outcome=Candidate.Outcome.CHOSEN,
    )
    return dict(chosen.values_list("text", "edits"))


def _border(prefix: str, near: int) -> int:
    """Where the last `near` characters begin, or the next word after that; 0 where the prefix is not longer."""
    start = len(prefix) - near
    if start <= 0:
        return 0
    space = next((place for place in range(start, len(prefix)) if prefix[place].isspace()), start)
    return space + 1 if space + 1 < len(prefix) else start
