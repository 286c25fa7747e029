import core.create_models
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('account', '0009_emailaddress_unique_primary_email'),
        ('admin', '0003_logentry_add_action_flag_choices'),
        ('auth', '0012_alter_user_first_name_max_length'),
        ('contenttypes', '0002_remove_content_type_name'),
        ('knowledge', '0004_search'),
        ('mfa', '0003_authenticator_type_uniq'),
        ('sessions', '0001_initial'),
        ('socialaccount', '0006_alter_socialaccount_extra_data'),
        ('usersessions', '0001_initial'),
    ]

    operations = [
        core.create_models.DescribeModels(
            creations=[
                migrations.CreateModel(
                    name='Document',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=500)),
                        ('title', models.CharField(max_length=500)),
                        ('title_key', models.CharField(max_length=500)),
                        ('plain_title', models.CharField(blank=True, max_length=500)),
                        ('url', models.TextField(blank=True)),
                        ('text', models.TextField()),
                        ('published', models.DateField(blank=True, null=True)),
                        ('content_hash', models.CharField(max_length=64)),
                        ('revision', models.PositiveIntegerField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='knowledge.knowledgesource')),
                    ],
                    options={
                        'ordering': ['source', 'title'],
                        'indexes': [models.Index(fields=['source', 'title_key'], name='document_title'), models.Index(fields=['source', 'plain_title'], name='document_plain_title')],
                        'constraints': [models.UniqueConstraint(fields=('source', 'key'), name='document_key_once')],
                    },
                ),
                migrations.CreateModel(
                    name='KnowledgeSource',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=100, unique=True)),
                        ('description', models.TextField(blank=True)),
                        ('tokenizer', models.CharField(default='sentences', max_length=20)),
                        ('revision', models.PositiveIntegerField(default=0)),
                        ('edition', models.CharField(blank=True, max_length=32)),
                        ('writer', models.CharField(blank=True, max_length=32)),
                        ('beat_at', models.DateTimeField(blank=True, null=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('shared', models.BooleanField(db_default=False, default=False)),
                    ],
                    options={
                        'ordering': ['name'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='source_named')],
                    },
                ),
                migrations.CreateModel(
                    name='Passage',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('position', models.PositiveIntegerField()),
                        ('start', models.PositiveIntegerField()),
                        ('end', models.PositiveIntegerField()),
                        ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='passages', to='knowledge.document')),
                    ],
                    options={
                        'ordering': ['document', 'position'],
                        'constraints': [models.UniqueConstraint(fields=('document', 'position'), name='passage_position_once'), models.CheckConstraint(condition=models.Q(('end__gt', models.F('start'))), name='passage_not_empty')],
                    },
                ),
                migrations.CreateModel(
                    name='Redirect',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=500)),
                        ('name_key', models.CharField(max_length=500)),
                        ('by_hand', models.BooleanField(default=False)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='redirects', to='knowledge.document')),
                        ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='redirects', to='knowledge.knowledgesource')),
                    ],
                    options={
                        'ordering': ['source', 'name_key'],
                        'constraints': [models.UniqueConstraint(fields=('source', 'name_key', 'document', 'by_hand'), name='redirect_once'), models.UniqueConstraint(condition=models.Q(('by_hand', True)), fields=('source', 'name_key'), name='redirect_by_hand_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Snapshot',
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
                        ('url', models.TextField()),
                        ('final_url', models.TextField(blank=True)),
                        ('media_type', models.CharField(blank=True, max_length=100)),
                        ('title', models.TextField(blank=True)),
                        ('published', models.CharField(blank=True, help_text='The date that the page itself names.', max_length=40)),
                        ('text', models.TextField(blank=True)),
                        ('text_hash', models.CharField(blank=True, max_length=64)),
                    ],
                    options={
                        'ordering': ['-created_at'],
                        'indexes': [models.Index(fields=['state', 'enqueued_at'], name='snapshot_waiting'), models.Index(fields=['url'], name='snapshot_of_url')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'leased', 'done', 'failed'])), name='snapshot_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'leased'), models.Q(('lease_owner', ''), _negated=True)), models.Q(('state', 'leased'), _negated=True), _connector='OR'), name='snapshot_leased_has_owner'), models.UniqueConstraint(condition=models.Q(('state__in', ['waiting', 'leased'])), fields=('url',), name='snapshot_one_under_way'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), models.Q(('settled_at__isnull', False), models.Q(('text_hash', ''), _negated=True)), _connector='OR'), name='snapshot_frozen_has_text_and_time'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'failed'), _negated=True), models.Q(('error', ''), _negated=True), _connector='OR'), name='snapshot_dead_says_why')],
                    },
                ),
                migrations.CreateModel(
                    name='WebSearch',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('request_hash', models.CharField(max_length=64, unique=True)),
                        ('engine', models.CharField(max_length=50)),
                        ('address', models.CharField(max_length=500)),
                        ('query', models.TextField()),
                        ('count', models.PositiveSmallIntegerField()),
                        ('results', models.JSONField()),
                        ('results_hash', models.CharField(max_length=64)),
                        ('fetched_at', models.DateTimeField()),
                        ('cost_usd', models.DecimalField(blank=True, decimal_places=6, max_digits=10, null=True)),
                        ('pages', models.ManyToManyField(blank=True, related_name='searches', to='knowledge.snapshot')),
                    ],
                    options={
                        'ordering': ['-pk'],
                    },
                ),
            ],
        ),
    ]
