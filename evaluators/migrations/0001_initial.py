import core.create_models
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('annotate', '0001_initial'),
        ('annotate', '__first__'),
        ('llm', '0001_initial'),
    ]

    operations = [
        core.create_models.CreateModels(
            creations=[
                migrations.CreateModel(
                    name='Comparison',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('state', models.CharField(choices=[('waiting', 'Waiting'), ('leased', 'Being worked on'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                        ('lease_owner', models.CharField(blank=True, max_length=64)),
                        ('lease_until', models.DateTimeField(blank=True, null=True)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('not_before', models.DateTimeField(blank=True, null=True)),
                        ('error', models.TextField(blank=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('settled_at', models.DateTimeField(blank=True, null=True)),
                        ('enqueued_at', models.DateTimeField(blank=True, null=True)),
                        ('key', models.CharField(max_length=80, unique=True)),
                        ('question', models.JSONField()),
                        ('figures', models.JSONField(blank=True, null=True)),
                        ('step', models.CharField(blank=True, max_length=100)),
                        ('done', models.PositiveIntegerField(default=0)),
                        ('steps', models.PositiveIntegerField(default=0)),
                        ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='comparisons', to='annotate.dataset')),
                        ('version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='annotate.goldversion')),
                    ],
                    options={
                        'abstract': False,
                        'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'leased', 'done', 'failed'])), name='comparison_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'leased'), models.Q(('lease_owner', ''), _negated=True)), models.Q(('state', 'leased'), _negated=True), _connector='OR'), name='comparison_leased_has_owner')],
                    },
                ),
                migrations.CreateModel(
                    name='ErrorCause',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField()),
                        ('name', models.CharField(max_length=80)),
                        ('help', models.TextField(blank=True)),
                        ('added_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                        ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='error_causes', to='annotate.dataset')),
                    ],
                    options={
                        'ordering': ['position'],
                        'constraints': [models.UniqueConstraint(fields=('dataset', 'position'), name='error_cause_position_once'), models.UniqueConstraint(fields=('dataset', 'name'), name='error_cause_name_once'), models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='error_cause_named')],
                    },
                ),
                migrations.CreateModel(
                    name='Evaluator',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=200, unique=True)),
                        ('method', models.CharField(max_length=100)),
                        ('model', models.CharField(blank=True, max_length=200)),
                        ('parameters', models.JSONField(blank=True, default=dict)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                    ],
                    options={
                        'ordering': ['name'],
                    },
                ),
                migrations.CreateModel(
                    name='PromptSet',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=60, validators=[django.core.validators.RegexValidator('^[a-z0-9][a-z0-9-]*$')])),
                        ('version', models.PositiveIntegerField()),
                        ('hash', models.CharField(max_length=64)),
                        ('templates', models.JSONField()),
                        ('uploaded_at', models.DateTimeField(auto_now_add=True)),
                        ('uploaded_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['name', '-version'],
                        'constraints': [models.UniqueConstraint(fields=('name', 'version'), name='prompt_set_version_once'), models.UniqueConstraint(fields=('name', 'hash'), name='prompt_set_content_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Run',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('max_tokens', models.PositiveBigIntegerField(blank=True, null=True)),
                        ('max_cost_usd', models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                        ('spent_tokens', models.PositiveBigIntegerField(default=0)),
                        ('spent_usd', models.DecimalField(decimal_places=6, default=0, max_digits=14)),
                        ('held', models.JSONField(blank=True, default=dict)),
                        ('error', models.TextField(blank=True)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('ending_until', models.DateTimeField(blank=True, null=True)),
                        ('enqueued_at', models.DateTimeField(blank=True, null=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('finished_at', models.DateTimeField(blank=True, null=True)),
                        ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('finished', 'Finished'), ('failed', 'Failed'), ('cancelled', 'Cancelled'), ('out_of_budget', 'Out of budget')], default='queued', max_length=20)),
                        ('manifest', models.JSONField(default=dict)),
                        ('asking', models.PositiveSmallIntegerField(default=0)),
                        ('started_at', models.DateTimeField(blank=True, null=True)),
                        ('taken_up_at', models.DateTimeField(blank=True, null=True)),
                        ('settled_before', models.PositiveIntegerField(default=0)),
                        ('last_prediction_at', models.DateTimeField(blank=True, null=True)),
                        ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                        ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='runs', to='annotate.dataset')),
                        ('evaluator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='runs', to='evaluators.evaluator')),
                        ('reading_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='readings', to='evaluators.run')),
                    ],
                    options={
                        'ordering': ['-created_at'],
                        'indexes': [models.Index(fields=['dataset', 'state'], name='run_of_dataset')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['queued', 'running', 'finished', 'failed', 'cancelled', 'out_of_budget'])), name='run_state_known')],
                    },
                ),
                migrations.CreateModel(
                    name='ErrorAnalysis',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('size', models.PositiveIntegerField()),
                        ('population', models.PositiveIntegerField()),
                        ('raters', models.PositiveSmallIntegerField(default=1)),
                        ('seed', models.BigIntegerField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('revision', models.PositiveIntegerField()),
                        ('created_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='annotate.goldversion')),
                        ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='error_analyses', to='evaluators.run')),
                    ],
                    options={
                        'ordering': ['-created_at', '-pk'],
                        'abstract': False,
                        'constraints': [models.CheckConstraint(condition=models.Q(('raters__gte', 1), ('size__gte', 1), ('size__lte', models.F('population'))), name='erroranalysis_drawn')],
                    },
                ),
                migrations.CreateModel(
                    name='GoldAudit',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('chosen', models.BooleanField(default=False)),
                        ('least', models.PositiveSmallIntegerField()),
                        ('candidates', models.PositiveIntegerField()),
                        ('seed', models.BigIntegerField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_audits', to='annotate.dataset')),
                        ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                        ('second_look', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotate.secondlook')),
                        ('version', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, to='annotate.goldversion')),
                        ('runs', models.ManyToManyField(related_name='gold_audits', to='evaluators.run')),
                    ],
                    options={
                        'ordering': ['-created_at', '-pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('least__gte', 1)), name='gold_audit_of_someone')],
                    },
                ),
                migrations.CreateModel(
                    name='Prediction',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('value', models.CharField(blank=True, choices=[('supported', 'Supported'), ('not_supported', 'Not supported'), ('irrelevant', 'Irrelevant')], max_length=20, null=True)),
                        ('score', models.FloatField(blank=True, null=True)),
                        ('rationale', models.TextField(blank=True)),
                        ('unparsed', models.BooleanField(default=False)),
                        ('fallback', models.CharField(blank=True, db_default='', default='', max_length=100)),
                        ('calls', models.ManyToManyField(blank=True, related_name='predictions', to='llm.call')),
                        ('fact', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='predictions', to='annotate.atomicfact')),
                        ('segment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='predictions', to='annotate.segment')),
                        ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='predictions', to='evaluators.run')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(condition=models.Q(('fact__isnull', True)), fields=('run', 'segment'), name='prediction_of_segment_once'), models.UniqueConstraint(condition=models.Q(('fact__isnull', False)), fields=('run', 'fact'), name='prediction_of_fact_once'), models.CheckConstraint(condition=models.Q(models.Q(('unparsed', False), ('value__in', ['supported', 'not_supported', 'irrelevant'])), models.Q(('unparsed', True), ('value__isnull', True)), _connector='OR'), name='prediction_value_or_unparsed'), models.CheckConstraint(condition=models.Q(('score__isnull', True), models.Q(('score__gte', 0), ('score__lte', 1)), _connector='OR'), name='prediction_score_is_probability')],
                    },
                ),
                migrations.CreateModel(
                    name='RunItem',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('state', models.CharField(choices=[('waiting', 'Waiting'), ('leased', 'Being worked on'), ('done', 'Done'), ('failed', 'Failed')], default='waiting', max_length=10)),
                        ('lease_owner', models.CharField(blank=True, max_length=64)),
                        ('lease_until', models.DateTimeField(blank=True, null=True)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('not_before', models.DateTimeField(blank=True, null=True)),
                        ('error', models.TextField(blank=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('settled_at', models.DateTimeField(blank=True, null=True)),
                        ('position', models.PositiveIntegerField()),
                        ('skipped', models.JSONField(blank=True, default=dict)),
                        ('response', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='run_items', to='annotate.response')),
                        ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='evaluators.run')),
                    ],
                    options={
                        'ordering': ['run', 'position'],
                        'indexes': [models.Index(fields=['run', 'state', 'attempts'], name='run_item_queue'), models.Index(condition=models.Q(('state', 'leased')), fields=['lease_until'], name='run_item_expiring')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'leased', 'done', 'failed'])), name='runitem_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'leased'), models.Q(('lease_owner', ''), _negated=True)), models.Q(('state', 'leased'), _negated=True), _connector='OR'), name='runitem_leased_has_owner'), models.UniqueConstraint(fields=('run', 'response'), name='run_item_response_once')],
                    },
                ),
                migrations.CreateModel(
                    name='AuditItem',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('gold', models.CharField(choices=[('supported', 'Supported'), ('not_supported', 'Not supported'), ('irrelevant', 'Irrelevant')], max_length=20)),
                        ('against', models.PositiveSmallIntegerField()),
                        ('judged', models.PositiveSmallIntegerField()),
                        ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotate.secondlookitem')),
                        ('audit', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='evaluators.goldaudit')),
                    ],
                    options={
                        'ordering': ['audit', 'item__position'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('against__lte', models.F('judged'))), name='audit_item_against_of_judged')],
                    },
                ),
                migrations.CreateModel(
                    name='Mistake',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField()),
                        ('gold', models.CharField(choices=[('supported', 'Supported'), ('not_supported', 'Not supported'), ('irrelevant', 'Irrelevant')], max_length=20)),
                        ('predicted', models.CharField(choices=[('supported', 'Supported'), ('not_supported', 'Not supported'), ('irrelevant', 'Irrelevant')], max_length=20)),
                        ('fact', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotate.atomicfact')),
                        ('sample', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='evaluators.erroranalysis')),
                        ('segment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotate.segment')),
                    ],
                    options={
                        'ordering': ['sample', 'position'],
                        'abstract': False,
                        'constraints': [models.UniqueConstraint(fields=('sample', 'position'), name='mistake_position_once'), models.UniqueConstraint(condition=models.Q(('fact__isnull', True)), fields=('sample', 'segment'), name='mistake_of_segment_once'), models.UniqueConstraint(condition=models.Q(('fact__isnull', False)), fields=('sample', 'fact'), name='mistake_of_fact_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Tagger',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('place', models.PositiveSmallIntegerField()),
                        ('handed_in_at', models.DateTimeField(blank=True, null=True)),
                        ('analysis', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='taggers', to='evaluators.erroranalysis')),
                        ('who', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['place'],
                        'constraints': [models.UniqueConstraint(fields=('analysis', 'place'), name='tagger_place_once'), models.UniqueConstraint(fields=('analysis', 'who'), name='tagger_once'), models.CheckConstraint(condition=models.Q(('place__lt', 2)), name='tagger_one_of_two')],
                    },
                ),
                migrations.CreateModel(
                    name='MistakeSettlement',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('settled_at', models.DateTimeField(auto_now=True)),
                        ('why', models.TextField(blank=True)),
                        ('cause', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='+', to='evaluators.errorcause')),
                        ('item', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='settlement', to='evaluators.mistake')),
                        ('settled_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'abstract': False,
                    },
                ),
                migrations.CreateModel(
                    name='MistakeTag',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('note', models.TextField(blank=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('changed_at', models.DateTimeField(auto_now=True)),
                        ('cause', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='tags', to='evaluators.errorcause')),
                        ('item', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='evaluators.mistake')),
                        ('rater', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['pk'],
                        'abstract': False,
                        'constraints': [models.UniqueConstraint(fields=('item', 'rater'), name='mistaketag_once')],
                    },
                ),
            ],
        ),
    ]
