"""How often intervals hold and verdicts are wrong: `python -m bench.coverage [--quick] [--labels FELM.jsonl]`.

Samples of prompts are drawn from a simulated population whose figures are known, and each gets its intervals. Printed
are the share of intervals that hold the figure of the population, with the error of the simulation, and their mean
width over that of the middle 95 % of the figure's values over all samples. Then equal evaluators are compared, and the
share of samples in which any is called better is printed; at the end the share of samples in which a promise is broken.
Nothing is measured on published data; with --labels, lines of JSON with a list of true and false under "labels", the
units and errors are those of a file.
"""

import argparse
from pathlib import Path

from bench.coverage.corrections import print_corrections
from bench.coverage.coverage import QUICK, WHOLE, print_coverage
from bench.coverage.drawn import print_drawn
from bench.coverage.promises import (
    QUICK_RANK_SAMPLES,
    RANK_SAMPLES,
    print_promises,
)
from bench.coverage.promises import (
    QUICK_SAMPLES as QUICK_PROMISES,
)
from bench.coverage.promises import (
    SAMPLES as PROMISES,
)
from bench.coverage.runs import print_runs
from bench.coverage.verdicts import QUICK_SAMPLES, SAMPLES, print_error_rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer samples and resamples, for a first look")
    parser.add_argument("--labels", type=Path, metavar="FILE")
    options = parser.parse_args()
    print_coverage(QUICK if options.quick else WHOLE, options.labels)
    print_corrections(QUICK if options.quick else WHOLE)
    print_drawn(QUICK if options.quick else WHOLE)
    print_error_rates(QUICK_SAMPLES if options.quick else SAMPLES)
    print_promises(*((QUICK_PROMISES, QUICK_RANK_SAMPLES) if options.quick else (PROMISES, RANK_SAMPLES)))
    print_runs(QUICK if options.quick else WHOLE, QUICK_SAMPLES if options.quick else SAMPLES)


if __name__ == "__main__":
    main()
