"""The rule of completed qrels by default."""

from annotate.models import Collection, Rater
from annotate.queries import own_judges
from annotate.rules import completion

WORDS = "reference,adjudicated,people, then the newest calibrated judge, else the model that suggests, if there is one"


def of(collection: Collection, consensus_rule: str = "") -> completion.Rule:
    """The reference, then decisions of adjudicators, then people, then the usual model."""
    sources = completion.Rule().sources
    if filler := model(collection):
        sources += (completion.MODEL + filler.name,)
    return completion.Rule(sources, consensus_rule or collection.consensus)


def model(collection: Collection) -> Rater | None:
    """The newest calibrated judge, which has learned from the judged pairs where models err; where there is none, the
    model chosen to suggest."""
    return own_judges.newest_calibrated(collection) or collection.suggesting_rater
