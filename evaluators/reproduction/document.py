"""docs/reproduction.md: the papers' figures from the published files beside the printed ones, and what contradicts."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from core.tables import Cell, Table, as_markdown
from evaluators.reproduction.compared import (
    ComparedFigure,
    compare_detection,
    compare_error_rates,
    compare_factscore_sizes,
    compare_felm,
    compare_irrelevant,
)
from evaluators.reproduction.factscore_checks import check_factscore
from evaluators.reproduction.felm_checks import check_felm
from evaluators.reproduction.measure import MeasuredDataset, measure_published
from evaluators.reproduction.printed import Check, Contradiction
from evaluators.reproduction.unprinted import below_trivial, by_frequency, by_position, felm_trivial
from evaluators.reproduction.words import (
    CONTRADICTIONS,
    DIFFERENCES,
    FACTSCORE_2,
    FACTSCORE_A4,
    FACTSCORE_TRIVIAL,
    FELM_2,
    FELM_TRIVIAL,
    FIGURE_2,
    NOT_EXPLAINED,
    TITLE,
    name_of,
)


def reproduce(folder: Path, progress: Callable[[str], None] = lambda _: None) -> str:
    """The document, made from the published files in the folder. DataError: a file is missing or cannot be read."""
    felm, lives = measure_published(folder, progress)
    segments = {row["domain"]: (row["error"], row["correct"]) for row in felm.stats["slices"]}
    checks = {"FELM": check_felm(segments), "FActScore": check_factscore()}
    return "\n".join(_parts(felm, lives, checks))


def _parts(felm: MeasuredDataset, lives: MeasuredDataset, checks: dict[str, list[Check]]) -> Iterator[str]:
    sizes_of_felm, sizes_of_lives = list(compare_felm(felm)), list(compare_factscore_sizes(lives))
    irrelevant = list(compare_irrelevant(lives))
    trivial = [*compare_detection(lives), *compare_error_rates(lives)]
    yield TITLE
    yield _summary([*sizes_of_felm, *sizes_of_lives, *irrelevant, *trivial], list(chain(*checks.values())))
    yield FELM_2
    yield _table(sizes_of_felm)
    yield _differences(sizes_of_felm)
    yield FELM_TRIVIAL
    yield as_markdown(felm_trivial(felm))
    yield below_trivial(felm)
    yield FACTSCORE_2
    yield _table(sizes_of_lives)
    yield _differences(sizes_of_lives)
    yield FACTSCORE_A4
    yield _table(irrelevant)
    yield FIGURE_2
    yield as_markdown(by_frequency(lives))
    yield as_markdown(by_position(lives))
    yield FACTSCORE_TRIVIAL
    yield _table(trivial)
    yield _differences(trivial)
    yield CONTRADICTIONS
    yield _kept(checks)
    for paper, paper_checks in checks.items():
        for each in paper_checks:
            if each.contradictions:
                yield f"### {paper}: {each.rule}\n"
                yield _count(each)
                yield as_markdown(_contradictions(each.contradictions))


def _summary(compared: Sequence[ComparedFigure], checks: Sequence[Check]) -> str:
    equal = sum(each.equal for each in compared)
    cells, failed = sum(each.cells for each in checks), sum(len(each.contradictions) for each in checks)
    return (
        f"Of {len(compared)} printed figures, {equal} come out of the files to the last digit; the other "
        f"{len(compared) - equal} have a reason below. Of {cells} checks of printed cells against each other, {failed} "
        "fail.\n"
    )


def _table(compared: Sequence[ComparedFigure]) -> str:
    """Row by row the printed figure of each column with the measured one."""
    columns = list(dict.fromkeys(each.column for each in compared))
    named = _names(compared)
    lines: dict[tuple[str, str], list[Cell]] = {}
    for each in compared:
        lines.setdefault((each.table, each.row), []).append(_beside(each))
    rows: list[list[Cell]] = [[named[line], *cells] for line, cells in lines.items()]
    return as_markdown(Table("compared", "", ["figure", *map(name_of, columns)], rows))


def _names(compared: Sequence[ComparedFigure]) -> dict[tuple[str, str], str]:
    """By table and row the name of the row, with the number of its table where there are several."""
    lines = list(dict.fromkeys((each.table, each.row) for each in compared))
    several = len({table for table, _ in lines}) > 1
    return {
        (table, row): f"{name_of(row)} ({table.rpartition(' ')[2]})" if several else name_of(row)
        for table, row in lines
    }


def _beside(each: ComparedFigure) -> str:
    """The printed figure; where the measured one does not round to it, that one after it."""
    return each.printed if each.equal else f"{each.printed} → {_measured(each)}"


def _measured(each: ComparedFigure) -> str:
    """A share with two digits, a count as it is."""
    return str(each.measured) if isinstance(each.measured, int) else f"{each.measured:.2f}"


def _differences(compared: Sequence[ComparedFigure]) -> str:
    """A sentence for the figures that differ, by table and row; those with the same sentence together."""
    cells: dict[str, dict[str, list[str]]] = {}
    names = _names(compared)
    for each in compared:
        if not each.equal:
            row = names[each.table, each.row]
            cells.setdefault(each.why or NOT_EXPLAINED, {}).setdefault(row, []).append(name_of(each.column))
    named = {why: "; ".join(f"{row}: {', '.join(of)}" for row, of in rows.items()) for why, rows in cells.items()}
    return DIFFERENCES + "".join(f"- {names}. {why}\n" for why, names in named.items())


def _kept(checks: dict[str, list[Check]]) -> str:
    """The rules that every cell keeps, with the number of cells."""
    kept = [
        f"- {paper}: {each.rule} ({each.cells})."
        for paper, paper_checks in checks.items()
        for each in paper_checks
        if not each.contradictions
    ]
    return "\n".join(["No cell breaks these rules (cells checked):", "", *kept, ""])


def _count(each: Check) -> str:
    far = sum((one.apart or 0) >= 0.5 for one in each.contradictions)
    by = f", {far} by half a point or more" if far else ""
    return f"{len(each.contradictions)} of {each.cells} cells{by}.\n"


def _contradictions(contradictions: Sequence[Contradiction]) -> Table:
    """The farthest apart first."""
    ordered = sorted(contradictions, key=lambda each: -(each.apart or 0))
    rows: list[list[Cell]] = [[each.cell, each.printed, each.follows] for each in ordered]
    return Table("contradictions", "", ["cell", "printed", "consistent"], rows)
