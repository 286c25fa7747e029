from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"

    def ready(self) -> None:
        """Listen to pages being frozen: the quotes from them can be looked up."""
        from annotate.links import check  # noqa: F401
