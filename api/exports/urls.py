"""Addresses of files."""

from django.urls import path

from api.exports.views import ExportView, ResultsView, UnitsTableView

EXPORTS = [
    path("datasets/<int:pk>/export/", ExportView.as_view(), name="export"),
    path("datasets/<int:pk>/results/", ResultsView.as_view(), name="results"),
    path("datasets/<int:pk>/results/units/", UnitsTableView.as_view(), name="results-units"),
]
