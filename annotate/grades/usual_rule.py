"""The rule of completed qrels by default."""

from annotate.grades import own_judges
from annotate.models import Collection, Rater
from annotate.rules import completion

WORDS = "reference,adjudicated,people, then the newest calibrated judge, else the model that suggests, if there is one"


def of(collection: Collection, consensus_rule: str = "") -> completion.Rule:
    """The reference, then decisions of adjudicators, then people, then the usual model."""
    return filled_by(model(collection), consensus_rule or collection.consensus)


def filled_by(filler: Rater | None, consensus_rule: str) -> completion.Rule:
    """The same with the grades of this model last, if there is one."""
    models = (completion.MODEL + filler.name,) if filler else ()
    return completion.Rule(completion.Rule().sources + models, consensus_rule)


def model(collection: Collection) -> Rater | None:
    """The newest calibrated judge, which has learned from the judged pairs where models err; where there is none, the
    model chosen to suggest."""
    return own_judges.newest_calibrated(collection) or collection.suggesting_rater
