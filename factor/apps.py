from django.apps import AppConfig


class FactorConfig(AppConfig):
    name = "factor"
