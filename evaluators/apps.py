from django.apps import AppConfig


class EvaluatorsConfig(AppConfig):
    name = "evaluators"

    def ready(self) -> None:
        """Register the finders of what needs attention."""
        from evaluators.runs import attention  # noqa: F401
