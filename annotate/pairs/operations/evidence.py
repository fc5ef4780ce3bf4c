"""What people say of a pair after an adjudicator decided it: it flags the decision and never undoes it."""

from annotate.models import Adjudication, Pair


def flag(*, pairs: list[Pair]) -> None:
    """Mark the decisions in force on these pairs as having new evidence. Call it in the transaction that stores a
    first-round judgment, a change of one or a decision after a reveal, before the states of the pairs are refreshed,
    and only where there is a decision: most pairs have none and cost no statement then."""
    decisions = Adjudication.objects.filter(pair__in=pairs, is_current=True, has_new_evidence=False)
    decisions.update(has_new_evidence=True)
