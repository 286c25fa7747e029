from django.apps import AppConfig


class AnnotateConfig(AppConfig):
    name = "annotate"

    def ready(self) -> None:
        """Listen to pages being frozen: the quotes from them can be looked up. And to changes of an account. Register
        the finders of what needs attention, what refuses an old database, and the makers of triggers. Compile the
        catalogs of translations that have changed."""
        from django.db.models.signals import post_migrate, pre_migrate

        from annotate.attention import adjudicators, annotators, jobs  # noqa: F401
        from annotate.cases import triggers
        from annotate.links import check  # noqa: F401
        from annotate.people import account_records  # noqa: F401
        from annotate.upgrades import refuse_old_database
        from core.catalogs import compile_catalogs

        compile_catalogs()
        pre_migrate.connect(refuse_old_database, sender=self)
        pre_migrate.connect(triggers.before_migration, sender=self)
        post_migrate.connect(triggers.after_migration, sender=self)
