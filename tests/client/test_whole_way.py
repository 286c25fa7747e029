"""From an empty server to a comparison, by a token alone: with the client, and with curl as docs/api.md has it."""

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.browser.conftest import Site
from tests.client.conftest import ROOT
from tests.client.processes import start_evaluator
from tests.waiting import LONGEST, wait_until
from touchstone import Touchstone

PAGE = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
[LINES] = re.findall(r"^## The whole way by curl\n.*?^```sh\n(.*?)^```", PAGE, re.M | re.S)
DEMO = ROOT / "fixtures" / "demo_felm.jsonl"
# The first token of the server: the administrator's, for a day, with all scopes.
MAKE_TOKEN = """
from datetime import timedelta
from annotate.models import User
from api.models import Scope
from api.tokens.create import create_token
ada = User.objects.create_superuser("ada", password="ada")
print(create_token(ada, "first", Scope.values, timedelta(days=1))[1])
"""


@pytest.fixture(scope="module")
def token(site: Site) -> str:
    return site.run_script(MAKE_TOKEN).split()[-1]


def go_the_whole_way(environment: dict[str, str], name: str, file: Path, group: int, hanging: Path) -> None:
    """group: cases that the outside evaluator takes at once. hanging: a file that is there once it hangs."""
    rows = [json.loads(line) for line in file.read_bytes().splitlines()]
    indexes = [str(row["index"]) for row in rows]
    segments = sum(len(row["segmented_response"]) for row in rows)
    with Touchstone(environment["TOUCHSTONE_URL"], environment["TOUCHSTONE_TOKEN"]) as touchstone:
        dataset = touchstone.create_dataset(name, scheme="felm")
        assert touchstone.upload(dataset, file, format="felm").report["created"] == len(rows)
        assert touchstone.freeze_gold(dataset, "v1").labels == segments
        lexical = touchstone.start_run(dataset, "lexical")

        # It dies with half of its second group judged.
        killed = start_evaluator(environment, name, group, HANGS_AT=indexes[group * 3 // 2], HANGING=str(hanging))
        wait_until(hanging.exists, "it hangs", LONGEST)
        killed.kill()
        killed.communicate()
        assert killed.returncode == -signal.SIGKILL
        slow = touchstone.outside_run(dataset, "slow", parameters={"version": 1})
        assert (slow.state, slow.progress["done"]) == ("running", group)
        other = start_evaluator(environment, name, group)
        _, told = other.communicate(timeout=LONGEST)
        assert other.returncode == 0, told
        assert set(told.split()) & set(indexes) == set(indexes[group:])

        slow = touchstone.follow(slow)
        assert touchstone.follow(lexical).state == slow.state == "finished"
        predictions = touchstone.predictions(slow).to_pandas()
        assert len(predictions) == len(predictions.drop_duplicates(["index", "segment"])) == segments
        compared = touchstone.compare(dataset, gold_version="v1").to_pandas()
        [pair] = compared[(compared.one == "lexical") & (compared.other == "slow")].itertuples()
        assert pair.low < pair.difference < pair.high
        report = touchstone.report(dataset, gold_version="v1").to_pandas()
        table = report[(report.level == "segment") & (report.slice == "all")].set_index("evaluator")
        assert table.f1_low["lexical"] < table.f1["lexical"] < table.f1_high["lexical"]
        # It calls everything supported: half of 0 and 1.
        assert table.balanced_accuracy["slow"] == 0.5


def test_the_demo_goes_the_whole_way(environment: dict[str, str], tmp_path: Path) -> None:
    go_the_whole_way(environment, "demo", DEMO, 8, tmp_path / "hanging")


@pytest.mark.data
def test_felm_goes_the_whole_way(environment: dict[str, str], published: Path, tmp_path: Path) -> None:
    go_the_whole_way(environment, "FELM as published", published / "felm" / "all.jsonl", 200, tmp_path / "hanging")


@pytest.fixture
def programs(must_run: bool) -> None:
    """Those of the lines for a shell."""
    if missing := [name for name in ("bash", "curl", "jq") if shutil.which(name) is None]:
        (pytest.fail if must_run else pytest.skip)(f"not installed: {missing}")


def test_the_lines_of_the_docs_go_the_whole_way(programs: None, site: Site, token: str, tmp_path: Path) -> None:
    (tmp_path / "all.jsonl").write_bytes(DEMO.read_bytes())

    ended = subprocess.run(
        ["bash", "-e", "-u", "-o", "pipefail", "-c", LINES],
        cwd=tmp_path,
        env={**os.environ, "URL": site.address, "TOKEN": token},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )

    assert ended.returncode == 0, ended.stdout + ended.stderr
    pair = json.loads(ended.stdout[ended.stdout.rindex("{") :])
    low, high = pair["interval"]
    assert low < pair["difference"] < high
