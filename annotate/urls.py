"""The addresses of the experts' work."""

from django.urls import path

from annotate.adjudication import mark_views as marks
from annotate.adjudication import recut_views as recuts
from annotate.adjudication import review_views as reviews
from annotate.adjudication import views as adjudication
from annotate.administration import account_views as accounts
from annotate.administration import views as people
from annotate.agreement import views as agreement
from annotate.attention import views as attention
from annotate.conversation import shared_views as shared_talk
from annotate.conversation import views as talk
from annotate.corpus import import_views as imports
from annotate.corpus import mapping_views as mapping
from annotate.corpus import views as corpus
from annotate.datasets import views as datasets
from annotate.evidence import topics_view as evidence_topics
from annotate.evidence import views as evidence
from annotate.export import views as exports
from annotate.feedback import views as feedback
from annotate.invitations import views as invitations
from annotate.labels import return_views as returns
from annotate.labels import script_views as workbench
from annotate.labels import views as labels
from annotate.links import views as links
from annotate.oversight import views as oversight
from annotate.overview import removing_views as removing
from annotate.overview import views
from annotate.personal_data import views as personal_data
from annotate.prompts import entities_views, generation_views, reference_views, writings_views
from annotate.prompts import views as prompts
from annotate.proposals import fact_views as facts
from annotate.proposals import segment_views as segments
from annotate.qualification import views as qualification
from annotate.rebuttal import views as rebuttal
from annotate.recruitment import outside_views as outside
from annotate.recruitment import views as recruitment
from annotate.release import gold_views as gold
from annotate.release import views as release
from annotate.samples import views as samples
from annotate.second_look import views as second_look
from annotate.statistics.definitions import how_computed
from annotate.statistics.views import statistics
from annotate.suggestions import views as suggestions
from annotate.tasks import limit_views as limits
from annotate.tasks import qualify_views as qualify
from annotate.tasks import views as tasks

urlpatterns = [
    # Addresses are tried in this order: first those that annotators wait for.
    path("assignments/<slug:key>/save/", workbench.save, name="assignment-save"),
    path("assignments/<slug:key>/", labels.assignment, name="assignment"),
    path("datasets/<int:pk>/label/", labels.label_next, name="label-next"),
    path("import/", corpus.import_page, name="import"),
    path("import/<int:pk>/", corpus.upload_page, name="upload"),
    path("import/<int:pk>/confirm/", corpus.confirm_upload, name="upload-confirm"),
    path("import/<int:pk>/discard/", corpus.discard_upload, name="upload-discard"),
    path("import/<int:pk>/mapping/", mapping.upload_mapping, name="upload-mapping"),
    path("import/<int:pk>/recipe/", mapping.upload_recipe, name="upload-recipe"),
    path("datasets/<int:pk>/imports/", imports.dataset_imports, name="dataset-imports"),
    path("imports/<int:pk>/", imports.import_report, name="import-report"),
    path("imports/<int:pk>/take-back/", imports.import_take_back, name="import-take-back"),
    path("datasets/<int:pk>/responses/", removing.responses, name="responses"),
    path("imports/<int:pk>/skipped.jsonl", imports.import_skipped, name="import-skipped"),
    path("recipes/", mapping.recipes, name="recipes"),
    path("recipes/<slug:name>/", mapping.recipe, name="recipe"),
    path("recipes/<slug:name>/delete/", mapping.recipe_delete, name="recipe-delete"),
    path("", views.home, name="home"),
    path("how-figures-are-computed/", how_computed, name="how-computed"),
    path("attention/count/", attention.attention_count, name="attention-count"),
    path("attention/dismiss/", attention.attention_dismiss, name="attention-dismiss"),
    path("attention/digest/", attention.digest, name="digest"),
    path("datasets/<int:pk>/", views.dataset, name="dataset"),
    path("datasets/new/", datasets.dataset_new, name="dataset-new"),
    path("datasets/<int:pk>/about/", datasets.dataset_about, name="dataset-about"),
    path("datasets/<int:pk>/archive/", datasets.dataset_archive, name="dataset-archive"),
    path("datasets/<int:pk>/delete/", datasets.dataset_delete, name="dataset-delete"),
    path("deletions/<int:pk>/", datasets.deletion, name="deletion"),
    path("datasets/<int:pk>/setup/dismiss/", datasets.setup_dismiss, name="setup-dismiss"),
    path("responses/<int:pk>/", views.response, name="response"),
    path("datasets/<int:pk>/adjudicate/", adjudication.adjudicate, name="adjudicate"),
    path("datasets/<int:pk>/adjudicate/unanimous/", adjudication.unanimous, name="unanimous"),
    path("datasets/<int:pk>/adjudicate/majorities/", adjudication.majorities, name="majorities"),
    path("datasets/<int:pk>/adjudicate/<int:segment>/", adjudication.adjudicate_unit, name="adjudicate-segment"),
    path(
        "datasets/<int:pk>/adjudicate/<int:segment>/<int:fact>/", adjudication.adjudicate_unit, name="adjudicate-fact"
    ),
    path("datasets/<int:pk>/review/", reviews.review_queue, name="review"),
    path("datasets/<int:pk>/marks/", marks.mark_list, name="marks"),
    path("marks/<int:pk>/mend/", recuts.mark_mend, name="mark-mend"),
    path("marks/<int:pk>/settle/", marks.mark_settle, name="mark-settle"),
    path("responses/<int:pk>/review/", reviews.review_response, name="review-response"),
    path("responses/<int:pk>/review/edits/<int:segment>/", reviews.edit_settle, name="edit-settle"),
    path("responses/<int:pk>/review/removal/", reviews.removal_settle, name="removal-settle"),
    path("datasets/<int:pk>/outcome/", feedback.outcome_list, name="outcomes"),
    path("assignments/<slug:key>/outcome/", feedback.outcome, name="outcome"),
    path("assignments/<slug:key>/challenge/", feedback.challenge_unit, name="challenge"),
    path("datasets/<int:pk>/challenges/", feedback.challenge_list, name="challenges"),
    path("challenges/<int:pk>/answer/", feedback.challenge_answer, name="challenge-answer"),
    path("datasets/<int:pk>/agreement/", agreement.agreement, name="agreement"),
    path("datasets/<int:pk>/agreement/units/", agreement.splits, name="splits"),
    path("datasets/<int:pk>/export/", exports.export, name="dataset-export"),
    path("datasets/<int:pk>/gold/", gold.gold, name="gold"),
    path("datasets/<int:pk>/gold/releases/", release.releases, name="releases"),
    path("releases/<int:pk>/", release.release_file, name="release-file"),
    path("datasets/<int:pk>/people/", people.people, name="people"),
    path("datasets/<int:pk>/people/add/", people.member_add, name="member-add"),
    path("datasets/<int:pk>/guidelines/changes/", people.guideline_changes, name="guideline-changes"),
    path("datasets/<int:pk>/guidelines/", people.guidelines_save, name="guidelines-save"),
    path("datasets/<int:pk>/people/invite/", invitations.invite, name="invite"),
    path("datasets/<int:pk>/people/invite-many/", invitations.invite_many, name="invite-many"),
    path("datasets/<int:pk>/people/invitations/", invitations.invitations_change, name="invitations-change"),
    path("invitation/", invitations.invitation, name="invitation"),
    path("datasets/<int:pk>/recruitment/", recruitment.recruitment, name="recruitment"),
    path("datasets/<int:pk>/recruitment/new/", recruitment.recruitment_new, name="recruitment-new"),
    path("recruitment/<int:pk>/", recruitment.recruitment_link, name="recruitment-link"),
    path("recruitment/<int:pk>/approvals.csv", recruitment.recruitment_csv, name="recruitment-csv"),
    path("recruitment/<int:pk>/state/", recruitment.recruitment_state, name="recruitment-state"),
    path("outside-people/<int:pk>/browser/", recruitment.outside_browser, name="outside-browser"),
    path("outside/", outside.outside, name="outside"),
    path("datasets/<int:pk>/end/", outside.outside_end, name="outside-end"),
    path("members/<int:pk>/", people.member_change, name="member-change"),
    path("members/<int:pk>/remove/", people.member_remove, name="member-remove"),
    path("members/<int:pk>/reset/", accounts.member_reset, name="member-reset"),
    path("accounts/", accounts.accounts, name="accounts"),
    path("accounts/<int:pk>/", accounts.account_change, name="account-change"),
    path("accounts/<int:pk>/reset/", accounts.account_reset, name="account-reset"),
    path("account/deactivate/", accounts.deactivate_own, name="deactivate"),
    path("account/data/", personal_data.own_data, name="own-data"),
    path("account/data/file/", personal_data.own_data_file, name="own-data-file"),
    path("accounts/<int:pk>/forget/", personal_data.account_forget, name="account-forget"),
    path("datasets/<int:pk>/statistics/", statistics, name="statistics"),
    path("datasets/<int:pk>/my-work/", labels.work, name="work"),
    path("datasets/<int:pk>/tasks/", tasks.assign_page, name="assign"),
    path("assignments/<slug:key>/compare/", workbench.compare, name="assignment-compare"),
    path("assignments/<slug:key>/skip/", workbench.skip_task, name="skip"),
    path("assignments/<slug:key>/take-up/", workbench.take_up_task, name="take-up"),
    path("assignments/<slug:key>/take-back/", returns.take_work_back, name="take-back"),
    path("assignments/<slug:key>/keep/", returns.keep_work, name="keep-work"),
    path("assignments/<int:pk>/send-back/", returns.send_work_back, name="send-back"),
    path("assignments/<int:pk>/send-back/end/", returns.end_return, name="send-back-end"),
    path("assignments/<slug:key>/conversation/", talk.conversation, name="conversation"),
    path("tasks/<int:pk>/conversations/", talk.conversations, name="conversations"),
    path("assignments/<slug:key>/shared-conversation/", shared_talk.shared_conversation, name="shared-conversation"),
    path("tasks/<int:pk>/shared-conversation/", shared_talk.shared_conversation_of, name="shared-conversation-of"),
    path("keys/", workbench.keys, name="keys"),
    path("assignments/<slug:key>/rebuttal/", rebuttal.rebuttal, name="rebuttal"),
    path("assignments/<slug:key>/rebuttal/save/", rebuttal.rebuttal_save, name="rebuttal-save"),
    path("assignments/<slug:key>/rebuttal/compare/", rebuttal.rebuttal_compare, name="rebuttal-compare"),
    path("assignments/<slug:key>/rebuttal/pages/<slug:page>/", rebuttal.rebuttal_page, name="rebuttal-page"),
    path("datasets/<int:pk>/rebuttals/", rebuttal.rebuttals, name="rebuttals"),
    path("datasets/<int:pk>/rebuttals/keep/", rebuttal.rebuttals_keep, name="rebuttals-keep"),
    path("tasks/<int:pk>/rebuttal/end/", rebuttal.rebuttal_end, name="rebuttal-end"),
    path("assignments/<slug:key>/evidence/", evidence.evidence, name="evidence"),
    path("assignments/<slug:key>/precedents/", evidence.evidence_precedents, name="precedents"),
    path("responses/<int:pk>/evidence/", evidence.response_evidence, name="response-evidence"),
    path("datasets/<int:pk>/knowledge/", evidence.knowledge, name="knowledge"),
    path("datasets/<int:pk>/knowledge/choose/", evidence.knowledge_choose, name="knowledge-choose"),
    path("datasets/<int:pk>/knowledge/upload/", evidence.knowledge_upload, name="knowledge-upload"),
    path("datasets/<int:pk>/knowledge/share/", evidence.knowledge_share, name="knowledge-share"),
    path("datasets/<int:pk>/knowledge/uploads/", evidence.knowledge_uploads, name="knowledge-uploads"),
    path("datasets/<int:pk>/knowledge/topics/", evidence_topics.topics, name="topics"),
    path("datasets/<int:pk>/knowledge/topics/name/", evidence_topics.topic_name, name="topic-name"),
    path("datasets/<int:pk>/documents/<int:document>/", evidence.document, name="document"),
    path("assignments/<int:pk>/give-back/", tasks.give_back_place, name="give-back"),
    path("datasets/<int:pk>/tasks/kinds/", tasks.task_kinds, name="task-kinds"),
    path("datasets/<int:pk>/tasks/limits/", limits.work_limits, name="work-limits"),
    path("datasets/<int:pk>/tasks/move/", tasks.task_move, name="task-move"),
    path("task-moves/<int:pk>/undo/", tasks.task_move_undo, name="task-move-undo"),
    path("tasks/<int:pk>/receipt/", oversight.receipt, name="receipt"),
    path("datasets/<int:pk>/settings/", people.dataset_settings, name="dataset-settings"),
    path("datasets/<int:pk>/suggestions/", suggestions.suggestions, name="suggestions"),
    path("datasets/<int:pk>/tasks/qualification/", qualify.qualification_tasks, name="qualification-tasks"),
    path("datasets/<int:pk>/qualification/", qualification.qualification, name="qualification"),
    path("members/<int:pk>/qualification/", qualification.qualification_grant, name="qualification-grant"),
    path("members/<int:pk>/qualification/retake/", qualification.qualification_retake, name="qualification-retake"),
    path("datasets/<int:pk>/oversight/", oversight.oversight, name="oversight"),
    path("datasets/<int:pk>/oversight/work/", oversight.oversight_work, name="oversight-work"),
    path("datasets/<int:pk>/oversight/work.csv", oversight.oversight_pay, name="oversight-pay"),
    path("datasets/<int:pk>/quality/", oversight.quality, name="quality"),
    path("datasets/<int:pk>/samples/", samples.samples, name="samples"),
    path("samples/<int:pk>/", samples.sample, name="sample"),
    path("samples/<int:pk>/rate/", samples.sample_rate, name="sample-rate"),
    path("samples/<int:pk>/ratings.csv", samples.sample_export, name="sample-export"),
    path("datasets/<int:pk>/second-looks/", second_look.second_looks, name="second-looks"),
    path("datasets/<int:pk>/second-looks/cases/", second_look.second_look_cases, name="second-look-cases"),
    path("second-looks/<int:pk>/evidence/", second_look.evidence, name="second-look-evidence"),
    path("second-looks/<int:pk>/settle/", second_look.second_look_settle, name="second-look-settle"),
    path("datasets/<int:pk>/links/", links.links, name="links"),
    path("snapshots/<int:pk>/", links.snapshot, name="snapshot"),
    path("snapshots/<int:pk>/again/", links.snapshot_again, name="snapshot-again"),
    path("assignments/<slug:key>/links/", links.card, name="card"),
    path("assignments/<slug:key>/links/<slug:page>/", links.requested_page, name="requested-page"),
    path("assignments/<slug:key>/links/<slug:page>/state/", links.card_state, name="card-state"),
    path("datasets/<int:pk>/facts/", facts.facts, name="facts"),
    path("datasets/<int:pk>/facts/progress/", facts.facts_progress, name="facts-progress"),
    path("datasets/<int:pk>/facts/propose/", facts.facts_propose, name="facts-propose"),
    path("datasets/<int:pk>/facts/stop/", facts.facts_stop, name="facts-stop"),
    path("responses/<int:pk>/facts/", facts.facts_edit, name="facts-edit"),
    path("responses/<int:pk>/facts/save/", facts.facts_save, name="facts-save"),
    path("datasets/<int:pk>/prompts/", prompts.prompts, name="prompts"),
    path("datasets/<int:pk>/prompts/import/", prompts.prompts_import, name="prompts-import"),
    path("datasets/<int:pk>/prompts/lists/", reference_views.reference_lists, name="reference-lists"),
    path(
        "datasets/<int:pk>/prompts/lists/import/", reference_views.reference_lists_import, name="reference-lists-import"
    ),
    path(
        "datasets/<int:pk>/prompts/lists/lists.jsonl", reference_views.reference_lists_file, name="reference-lists-file"
    ),
    path("datasets/<int:pk>/prompts/entities/", entities_views.entities, name="entities"),
    path("datasets/<int:pk>/prompts/entities/draw/", entities_views.entities_draw, name="entities-draw"),
    path("datasets/<int:pk>/prompts/entities/collect/", entities_views.entities_collect, name="entities-collect"),
    path("datasets/<int:pk>/prompts/write/", writings_views.prompt_writings, name="prompt-writings"),
    path("datasets/<int:pk>/prompts/write/draft/", writings_views.prompt_drafts, name="prompt-drafts"),
    path("datasets/<int:pk>/prompts/write/start/", writings_views.prompt_writing_start, name="prompt-writing-start"),
    path("prompts/<int:pk>/remove/", writings_views.prompt_remove, name="prompt-remove"),
    path("datasets/<int:pk>/prompts/ask/", generation_views.generation_new, name="generation-new"),
    path("datasets/<int:pk>/prompts/ask/start/", generation_views.generation_start, name="generation-start"),
    path("datasets/<int:pk>/subjects/", prompts.subject_describe, name="subject-describe"),
    path("generations/<int:pk>/", generation_views.generation, name="generation"),
    *generation_views.VIEWS.urls("generations"),
    path("generations/<int:pk>/accept/", generation_views.generation_accept, name="generation-accept"),
    path("datasets/<int:pk>/segments/", segments.segments, name="segments"),
    path("datasets/<int:pk>/segments/progress/", segments.segments_progress, name="segments-progress"),
    path("datasets/<int:pk>/segments/propose/", segments.segments_propose, name="segments-propose"),
    path("datasets/<int:pk>/segments/stop/", segments.segments_stop, name="segments-stop"),
    path("responses/<int:pk>/segments/", segments.segments_edit, name="segments-edit"),
    path("segmentations/<int:pk>/restore/", segments.segments_restore, name="segments-restore"),
]
