from django.apps import AppConfig


class FactorConfig(AppConfig):
    name = "factor"

    def ready(self) -> None:
        """Register what needs attention."""
        from factor.attention import annotators, background  # noqa: F401
