"""Addresses of editing."""

from django.urls import path

from api.editing.views import (
    EditedResponsesView,
    EditingReportView,
    EditingRunsView,
    EditorsView,
    EditSamplesView,
    EditSampleView,
    RunEditsView,
)

EDITING = [
    path("editors/", EditorsView.as_view(), name="editors"),
    path("datasets/<int:pk>/editing-runs/", EditingRunsView.as_view(), name="editing-runs"),
    path("datasets/<int:pk>/editing-report/", EditingReportView.as_view(), name="editing-report"),
    path("runs/<int:pk>/edits/", RunEditsView.as_view(), name="run-edits"),
    path("runs/<int:pk>/edited-responses/", EditedResponsesView.as_view(), name="edited-responses"),
    path("runs/<int:pk>/edit-samples/", EditSamplesView.as_view(), name="edit-samples"),
    path("edit-samples/<int:pk>/", EditSampleView.as_view(), name="edit-sample"),
]
