import core.create_models
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0027_all_tables'),
        ('api', '0003_submitted_event'),
    ]

    operations = [
        core.create_models.DescribeModels(
            creations=[
                migrations.CreateModel(
                    name='RepeatedAnswer',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=255)),
                        ('request_hash', models.CharField(max_length=64)),
                        ('status', models.PositiveSmallIntegerField(default=0)),
                        ('body', models.JSONField(null=True)),
                        ('location', models.CharField(blank=True, max_length=500)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('token', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='api.token')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('token', 'key'), name='repeatedanswer_once')],
                    },
                ),
                migrations.CreateModel(
                    name='Token',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=100)),
                        ('hint', models.CharField(max_length=12)),
                        ('secret_hash', models.CharField(max_length=64, unique=True)),
                        ('scopes', models.JSONField(default=list)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('expires_at', models.DateTimeField()),
                        ('last_used_at', models.DateTimeField(blank=True, null=True)),
                        ('revoked_at', models.DateTimeField(blank=True, null=True)),
                        ('dataset', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='annotate.dataset')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'ordering': ['-created_at'],
                    },
                ),
                migrations.CreateModel(
                    name='Webhook',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('address', models.CharField(max_length=2000)),
                        ('events', models.JSONField(default=list)),
                        ('nonce', models.CharField(max_length=64)),
                        ('is_on', models.BooleanField(default=True)),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('dataset', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='annotate.dataset')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('address', ''), _negated=True), models.Q(('nonce', ''), _negated=True)), name='webhook_has_address_and_nonce')],
                    },
                ),
                migrations.CreateModel(
                    name='WebhookDelivery',
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
                        ('message_id', models.UUIDField(default=uuid.uuid4, unique=True)),
                        ('event', models.CharField(choices=[('assignment.submitted', 'Work is submitted'), ('task.settled', 'Tasks are settled'), ('gold.frozen', 'Gold is frozen'), ('run.ended', 'A run ends'), ('job.failed', 'A job fails')], max_length=20)),
                        ('body', models.TextField()),
                        ('status', models.PositiveSmallIntegerField(null=True)),
                        ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='api.webhook')),
                    ],
                    options={
                        'ordering': ['pk'],
                        'indexes': [models.Index(fields=['state', 'attempts'], name='webhookdelivery_state')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'leased', 'done', 'failed'])), name='webhookdelivery_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'leased'), models.Q(('lease_owner', ''), _negated=True)), models.Q(('state', 'leased'), _negated=True), _connector='OR'), name='webhookdelivery_leased_has_owner')],
                    },
                ),
            ],
        ),
    ]
