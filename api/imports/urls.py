"""Addresses of imports."""

from django.urls import path

from api.imports.views import DatasetImportsView, ImportConfirmView, ImportsView, ImportView
from core.uploads import takes_uploads

IMPORTS = [
    path("imports/", takes_uploads(ImportsView.as_view()), name="imports"),
    path("datasets/<int:pk>/imports/", takes_uploads(DatasetImportsView.as_view()), name="dataset-imports"),
    path("imports/<int:pk>/", ImportView.as_view(), name="import"),
    path("imports/<int:pk>/confirm/", ImportConfirmView.as_view(), name="import-confirm"),
]
