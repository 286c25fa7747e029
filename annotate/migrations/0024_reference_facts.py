"""Lists of the facts that a complete answer to a prompt states."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0022_sandboxes")]

    operations = [
        migrations.AddField(
            model_name="prompt",
            name="reference_facts",
            field=models.JSONField(
                blank=True, help_text="Texts: what a complete answer states; null for no list.", null=True
            ),
        ),
    ]
