"""Addresses of methods, endpoints, search engines and evaluators."""

from django.urls import path

from api.evaluators.views import EndpointsView, EvaluatorsView, MethodsView, SearchEnginesView

EVALUATORS = [
    path("methods/", MethodsView.as_view(), name="methods"),
    path("datasets/<int:pk>/endpoints/", EndpointsView.as_view(), name="endpoints"),
    path("datasets/<int:pk>/search-engines/", SearchEnginesView.as_view(), name="search-engines"),
    path("datasets/<int:pk>/evaluators/", EvaluatorsView.as_view(), name="evaluators"),
]
