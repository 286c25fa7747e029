from django.apps import AppConfig


class FactorConfig(AppConfig):
    name = "factor"

    def ready(self) -> None:
        """What is left of its work is swept with every beat of a worker's heart."""
        from factor import sweeping  # noqa: F401 - connects itself
