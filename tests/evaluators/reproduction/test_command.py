"""The command where it cannot do its work."""

import pytest
from django.core.management import CommandError, call_command


def test_a_folder_without_the_files_is_named(tmp_path) -> None:
    with pytest.raises(CommandError, match=r"all\.jsonl: there is no such file"):
        call_command("reproduce", data=tmp_path)
