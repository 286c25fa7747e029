"""The files that a server is started from, read for tests."""

import re
import shlex
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
SYSTEMD = ROOT / "deploy" / "systemd"
# "${NAME:-default}" of compose.yaml
WITH_DEFAULT = re.compile(r"\$\{\w+:-([^}]*)\}")


def compose() -> dict[str, Any]:
    """compose.yaml as it is without a variable set, its anchors and merges resolved."""
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    read: dict[str, Any] = yaml.safe_load(WITH_DEFAULT.sub(r"\1", text))
    return read


def procfile() -> dict[str, list[str]]:
    """The words of each process."""
    lines = (ROOT / "Procfile").read_text(encoding="utf-8").splitlines()
    return {name: shlex.split(command) for name, _, command in (line.partition(": ") for line in lines)}


def unit(name: str) -> ConfigParser:
    """A systemd unit. A key that is there several times keeps its last value."""
    parser = ConfigParser(strict=False, interpolation=None, delimiters=("=",), comment_prefixes=("#",))
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read_string((SYSTEMD / name).read_text(encoding="utf-8"))
    return parser


def started_by(name: str, instance: str = "") -> list[str]:
    """The words of a unit's process, its program without its folder."""
    command = unit(name)["Service"]["ExecStart"].replace("%i", instance).replace("%%", "%")
    program, *words = shlex.split(command)
    return [Path(program).name, *words]


def unbound(words: list[str]) -> list[str]:
    """Without the address that a server listens at: it differs by place."""
    if "--bind" not in words:
        return words
    place = words.index("--bind")
    return words[:place] + words[place + 2 :]
