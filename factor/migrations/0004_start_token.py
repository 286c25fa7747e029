from django.db import migrations, models


class Migration(migrations.Migration):
    """Scorings so far had the token, as those of older code have it; new ones have it where it is asked for."""

    dependencies = [("factor", "0003_what_datasets_own")]

    operations = [
        migrations.AddField("scoring", "start_token", models.BooleanField(db_default=True, default=True)),
        migrations.AlterField("scoring", "start_token", models.BooleanField(db_default=True, default=False)),
    ]
