"""The addresses of runs and of the leaderboard."""

from django.urls import path

from evaluators.audit import views as audit
from evaluators.bundle import views as bundle
from evaluators.combinations.views import combinations, combinations_chart
from evaluators.comparison import views as comparison
from evaluators.comparison.compare_views import compare, compare_chart, compare_smallest, compare_units
from evaluators.comparison.growing_view import growing, growing_chart
from evaluators.comparison.people_view import compare_people
from evaluators.comparison.repeats_view import repeats
from evaluators.comparison.views import detectable, revisions
from evaluators.endpoints import views as endpoints
from evaluators.errors import views as errors
from evaluators.errors.tag_view import tag_mistakes
from evaluators.label_next.views import next_labels, next_labels_chart
from evaluators.predictions import views as predictions
from evaluators.prompts import views as prompts
from evaluators.runs import new_run, readings_view, views
from evaluators.stages.views import stages, stages_chart
from evaluators.subjects.models_view import subject_models, subject_models_chart
from evaluators.subjects.views import ranking, ranking_chart_file
from evaluators.tables.statistics import statistics_tables
from evaluators.thresholds.promise_view import promise, promise_chart
from evaluators.thresholds.views import thresholds, thresholds_chart

urlpatterns = [
    path("datasets/<int:pk>/leaderboard/", comparison.leaderboard, name="leaderboard"),
    path("datasets/<int:pk>/leaderboard/report.json", comparison.report_json, name="report-json"),
    path("datasets/<int:pk>/leaderboard/report.csv", comparison.report_csv, name="report-csv"),
    path("datasets/<int:pk>/leaderboard/revisions/", revisions, name="revisions"),
    path("datasets/<int:pk>/compare/", compare, name="compare"),
    path("datasets/<int:pk>/compare/charts/<slug:name>.<str:form>", compare_chart, name="compare-chart"),
    path("datasets/<int:pk>/compare/smallest/", compare_smallest, name="compare-smallest"),
    path("datasets/<int:pk>/compare/people/", compare_people, name="compare-people"),
    path("datasets/<int:pk>/compare/growing/", growing, name="growing"),
    path("datasets/<int:pk>/compare/growing/charts/<slug:name>.<str:form>", growing_chart, name="growing-chart"),
    path("datasets/<int:pk>/compare/units/", compare_units, name="compare-units"),
    path("datasets/<int:pk>/subject-models/", subject_models, name="subject-models"),
    path(
        "datasets/<int:pk>/subject-models/charts/<slug:name>.<str:form>",
        subject_models_chart,
        name="subject-models-chart",
    ),
    path("datasets/<int:pk>/thresholds/", thresholds, name="thresholds"),
    path("datasets/<int:pk>/thresholds/charts/<slug:name>.<str:form>", thresholds_chart, name="thresholds-chart"),
    path("datasets/<int:pk>/thresholds/promise/", promise, name="promise"),
    path("datasets/<int:pk>/thresholds/promise/charts/<slug:name>.<str:form>", promise_chart, name="promise-chart"),
    path("datasets/<int:pk>/ranking/", ranking, name="subject-ranking"),
    path("datasets/<int:pk>/ranking/charts/<slug:name>.<str:form>", ranking_chart_file, name="subject-ranking-chart"),
    path("datasets/<int:pk>/combinations/", combinations, name="combinations"),
    path("datasets/<int:pk>/combinations/charts/<slug:name>.<str:form>", combinations_chart, name="combinations-chart"),
    path("datasets/<int:pk>/stages/", stages, name="stages"),
    path("datasets/<int:pk>/stages/charts/<slug:name>.<str:form>", stages_chart, name="stages-chart"),
    path("datasets/<int:pk>/next-labels/", next_labels, name="next-labels"),
    path("datasets/<int:pk>/next-labels/charts/<slug:name>.<str:form>", next_labels_chart, name="next-labels-chart"),
    path("datasets/<int:pk>/statistics/tables/", statistics_tables, name="statistics-tables"),
    path("datasets/<int:pk>/runs/", views.runs, name="runs"),
    path("datasets/<int:pk>/runs/new/", new_run.new_run, name="run-new"),
    path("datasets/<int:pk>/runs/new/estimate/", new_run.run_estimate, name="run-estimate"),
    path("datasets/<int:pk>/detectable/", detectable, name="detectable"),
    path("datasets/<int:pk>/runs/bundle/", bundle.bundle, name="bundle"),
    path("datasets/<int:pk>/runs/bundle/results.zip", bundle.bundle_file, name="bundle-file"),
    path("datasets/<int:pk>/runs/import/", predictions.upload_predictions, name="import-predictions"),
    path("datasets/<int:pk>/prompt-sets/", prompts.prompt_sets, name="prompt-sets"),
    path("datasets/<int:pk>/prompt-sets/set/", prompts.prompt_set, name="prompt-set"),
    path("datasets/<int:pk>/prompt-sets/share/", prompts.prompt_set_share, name="prompt-set-share"),
    path("datasets/<int:pk>/endpoints/", endpoints.endpoints, name="endpoints"),
    path("datasets/<int:pk>/spending/", endpoints.allowance, name="allowance"),
    path("datasets/<int:pk>/endpoints/<int:endpoint_pk>/", endpoints.endpoint, name="endpoint"),
    path("datasets/<int:pk>/endpoints/<int:endpoint_pk>/price/", endpoints.endpoint_price, name="endpoint-price"),
    path("datasets/<int:pk>/endpoints/<int:endpoint_pk>/grant/", endpoints.endpoint_grant, name="endpoint-grant"),
    path("datasets/<int:pk>/endpoints/<int:endpoint_pk>/probe/", endpoints.endpoint_probe, name="endpoint-probe"),
    path("datasets/<int:pk>/errors/", errors.analyses, name="error-analyses"),
    path("datasets/<int:pk>/errors/causes/", errors.cause_add, name="error-cause-add"),
    path("datasets/<int:pk>/audits/", audit.audits, name="gold-audits"),
    path("audits/<int:pk>/", audit.audit, name="gold-audit"),
    path("audits/<int:pk>/charts/<slug:name>.<str:form>", audit.chart, name="audit-chart"),
    path("errors/<int:pk>/", errors.analysis, name="error-analysis"),
    path("errors/<int:pk>/tag/", tag_mistakes, name="error-tag"),
    path("errors/<int:pk>/leave/", errors.leave, name="error-leave"),
    path("errors/<int:pk>/mistakes/<int:mistake>/settle/", errors.settle_mistake, name="error-settle"),
    path("errors/<int:pk>/charts/<slug:name>.<str:form>", errors.chart, name="error-chart"),
    path("runs/<int:pk>/", views.run, name="run"),
    *views.VIEWS.urls("runs"),
    path("runs/<int:pk>/predictions/", views.run_predictions, name="run-predictions"),
    path("runs/<int:pk>/calls/<int:call_pk>/", views.run_call, name="run-call"),
    path("runs/<int:pk>/manifest/", views.run_manifest, name="run-manifest"),
    path("runs/<int:pk>/repeats/", repeats, name="run-repeats"),
    path("runs/<int:pk>/readings/", readings_view.readings, name="run-readings"),
    path("runs/<int:pk>/read-again/", readings_view.run_read_again, name="run-read-again"),
]
