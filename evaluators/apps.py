from django.apps import AppConfig


class EvaluatorsConfig(AppConfig):
    name = "evaluators"

    def ready(self) -> None:
        """Listen to the heartbeat of workers."""
        from evaluators.runs import heartbeat  # noqa: F401 - connects itself
