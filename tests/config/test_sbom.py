"""The bill of materials names what the lock pins, with its hashes. The command that writes it validates it too."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.config.test_start import ROOT


def read_pins(lock: str) -> dict[str, str]:
    """The version of each package."""
    return dict(re.findall(r"^([\w.-]+)==([^ \\]+)", (ROOT / lock).read_text(), re.MULTILINE))


def test_make_sbom_writes_every_package_that_is_pinned(tmp_path: Path) -> None:
    target = tmp_path / "sbom.cdx.json"
    words = ["make", "--silent", "--old-file=.venv/bin/uv", "sbom", f"SBOM={target}"]
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    subprocess.run(words, cwd=ROOT, env={**os.environ, "PATH": path}, check=True, capture_output=True)
    written = json.loads(target.read_text())
    assert (written["bomFormat"], written["specVersion"]) == ("CycloneDX", "1.6")
    pinned = read_pins("requirements.txt")
    assert len(pinned) > 80
    assert {each["name"]: each["version"] for each in written["components"]} == pinned
    assert all(each["externalReferences"][0]["hashes"] for each in written["components"])
    assert written["metadata"]["component"]["name"] == "touchstone"


def test_all_but_torch_is_pinned_with_a_hash_for_models_that_run_here() -> None:
    """torch has builds of one version; the packages for accelerators come with the build that needs them."""
    lines = (ROOT / "requirements-neural.txt").read_text().splitlines()
    packages = [number for number, line in enumerate(lines) if re.match(r"[\w.-]+==", line)]
    assert len(packages) > 100
    assert all(lines[number + 1].strip().startswith("--hash=sha256:") for number in packages)
    assert not [lines[number] for number in packages if re.match("torch==|nvidia|cuda|triton", lines[number])]
    assert re.fullmatch(r"torch==[\d.]+\n", (ROOT / "requirements-torch.txt").read_text())


def test_what_is_installed_beside_the_development_packages_is_pinned_alike() -> None:
    development, neural = read_pins("requirements-dev.txt"), read_pins("requirements-neural.txt")
    shared = development.keys() & neural.keys()
    assert len(shared) > 100
    assert {name: neural[name] for name in shared} == {name: development[name] for name in shared}
