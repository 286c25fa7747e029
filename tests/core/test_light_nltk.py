"""NLTK is loaded without what it does not need here, and what it leaves out can still be loaded."""

import subprocess
import sys

from tests.waiting import LONGEST

SCRIPT = """
import sys
from core.light_nltk import UNUSED, load_nltk

score = load_nltk("translate.chrf_score").sentence_chrf("a fine day", "a fine day")
print(score, sorted(UNUSED & sys.modules.keys()))
import scipy.stats
print(scipy.stats.norm.cdf(0))
"""


def test_nltk_is_loaded_without_the_libraries_of_its_classifiers():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=LONGEST, check=True)
    assert done.stdout.splitlines() == ["1.0 []", "0.5"]
