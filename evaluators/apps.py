from django.apps import AppConfig


class EvaluatorsConfig(AppConfig):
    name = "evaluators"

    def ready(self) -> None:
        """Register the finders of what needs attention, and the runs as suggestions to annotators."""
        from evaluators.runs import attention, suggestions  # noqa: F401
