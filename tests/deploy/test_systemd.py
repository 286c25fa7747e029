"""The units of systemd, as systemd itself reads them."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.deploy.files import SYSTEMD
from tests.waiting import LONGEST

UNITS = sorted(path.name for path in SYSTEMD.iterdir())
PROGRAMS = Path("/srv/touchstone/.venv/bin")


def verify(folder: Path, name: str, text: str) -> subprocess.CompletedProcess[str]:
    """The programs are looked for in a folder where they are."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not installed")
    for program in ("gunicorn", "celery", "python"):
        (folder / program).symlink_to("/bin/true")
    unit = folder / name
    unit.write_text(text.replace(str(PROGRAMS), str(folder)))
    return subprocess.run([analyze, "verify", unit], capture_output=True, text=True, timeout=LONGEST)


def test_there_are_units_for_web_server_workers_and_metrics() -> None:
    assert UNITS == ["touchstone-metrics.service", "touchstone-web.service", "touchstone-worker@.service"]


@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_no_fault(tmp_path: Path, name: str) -> None:
    done = verify(tmp_path, name, (SYSTEMD / name).read_text(encoding="utf-8"))
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_does_find_faults(tmp_path: Path) -> None:
    text = (SYSTEMD / UNITS[0]).read_text(encoding="utf-8").replace("MemoryMax=", "MemoryMost=")
    assert "'MemoryMost'" in verify(tmp_path, UNITS[0], text).stderr
