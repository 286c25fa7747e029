"""Addresses of benchmarks and scorings."""

from django.urls import path

from api.benchmarks import views
from core.uploads import takes_uploads

BENCHMARKS = [
    path("datasets/<int:pk>/benchmarks/", takes_uploads(views.BenchmarksView.as_view()), name="benchmarks"),
    path("datasets/<int:pk>/scored-models/", views.ScoredModelsView.as_view(), name="scored-models"),
    path("benchmarks/<int:pk>/", views.BenchmarkView.as_view(), name="benchmark"),
    path("benchmarks/<int:pk>/file/", views.BenchmarkFileView.as_view(), name="benchmark-file"),
    path("benchmarks/<int:pk>/examples/", views.ExamplesView.as_view(), name="benchmark-examples"),
    path("benchmarks/<int:pk>/scorings/", views.ScoringsView.as_view(), name="scorings"),
    path("benchmarks/<int:pk>/results/", views.BenchmarkResultsView.as_view(), name="benchmark-results"),
    path("scorings/<int:pk>/", views.ScoringView.as_view(), name="scoring"),
    path("scorings/<int:pk>/scores/", views.ScoresView.as_view(), name="scores"),
    path("scorings/<int:pk>/stop/", views.ScoringStopView.as_view(), name="scoring-stop"),
    path("scorings/<int:pk>/resume/", views.ScoringResumeView.as_view(), name="scoring-resume"),
]
