from django.db import migrations


class Migration(migrations.Migration):
    """The table of prompt sets is annotate's from here on (annotate/migrations/0018_prompt_sets.py)."""

    dependencies = [
        ('evaluators', '0003_prompt_set_datasets'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name='PromptSet')]),
    ]
