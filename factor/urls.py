"""The addresses of benchmarks."""

from django.urls import path

from factor.benchmarks import views as benchmarks
from factor.building import listing_views as build_lists
from factor.building import views as build
from factor.open_ended import fact_views, label_views, results_views, study_views
from factor.perplexity import views as perplexity
from factor.results import example_view, examples_views
from factor.results import views as results
from factor.retrieval import views as retrieval
from factor.scoring import views as scoring
from factor.thresholds import views as thresholds
from factor.validation import exclude, rating_views, settle
from factor.validation import views as validation

urlpatterns = [
    path("datasets/<int:pk>/benchmarks/", benchmarks.benchmarks, name="benchmarks"),
    path("datasets/<int:pk>/benchmarks/import/", benchmarks.benchmark_import, name="benchmark-import"),
    path("benchmarks/<int:pk>/", benchmarks.benchmark, name="benchmark"),
    path("benchmarks/<int:pk>/file/", benchmarks.benchmark_export, name="benchmark-export"),
    path("benchmarks/<int:pk>/name/", benchmarks.benchmark_rename, name="benchmark-rename"),
    path("benchmarks/<int:pk>/delete/", benchmarks.benchmark_delete, name="benchmark-delete"),
    path("examples/<int:pk>/", example_view.example, name="example"),
    path("datasets/<int:pk>/benchmarks/make/", build.build_new, name="build-new"),
    path("datasets/<int:pk>/benchmarks/make/start/", build.build_start, name="build-start"),
    path("benchmarks/<int:pk>/build/", build.build, name="build"),
    *build.VIEWS.urls("builds"),
    path("benchmarks/<int:pk>/build/accept/", build.build_accept, name="build-accept"),
    path("benchmarks/<int:pk>/build/candidates/", build_lists.build_candidates, name="build-candidates"),
    path("benchmarks/<int:pk>/build/documents/", build_lists.build_documents, name="build-documents"),
    path("datasets/<int:pk>/benchmarks/to-rate/", rating_views.completions_to_rate, name="completions-to-rate"),
    path("benchmarks/<int:pk>/validation/", validation.validations, name="validations"),
    path("validations/<int:pk>/", validation.validation, name="validation"),
    path("validations/<int:pk>/rate/", rating_views.validation_rate, name="validation-rate"),
    path("validations/<int:pk>/settle/", settle.validation_settle, name="validation-settle"),
    path("validations/<int:pk>/ratings.csv", validation.validation_export, name="validation-export"),
    path("examples/<int:pk>/exclude/", exclude.example_exclude, name="example-exclude"),
    path("exclusions/<int:pk>/lift/", exclude.exclusion_lift, name="exclusion-lift"),
    path("datasets/<int:pk>/texts-to-label/", label_views.open_ended_work, name="open-ended-work"),
    path("benchmarks/<int:pk>/open-ended/", study_views.open_ended, name="open-ended"),
    path("open-ended/<int:pk>/", study_views.open_ended_study, name="open-ended-study"),
    *study_views.VIEWS.urls("open-ended"),
    path("open-ended/<int:pk>/facts/", fact_views.open_ended_facts, name="open-ended-facts"),
    path("open-ended/<int:pk>/label/", label_views.open_ended_label, name="open-ended-label"),
    path("open-ended/<int:pk>/results/", results_views.open_ended_results, name="open-ended-results"),
    path(
        "open-ended/<int:pk>/results/<slug:name>.<slug:form>", results_views.open_ended_chart, name="open-ended-chart"
    ),
    path("open-ended/<int:pk>/labels.csv", results_views.open_ended_export, name="open-ended-export"),
    path("benchmarks/<int:pk>/thresholds/", thresholds.filter_thresholds, name="filter-thresholds"),
    path(
        "benchmarks/<int:pk>/thresholds/<slug:name>.<slug:form>",
        thresholds.filter_thresholds_chart,
        name="filter-thresholds-chart",
    ),
    path("threshold-samples/<int:pk>/label/", thresholds.threshold_label, name="threshold-label"),
    path("datasets/<int:pk>/benchmarks/perplexity/", perplexity.perplexities, name="perplexities"),
    path("datasets/<int:pk>/benchmarks/perplexity/start/", perplexity.perplexity_start, name="perplexity-start"),
    path("scorings/<int:pk>/retrieved/", retrieval.scoring_retrieved, name="scoring-retrieved"),
    path("perplexities/<int:pk>/", perplexity.perplexity, name="perplexity"),
    *perplexity.VIEWS.urls("perplexities"),
    path("benchmarks/<int:pk>/scores/", scoring.scorings, name="scorings"),
    path("benchmarks/<int:pk>/scores/start/", scoring.scoring_start, name="scoring-start"),
    path("benchmarks/<int:pk>/scores/models/", scoring.scored_model_add, name="scored-model-add"),
    path("scorings/<int:pk>/", scoring.scoring, name="scoring"),
    *scoring.VIEWS.urls("scorings"),
    path("benchmarks/<int:pk>/results/", results.benchmark_results, name="benchmark-results"),
    path(
        "benchmarks/<int:pk>/results/<slug:name>.<slug:form>",
        results.benchmark_results_chart,
        name="benchmark-results-chart",
    ),
    path(
        "benchmarks/<int:pk>/results/disagreements/",
        examples_views.benchmark_disagreements,
        name="benchmark-disagreements",
    ),
    path("scorings/<int:pk>/scores/", examples_views.scoring_scores, name="scoring-scores"),
]
