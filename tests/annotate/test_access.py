"""Every address of the site, asked for by everybody: who gets in, who may not, who is told that nothing is there."""

from collections.abc import Callable

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from annotate.models import Dataset, Role, User
from tests.annotate.blindness.walk import without_chance
from tests.factories import make_dataset, make_person
from tests.world import INVITATION_KEY, RECRUITMENT_KEY, SHARED_KEY, TEAM_KEY, World, make_world

pytestmark = pytest.mark.django_db

# Ada has the work in question, Ben is another annotator of the dataset, Oscar belongs to another one.
PEOPLE = ("nobody", "oscar", "ada", "ben", "dora", "rhea", "root")
LOGIN = 302

ALL = (LOGIN, 200, 200, 200, 200, 200, 200)
MEMBERS = (LOGIN, 404, 200, 200, 200, 200, 200)
ANNOTATORS_GO_ON = (LOGIN, 404, 302, 302, 403, 403, 403)
ANNOTATORS = (LOGIN, 404, 200, 200, 403, 403, 403)
ADA = (LOGIN, 404, 200, 404, 404, 404, 404)
ADA_WRITES = (LOGIN, 404, 422, 404, 404, 404, 404)
ADA_DOES = (LOGIN, 404, 302, 404, 404, 404, 404)
ADJUDICATORS = (LOGIN, 404, 403, 403, 200, 403, 200)
ADJUDICATORS_WRITE = (LOGIN, 404, 403, 403, 422, 403, 422)
ADJUDICATORS_DO = (LOGIN, 404, 403, 403, 302, 403, 302)
DORA = (LOGIN, 404, 404, 404, 200, 404, 404)
DORA_DOES = (LOGIN, 404, 404, 404, 302, 404, 404)
READERS = (LOGIN, 404, 403, 403, 200, 200, 200)
READERS_WRITE = (LOGIN, 404, 403, 403, 422, 422, 422)
READERS_DO = (LOGIN, 404, 403, 403, 302, 302, 302)
# The world has segments alone, and no chart of that name.
READERS_FIND = (LOGIN, 404, 403, 403, 404, 404, 404)
# Of an object that only these may know of: nobody else learns that it is there, but adjudicators know of all.
ADJUDICATORS_ONLY = (LOGIN, 404, 404, 404, 200, 404, 200)
ADJUDICATORS_WRITE_ONLY = (LOGIN, 404, 404, 404, 422, 404, 422)
ADJUDICATORS_DO_ONLY = (LOGIN, 404, 404, 404, 302, 404, 302)
READERS_ONLY = (LOGIN, 404, 404, 404, 200, 200, 200)
READERS_WRITE_ONLY = (LOGIN, 404, 404, 404, 422, 422, 422)
READERS_DO_ONLY = (LOGIN, 404, 404, 404, 302, 302, 302)
READERS_FIND_ONLY = (LOGIN, 404, 404, 404, 404, 404, 404)
ANNOTATORS_ONLY = (LOGIN, 404, 200, 200, 403, 404, 403)
SUPERUSERS = (LOGIN, 404, 403, 403, 403, 403, 200)
SUPERUSERS_WRITE = (LOGIN, 404, 403, 403, 403, 403, 422)

EVERYBODY = (200, 200, 200, 200, 200, 200, 200)
SITE_ADMINISTRATORS = (LOGIN, 403, 403, 403, 403, 403, 200)
# Pages of an authenticator, which nobody has here: to one's password, or to the page that begins it.
REDIRECTED = (LOGIN, 302, 302, 302, 302, 302, 302)
NOWHERE = (404, 404, 404, 404, 404, 404, 404)
NOTHING_THERE = (LOGIN, 404, 404, 404, 404, 404, 404)

# Name of the address: (method, what it is about, status for each of PEOPLE).
EXPECTED: dict[str, tuple[str, tuple[str, ...], tuple[int, ...]]] = {
    "home": ("get", (), ALL),
    "how-computed": ("get", (), EVERYBODY),
    "digest": ("post", (), (LOGIN, 302, 302, 302, 302, 302, 302)),
    "attention-count": ("get", (), (LOGIN, 200, 200, 200, 200, 200, 200)),
    "attention-dismiss": ("post", (), (LOGIN, 302, 302, 302, 302, 302, 302)),
    "account_login": ("get", (), (200, 302, 302, 302, 302, 302, 302)),
    "account_logout": ("post", (), (302, 302, 302, 302, 302, 302, 302)),
    "account": ("get", (), ALL),
    "account_reauthenticate": ("get", (), ALL),
    "account_change_password": ("get", (), ALL),
    "profile": ("get", (), ALL),
    "account_email": ("get", (), ALL),
    "account_confirm_email": ("get", ("link key",), EVERYBODY),
    "account_reset_password": ("get", (), EVERYBODY),
    "account_reset_password_done": ("get", (), EVERYBODY),
    "account_reset_password_from_key": ("get", ("person", "link key"), EVERYBODY),
    "account_reset_password_from_key_done": ("get", (), EVERYBODY),
    # To one's password first.
    "deactivate": ("get", (), REDIRECTED),
    "accounts": ("get", (), SITE_ADMINISTRATORS),
    "account-change": ("post", ("person",), (LOGIN, 403, 403, 403, 403, 403, 302)),
    "account-reset": ("get", ("person",), SITE_ADMINISTRATORS),
    "account-forget": ("get", ("person",), SITE_ADMINISTRATORS),
    "own-data": ("get", (), ALL),
    # They have asked for no file.
    "own-data-file": ("get", (), NOTHING_THERE),
    "admin-password": ("get", (), REDIRECTED),
    "usersessions_list": ("get", (), ALL),
    "mfa_index": ("get", (), ALL),
    "mfa_authenticate": ("get", (), REDIRECTED),
    "mfa_reauthenticate": ("get", (), REDIRECTED),
    "mfa_activate_totp": ("get", (), REDIRECTED),
    "mfa_deactivate_totp": ("get", (), NOTHING_THERE),
    "mfa_view_recovery_codes": ("get", (), NOTHING_THERE),
    "mfa_generate_recovery_codes": ("get", (), REDIRECTED),
    "mfa_download_recovery_codes": ("get", (), NOTHING_THERE),
    "mfa_list_webauthn": ("get", (), ALL),
    "mfa_add_webauthn": ("get", (), REDIRECTED),
    "mfa_edit_webauthn": ("get", ("person",), REDIRECTED),
    "mfa_remove_webauthn": ("get", ("person",), REDIRECTED),
    "mfa_reauthenticate_webauthn": ("get", (), REDIRECTED),
    "mfa_login_webauthn": ("get", (), (200, 302, 302, 302, 302, 302, 302)),
    "tokens": ("get", (), ALL),
    # To one's password first.
    "token-new": ("get", (), REDIRECTED),
    "token-revoke": ("post", ("person",), NOTHING_THERE),
    "api-documentation": ("get", (), ALL),
    "webhooks": ("get", ("dataset",), ADJUDICATORS),
    "webhook": ("get", ("webhook",), ADJUDICATORS_ONLY),
    "webhook-secret": ("post", ("webhook",), ADJUDICATORS_ONLY),
    "webhook-delete": ("post", ("webhook",), ADJUDICATORS_DO_ONLY),
    "webhook-delivery-repeat": ("post", ("delivery",), ADJUDICATORS_DO_ONLY),
    # No identity provider is configured here.
    "openid-login": ("post", (), NOWHERE),
    "openid-callback": ("get", (), NOWHERE),
    "openid-invitation": ("post", (), NOWHERE),
    "openid-account": ("get", (), NOWHERE),
    "openid-connect": ("post", (), NOWHERE),
    "openid-disconnect": ("get", (), NOWHERE),
    "audit-log": ("get", (), SITE_ADMINISTRATORS),
    "audit-log-export": ("get", (), SITE_ADMINISTRATORS),
    "server": ("get", (), SITE_ADMINISTRATORS),
    "work-of-site": ("get", (), SITE_ADMINISTRATORS),
    "work-retry": ("post", ("kind", "release"), (LOGIN, 403, 403, 403, 403, 403, 302)),
    "dataset": ("get", ("dataset",), MEMBERS),
    "response": ("get", ("response",), READERS_ONLY),
    "adjudicate": ("get", ("dataset",), ADJUDICATORS),
    "unanimous": ("get", ("dataset",), ADJUDICATORS),
    "majorities": ("get", ("dataset",), ADJUDICATORS),
    "adjudicate-segment": ("get", ("dataset", "segment"), ADJUDICATORS),
    "adjudicate-fact": ("get", ("dataset", "segment", "fact"), ADJUDICATORS),
    "marks": ("get", ("dataset",), ADJUDICATORS),
    "mark-mend": ("get", ("mark",), ADJUDICATORS_ONLY),
    "mark-settle": ("post", ("mark",), ADJUDICATORS_WRITE_ONLY),
    "review": ("get", ("dataset",), ADJUDICATORS),
    "review-response": ("get", ("response",), ADJUDICATORS_ONLY),
    "edit-settle": ("post", ("response", "segment"), ADJUDICATORS_WRITE_ONLY),
    "removal-settle": ("post", ("response",), ADJUDICATORS_WRITE_ONLY),
    "outcomes": ("get", ("dataset",), ANNOTATORS),
    "outcome": ("get", ("settled",), ADA),
    "challenge": ("post", ("settled",), ADA_WRITES),
    "challenges": ("get", ("dataset",), ADJUDICATORS),
    "challenge-answer": ("post", ("challenge",), ADJUDICATORS_WRITE_ONLY),
    "agreement": ("get", ("dataset",), READERS),
    "splits": ("get", ("dataset",), READERS),
    "dataset-export": ("get", ("dataset",), READERS),
    "gold": ("get", ("dataset",), READERS),
    "releases": ("get", ("dataset",), READERS),
    "release-file": ("get", ("release",), READERS_ONLY),
    "people": ("get", ("dataset",), ADJUDICATORS),
    "member-add": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "member-change": ("post", ("member",), ADJUDICATORS_WRITE_ONLY),
    # Ben's own membership: he may leave.
    "member-remove": ("get", ("member",), (LOGIN, 404, 404, 200, 200, 404, 200)),
    "member-reset": ("get", ("member",), ADJUDICATORS_ONLY),
    "invite": ("get", ("dataset",), ADJUDICATORS),
    "invitations-change": ("post", ("dataset",), ADJUDICATORS_DO_ONLY),
    "invite-many": ("get", ("dataset",), ADJUDICATORS),
    "invitation": ("get", (), EVERYBODY),
    "recruitment": ("get", ("dataset",), ADJUDICATORS),
    "recruitment-new": ("get", ("dataset",), ADJUDICATORS),
    "recruitment-link": ("get", ("recruitment link",), ADJUDICATORS_ONLY),
    "recruitment-csv": ("get", ("recruitment link",), ADJUDICATORS_ONLY),
    "recruitment-state": ("post", ("recruitment link",), ADJUDICATORS_DO_ONLY),
    "outside-browser": ("post", ("outside person",), ADJUDICATORS_DO_ONLY),
    "outside": ("get", (), EVERYBODY),
    "outside-end": ("get", ("dataset",), (LOGIN, 404, 404, 404, 403, 403, 403)),
    "guideline-changes": ("get", ("dataset",), MEMBERS),
    "guidelines-save": ("post", ("dataset",), ADJUDICATORS_WRITE),
    # Researchers may create a sandbox.
    "dataset-new": ("get", (), (LOGIN, 403, 403, 403, 403, 200, 200)),
    "dataset-about": ("get", ("dataset",), ADJUDICATORS),
    "dataset-archive": ("post", ("dataset",), ADJUDICATORS_DO),
    "dataset-delete": ("get", ("dataset",), ADJUDICATORS),
    "deletion": ("get", ("deletion",), ADJUDICATORS_ONLY),
    "setup-dismiss": ("post", ("dataset",), ADJUDICATORS_DO),
    "statistics": ("get", ("dataset",), READERS),
    "label-next": ("get", ("dataset",), ANNOTATORS_GO_ON),
    "work": ("get", ("dataset",), ANNOTATORS),
    "assign": ("get", ("dataset",), ADJUDICATORS),
    "assignment": ("get", ("assignment",), ADA),
    "assignment-save": ("post", ("assignment",), ADA_WRITES),
    "assignment-compare": ("post", ("assignment",), ADA_WRITES),
    "skip": ("post", ("assignment",), ADA_DOES),
    "take-up": ("post", ("assignment",), ADA_DOES),
    "take-back": ("post", ("assignment",), ADA_DOES),
    "keep-work": ("post", ("assignment",), ADA_DOES),
    "send-back": ("post", ("assignment row",), ADJUDICATORS_DO_ONLY),
    "send-back-end": ("post", ("assignment row",), ADJUDICATORS_DO_ONLY),
    "conversation": ("get", ("assignment",), ADA),
    "conversations": ("get", ("task",), ADJUDICATORS_ONLY),
    "shared-conversation": ("get", ("submitted assignment",), ADA),
    "shared-conversation-of": ("get", ("task",), ADJUDICATORS_ONLY),
    "keys": ("post", (), ALL),
    "rebuttal": ("get", ("rebuttal",), ADA),
    "rebuttal-save": ("post", ("rebuttal",), ADA_WRITES),
    "rebuttal-compare": ("post", ("rebuttal",), ADA_WRITES),
    "rebuttals-keep": ("post", ("dataset",), ANNOTATORS_GO_ON),
    "rebuttal-page": ("get", ("rebuttal", "rebuttal page"), ADA),
    "rebuttals": ("get", ("dataset",), ADJUDICATORS),
    "rebuttal-end": ("post", ("in rebuttal",), ADJUDICATORS_DO_ONLY),
    "give-back": ("post", ("assignment row",), ADJUDICATORS_DO_ONLY),
    "task-kinds": ("post", ("dataset",), ADJUDICATORS_DO),
    "work-limits": ("get", ("dataset",), ADJUDICATORS),
    "task-move": ("post", ("dataset",), ADJUDICATORS_DO),
    "task-move-undo": ("post", ("task move",), ADJUDICATORS_DO_ONLY),
    "receipt": ("get", ("task",), ADJUDICATORS_ONLY),
    "dataset-settings": ("get", ("dataset",), ADJUDICATORS),
    "suggestions": ("get", ("dataset",), ADJUDICATORS),
    "qualification": ("get", ("dataset",), ANNOTATORS),
    "qualification-tasks": ("get", ("dataset",), ADJUDICATORS),
    "qualification-retake": ("post", ("member",), ADJUDICATORS_DO_ONLY),
    "qualification-grant": ("post", ("member",), ADJUDICATORS_DO_ONLY),
    "oversight": ("get", ("dataset",), ADJUDICATORS),
    "oversight-work": ("get", ("dataset",), ADJUDICATORS),
    "oversight-pay": ("get", ("dataset",), ADJUDICATORS),
    "quality": ("get", ("dataset",), ADJUDICATORS),
    "samples": ("get", ("dataset",), MEMBERS),
    "sample": ("get", ("sample",), READERS_ONLY),
    "sample-rate": ("get", ("sample",), MEMBERS),
    "sample-export": ("get", ("sample",), READERS_ONLY),
    "evidence": ("get", ("assignment",), ADA),
    "precedents": ("get", ("assignment",), ADA),
    "response-evidence": ("get", ("response",), READERS_ONLY),
    "knowledge": ("get", ("dataset",), READERS),
    "knowledge-choose": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "knowledge-upload": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "knowledge-share": ("post", ("dataset",), (LOGIN, 404, 403, 403, 403, 403, 404)),
    "knowledge-uploads": ("post", ("dataset",), ADJUDICATORS_DO),
    "topics": ("get", ("dataset",), READERS),
    "topic-name": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "document": ("get", ("dataset", "document"), MEMBERS),
    "import": ("get", (), (LOGIN, 403, 403, 403, 200, 403, 200)),
    "upload": ("get", ("upload",), DORA),
    "upload-mapping": ("get", ("upload",), DORA),
    "upload-confirm": ("post", ("upload",), DORA_DOES),
    "upload-discard": ("post", ("upload",), DORA_DOES),
    "upload-recipe": ("post", ("upload",), NOTHING_THERE),  # that of the world has none
    "dataset-imports": ("get", ("dataset",), READERS),
    "import-report": ("get", ("import",), READERS_ONLY),
    "import-skipped": ("get", ("import",), READERS_ONLY),
    "import-take-back": ("post", ("import",), ADJUDICATORS_DO_ONLY),
    "responses": ("get", ("dataset",), ADJUDICATORS),
    "recipes": ("get", (), (LOGIN, 403, 403, 403, 200, 403, 200)),
    "recipe": ("get", ("recipe",), (LOGIN, 403, 403, 403, 200, 403, 404)),
    "recipe-delete": ("post", ("recipe",), (LOGIN, 403, 403, 403, 302, 403, 404)),
    "links": ("get", ("dataset",), READERS),
    "snapshot": ("get", ("snapshot",), READERS_ONLY),
    "snapshot-again": ("post", ("snapshot",), READERS_DO_ONLY),
    "card": ("post", ("assignment",), ADA_WRITES),
    "card-state": ("post", ("assignment", "requested page"), ADA),
    "requested-page": ("get", ("assignment", "requested page"), ADA),
    "leaderboard": ("get", ("dataset",), READERS),
    "compare": ("get", ("dataset",), READERS),
    "compare-chart": ("get", ("dataset", "chart", "form"), READERS_FIND),
    "compare-smallest": ("get", ("dataset",), READERS),
    "compare-people": ("get", ("dataset",), READERS),
    "compare-units": ("get", ("dataset",), READERS),
    "what-to-report": ("get", ("dataset",), READERS),
    "growing": ("get", ("dataset",), READERS),
    "growing-chart": ("get", ("dataset", "chart", "form"), READERS_FIND),
    "subject-ranking": ("get", ("dataset",), READERS),
    "subject-ranking-chart": ("get", ("dataset", "chart", "form"), READERS_FIND),
    "subject-models": ("get", ("dataset",), READERS),
    "subject-models-chart": ("get", ("dataset", "chart", "form"), READERS_FIND),
    "combinations": ("get", ("dataset",), READERS),
    "combinations-chart": ("get", ("dataset", "chart", "form"), READERS_FIND),
    "stages": ("get", ("dataset",), READERS),
    "stages-chart": ("get", ("dataset", "chart", "form"), READERS_FIND),
    "thresholds": ("get", ("dataset",), READERS),
    "thresholds-chart": ("get", ("dataset", "chart", "form"), READERS_FIND),
    "promise": ("get", ("dataset",), READERS),
    "promise-chart": ("get", ("dataset", "chart", "form"), READERS_FIND),
    "shares": ("get", ("dataset",), READERS),
    "share-revoke": ("post", ("dataset", "share"), READERS_DO),
    # By the key of the link, with or without a log-in.
    "shared": ("get", (), EVERYBODY),
    "shared-json": ("get", (), EVERYBODY),
    "shared-csv": ("get", (), EVERYBODY),
    "shared-units": ("get", (), EVERYBODY),
    "boards": ("get", ("dataset",), ADJUDICATORS),
    "board": ("get", ("board",), ADJUDICATORS_ONLY),
    "board-show": ("post", ("board",), ADJUDICATORS_DO_ONLY),
    "team-remove": ("post", ("board", "team"), ADJUDICATORS_DO_ONLY),
    "held-out": ("get", (), EVERYBODY),
    "held-out-units": ("get", (), EVERYBODY),
    "held-out-submissions": ("get", (), EVERYBODY),
    "leaderboards": ("get", (), ALL),
    "report-json": ("get", ("dataset",), READERS),
    "report-csv": ("get", ("dataset",), READERS),
    "revisions": ("get", ("dataset",), READERS),
    "second-looks": ("get", ("dataset",), ANNOTATORS),
    "second-look-evidence": ("get", ("look item",), ANNOTATORS_ONLY),
    "second-look-cases": ("get", ("dataset",), ADJUDICATORS),
    "second-look-settle": ("post", ("look item",), ADJUDICATORS_WRITE_ONLY),
    "error-analyses": ("get", ("dataset",), READERS),
    "error-cause-add": ("post", ("dataset",), READERS_DO),
    "error-analysis": ("get", ("analysis",), READERS_ONLY),
    "error-tag": ("get", ("analysis",), READERS_ONLY),
    "error-leave": ("post", ("analysis",), READERS_DO_ONLY),
    "error-settle": ("post", ("analysis", "mistake"), READERS_DO_ONLY),
    "error-chart": ("get", ("analysis", "chart", "form"), READERS_FIND_ONLY),
    "next-labels": ("get", ("dataset",), READERS),
    "next-labels-chart": ("get", ("dataset", "chart", "form"), READERS_FIND),
    "gold-audits": ("get", ("dataset",), READERS),
    "gold-audit": ("get", ("audit",), READERS_ONLY),
    "audit-chart": ("get", ("audit", "chart", "form"), READERS_FIND_ONLY),
    "editing": ("get", ("dataset",), READERS),
    "edits": ("get", ("editing run",), READERS_ONLY),
    "edits-export": ("get", ("editing run",), READERS_ONLY),
    "edit-sample": ("get", ("edit sample",), READERS_ONLY),
    "edit-rate": ("get", ("edit sample",), READERS_ONLY),
    "edit-sample-settle": ("post", ("edit sample", "edit item"), ADJUDICATORS_DO_ONLY),
    "runs": ("get", ("dataset",), READERS),
    "run-new": ("get", ("dataset",), READERS),
    "detectable": ("get", ("dataset",), READERS),
    "run-estimate": ("get", ("dataset",), READERS),
    "run-models": ("get", ("dataset",), READERS),
    "batch-new": ("get", ("dataset",), READERS),
    "batch-estimate": ("get", ("dataset",), READERS),
    "batch": ("get", ("batch",), READERS_ONLY),
    "batch-stop": ("post", ("batch",), READERS_DO_ONLY),
    "batch-resume": ("post", ("batch",), READERS_DO_ONLY),
    "import-predictions": ("get", ("dataset",), READERS),
    "predictions-template": ("get", ("dataset", "form"), READERS),
    "run-diff": ("get", ("dataset",), READERS),
    "response-verdicts": ("get", ("response",), READERS_ONLY),
    "bundle": ("get", ("dataset",), READERS),
    "bundle-file": ("post", ("dataset",), READERS_DO),
    "prompt-sets": ("get", ("dataset",), READERS),
    "prompt-set": ("get", ("dataset",), READERS),
    "prompt-set-share": ("post", ("dataset",), (LOGIN, 404, 403, 403, 403, 403, 404)),
    "endpoints": ("get", ("dataset",), READERS),
    "allowance": ("post", ("dataset",), SUPERUSERS_WRITE),
    "endpoint": ("get", ("dataset", "endpoint"), SUPERUSERS),
    "endpoint-grant": ("post", ("dataset", "endpoint"), SUPERUSERS_WRITE),
    "endpoint-price": ("post", ("dataset", "endpoint"), SUPERUSERS_WRITE),
    "endpoint-forget": ("post", ("dataset", "endpoint"), (LOGIN, 404, 403, 403, 403, 403, 404)),
    "endpoint-probe": ("post", ("dataset", "endpoint"), (LOGIN, 404, 403, 403, 403, 403, 302)),
    "run": ("get", ("run",), READERS_ONLY),
    "run-progress": ("get", ("run",), READERS_DO_ONLY),
    "run-predictions": ("get", ("run",), READERS_ONLY),
    "run-call": ("get", ("run", "call"), READERS_ONLY),
    "run-manifest": ("get", ("run",), READERS_ONLY),
    "run-readings": ("get", ("run",), READERS_ONLY),
    "run-repeats": ("get", ("run",), READERS_ONLY),
    "run-searches": ("get", ("run",), READERS_ONLY),
    "run-searches-file": ("get", ("run",), READERS_ONLY),
    "run-pages-file": ("get", ("run",), READERS_ONLY),
    "run-read-again": ("post", ("run",), READERS_DO_ONLY),
    "run-cancel": ("post", ("run",), READERS_DO_ONLY),
    "run-resume": ("post", ("run",), READERS_DO_ONLY),
    "run-describe": ("get", ("run",), READERS_ONLY),
    "run-archive": ("post", ("run",), READERS_DO_ONLY),
    "run-delete": ("get", ("run",), READERS_ONLY),
    "facts": ("get", ("dataset",), READERS),
    "facts-progress": ("get", ("dataset",), READERS),
    "facts-propose": ("post", ("dataset",), ADJUDICATORS_DO),
    "facts-stop": ("post", ("dataset",), ADJUDICATORS_DO),
    "facts-edit": ("get", ("response",), ADJUDICATORS_ONLY),
    "facts-save": ("post", ("response",), ADJUDICATORS_WRITE_ONLY),
    "prompts": ("get", ("dataset",), READERS),
    "reference-lists": ("get", ("dataset",), READERS),
    "reference-lists-import": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "reference-lists-file": ("get", ("dataset",), READERS),
    "entities": ("get", ("dataset",), ADJUDICATORS),
    "entities-draw": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "entities-collect": ("post", ("dataset",), ADJUDICATORS_DO),
    "prompt-writings": ("get", ("dataset",), ADJUDICATORS),
    "prompt-drafts": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "prompt-writing-start": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "prompt-remove": ("post", ("prompt",), ADJUDICATORS_DO_ONLY),
    "generation-new": ("get", ("dataset",), ADJUDICATORS),
    "prompts-import": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "generation-start": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "subject-describe": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "generation": ("get", ("generation",), READERS_ONLY),
    "generation-progress": ("get", ("generation",), READERS_DO_ONLY),
    "generation-stop": ("post", ("generation",), ADJUDICATORS_DO_ONLY),
    "generation-resume": ("post", ("generation",), ADJUDICATORS_DO_ONLY),
    "generation-accept": ("post", ("generation",), ADJUDICATORS_DO_ONLY),
    "segments": ("get", ("dataset",), READERS),
    "segments-progress": ("get", ("dataset",), READERS),
    "segments-propose": ("post", ("dataset",), ADJUDICATORS_DO),
    "segments-stop": ("post", ("dataset",), ADJUDICATORS_DO),
    "segments-edit": ("get", ("response",), ADJUDICATORS_ONLY),
    "segments-restore": ("post", ("segmentation",), ADJUDICATORS_DO_ONLY),
    "benchmarks": ("get", ("dataset",), READERS),
    "benchmark": ("get", ("benchmark",), READERS_ONLY),
    "open-ended-work": ("get", ("dataset",), MEMBERS),
    "open-ended": ("get", ("benchmark",), READERS_ONLY),
    "open-ended-study": ("get", ("study",), READERS_ONLY),
    "open-ended-study-progress": ("get", ("study",), READERS_DO_ONLY),
    "open-ended-study-stop": ("post", ("study",), READERS_DO_ONLY),
    "open-ended-study-resume": ("post", ("study",), READERS_DO_ONLY),
    "open-ended-facts": ("get", ("study",), READERS_ONLY),
    "open-ended-label": ("get", ("study",), MEMBERS),
    "open-ended-results": ("get", ("study",), READERS_ONLY),
    "open-ended-chart": ("get", ("study", "chart", "form"), READERS_FIND_ONLY),
    "open-ended-export": ("get", ("study",), READERS_ONLY),
    "completions-to-rate": ("get", ("dataset",), ANNOTATORS),
    "validations": ("get", ("benchmark",), READERS_ONLY),
    "validation": ("get", ("validation",), READERS_ONLY),
    "validation-rate": ("get", ("validation",), ANNOTATORS_ONLY),
    "validation-settle": ("get", ("validation",), ADJUDICATORS_ONLY),
    "validation-export": ("get", ("validation",), READERS_ONLY),
    "example-exclude": ("post", ("example",), ADJUDICATORS_DO_ONLY),
    "exclusion-lift": ("post", ("exclusion",), ADJUDICATORS_DO_ONLY),
    "build-new": ("get", ("dataset",), ADJUDICATORS),
    "build-start": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "build": ("get", ("benchmark",), READERS_ONLY),
    "build-progress": ("get", ("build",), READERS_DO_ONLY),
    "build-stop": ("post", ("build",), ADJUDICATORS_DO_ONLY),
    "build-resume": ("post", ("build",), ADJUDICATORS_DO_ONLY),
    "build-accept": ("post", ("benchmark",), ADJUDICATORS_DO_ONLY),
    "build-candidates": ("get", ("benchmark",), READERS_DO_ONLY),
    "build-documents": ("get", ("benchmark",), READERS_DO_ONLY),
    "scoring-retrieved": ("get", ("scoring",), READERS_FIND_ONLY),
    "perplexities": ("get", ("dataset",), READERS),
    "perplexity-start": ("post", ("dataset",), READERS_WRITE),
    "perplexity": ("get", ("perplexity",), READERS_ONLY),
    "perplexity-progress": ("get", ("perplexity",), READERS_DO_ONLY),
    "perplexity-stop": ("post", ("perplexity",), READERS_DO_ONLY),
    "perplexity-resume": ("post", ("perplexity",), READERS_DO_ONLY),
    "scorings": ("get", ("benchmark",), READERS_ONLY),
    "scoring-start": ("post", ("benchmark",), READERS_WRITE_ONLY),
    "scored-model-add": ("post", ("benchmark",), READERS_WRITE_ONLY),
    "scoring": ("get", ("scoring",), READERS_ONLY),
    "scoring-progress": ("get", ("scoring",), READERS_DO_ONLY),
    "scoring-scores": ("get", ("scoring",), READERS_ONLY),
    "benchmark-results": ("get", ("benchmark",), READERS_ONLY),
    "benchmark-results-chart": ("get", ("benchmark", "chart", "form"), READERS_FIND_ONLY),
    "benchmark-disagreements": ("get", ("benchmark",), READERS_ONLY),
    "scoring-stop": ("post", ("scoring",), READERS_DO_ONLY),
    "scoring-resume": ("post", ("scoring",), READERS_DO_ONLY),
    "filter-thresholds": ("get", ("benchmark",), READERS_ONLY),
    "filter-thresholds-chart": ("get", ("benchmark", "chart", "form"), READERS_FIND_ONLY),
    "threshold-label": ("get", ("threshold sample",), MEMBERS),
    "benchmark-import": ("post", ("dataset",), ADJUDICATORS_WRITE),
    "benchmark-export": ("get", ("benchmark",), READERS_ONLY),
    "benchmark-rename": ("post", ("benchmark",), ADJUDICATORS_WRITE_ONLY),
    "benchmark-delete": ("get", ("benchmark",), ADJUDICATORS_ONLY),
    "example": ("get", ("example",), READERS_ONLY),
}
QUERIES = {
    "invitation": f"?key={INVITATION_KEY}",
    "outside": f"?key={RECRUITMENT_KEY}&workerId=new",
    **dict.fromkeys(("shared", "shared-json", "shared-csv", "shared-units"), f"?key={SHARED_KEY}"),
    **dict.fromkeys(("held-out", "held-out-units", "held-out-submissions"), f"?key={TEAM_KEY}"),
    "run-estimate": "?method=always-supported",
    "prompt-set": "?set=touchstone",
}
# Pages that are also written to: what an empty form is answered.
WRITES = {
    "gold": ADJUDICATORS_WRITE,
    "invite": ADJUDICATORS_WRITE,
    "recruitment-new": ADJUDICATORS_WRITE,
    "dataset-about": ADJUDICATORS_WRITE,
    "dataset-delete": ADJUDICATORS_WRITE,
    "responses": ADJUDICATORS_WRITE,
    "assign": ADJUDICATORS_WRITE,
    "dataset-settings": ADJUDICATORS_WRITE,
    "suggestions": (LOGIN, 404, 403, 403, 403, 403, 422),
    "samples": ADJUDICATORS_WRITE,
    "shares": READERS_WRITE,
    "boards": ADJUDICATORS_WRITE,
    "import-predictions": READERS,
    "prompt-sets": READERS,
    "links": READERS_DO,
    "error-analyses": (LOGIN, 404, 403, 403, 422, 422, 422),
    "gold-audits": ADJUDICATORS_WRITE,
    "next-labels": ADJUDICATORS_WRITE,
    "second-looks": (LOGIN, 404, 404, 404, 403, 403, 403),
    "endpoints": SUPERUSERS_WRITE,
    "releases": ADJUDICATORS_DO,
    "bundle": (LOGIN, 404, 403, 403, 422, 422, 422),
    "batch-new": (LOGIN, 404, 403, 403, 422, 422, 422),
}


@pytest.fixture(scope="module")
def world(module_db: None) -> World:
    return make_world()


def statuses(ask: Callable[[Client], int]) -> tuple[int, ...]:
    """What each of PEOPLE is answered, each on the world as it was."""
    codes = []
    for name in PEOPLE:
        with transaction.atomic():
            client = Client()
            if name != "nobody":
                client.force_login(User.objects.get(username=name))
            codes.append(ask(client))
            transaction.set_rollback(True)
    return tuple(codes)


def names_of(patterns: list[URLPattern | URLResolver]) -> set[str]:
    """The names of all addresses but those of the admin pages, and of the API (tests/api/test_access.py)."""
    names: set[str] = set()
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            names.add(pattern.name or str(pattern.pattern))
        elif pattern.namespace not in ("admin", "api"):
            names |= names_of(pattern.url_patterns)
    return names


def test_every_address_is_in_the_table() -> None:
    assert names_of(get_resolver().url_patterns) == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_who_gets_what(world: World, name: str) -> None:
    method, about, expected = EXPECTED[name]
    address = reverse(name, args=[world[kind] for kind in about]) + QUERIES.get(name, "")
    assert dict(zip(PEOPLE, statuses(lambda client: getattr(client, method)(address).status_code), strict=True)) == (
        dict(zip(PEOPLE, expected, strict=True))
    )


# What stands for no row: a number, or a key.
ABSENT: dict[type, int | str] = {int: 987_654_321, str: "0" * 16}
NO_OBJECTS = {"chart", "form", "kind", "link key", "person"}
OBJECTS = {name: about for name, (_, about, _) in EXPECTED.items() if set(about) - NO_OBJECTS}


def answer(person: str, method: str, address: str) -> tuple[int, bytes]:
    """Status and body, on the world as it was."""
    with transaction.atomic():
        client = Client()
        if person != "nobody":
            client.force_login(User.objects.get(username=person))
        given = getattr(client, method)(address)
        transaction.set_rollback(True)
    return given.status_code, without_chance(b"".join(given))


def knows(person: str, kind: str) -> bool:
    """Whether they may know that it is there, whatever they may do with it."""
    return person in ("dora", "root") or (kind == "dataset" and person != "oscar")


@pytest.mark.parametrize("name", OBJECTS)
def test_what_one_may_not_know_of_is_answered_like_what_is_not_there(world: World, name: str) -> None:
    method, about, _ = EXPECTED[name]
    for place, kind in enumerate(about):
        if kind in NO_OBJECTS:
            continue
        there = [world[each] for each in about]
        absent = [*there[:place], ABSENT[type(world[kind])], *there[place + 1 :]]
        for person in ("oscar", "ada", "ben", "dora", "rhea", "root"):
            of_there = answer(person, method, reverse(name, args=there))
            if of_there[0] == 404 or (of_there[0] == 403 and not knows(person, kind)):
                assert answer(person, method, reverse(name, args=absent)) == of_there, (person, kind)


@pytest.mark.parametrize("name", WRITES)
def test_who_may_write(world: World, name: str) -> None:
    address = reverse(name, args=[world["dataset"]])
    assert statuses(lambda client: client.post(address).status_code) == WRITES[name]


@pytest.mark.parametrize("name", [name for name, (_, about, _) in EXPECTED.items() if "dataset" in about])
def test_the_dataset_of_an_unfinished_import_is_not_there(world: World, name: str) -> None:
    method, about, _ = EXPECTED[name]
    Dataset.objects.update(ready=False)
    client = Client()
    client.force_login(User.objects.get(username="dora"))
    address = reverse(name, args=[world[kind] for kind in about])
    assert getattr(client, method)(address).status_code == 404


def test_the_segment_of_another_dataset_is_not_there(world: World, client: Client) -> None:
    other = make_dataset("third")
    client.force_login(make_person("dan", other, Role.ADJUDICATOR))
    assert client.get(reverse("adjudicate-segment", args=[other.pk, world["segment"]])).status_code == 404


def test_the_admin_pages_are_for_superusers(world: World) -> None:
    address = reverse("admin:index")
    assert statuses(lambda client: client.get(address).status_code) == (302, 302, 302, 302, 302, 302, 200)


# What an archived dataset still takes: to come back, to go for good, that work which failed is ended, and that what is
# public is taken back.
KEPT = {"dataset-archive", "dataset-delete", "work-retry", "share-revoke"}


@pytest.mark.parametrize("name", [*(n for n, (method, *_) in EXPECTED.items() if method == "post"), *WRITES])
def test_nothing_is_written_in_an_archived_dataset(world: World, name: str) -> None:
    _, about, _ = EXPECTED[name]
    Dataset.objects.filter(pk=world["dataset"]).update(archived_at=timezone.now())
    address = reverse(name, args=[world[kind] for kind in about])
    answers = statuses(lambda client: client.post(address).status_code)
    of_the_dataset = set(about) - {"upload", "snapshot"} - NO_OBJECTS
    if of_the_dataset and name not in KEPT:
        assert not {200, 302, 422} & set(answers[1:])
