import core.create_models
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('knowledge', '0005_all_tables'),
        ('llm', '0004_search'),
    ]

    operations = [
        core.create_models.DescribeModels(
            creations=[
                migrations.CreateModel(
                    name='Call',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('request_hash', models.CharField(max_length=64, unique=True)),
                        ('model', models.CharField(max_length=200)),
                        ('request', models.JSONField()),
                        ('answer', models.TextField(blank=True)),
                        ('tokens', models.JSONField(blank=True, default=list, help_text='Of each: text, log-probability, alternatives.')),
                        ('echoed', models.JSONField(blank=True, default=list, help_text='Of each token of a text asked back: start, end, log-probability.')),
                        ('finish_reason', models.CharField(blank=True, max_length=50)),
                        ('served_model', models.CharField(blank=True, help_text='The model that the server says answered.', max_length=200)),
                        ('prompt_tokens', models.PositiveIntegerField(blank=True, null=True)),
                        ('completion_tokens', models.PositiveIntegerField(blank=True, null=True)),
                        ('cost_usd', models.DecimalField(blank=True, decimal_places=6, max_digits=12, null=True)),
                        ('attempts', models.PositiveSmallIntegerField(default=1)),
                        ('seconds', models.FloatField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='calls', to='llm.endpoint')),
                    ],
                ),
                migrations.CreateModel(
                    name='Capabilities',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('model', models.CharField(max_length=200)),
                        ('chat', models.BooleanField(null=True)),
                        ('completions', models.BooleanField(null=True)),
                        ('logprobs', models.BooleanField(null=True)),
                        ('echo', models.BooleanField(null=True)),
                        ('prompt_logprobs', models.BooleanField(null=True)),
                        ('embeddings', models.BooleanField(null=True)),
                        ('seed', models.BooleanField(null=True)),
                        ('context_length', models.PositiveIntegerField(null=True)),
                        ('error', models.TextField(blank=True)),
                        ('probed_at', models.DateTimeField()),
                        ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='capabilities', to='llm.endpoint')),
                    ],
                    options={
                        'ordering': ['model'],
                        'constraints': [models.UniqueConstraint(fields=('endpoint', 'model'), name='capabilities_once')],
                    },
                ),
                migrations.CreateModel(
                    name='ConcurrencyUse',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('owner', models.CharField(max_length=64, unique=True)),
                        ('held', models.PositiveIntegerField()),
                        ('wanted', models.PositiveIntegerField()),
                        ('seen_at', models.DateTimeField()),
                        ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='concurrency_uses', to='llm.endpoint')),
                    ],
                ),
                migrations.CreateModel(
                    name='Embedding',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('request_hash', models.CharField(max_length=64, unique=True)),
                        ('model', models.CharField(max_length=200)),
                        ('vector', models.BinaryField()),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='embeddings', to='llm.endpoint')),
                    ],
                ),
                migrations.CreateModel(
                    name='Endpoint',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('name', models.CharField(max_length=500, unique=True)),
                        ('base_url', models.CharField(max_length=500, unique=True)),
                        ('key_variable', models.CharField(default='OPENAI_API_KEY', max_length=100)),
                        ('max_in_flight', models.PositiveIntegerField(blank=True, help_text='Calls under way at once.', null=True, validators=[django.core.validators.MinValueValidator(1)])),
                        ('requests_per_minute', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)])),
                        ('tokens_per_minute', models.PositiveIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1)])),
                        ('created_at', models.DateTimeField(auto_now_add=True)),
                        ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='endpoints', to=settings.AUTH_USER_MODEL)),
                        ('shared', models.BooleanField(db_default=False, default=False)),
                        ('search_engine', models.CharField(blank=True, db_default='', default='', max_length=50)),
                        ('search_usd', models.DecimalField(blank=True, decimal_places=6, max_digits=10, null=True, validators=[django.core.validators.MinValueValidator(0)])),
                    ],
                    options={
                        'ordering': ['name'],
                        'constraints': [models.CheckConstraint(condition=models.Q(('search_usd__isnull', True), ('search_usd__gte', 0), _connector='OR'), name='endpoint_search_price_not_negative')],
                    },
                ),
                migrations.CreateModel(
                    name='Price',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('model', models.CharField(max_length=200)),
                        ('prompt_usd', models.DecimalField(decimal_places=4, max_digits=10)),
                        ('completion_usd', models.DecimalField(decimal_places=4, max_digits=10)),
                        ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='prices', to='llm.endpoint')),
                    ],
                    options={
                        'constraints': [models.UniqueConstraint(fields=('endpoint', 'model'), name='price_once'), models.CheckConstraint(condition=models.Q(('prompt_usd__gte', 0), ('completion_usd__gte', 0)), name='price_not_negative')],
                    },
                ),
                migrations.CreateModel(
                    name='RateUse',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('requests_at', models.FloatField(default=0.0)),
                        ('tokens', models.JSONField(blank=True, default=dict)),
                        ('endpoint', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rate_use', to='llm.endpoint')),
                    ],
                ),
            ],
        ),
    ]
