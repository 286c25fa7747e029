from django.apps import AppConfig


class JobsConfig(AppConfig):
    name = "jobs"

    def ready(self) -> None:
        """Import the modules that declare kinds of work. The check finds models without a kind."""
        from jobs import checks  # noqa: F401 - registers itself
        from jobs.kinds import discover

        discover()
