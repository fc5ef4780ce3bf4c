"""Grades of people as they close holes: decisions before consensus, near-duplicates as the pair that they duplicate."""

from collections.abc import Mapping

from django.db.models import Exists, OuterRef

from annotate.grades import ratings
from annotate.models import Adjudication, Collection, Pair


def settled(collection: Collection) -> dict[ratings.Pair, int]:
    """What was decided, else the consensus by the collection's rule; what nobody can judge is not in it."""
    found = ratings.people(collection) | ratings.decisions(collection)
    return spread({pair: grade for pair, grade in found.items() if grade is not None}, origins(collection))


def origins(collection: Collection) -> dict[ratings.Pair, ratings.Pair]:
    """Of each near-duplicate the pair whose grade it has, unless it was decided itself; none where the collection
    propagates nothing."""
    if not collection.propagates_duplicates:
        return {}
    decided = Adjudication.objects.filter(pair=OuterRef("pk"), is_current=True)
    rows = Pair.objects.filter(~Exists(decided), collection=collection, duplicate_of__isnull=False)
    named = rows.values_list("topic__query_id", "passage_id", "duplicate_of__passage_id")
    return {(query_id, passage_id): (query_id, origin) for query_id, passage_id, origin in named}


def spread(given: Mapping[ratings.Pair, int], origins: Mapping[ratings.Pair, ratings.Pair]) -> dict[ratings.Pair, int]:
    """The grades, with those of near-duplicates following the pairs that they duplicate where these have one."""
    return dict(given) | {pair: given[origin] for pair, origin in origins.items() if origin in given}
