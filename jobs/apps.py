from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        """Import what declares kinds of work; the check finds models of which none is declared."""
        from jobs import checks  # noqa: F401 - registers itself
        from jobs.kinds import discover

        discover()
