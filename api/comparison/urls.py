"""Addresses of figures."""

from django.urls import path

from api.comparison.views import ComparisonView, LeaderboardsView, ReportView, SubjectsView

COMPARISON = [
    path("datasets/<int:pk>/report/", ReportView.as_view(), name="report"),
    path("datasets/<int:pk>/comparison/", ComparisonView.as_view(), name="comparison"),
    path("leaderboards/", LeaderboardsView.as_view(), name="leaderboards"),
    path("datasets/<int:pk>/subjects/", SubjectsView.as_view(), name="subjects"),
]
