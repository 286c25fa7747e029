"""The data card of a release: its makers and methods, their agreement, its contents. Markdown, with the head that
the `datasets` library reads."""

import json
import re
from collections.abc import Iterator, Sequence

from annotate.models import Scheme
from annotate.release.contents import Frozen
from annotate.release.counts import ALL, Counts, factscores_of
from annotate.release.people import agreement_of, gold_of, guideline_of, roles_of, sources_of, suggestions_of
from annotate.release.tables import RESPONSES, UNITS, Columns
from stats.agreement import COEFFICIENTS

NOT_STATED = "not stated"
# An identifier of SPDX, such as CC-BY-4.0.
IDENTIFIER = re.compile(r"[A-Za-z0-9.+-]+")
PROMPT = "supported, not supported, or irrelevant to the prompt"
# One judgement is of a …: …
UNIT = {
    Scheme.FELM: f"segment (mostly a sentence): {PROMPT}",
    Scheme.FACTSCORE: f"atomic fact, or a sentence that is irrelevant: {PROMPT}",
    Scheme.CLAIMS: "claim, by its own passages: supported, not supported, irrelevant, or not enough evidence",
}
PUBLISHED = "in the published format of the scheme, and leave out responses that are judged only in part"
WITH_PASSAGES = "the claims with their passages and labels"
HEADINGS = {
    "responses": "responses",
    "abstained": "abstained",
    "units": "judged units",
    "supported": "supported",
    "not_supported": "not supported",
    "irrelevant": "irrelevant",
}
OF_CLAIMS = {"not_enough_evidence": "not enough evidence"}


def write_card(frozen: Frozen, counts: Counts, files: Sequence[str], licence: str, names: bool) -> str:
    """The text of README.md. files: the names of the other files; names: whether people are called by theirs."""
    return "\n".join(
        [*_head(licence), *_contents(frozen, files, licence), *_people(frozen, names), *_counted(frozen, counts)]
    )


def _head(licence: str) -> Iterator[str]:
    """The head for `load_dataset` on the folder: the two tables as configurations."""
    yield "---"
    yield from _hub_licence(licence)
    yield "configs:"
    for name in ("units", "responses"):
        yield f"- config_name: {name}"
        yield f"  data_files: {name}.parquet"
        if name == "units":
            yield "  default: true"
    yield "---"


def _hub_licence(licence: str) -> Iterator[str]:
    """The licence as Hugging Face's hub reads it: its identifiers are in lower case, and any other text is the name of
    an unlisted licence."""
    if IDENTIFIER.fullmatch(licence):
        yield f"license: {licence.lower()}"
    elif licence:
        yield "license: other"
        yield f"license_name: {json.dumps(licence)}"


def _contents(frozen: Frozen, files: Sequence[str], licence: str) -> Iterator[str]:
    version, dataset = frozen.version, frozen.dataset
    guideline, of_claims = guideline_of(version), dataset.scheme == Scheme.CLAIMS
    yield f"# {_plain(dataset.name)}, {_plain(version.name)}\n"
    if dataset.description:
        yield f"{dataset.description}\n"
    yield (
        "Texts of language models, judged by people for factuality. One judgement is of a "
        f"{UNIT[Scheme(dataset.scheme)]}.\n"
    )
    yield from _table(
        ["", ""],
        [
            ["Version of gold", version.name],
            ["Frozen", f"{version.created_at:%Y-%m-%d %H:%M} UTC"],
            ["SHA-256 of gold", version.hash],
            ["Judgements", f"{version.labels:,}"],
            ["Guidelines", f"version {guideline.version} (GUIDELINES.md)" if guideline else "none were written"],
            ["Licence", licence or NOT_STATED],
            *_left_out(frozen),
        ],
    )
    yield "## Files\n"
    yield (
        "`units.parquet` has one row a judged unit, `responses.parquet` one row a response; the column `index` joins "
        "them. The same two tables are there as CSV, for spreadsheets: a text that a spreadsheet would run as a "
        f"formula has an apostrophe before it. The JSON lines are {WITH_PASSAGES if of_claims else PUBLISHED}. "
        "`croissant.json` describes the tables, with the hash of each file.\n"
    )
    yield from (f"- `{name}`" for name in files)
    yield '\n    from datasets import load_dataset\n    units = load_dataset("FOLDER", "units", split="train")\n'
    for title, columns in (("units", UNITS), ("responses", RESPONSES)):
        yield f"### Columns of {title}\n"
        yield from _columns(columns)


def _left_out(frozen: Frozen) -> Iterator[list[str]]:
    """The row of the responses whose answers annotators shall not find here; none where there are none."""
    responses = frozen.left_out()
    if number := responses.count():
        judgements = gold_of(frozen.version).filter(segment__response__in=responses).count()
        what = f"{_counted_as(number, 'response')} with {_counted_as(judgements, 'judgement')}"
        yield ["Left out", f"{what}, on which annotators are tested"]


def _columns(columns: Columns) -> Iterator[str]:
    rows = [[f"`{name}`", str(kind).replace("element: ", ""), what] for name, (kind, what) in columns.items()]
    yield from _table(["column", "type", "what"], rows, escape=False)


def _people(frozen: Frozen, names: bool) -> Iterator[str]:
    yield "## Who, and how far they agreed\n"
    for role in roles_of(frozen.version):
        called = f": {', '.join(map(_plain, role.people))}" if names else ""
        yield f"- {_counted_as(len(role.people), role.title)}, {_counted_as(role.done, role.what)}{called}"
    for title, count in sources_of(frozen.version, frozen.left_out()).items():
        yield f"- {title}: {_counted_as(count, 'judgement')}"
    yield ""
    yield from _suggestions(frozen)
    rows = agreement_of(frozen.version)
    if not rows:
        yield "No unit was judged by two annotators independently, so agreement is not known.\n"
        return
    yield (
        "Agreement on error against correct, of what was submitted before anybody saw the others' judgements. Beside "
        "each figure its 95 % interval, for which whole prompts are drawn again.\n"
    )
    figures = {name: COEFFICIENTS[name].title for name in ("percent", "positive", "negative", "alpha")}
    yield from _table(
        ["", "units", *figures.values()],
        [
            [next(iter(row["slice"].values())), f"{row['n']:,}", *(_figure(row, name) for name in figures)]
            for row in rows
        ],
    )


def _suggestions(frozen: Frozen) -> Iterator[str]:
    """What annotators saw of suggestions; nothing where there were none."""
    suggested = suggestions_of(frozen.version)
    if not suggested:
        return
    yield (
        "Annotators saw suggestions: what a run of an evaluator says of a unit. Those that are shown before bias "
        "labels, and gold, towards the run. Numbers of first judgements:\n"
    )
    yield from _table(
        ["suggestions of", "shown before", "shown after", "not shown"],
        [[each.name, f"{each.before:,}", f"{each.after:,}", f"{each.withheld:,}"] for each in suggested],
    )


def _counted_as(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _figure(row: dict[str, object], name: str) -> str:
    value, intervals = row[name], row["intervals"]
    if not isinstance(value, float | int) or not isinstance(intervals, dict):
        return "not defined"
    around = intervals.get(name)
    return f"{value:.3f}" + (f" ({around[0]:.3f} to {around[1]:.3f})" if around else "")


def _counted(frozen: Frozen, counts: Counts) -> Iterator[str]:
    yield "## What is in it\n"
    names = [ALL, *(name for name in counts.slices if name != ALL)]
    headings = HEADINGS | (OF_CLAIMS if frozen.dataset.scheme == Scheme.CLAIMS else {})
    rows = [[name, *(f"{counts.slices[name][key]:,}" for key in headings)] for name in names]
    yield from _table([counts.by, *headings.values()], rows)
    if counts.error_types:
        yield "Errors by type: " + ", ".join(f"{name} {n:,}" for name, n in sorted(counts.error_types.items())) + ".\n"
    for subject, (score, around) in factscores_of(frozen).items():
        within = f" ({around.low:.3f} to {around.high:.3f})" if around else ""
        yield f"- FActScore of {_plain(subject)}: {score:.3f}{within}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], escape: bool = True) -> Iterator[str]:
    cells = [[_plain(cell) if escape else cell for cell in row] for row in rows]
    yield from (f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *cells))
    yield ""


def _plain(text: str) -> str:
    """On one line, with everything escaped that would be markup."""
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", " ".join(text.split()))
