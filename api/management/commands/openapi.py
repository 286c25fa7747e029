"""Print the schema of the API."""

import json
from typing import Any

from django.core.management.base import BaseCommand

from api.rest.schema import write_schema


class Command(BaseCommand):
    help = "Print the schema of the API, as OpenAPI 3.1 in JSON."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(write_schema(), indent=1, ensure_ascii=False))
