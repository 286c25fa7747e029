"""The addresses of runs and of the leaderboard."""

from django.urls import path

from evaluators.across.views import leaderboards
from evaluators.audit import views as audit
from evaluators.bundle import views as bundle
from evaluators.combinations.views import combinations, combinations_chart
from evaluators.comparison import views as comparison
from evaluators.comparison.compare_views import compare, compare_chart, compare_smallest, compare_units
from evaluators.comparison.growing_view import growing, growing_chart
from evaluators.comparison.people_view import compare_people
from evaluators.comparison.repeats_view import repeats
from evaluators.comparison.views import detectable, revisions
from evaluators.comparison.what_to_report_view import what_to_report_page
from evaluators.editing import views as editing
from evaluators.endpoints import views as endpoints
from evaluators.errors import views as errors
from evaluators.errors.tag_view import tag_mistakes
from evaluators.held_out import team_pages
from evaluators.held_out import views as held_out
from evaluators.label_next.views import next_labels, next_labels_chart
from evaluators.leaderboard.views import leaderboard
from evaluators.predictions import views as predictions
from evaluators.prompts import views as prompts
from evaluators.response_verdicts.views import response_verdicts
from evaluators.run_page import views as run_page
from evaluators.run_page.diff_view import run_diff
from evaluators.run_page.searches_view import run_pages_file, run_searches, run_searches_file
from evaluators.runs import batch_views, new_run, readings_view, views
from evaluators.sharing import public_pages
from evaluators.sharing import views as sharing
from evaluators.stages.views import stages, stages_chart
from evaluators.subjects.models_view import subject_models, subject_models_chart
from evaluators.subjects.views import ranking, ranking_chart_file
from evaluators.thresholds.promise_view import promise, promise_chart
from evaluators.thresholds.views import thresholds, thresholds_chart

urlpatterns = [
    path("datasets/<int:pk>/leaderboard/", leaderboard, name="leaderboard"),
    path("datasets/<int:pk>/leaderboard/report.json", comparison.report_json, name="report-json"),
    path("datasets/<int:pk>/leaderboard/report.csv", comparison.report_csv, name="report-csv"),
    path("datasets/<int:pk>/leaderboard/revisions/", revisions, name="revisions"),
    path("datasets/<int:pk>/compare/", compare, name="compare"),
    path("datasets/<int:pk>/compare/charts/<slug:name>.<str:form>", compare_chart, name="compare-chart"),
    path("datasets/<int:pk>/compare/smallest/", compare_smallest, name="compare-smallest"),
    path("datasets/<int:pk>/compare/people/", compare_people, name="compare-people"),
    path("datasets/<int:pk>/compare/growing/", growing, name="growing"),
    path("datasets/<int:pk>/compare/growing/charts/<slug:name>.<str:form>", growing_chart, name="growing-chart"),
    path("datasets/<int:pk>/compare/what-to-report/", what_to_report_page, name="what-to-report"),
    path("datasets/<int:pk>/compare/units/", compare_units, name="compare-units"),
    path("datasets/<int:pk>/shares/", sharing.shares, name="shares"),
    path("datasets/<int:pk>/shares/<int:share>/revoke/", sharing.share_revoke, name="share-revoke"),
    path("shared/", public_pages.shared, name="shared"),
    path("shared/comparison.json", public_pages.shared_json, name="shared-json"),
    path("shared/comparison.csv", public_pages.shared_csv, name="shared-csv"),
    path("shared/texts/", public_pages.shared_units, name="shared-units"),
    path("datasets/<int:pk>/boards/", held_out.boards, name="boards"),
    path("boards/<int:pk>/", held_out.board, name="board"),
    path("boards/<int:pk>/show/", held_out.board_show, name="board-show"),
    path("boards/<int:pk>/teams/<int:team>/remove/", held_out.team_remove, name="team-remove"),
    path("held-out/", team_pages.held_out, name="held-out"),
    path("held-out/units.jsonl", team_pages.held_out_units, name="held-out-units"),
    path("held-out/submissions.json", team_pages.held_out_submissions, name="held-out-submissions"),
    path("leaderboards/", leaderboards, name="leaderboards"),
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
    path("datasets/<int:pk>/editing/", editing.editing, name="editing"),
    path("edits/<int:pk>/", editing.edits, name="edits"),
    path("edits/<int:pk>/pairs.jsonl", editing.edits_export, name="edits-export"),
    path("edit-samples/<int:pk>/", editing.sample, name="edit-sample"),
    path("edit-samples/<int:pk>/rate/", editing.rate_edits, name="edit-rate"),
    path("edit-samples/<int:pk>/items/<int:item>/settle/", editing.settle_edit, name="edit-sample-settle"),
    path("datasets/<int:pk>/runs/", views.runs, name="runs"),
    path("datasets/<int:pk>/runs/new/", new_run.new_run, name="run-new"),
    path("datasets/<int:pk>/runs/new/estimate/", new_run.run_estimate, name="run-estimate"),
    path("datasets/<int:pk>/runs/new/models/", new_run.run_models, name="run-models"),
    path("datasets/<int:pk>/batches/new/", batch_views.batch_new, name="batch-new"),
    path("datasets/<int:pk>/batches/new/estimate/", batch_views.batch_estimate, name="batch-estimate"),
    path("batches/<int:pk>/", batch_views.batch, name="batch"),
    path("batches/<int:pk>/stop/", batch_views.batch_stop, name="batch-stop"),
    path("batches/<int:pk>/resume/", batch_views.batch_resume, name="batch-resume"),
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
    path("datasets/<int:pk>/endpoints/<int:endpoint_pk>/forget/", endpoints.endpoint_forget, name="endpoint-forget"),
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
    path(
        "datasets/<int:pk>/runs/import/units.<slug:form>", predictions.predictions_template, name="predictions-template"
    ),
    path("datasets/<int:pk>/runs/diff/", run_diff, name="run-diff"),
    path("responses/<int:pk>/verdicts/", response_verdicts, name="response-verdicts"),
    path("runs/<int:pk>/", run_page.run, name="run"),
    path("runs/<int:pk>/describe/", run_page.run_describe, name="run-describe"),
    path("runs/<int:pk>/archive/", run_page.run_archive, name="run-archive"),
    path("runs/<int:pk>/delete/", run_page.run_delete, name="run-delete"),
    *views.VIEWS.urls("runs"),
    path("runs/<int:pk>/predictions/", run_page.run_predictions, name="run-predictions"),
    path("runs/<int:pk>/calls/<int:call_pk>/", views.run_call, name="run-call"),
    path("runs/<int:pk>/manifest/", views.run_manifest, name="run-manifest"),
    path("runs/<int:pk>/repeats/", repeats, name="run-repeats"),
    path("runs/<int:pk>/searches/", run_searches, name="run-searches"),
    path("runs/<int:pk>/searches.jsonl", run_searches_file, name="run-searches-file"),
    path("runs/<int:pk>/searches/pages.jsonl", run_pages_file, name="run-pages-file"),
    path("runs/<int:pk>/readings/", readings_view.readings, name="run-readings"),
    path("runs/<int:pk>/read-again/", readings_view.run_read_again, name="run-read-again"),
]
