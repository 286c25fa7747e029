
import annotate.models.work
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0003_drawn_tasks'),
        ('knowledge', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='RequestedPage',
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
                ('key', models.CharField(default=annotate.models.work.random_key, editable=False, max_length=16, unique=True)),
                ('url', models.TextField()),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='requested_pages', to='annotate.assignment')),
                ('snapshot', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='requested', to='knowledge.snapshot')),
            ],
            options={
                'ordering': ['pk'],
                'indexes': [models.Index(fields=['state', 'enqueued_at'], name='requested_page_waiting')],
                'constraints': [models.CheckConstraint(condition=models.Q(('state__in', ['waiting', 'leased', 'done', 'failed'])), name='requestedpage_state_known'), models.CheckConstraint(condition=models.Q(models.Q(('lease_until__isnull', False), ('state', 'leased'), models.Q(('lease_owner', ''), _negated=True)), models.Q(('state', 'leased'), _negated=True), _connector='OR'), name='requestedpage_leased_has_owner'), models.UniqueConstraint(fields=('assignment', 'url'), name='requested_page_once'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'done'), _negated=True), models.Q(('settled_at__isnull', False), ('snapshot__isnull', False)), _connector='OR'), name='requested_page_done_has_snapshot'), models.CheckConstraint(condition=models.Q(models.Q(('state', 'failed'), _negated=True), models.Q(('error', ''), _negated=True), _connector='OR'), name='requested_page_failed_says_why')],
            },
        ),
    ]
