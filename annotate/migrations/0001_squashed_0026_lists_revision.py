import audit.triggers
import core.create_models
from django.db import migrations


class Migration(migrations.Migration):

    replaces = [('annotate', '0001_initial'), ('annotate', '0002_plain_names'), ('annotate', '0003_drawn_tasks'), ('annotate', '0004_assignment_keys'), ('annotate', '0005_requested_pages'), ('annotate', '0006_grants'), ('annotate', '0007_allowances'), ('annotate', '0008_people'), ('annotate', '0009_plain_words'), ('annotate', '0010_moving'), ('annotate', '0011_attention'), ('annotate', '0012_retakes'), ('annotate', '0013_proposal_endpoint'), ('annotate', '0014_guidelines_shown'), ('annotate', '0015_tells_submissions'), ('annotate', '0016_defaults_for_older_code'), ('annotate', '0017_case_counts'), ('annotate', '0018_prompt_sets'), ('annotate', '0019_kept_numbers'), ('annotate', '0020_recipes'), ('annotate', '0021_upload_sentences'), ('annotate', '0022_sandboxes'), ('annotate', '0024_reference_facts'), ('annotate', '0025_claims'), ('annotate', '0026_lists_revision'), ('api', '0001_initial'), ('api', '0002_webhooks'), ('api', '0003_submitted_event'), ('audit', '0001_initial'), ('audit', '0002_limits_of_spending'), ('audit', '0003_accounts'), ('audit', '0004_identity_provider'), ('audit', '0005_tokens'), ('audit', '0006_webhooks'), ('audit', '0007_keeping'), ('audit', '0008_boards'), ('evaluators', '0001_initial'), ('evaluators', '0002_label_plans'), ('evaluators', '0003_prompt_set_datasets'), ('evaluators', '0004_prompt_sets_leave'), ('evaluators', '0005_editing'), ('evaluators', '0006_boards'), ('evaluators', '0007_run_names'), ('evaluators', '0008_batches'), ('evaluators', '0009_claims'), ('evaluators', '0011_run_searches'), ('evaluators', '0012_results_uploads'), ('evaluators', '0013_not_enough_evidence'), ('evaluators', '0014_item_calls'), ('factor', '0001_initial'), ('factor', '0002_plain_names'), ('factor', '0003_what_datasets_own'), ('factor', '0004_start_token'), ('factor', '0005_build_prompts'), ('jobs', '0001_initial'), ('knowledge', '0001_initial'), ('knowledge', '0002_shared_sources'), ('knowledge', '0003_defaults_for_older_code'), ('knowledge', '0004_search'), ('llm', '0001_initial'), ('llm', '0002_endpoint_owners'), ('llm', '0003_defaults_for_older_code'), ('llm', '0004_search')]

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        core.create_models.CreateTables(
            migrations=[('knowledge', '0005_all_tables'), ('llm', '0005_all_tables'), ('audit', '0009_all_tables'), ('jobs', '0002_all_tables'), ('annotate', '0027_all_tables'), ('api', '0004_all_tables'), ('evaluators', '0015_all_tables'), ('factor', '0006_all_tables')],
        ),
        migrations.RunPython(
            code=audit.triggers.create_in_migration,
            reverse_code=audit.triggers.drop_in_migration,
        ),
    ]
