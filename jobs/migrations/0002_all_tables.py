import core.create_models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0009_all_tables'),
        ('jobs', '0001_initial'),
    ]

    operations = [
        core.create_models.DescribeModels(
            creations=[
                migrations.CreateModel(
                    name='Worker',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=200)),
                        ('queue', models.CharField(max_length=20)),
                        ('started_at', models.DateTimeField()),
                        ('beat_at', models.DateTimeField()),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('name', 'queue'), name='worker_queue_once')],
                    },
                ),
            ],
        ),
    ]
