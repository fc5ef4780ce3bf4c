"""Which pairs somebody may adjudicate: not those that the same person is still to judge as an assessor."""

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotate.judging.queries import standing
from annotate.models import Adjudication, Claim, Judgment, Membership, Pair

LAST = 2**31 - 1  # the highest that the column holds: with a higher one Django leaves the comparison out


@dataclass(frozen=True)
class Standing:
    """How a person stands to a pair, as rules.permissions.check_adjudicate asks."""

    is_researcher: bool
    has_judged: bool
    is_still_to_judge: bool

    @property
    def facts(self) -> dict[str, bool]:
        return {
            "is_researcher": self.is_researcher,
            "has_judged": self.has_judged,
            "is_still_to_judge": self.is_still_to_judge,
        }


def of(adjudicator: Membership, pair: Pair) -> Standing:
    this = Pair.objects.filter(pk=pair.pk)
    return Standing(
        is_researcher=_is_researcher(adjudicator),
        has_judged=this.filter(_has_judged(adjudicator)).exists(),
        is_still_to_judge=this.filter(_is_still_to_judge(adjudicator)).exists(),
    )


def allowed(adjudicator: Membership, pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Those of the pairs that rules.permissions.may_adjudicate allows to the person."""
    pairs = pairs.exclude(_is_still_to_judge(adjudicator))
    return pairs if _is_researcher(adjudicator) else pairs.exclude(_has_judged(adjudicator))


def _is_researcher(adjudicator: Membership) -> bool:
    return adjudicator.role == Membership.Role.RESEARCHER


def _has_judged(adjudicator: Membership) -> Q:
    return Q(Exists(Judgment.objects.filter(pair=OuterRef("pk"), assessor__user=adjudicator.user_id)))


def _is_still_to_judge(adjudicator: Membership) -> Q:
    """As an assessor of the collection the person holds the pair, or may get it, or has a revealed suggestion of it to
    decide on, or gets it again as a hidden repeat."""
    roles = Membership.objects.filter(
        user=adjudicator.user_id, collection=adjudicator.collection_id, role=Membership.Role.ASSESSOR, is_active=True
    )
    assessor = roles.first()
    if assessor is None:  # as usual: nothing is asked of each pair then
        return Q(pk__in=[])
    held = Claim.objects.filter(pair=OuterRef("pk"), assessor=assessor, state=Claim.State.OPEN)
    judged = Judgment.objects.filter(pair=OuterRef("pk"), assessor=assessor, is_current=True)
    undecided = judged.filter(revealed_at__isnull=False, decided_at=None)
    again = standing.repeats(assessor, LAST).filter(pair=OuterRef("pk"))
    decided = Adjudication.objects.filter(pair=OuterRef("pk"), adjudicator__user=adjudicator.user_id)
    may_come = Q(counted__lt=F("target")) & ~Exists(judged) & ~Exists(decided)
    comes_again = Q(Exists(again)) if adjudicator.collection.share_repeated else Q()
    return Q(Exists(held)) | Q(Exists(undecided)) | comes_again | may_come
