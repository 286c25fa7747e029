import core.create_models
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0008_boards'),
        ('llm', '0005_all_tables'),
    ]

    operations = [
        core.create_models.DescribeModels(
            creations=[
                migrations.CreateModel(
                    name='AuditEntry',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField(auto_now_add=True)),
                        ('by_command', models.BooleanField(default=False)),
                        ('address', models.GenericIPAddressField(null=True)),
                        ('action', models.CharField(choices=[('login', 'Log-in'), ('login-failed', 'Log-in failed'), ('login-refused', 'Log-ins refused'), ('logout', 'Log-out'), ('sessions-ended', 'Sessions ended'), ('password-changed', 'Password changed'), ('codes-on', 'Authenticator added'), ('codes-off', 'Authenticator removed'), ('codes-renewed', 'Recovery codes renewed'), ('passkey-renamed', 'Passkey renamed'), ('code-wrong', 'Wrong code of an authenticator'), ('provider-connected', 'Identity provider connected'), ('provider-removed', 'Identity provider disconnected'), ('member-added', 'Member added'), ('role-changed', 'Role changed'), ('member-removed', 'Member removed'), ('invited', 'Invitation made'), ('invitation-revoked', 'Invitation revoked'), ('invitation-used', 'Invitation accepted'), ('reset-link', 'Password reset link made'), ('password-reset', 'Password reset'), ('email-changed', 'E-mail address changed'), ('deactivated', 'Account deactivated'), ('reactivated', 'Account reactivated'), ('right-changed', 'Right to create datasets'), ('dataset-created', 'Dataset created'), ('dataset-renamed', 'Dataset renamed'), ('dataset-archived', 'Dataset archived'), ('dataset-restored', 'Dataset brought back'), ('downloaded', 'Download'), ('exported', 'Export'), ('gold-frozen', 'Gold version frozen'), ('released', 'Release'), ('shared', 'Public link made'), ('share-revoked', 'Public link revoked'), ('board-opened', 'Held-out board opened'), ('board-shown', 'Hidden ranks shown'), ('team-added', 'Team of a board added'), ('team-removed', 'Key of a team revoked'), ('submitted', 'Submission to a board'), ('endpoint-added', 'Endpoint added'), ('endpoint-changed', 'Endpoint changed'), ('limit-set', 'Limit of spending'), ('endpoint-probed', 'Endpoint probed'), ('token-created', 'API token created'), ('token-revoked', 'API token revoked'), ('webhook-added', 'Webhook added'), ('webhook-changed', 'Webhook changed'), ('deleted', 'Deletion'), ('restored', 'Backup restored'), ('forgotten', 'Person forgotten'), ('pruned', 'Old texts deleted'), ('admin-added', 'Added on the admin pages'), ('admin-changed', 'Changed on the admin pages')], max_length=20)),
                        ('object_kind', models.CharField(blank=True, max_length=40)),
                        ('object_key', models.CharField(blank=True, max_length=40)),
                        ('object_name', models.CharField(blank=True, max_length=200)),
                        ('detail', models.CharField(blank=True, max_length=300)),
                        ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='audit_entries', to=settings.AUTH_USER_MODEL)),
                        ('by_token', models.CharField(max_length=100, null=True)),
                    ],
                    options={
                        'ordering': ['-pk'],
                        'indexes': [models.Index(fields=['at'], name='audit_at'), models.Index(fields=['action', 'at'], name='audit_action_at')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('by_command', False), models.Q(('address__isnull', True), ('person__isnull', True)), _connector='OR'), name='audit_command_alone')],
                    },
                ),
            ],
        ),
    ]
