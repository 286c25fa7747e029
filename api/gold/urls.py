"""Addresses of gold."""

from django.urls import path

from api.gold import views

URLS = [
    path("datasets/<int:pk>/gold/", views.GoldView.as_view(), name="gold"),
    path("datasets/<int:pk>/cases/", views.CasesView.as_view(), name="cases"),
    path("datasets/<int:pk>/cases/unanimous/", views.UnanimousView.as_view(), name="unanimous"),
    path("datasets/<int:pk>/cases/<int:segment>/", views.CaseView.as_view(), name="case-segment"),
    path("datasets/<int:pk>/cases/<int:segment>/<int:fact>/", views.FactCaseView.as_view(), name="case-fact"),
    path("datasets/<int:pk>/gold-versions/", views.GoldVersionsView.as_view(), name="gold-versions"),
    path("gold-versions/<int:pk>/", views.GoldVersionView.as_view(), name="gold-version"),
    path("datasets/<int:pk>/releases/", views.ReleasesView.as_view(), name="releases"),
    path("releases/<int:pk>/", views.ReleaseView.as_view(), name="release"),
    path("releases/<int:pk>/file/", views.ReleaseFileView.as_view(), name="release-file"),
]
