"""Addresses of runs."""

from django.urls import path

from api.runs.views import (
    RunDiffView,
    RunEstimateView,
    RunManifestView,
    RunResumeView,
    RunStopView,
    RunsView,
    RunView,
)

RUNS = [
    path("datasets/<int:pk>/runs/", RunsView.as_view(), name="runs"),
    path("datasets/<int:pk>/runs/estimate/", RunEstimateView.as_view(), name="run-estimate"),
    path("runs/<int:pk>/", RunView.as_view(), name="run"),
    path("runs/<int:pk>/diff/", RunDiffView.as_view(), name="run-diff"),
    path("runs/<int:pk>/manifest/", RunManifestView.as_view(), name="run-manifest"),
    path("runs/<int:pk>/stop/", RunStopView.as_view(), name="run-stop"),
    path("runs/<int:pk>/resume/", RunResumeView.as_view(), name="run-resume"),
]
