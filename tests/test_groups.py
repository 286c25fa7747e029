"""What is made once for a module is made by one process: its tests are a group of pytest-xdist's."""

import os

import pytest


@pytest.mark.skipif("PYTEST_XDIST_WORKER" not in os.environ, reason="not one of several processes")
def test_a_test_with_what_is_made_for_a_module_is_of_its_group(request: pytest.FixtureRequest, module_db: None) -> None:
    """Where pytest and pytest-xdist do not fit together, groups are left out without a word."""
    assert request.node.nodeid.endswith("@tests/test_groups.py")
