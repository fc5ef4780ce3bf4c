"""Whether a collection holds any grade yet: from the first one on its scale stays."""

from django.db.models import Q

from annotate.grades import batches
from annotate.models import Batch, Collection, ImportedFile, Judgment, ReferenceGrade, Suggestion

BEING_READ = Q(kind=ImportedFile.Kind.QRELS, state__in=[ImportedFile.State.WAITING, ImportedFile.State.STAGING])


def exist(collection: Collection) -> bool:
    """A judgment, a reference's or a model's grade; also qrels that are being read and batches that were started, but
    for those of texts."""
    return any(
        rows.exists()
        for rows in [
            Judgment.objects.filter(assessor__collection=collection),
            ReferenceGrade.objects.filter(rater__collection=collection),
            Suggestion.objects.filter(rater__collection=collection),
            ImportedFile.objects.filter(BEING_READ, collection=collection),
            Batch.objects.filter(collection=collection).exclude(purpose__in=batches.OF_TEXTS),
        ]
    )
