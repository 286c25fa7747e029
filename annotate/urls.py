"""The addresses of the experts' work."""

from django.urls import path

from annotate.corpus.statistics_view import statistics

urlpatterns = [
    path("datasets/<int:pk>/statistics/", statistics, name="statistics"),
]
