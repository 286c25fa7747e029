"""A file system of a few megabytes under a PostgreSQL database, to be filled to the brim."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MEGABYTES = 64
LEFT = 100_000  # bytes: the database has some room in its last pages too


class NoMountError(Exception):
    """This process may not mount a file system."""


@dataclass(frozen=True)
class SmallDisk:
    """folder: where it is mounted. database: the address of the database that lies on it."""

    folder: Path
    database: str

    @contextmanager
    def full(self) -> Iterator[None]:
        """Nothing more can be written within, but what is freed."""
        filler = self.folder / "filler"
        free = os.statvfs(self.folder)
        filler.write_bytes(bytes(free.f_bavail * free.f_frsize - LEFT))
        try:
            yield
        finally:
            filler.unlink()


@contextmanager
def small_disk(server: Any, template: str, folder: Path) -> Iterator[SmallDisk]:
    """A database made after the template, with every table on a file system of its own. Raises NoMountError."""
    folder.mkdir(exist_ok=True)
    if os.geteuid() != 0 or _mount(folder) != 0:
        raise NoMountError
    try:
        inner = folder / "tables"
        inner.mkdir()
        shutil.chown(inner, server.system_user)
        server.psql(f"CREATE TABLESPACE small LOCATION '{inner}';")
        server.psql(f"CREATE DATABASE on_small_disk TEMPLATE {template} TABLESPACE small;")
        try:
            yield SmallDisk(folder, str(server.get_uri("on_small_disk")))
        finally:
            server.psql("DROP DATABASE on_small_disk WITH (FORCE);")
            server.psql("DROP TABLESPACE small;")
    finally:
        subprocess.run(["umount", folder], check=True)


def _mount(folder: Path) -> int:
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(folder)]
    return subprocess.run(mount, capture_output=True).returncode
