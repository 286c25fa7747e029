"""What a paper says of a comparison: its setting, its result, what is still missing, and what is cited."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.models import Dataset, GoldVersion
from core.numbers import cost_text, dollars_text
from evaluators.comparison.caption import test_of
from evaluators.comparison.documents import ComparisonFigures
from evaluators.comparison.evaluator_rows import EvaluatorRow, FigureValue, figure_value, without_baselines
from evaluators.comparison.page_state import ComparisonState
from evaluators.comparison.sentences import headline_of, pair_note, trivial_sentence
from evaluators.comparison.verdict_text import ComparisonVerdict, EvaluatorPair
from evaluators.methods.base import SHARED
from evaluators.methods.parameters import profile_title
from evaluators.models import Run

FELM = """@inproceedings{chen2023felm,
  title = {{FELM}: Benchmarking Factuality Evaluation of Large Language Models},
  author = {Chen, Shiqi and Zhao, Yiran and Zhang, Jinghan and Chern, I-Chun and Gao, Siyang and Liu, Pengfei and
            He, Junxian},
  booktitle = {Advances in Neural Information Processing Systems, Datasets and Benchmarks Track},
  year = {2023}
}"""
FACTSCORE = """@inproceedings{min2023factscore,
  title = {{FActScore}: Fine-grained Atomic Evaluation of Factual Precision in Long Form Text Generation},
  author = {Min, Sewon and Krishna, Kalpesh and Lyu, Xinxi and Lewis, Mike and Yih, Wen-tau and Koh, Pang Wei and
            Iyyer, Mohit and Zettlemoyer, Luke and Hajishirzi, Hannaneh},
  booktitle = {Proceedings of EMNLP},
  year = {2023}
}"""
PAPERS = {"felm": FELM, "factscore": FACTSCORE}


@dataclass(frozen=True)
class CheckedPoint:
    """A point that a reader expects in a paper. met: whether the comparison at hand has it; text: what it has, or what
    to do."""

    title: str
    met: bool
    text: str


@dataclass(frozen=True)
class ReportedEvaluator:
    """What is said of an evaluator. run: its last one, from whose manifest the settings come."""

    line: EvaluatorRow
    run: Run
    figure: FigureValue | None

    @property
    def settings(self) -> str:
        """Method, model, prompt set, answer parsing and seed, as far as the manifest has them."""
        manifest = self.run.manifest
        prompts, profile = manifest.get("prompts") or {}, manifest.get("profile")
        named = {
            "method": self.line.method,
            "model": self.line.model,
            SHARED["prompts"].title.lower(): prompts.get("set"),
            SHARED["profile"].title.lower(): profile and profile_title(profile, self.line.method),
            "seed": manifest.get("seed"),
        }
        return ", ".join(f"{name}: {value}" for name, value in named.items() if value not in (None, ""))


@dataclass(frozen=True)
class WhatToReport:
    """setting, result: paragraphs to paste. bibtex: the entries to cite."""

    setting: str
    result: str
    points: Sequence[CheckedPoint]
    evaluators: Sequence[ReportedEvaluator]
    bibtex: str


def what_to_report(
    dataset: Dataset,
    version: GoldVersion | None,
    state: ComparisonState,
    document: ComparisonFigures,
    lines: Sequence[EvaluatorRow],
    pairs: Sequence[EvaluatorPair],
    verdict: ComparisonVerdict,
    runs: Mapping[int, Run],
) -> WhatToReport:
    """pairs: those in sentences (pairs_in_sentences); runs: the last of each evaluator, by key."""
    evaluators = [
        ReportedEvaluator(line, runs[line.run], figure_value(line.whole, state.figure))
        for line in without_baselines(lines)
        if line.run is not None and line.run in runs
    ]
    return WhatToReport(
        setting=_setting(dataset, version, state, document, lines),
        result=_result(state, verdict, pairs, evaluators),
        points=_points(version, state, verdict, evaluators, document),
        evaluators=evaluators,
        bibtex="\n\n".join(_bibtex(dataset, version, evaluators)),
    )


def _setting(
    dataset: Dataset,
    version: GoldVersion | None,
    state: ComparisonState,
    document: ComparisonFigures,
    lines: Sequence[EvaluatorRow],
) -> str:
    whole = figure_value(lines[0].whole, state.figure)
    n, prompts = (whole.n, whole.error_prompts) if whole else (0, 0)
    gold = f"gold version {version.name} (SHA-256 {version.hash[:12]})" if version else "gold that is not frozen"
    only = f", only {', '.join(state.slices)}" if state.slices else ""
    return (
        f"We measure error detection on {dataset.name}, {gold}, at the level of {state.level_title.lower()}{only}: "
        f"{n:,} units with gold, with errors in {prompts:,} prompts. Error is the positive class. Units without a "
        f"decision count as wrong. Intervals are 95 % intervals over whole prompts. {test_of(document)}."
    )


def _result(
    state: ComparisonState,
    verdict: ComparisonVerdict,
    pairs: Sequence[EvaluatorPair],
    evaluators: Sequence[ReportedEvaluator],
) -> str:
    figures = [
        f"{each.line.name} reaches {state.figure_title} {_in_words(each.figure)}"
        for each in evaluators
        if each.figure and each.figure.value is not None and each.line.rank is not None
    ]
    sentences = [f"{'; '.join(figures)}." if figures else "", headline_of(verdict, state)]
    sentences += [pair_note(pair).text for pair in pairs[:3]]
    if verdict.ranked:
        sentences.append(trivial_sentence(verdict.ranked, verdict.no_better_than_all_errors))
    return " ".join(filter(None, sentences))


def _in_words(figure: FigureValue) -> str:
    ends = f" [{figure.interval[0]:.2f}, {figure.interval[1]:.2f}]" if figure.interval else " (no interval)"
    return f"{figure.value:.2f}{ends}"


def _price_of(line: EvaluatorRow) -> str:
    """The evaluator of a price that is not wholly known, with the known part."""
    return f"{line.name} ({cost_text(line.known_usd, line.unpriced)})" if line.known_usd else line.name


def _points(
    version: GoldVersion | None,
    state: ComparisonState,
    verdict: ComparisonVerdict,
    evaluators: Sequence[ReportedEvaluator],
    document: ComparisonFigures,
) -> list[CheckedPoint]:
    partial = [each.line.name for each in evaluators if each.figure and not each.figure.all_decided]
    once = [each.line.name for each in evaluators if each.line.noise_unmeasured]
    unpriced = [_price_of(each.line) for each in evaluators if each.line.cost_usd is None]
    bare = [each.line.name for each in evaluators if each.figure is None or each.figure.interval is None]
    prices = ", ".join(f"{each.line.name} {dollars_text(each.line.cost_usd or 0.0)}" for each in evaluators)
    return [
        CheckedPoint(
            "Gold that does not change",
            version is not None,
            f"Gold version {version.name}, SHA-256 {version.hash}."
            if version
            else "Freeze gold and choose the version.",
        ),
        CheckedPoint("An interval for each figure", not bare, _missing(bare, "All have one.", "Without one: {}.")),
        CheckedPoint("The test and its seed", True, f"{test_of(document)}."),
        CheckedPoint(
            "The trivial baseline",
            True,
            trivial_sentence(verdict.ranked, verdict.no_better_than_all_errors),
        ),
        CheckedPoint(
            "Units without a decision",
            True,
            _missing(partial, "All units were decided.", "Counted as wrong; report the coverage of {}."),
        ),
        CheckedPoint(
            "Noise between runs",
            not once,
            _missing(once, "Measured, or the method has none.", "Not measured: {}. Run them again, or say so."),
        ),
        CheckedPoint(
            "Cost", not unpriced, _missing(unpriced, f"{prices}." if prices else "No runs.", "Not known: {}.")
        ),
        CheckedPoint(
            "All that was tried",
            not state.slices,
            "Only some units are selected: say why, and what else was tried." if state.slices else "All units count.",
        ),
    ]


def _missing(names: Sequence[str], none: str, some: str) -> str:
    return some.format(", ".join(names)) if names else none


def _bibtex(dataset: Dataset, version: GoldVersion | None, evaluators: Sequence[ReportedEvaluator]) -> list[str]:
    """The data with its gold, the papers of the scheme and of the methods, and the software."""
    used = [paper for paper in PAPERS if any(each.line.method.startswith(paper) for each in evaluators)]
    papers = [PAPERS[name] for name in PAPERS if name in {dataset.scheme, *used}]
    return [_bibtex_of_data(dataset, version), *papers, _bibtex_of_software(evaluators)]


def _bibtex_of_data(dataset: Dataset, version: GoldVersion | None) -> str:
    made = version.created_at if version else dataset.created_at
    gold = f"Gold version {version.name}, SHA-256 {version.hash}" if version else "Gold not frozen"
    title, note = _braced(dataset.name), _braced(gold)
    fields = f"  title = {{{title}}},\n  year = {{{made:%Y}}},\n  note = {{{note}}}"
    return f"@misc{{dataset{dataset.pk},\n{fields}\n}}"


def _bibtex_of_software(evaluators: Sequence[ReportedEvaluator]) -> str:
    codes = [each.run.manifest.get("code") or {} for each in evaluators]
    versions = sorted({f"{code['version']}" for code in codes if code.get("version")})
    note = f"Version {', '.join(versions)}" if versions else "Version not recorded"
    return f"@software{{touchstone,\n  title = {{Touchstone}},\n  note = {{{note}}}\n}}"


def _braced(text: str) -> str:
    """The text inside braces of BibTeX: without braces and backslashes of its own."""
    return "".join(
        " " if character in "{}\\" else rf"\{character}" if character in "&%$#_" else character for character in text
    )
