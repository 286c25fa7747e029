"""Addresses of figures."""

from django.urls import path

from api.comparison.views import ComparisonView, ReportView, SubjectsView

COMPARISON = [
    path("datasets/<int:pk>/report/", ReportView.as_view(), name="report"),
    path("datasets/<int:pk>/comparison/", ComparisonView.as_view(), name="comparison"),
    path("datasets/<int:pk>/subjects/", SubjectsView.as_view(), name="subjects"),
]
