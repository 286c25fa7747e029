"""How sentences of an uploaded file are cut."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotate", "0020_recipes")]

    operations = [
        migrations.AddField("upload", "sentences", models.CharField(db_default="repaired", default="repaired", max_length=20)),
    ]
