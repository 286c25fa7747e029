"""Sandboxes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0021_upload_sentences")]

    operations = [
        migrations.AddField(
            model_name="dataset",
            name="sandbox",
            field=models.BooleanField(
                db_default=False,
                default=False,
                help_text="One person's own, to try things in: without other members, shared endpoints and their money.",
            ),
        ),
    ]
