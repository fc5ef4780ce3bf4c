"""One thing at a time for a person: whoever acts as an assessor holds the assessor's row first."""

from django.db.models import QuerySet

from annotate.models import Membership, User


class NotAnAssessor(LookupError):
    """The person does not judge in such a collection."""


def hold_assessor(assessor: Membership) -> Membership:
    """The row read anew in this transaction, locked to its end, with the collection's settings as they are now.

    A request read them before it waited for its turn. On SQLite the transaction itself is the lock.
    """
    return _locked().get(pk=assessor.pk)


def hold_assessor_of(person: User, slug: str) -> Membership:
    """The same of a person who was not looked up before: one statement says who judges and holds the row.

    Raises NotAnAssessor.
    """
    found = _locked().of_person(person, slug).filter(role=Membership.Role.ASSESSOR).first()
    if found is None:
        raise NotAnAssessor(slug)
    return found


def _locked() -> QuerySet[Membership]:
    return Membership.objects.select_for_update(of=("self",), no_key=True).select_related("collection")
