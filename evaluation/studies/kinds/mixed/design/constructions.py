"""How grades of people and of a model can be made into intervals, and which ways are not valid: by name, with reasons.

The figures: shares of nominal 95 % intervals that held the truth when a fifth of the pairs of TREC DL 2019 was sampled
again and again, people's grades being NIST's and the model's those of GPT-4o.
"""

from annotate.formats import quoting
from evaluation.studies.design.plan_fields import PlanRefused

FROZEN, CROSS_FITTED = "frozen", "cross-fitted"
VALID = {
    FROZEN: "the model's grades, frozen before the sample was drawn, corrected by the sampled pairs",
    CROSS_FITTED: "the calibrated judge in place of the model, taught for each fold of the sample by the others: "
    "approximate, its intervals hold the truth a few times in a hundred less often than they say",
}
_INSTEAD = f"Use {FROZEN}: grades frozen before sampling, corrected by a random sample, for DCG over a constant"
INVALID = {
    "plug-in-ideal": "nDCG whose ideal comes from the patched qrels: the ideal is estimated from the same grades, and "
    "95 % intervals held the truth in 91 % at best, 78 % at worst; whole topics can be sampled for nDCG itself",
    "seen-sample": "grades of a judge that learned from the sampled grades, though each was left out in its turn: the "
    "corrections are too small, and 95 % intervals held the truth in 52 %",
    "in-sample": "grades of a judge as it learned them: nothing is left to correct, and 95 % intervals held the truth "
    "in .1 %",
    "imputation": "draws from a judge's probabilities as if they were people's grades: they repeat the judge's bias, "
    "and 95 % intervals held the truth in 2 %",
    "uniform": "a sample whose probabilities depend on the model's grades, counted as if all pairs were as likely: "
    "95 % intervals held the truth in 69 %",
}


def check(method: str) -> None:
    """Raises PlanRefused, for a construction that is known not to be valid with why and what to do instead."""
    if method in INVALID:
        raise PlanRefused(f"The method {method} is refused: {INVALID[method]}. {_INSTEAD}.")
    if method not in VALID:
        raise PlanRefused(f"method is {quoting.short(method)}, and should be one of {', '.join(VALID)}")
