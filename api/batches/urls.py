"""Addresses of batches."""

from django.urls import path

from api.batches.views import BatchesView, BatchResumeView, BatchStopView, BatchView

BATCHES = [
    path("datasets/<int:pk>/batches/", BatchesView.as_view(), name="batches"),
    path("batches/<int:pk>/", BatchView.as_view(), name="batch"),
    path("batches/<int:pk>/stop/", BatchStopView.as_view(), name="batch-stop"),
    path("batches/<int:pk>/resume/", BatchResumeView.as_view(), name="batch-resume"),
]
