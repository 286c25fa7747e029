"""Addresses of predictions."""

from django.urls import path

from api.predictions.views import PushView, RunPredictionsView
from core.uploads import takes_uploads

PREDICTIONS = [
    path("runs/<int:pk>/predictions/", RunPredictionsView.as_view(), name="run-predictions"),
    path("datasets/<int:pk>/predictions/", takes_uploads(PushView.as_view()), name="predictions"),
]
