"""Time of pages of the API's list of responses, at few and at many responses: `python -m bench.api_pages [MANY]`.

The comparison: the same page of a dataset with a tenth of the responses. Also the whole list as Parquet, a tenth before
all: the first loads Arrow and fills its buffers, so that the second shows whether memory grows with the rows.
"""

import os
import resource
import statistics
import sys
import tempfile
import time

MANY, SEGMENTS = 20_000, 5
REPEATS = 15
CHUNK = 2000


def main() -> None:
    many = int(sys.argv[1]) if len(sys.argv) > 1 else MANY
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DATA_DIR=folder,
            DJANGO_SETTINGS_MODULE="config.settings",
            ALLOWED_HOSTS="testserver",
            API_REQUESTS_PER_MINUTE="100000",
        )
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        time_pages(many)


def time_pages(many: int) -> None:
    sizes = (many // 10, many)
    few_dataset, dataset = made = [make_dataset(count) for count in sizes]
    get = requester()
    print(f"{many:,} responses of {SEGMENTS} segments each; pages of 100")
    for name, query in (
        ("first page", ""),
        ("page in the middle", None),
        ("filtered by state and domain", "state=new&domain=math"),
        ("two fields", "fields=id,response"),
    ):
        few, large = (
            milliseconds(get, each.pk, middle(get, each.pk, count) if query is None else query)
            for each, count in zip(made, sizes, strict=True)
        )
        print(f"  {name}: {large:.1f} ms, ratio {large / few:.2f} to a tenth of the responses")
    for name, each in (("a tenth", few_dataset), ("all", dataset)):
        before = memory()
        began = time.perf_counter()
        size = sum(len(piece) for piece in get(each.pk, "format=parquet").streaming_content)
        seconds = time.perf_counter() - began
        print(f"  {name} as Parquet: {seconds:.1f} s, {size / 1e6:.1f} MB; {memory() - before:.0f} MB more at the most")


def make_dataset(count: int):
    from django.utils import timezone

    from annotate.models import Dataset, Import, Prompt, Response, Segment

    dataset = Dataset.objects.create(name=f"{count} responses", scheme="felm", ready=True)
    imported = Import.objects.create(dataset=dataset, format="felm", finished_at=timezone.now())
    text = " ".join(f"This is sentence {number} of it." for number in range(SEGMENTS))
    length = len(text) // SEGMENTS
    for start in range(0, count, CHUNK):
        numbers = range(start, min(start + CHUNK, count))
        prompts = Prompt.objects.bulk_create(
            Prompt(dataset=dataset, text=f"What is {number}?", domain="math" if number % 2 else "science")
            for number in numbers
        )
        responses = Response.objects.bulk_create(
            Response(dataset=dataset, imported=imported, prompt=prompt, index=str(number), position=number, text=text)
            for number, prompt in zip(numbers, prompts, strict=True)
        )
        Segment.objects.bulk_create(
            Segment(
                response=response,
                position=place,
                text=text[place * length : (place + 1) * length],
                start=place * length,
                end=(place + 1) * length,
            )
            for response in responses
            for place in range(SEGMENTS)
        )
    return dataset


def requester():
    """Requests of a superuser's token for the responses of a dataset."""
    from datetime import timedelta

    from django.test import Client

    from annotate.models import User
    from api.models import Scope
    from api.tokens.create import create_token

    root = User.objects.create_superuser("root", password="root")
    _, token = create_token(root, "bench", [Scope.READ], timedelta(days=1), None)
    client = Client()

    def get(dataset: int, query: str):
        answer = client.get(
            f"/api/v1/datasets/{dataset}/responses/?{query}", headers={"Authorization": f"Bearer {token}"}
        )
        assert answer.status_code == 200, answer.content
        return answer

    return get


def middle(get, dataset: int, count: int) -> str:
    """The query of a page after half of the list."""
    page = get(dataset, "page_size=1000&fields=id").json()
    for _ in range(count // 2000 - 1):
        page = get(dataset, page["next"].partition("?")[2]).json()
    return page["next"].partition("?")[2].replace("page_size=1000", "page_size=100").replace("fields=id", "")


def milliseconds(get, dataset: int, query: str) -> float:
    """The median, of processor time: SQLite works in the same process."""
    get(dataset, query)
    times = []
    for _ in range(REPEATS):
        began = time.process_time()
        get(dataset, query)
        times.append(1000 * (time.process_time() - began))
    return statistics.median(times)


def memory() -> float:
    """The most megabytes that the process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
