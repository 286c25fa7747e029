"""On a real file system that is full: a sentence, nothing half written, and all goes on once there is space."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.config.test_start import ROOT, kept

# A small file system in a namespace of its own, which goes with the process and mostly needs no right.
MOUNT = 'mount -t tmpfs -o size=48m tmpfs "$0" && exec "$@"'


def on_small_disk(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    words = ["unshare", "--map-root-user", "--mount", "sh", "-c", MOUNT, str(folder), *command]
    return subprocess.run(words, cwd=ROOT, env=kept(), capture_output=True, text=True)


def test_a_full_disk_is_said_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    if shutil.which("unshare") is None or on_small_disk(tmp_path, "true").returncode:
        pytest.skip("this machine mounts no small file system for a test")
    done = on_small_disk(tmp_path, sys.executable, "-m", "tests.config.full_disk", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "save": 503,
        "large upload": [503, True],
        "small upload": [503, True],
        "left": [],
        "rows": 0,
        "draft": 0,
        "save later": 200,
        "upload later": 302,
    }
