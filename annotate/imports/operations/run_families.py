"""Which model families a system rests on, said or corrected after its run was imported."""

from django.db import transaction

from annotate.models import Collection, ImportedFile, Run


@transaction.atomic
def change(*, imported: ImportedFile, families: str) -> None:
    """Of the runs of a file and all others of the same tags: they are one system. Names stand between commas."""
    Collection.objects.select_for_update(no_key=True).get(pk=imported.collection_id)
    tags = imported.runs.values_list("tag", flat=True)
    named = ", ".join(filter(None, (part.strip() for part in families.split(","))))
    Run.objects.filter(collection=imported.collection_id, tag__in=list(tags)).update(model_family=named)
