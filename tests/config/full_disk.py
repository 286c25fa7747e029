"""What Touchstone answers on a small disk that is full: `python -m tests.config.full_disk FOLDER` prints it as JSON."""

import json
import os
import sys
from pathlib import Path


def main(folder: Path) -> None:
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DATA_DIR": str(folder / "data")}
    os.environ["TMPDIR"] = str(folder)
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    print(json.dumps(answers(folder)))


def answers(folder: Path) -> dict[str, object]:
    """Status and heading of each answer, and the files left in the folder of uploads."""
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from annotate.judgements.judgement import UnitJudgement
    from annotate.models import Upload, User
    from tests.annotate.labels.work import felm_work, page_keys

    work = felm_work()
    client, owner = (Client(raise_request_exception=False, headers={"host": "localhost"}) for _ in range(2))
    client.force_login(work.annotator)
    owner.force_login(User.objects.create_superuser("dora"))
    reason = UnitJudgement("not_supported", "knowledge", "r" * 9_000).stored()
    body = {"version": 0, "worked": [], "entries": dict.fromkeys(page_keys(work), reason)}
    rows = b"".join(b'{"index": "%d", "prompt": "Why?", "response": "%b"}\n' % (n, b"r" * 9_000) for n in range(400))

    def save() -> int:
        page = reverse("assignment-save", args=[work.key])
        return client.post(page, json.dumps(body), content_type="application/json").status_code

    def upload(content: bytes) -> list[object]:
        file = SimpleUploadedFile("responses.jsonl", content)
        fields = {"file": file, "dataset_name": "new", "format": "responses"}
        answer = owner.post(reverse("import"), fields)
        return [answer.status_code, "The disk is full" in answer.content.decode()]

    found: dict[str, object] = {}
    with connection.cursor() as cursor:
        # Else the log of writes has room from before, which a save may fit into.
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    filler = fill(folder / "filler")
    found["save"] = save()
    found["large upload"] = upload(rows)
    found["small upload"] = upload(rows[:1_000_000])
    found["left"] = [str(path) for path in (folder / "data" / "uploads").rglob("*") if path.is_file()]
    found["rows"] = Upload.objects.count()
    work.refresh_from_db()
    found["draft"] = len(work.draft)
    filler.unlink()
    found["save later"] = save()
    found["upload later"] = upload(rows)[0]
    return found


def fill(path: Path) -> Path:
    """The file that takes all the space there is."""
    with path.open("wb", buffering=0) as file:
        for size in (1_000_000, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return path


if __name__ == "__main__":
    main(Path(sys.argv[1]))
