"""A client that another tool generates from the committed schema works. It leaves out what it knows no media type of,
such as zip files."""

import os
import subprocess
from pathlib import Path

import pytest

from annotate.models import Role
from tests.api.conftest import client_of
from tests.api.test_schema import COMMITTED
from tests.factories import make_dataset, make_person

BIN = Path(__file__).resolve().parent.parent.parent / ".venv-generator" / "bin"
LIST = """
import sys
from touchstone_client import AuthenticatedClient
from touchstone_client.api.datasets import datasets_list
client = AuthenticatedClient(base_url=sys.argv[1], token=sys.argv[2])
for each in datasets_list.sync(client=client).results:
    print(each.name, each.scheme.value)
"""


@pytest.mark.django_db(transaction=True)
def test_a_generated_client_compiles_and_lists_a_dataset(live_server: object, must_run: bool, tmp_path: Path) -> None:
    if not (BIN / "openapi-python-client").exists():
        assert not must_run, "make generator installs it"
        pytest.skip("make generator installs the generator of clients")
    token = client_of(make_person("rhea", make_dataset("numbers"), Role.RESEARCHER)).token
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(tmp_path / "made")}
    made = ["openapi-python-client", "generate", "--path", COMMITTED, "--output-path", tmp_path / "made"]
    for command in (
        made,
        ["python", "-m", "compileall", "-q", tmp_path / "made"],
        ["python", "-c", LIST, str(live_server), token],
    ):
        ended = subprocess.run(
            [BIN / command[0], *command[1:]], env=environment, capture_output=True, text=True, timeout=300
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
    assert ended.stdout == "numbers felm\n"
