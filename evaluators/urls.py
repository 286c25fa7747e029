"""The addresses of runs and of the leaderboard."""

from django.urls import path

from evaluators.comparison import views as comparison
from evaluators.comparison.revisions_view import revisions
from evaluators.endpoints import views as endpoints
from evaluators.predictions import views as predictions
from evaluators.prompts import views as prompts
from evaluators.runs import new_run, readings_view, views
from evaluators.subjects.views import ranking

urlpatterns = [
    path("datasets/<int:pk>/leaderboard/", comparison.leaderboard, name="leaderboard"),
    path("datasets/<int:pk>/leaderboard/report.json", comparison.report_json, name="report-json"),
    path("datasets/<int:pk>/leaderboard/report.csv", comparison.report_csv, name="report-csv"),
    path("datasets/<int:pk>/leaderboard/revisions/", revisions, name="revisions"),
    path("datasets/<int:pk>/ranking/", ranking, name="subject-ranking"),
    path("datasets/<int:pk>/runs/", views.runs, name="runs"),
    path("datasets/<int:pk>/runs/new/", new_run.new_run, name="run-new"),
    path("datasets/<int:pk>/runs/new/estimate/", new_run.run_estimate, name="run-estimate"),
    path("datasets/<int:pk>/runs/import/", predictions.upload_predictions, name="import-predictions"),
    path("datasets/<int:pk>/prompt-sets/", prompts.prompt_sets, name="prompt-sets"),
    path("datasets/<int:pk>/prompt-sets/set/", prompts.prompt_set, name="prompt-set"),
    path("datasets/<int:pk>/endpoints/", endpoints.endpoints, name="endpoints"),
    path("datasets/<int:pk>/endpoints/<int:endpoint_pk>/", endpoints.endpoint, name="endpoint"),
    path("datasets/<int:pk>/endpoints/<int:endpoint_pk>/price/", endpoints.endpoint_price, name="endpoint-price"),
    path("datasets/<int:pk>/endpoints/<int:endpoint_pk>/probe/", endpoints.endpoint_probe, name="endpoint-probe"),
    path("runs/<int:pk>/", views.run, name="run"),
    path("runs/<int:pk>/progress/", views.run_progress, name="run-progress"),
    path("runs/<int:pk>/predictions/", views.run_predictions, name="run-predictions"),
    path("runs/<int:pk>/calls/<int:call_pk>/", views.run_call, name="run-call"),
    path("runs/<int:pk>/manifest/", views.run_manifest, name="run-manifest"),
    path("runs/<int:pk>/readings/", readings_view.readings, name="run-readings"),
    path("runs/<int:pk>/read-again/", readings_view.run_read_again, name="run-read-again"),
    path("runs/<int:pk>/cancel/", views.run_cancel, name="run-cancel"),
    path("runs/<int:pk>/resume/", views.run_resume, name="run-resume"),
]
