"""What a collection has of that which studies need."""

from annotate.models import Collection, Judgment, PairDraw, QueryVariant, Rater, Run
from evaluation.studies.design.needs import Facts


def of(collection: Collection) -> Facts:
    runs = Run.objects.filter(collection=collection, source__state="PUBLISHED")
    raters = Rater.objects.filter(collection=collection)
    return Facts(
        runs=runs.filter(ranks_variants=False).count(),
        variant_runs=runs.filter(ranks_variants=True).count(),
        variants=QueryVariant.objects.published().filter(collection=collection).count(),
        references=raters.filter(kind=Rater.Kind.REFERENCE).count(),
        models=raters.filter(kind=Rater.Kind.MODEL).count(),
        has_judged=Judgment.objects.filter(assessor__collection=collection, is_current=True).exists(),
        samples=PairDraw.objects.filter(collection=collection, kind=PairDraw.Kind.SAMPLE).count(),
    )
