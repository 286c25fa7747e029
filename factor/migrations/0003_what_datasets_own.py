"""Knowledge sources and endpoints from before they belonged to anybody go to the datasets that used them."""

from django.db import migrations
from django.db.models import F

# Paths from a row that uses a source or an endpoint to the dataset for which it does.
SOURCE_USES = [
    ("annotate", "Dataset", "knowledge_source", "pk"),
    ("factor", "Benchmark", "source", "dataset"),
    ("factor", "BenchmarkBuild", "source", "benchmark__dataset"),
    ("factor", "Scoring", "source", "benchmark__dataset"),
    ("factor", "Perplexity", "source", "model__dataset"),
]
ENDPOINT_USES = [
    ("annotate", "Generation", "endpoint", "dataset"),
    ("annotate", "PromptWriting", "endpoint", "dataset"),
    ("factor", "BenchmarkBuild", "endpoint", "benchmark__dataset"),
    ("factor", "ScoredModel", "endpoint", "dataset"),
    ("factor", "OpenEndedStudy", "endpoint", "scoring__benchmark__dataset"),
]


def give_sources(apps, schema_editor):
    """A source that one dataset uses is its own; one that several use, or none, is shared: others judge by it, or a
    command made it for whoever wants it."""
    sources = apps.get_model("knowledge", "KnowledgeSource").objects
    owners = apps.get_model("annotate", "SourceOwner").objects
    users = {}
    for source, dataset in _uses(apps, SOURCE_USES):
        users.setdefault(source, set()).add(dataset)
    uploads = apps.get_model("annotate", "DocumentUpload").objects
    for source in sources.filter(shared=False, owner=None):
        datasets = users.get(source.pk, set())
        datasets |= set(uploads.filter(source_name=source.name).values_list("dataset", flat=True))
        if len(datasets) == 1:
            owners.create(source=source, dataset_id=datasets.pop())
        else:
            sources.filter(pk=source.pk).update(shared=True)


def grant_endpoints(apps, schema_editor):
    """An endpoint is granted to the datasets whose work used it. Those that OPENAI_BASE_URL named are shared, and so
    are those that nobody has used yet: who made them is not known."""
    endpoints = apps.get_model("llm", "Endpoint").objects
    endpoints.filter(name=F("base_url")).update(shared=True)
    uses = _uses(apps, ENDPOINT_USES)
    runs = apps.get_model("evaluators", "Run").objects
    by_address = dict(endpoints.values_list("base_url", "pk"))
    for address, dataset in runs.order_by().values_list("manifest__endpoint", "dataset").distinct():
        if address in by_address:
            uses.add((by_address[address], dataset))
    by_name = dict(endpoints.values_list("name", "pk"))
    for filters, dataset in _filters(apps):
        named = {part.get("endpoint") for part in filters.values() if isinstance(part, dict)}
        uses |= {(by_name[name], dataset) for name in named if name in by_name}
    grants = apps.get_model("annotate", "EndpointGrant")
    rows = [grants(endpoint_id=endpoint, dataset_id=dataset) for endpoint, dataset in sorted(uses)]
    grants.objects.bulk_create(rows, ignore_conflicts=True)
    endpoints.filter(shared=False, grants=None).update(shared=True)


def _uses(apps, paths):
    """Pairs of what is used and the dataset that uses it."""
    pairs = set()
    for app, model, used, dataset in paths:
        rows = apps.get_model(app, model).objects.exclude(**{used: None})
        pairs |= set(rows.order_by().values_list(used, dataset).distinct())
    return pairs


def _filters(apps):
    """The settings of filters with their dataset."""
    return apps.get_model("factor", "BenchmarkBuild").objects.values_list("filters", "benchmark__dataset")


class Migration(migrations.Migration):

    dependencies = [
        ('annotate', '0006_grants'),
        ('evaluators', '0003_prompt_set_datasets'),
        ('factor', '0002_plain_names'),
        ('knowledge', '0002_shared_sources'),
        ('llm', '0002_endpoint_owners'),
    ]

    operations = [
        migrations.RunPython(give_sources, migrations.RunPython.noop),
        migrations.RunPython(grant_endpoints, migrations.RunPython.noop),
    ]
