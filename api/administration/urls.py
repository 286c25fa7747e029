"""Addresses of guidelines, settings, archive, deletion and statistics."""

from django.urls import path

from api.administration.views import (
    ArchiveView,
    DeletionView,
    GuidelinesView,
    RestoreView,
    SettingsView,
    StatisticsView,
    SuggestionsView,
)

ADMINISTRATION = [
    path("datasets/<int:pk>/guidelines/", GuidelinesView.as_view(), name="guidelines"),
    path("datasets/<int:pk>/settings/", SettingsView.as_view(), name="settings"),
    path("datasets/<int:pk>/suggestions/", SuggestionsView.as_view(), name="suggestions"),
    path("datasets/<int:pk>/archive/", ArchiveView.as_view(), name="dataset-archive"),
    path("datasets/<int:pk>/restore/", RestoreView.as_view(), name="dataset-restore"),
    path("datasets/<int:pk>/statistics/", StatisticsView.as_view(), name="statistics"),
    path("deletions/<int:pk>/", DeletionView.as_view(), name="deletion"),
]
