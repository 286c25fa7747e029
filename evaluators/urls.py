"""The addresses of runs and of the leaderboard."""

from django.urls import path

from evaluators.comparison import views as comparison
from evaluators.runs import views as runs

urlpatterns = [
    path("datasets/<int:pk>/leaderboard/", comparison.leaderboard, name="leaderboard"),
    path("datasets/<int:pk>/runs/", runs.runs, name="runs"),
    path("datasets/<int:pk>/runs/new/", runs.run_new, name="run-new"),
    path("runs/<int:pk>/", runs.run, name="run"),
]
