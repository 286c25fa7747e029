"""Addresses of results bundles on their way in."""

from django.urls import path

from api.bundles.views import ResultsImportsView, ResultsImportView
from core.uploads import takes_uploads

BUNDLES = [
    path("datasets/<int:pk>/results-imports/", takes_uploads(ResultsImportsView.as_view()), name="results-imports"),
    path("results-imports/<int:pk>/", ResultsImportView.as_view(), name="results-import"),
]
