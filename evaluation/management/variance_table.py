"""The table of an analysis of variance, as the commands tell it."""

from evaluation.statistics.anova import Analysis, Effect
from evaluation.tables import plain
from evaluation.tables.table import Table

_COLUMNS = ("effect", "sum of squares", "df", "mean square", "F", "p", "partial omega squared")


def as_text(found: Analysis, caption: str) -> str:
    """The effects and what is left over as a table; below it, why what is undefined in it is so."""
    rows = [
        (effect.name, effect.sum_of_squares, effect.df, *(each.value for each in effect.values.values()))
        for effect in found.effects
    ]
    rows.append(
        ("left over", found.residual_sum_of_squares, found.residual_df, found.residual_mean_square.value, "", "", "")
    )
    reasons = [_why_undefined(effect) for effect in found.effects]
    return plain.write(Table(caption, _COLUMNS, tuple(rows))) + "".join(f"{reason}\n" for reason in reasons if reason)


def _why_undefined(effect: Effect) -> str:
    return "" if effect.f.is_defined else f"- {effect.name}: {effect.f.reason}"
