"""How far each assessor of a collection is. Counts only: how fast somebody judges is nobody's contest."""

from django.db.models import QuerySet

from annotate.models import Collection, Membership


def of(collection: Collection) -> QuerySet[Membership]:
    rows = Membership.objects.filter(collection=collection, role=Membership.Role.ASSESSOR).select_related("user")
    return rows.order_by("-is_active", "pk")
