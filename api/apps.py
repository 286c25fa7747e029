from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "api"

    def ready(self) -> None:
        from api.rest import schema  # noqa: F401 - registers how the schema describes tokens
        from api.webhooks import receive  # noqa: F401 - listens to what webhooks are told of
