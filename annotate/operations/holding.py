"""One thing at a time for a person: whoever acts as an assessor holds the assessor's row first."""

from annotate.models import Membership


def assessor(assessor: Membership) -> Membership:
    """The row read anew in this transaction, locked to its end, with the collection's settings as they are now.

    A request read them before it waited for its turn. On SQLite the transaction itself is the lock.
    """
    return Membership.objects.select_for_update(of=("self",)).select_related("collection").get(pk=assessor.pk)
