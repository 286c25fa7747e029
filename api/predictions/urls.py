"""Addresses of predictions."""

from django.urls import path

from api.predictions.views import EvalLogView, PushView, RunClaimsView, RunPredictionsView
from core.uploads import takes_uploads

PREDICTIONS = [
    path("runs/<int:pk>/predictions/", RunPredictionsView.as_view(), name="run-predictions"),
    path("runs/<int:pk>/claims/", RunClaimsView.as_view(), name="run-claims"),
    path("datasets/<int:pk>/predictions/", takes_uploads(PushView.as_view()), name="predictions"),
    path("datasets/<int:pk>/eval-logs/", takes_uploads(EvalLogView.as_view()), name="eval-logs"),
]
