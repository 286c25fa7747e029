"""Runs get notes and tags, and can be archived."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('evaluators', '0006_boards'),
    ]

    operations = [
        migrations.AddField(
            model_name='run',
            name='archived_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='run',
            name='note',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.CreateModel(
            name='RunTag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tags', to='evaluators.run')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [
                    models.UniqueConstraint(fields=('run', 'name'), name='run_tag_once'),
                    models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='run_tag_named'),
                ],
            },
        ),
    ]
