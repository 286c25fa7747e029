"""A site with a person's token, as the environment of the client's processes."""

import os
import sys
from pathlib import Path

import pytest

from tests.browser.conftest import Site, elsewhere, fake_model, site, variables

__all__ = ["elsewhere", "fake_model", "site", "variables"]

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "client"))

# Dora, who may create datasets, with a token of all scopes.
MAKE_TOKEN = """
from datetime import timedelta
from annotate.datasets.create import set_right
from annotate.models import User
from api.models import Scope
from api.tokens.create import create_token
dora = User.objects.create_user("dora", password="dora")
set_right(dora, True)
print(create_token(dora, "scripts", Scope.values, timedelta(days=1))[1])
"""


@pytest.fixture(scope="module")
def token(site: Site) -> str:
    return site.run_script(MAKE_TOKEN).split()[-1]


@pytest.fixture(scope="module")
def environment(site: Site, token: str) -> dict[str, str]:
    """Of a process that uses the client."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT / "client"),
        "TOUCHSTONE_URL": site.address,
        "TOUCHSTONE_TOKEN": token,
    }
