"""The addresses of benchmarks."""

from django.urls import path

from factor.benchmarks import views as benchmarks

urlpatterns = [
    path("datasets/<int:pk>/benchmarks/", benchmarks.benchmarks, name="benchmarks"),
    path("benchmarks/<int:pk>/", benchmarks.benchmark, name="benchmark"),
]
