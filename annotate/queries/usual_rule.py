"""The rule of completed qrels by default."""

from annotate.models import Collection
from annotate.rules import completion

WORDS = "reference,adjudicated,people, then the model that suggests where one is chosen"


def of(collection: Collection, consensus_rule: str = "") -> completion.Rule:
    """The reference, then decisions of adjudicators, then people, then the model chosen to suggest."""
    sources = completion.Rule().sources
    if collection.suggesting_rater:
        sources += (completion.MODEL + collection.suggesting_rater.name,)
    return completion.Rule(sources, consensus_rule or collection.consensus)
