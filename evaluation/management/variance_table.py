"""The table of an analysis of variance, as the commands tell it."""

from evaluation.agreement import value
from evaluation.agreement.value import Value
from evaluation.statistics.anova import Analysis, Effect
from evaluation.tables import plain
from evaluation.tables.table import Table

_COLUMNS = ("effect", "sum of squares", "df", "mean square", "F", "p", "partial omega squared")


def as_json(found: Analysis) -> dict[str, object]:
    """The number of scores, the effects in their order, and what is left over."""
    return {
        "n": found.n,
        "effects": [
            {
                "name": effect.name,
                "sum_of_squares": effect.sum_of_squares,
                "df": effect.df,
                **value.as_json(_of(effect)),
            }
            for effect in found.effects
        ],
        "residual": {
            "sum_of_squares": found.residual_sum_of_squares,
            "df": found.residual_df,
            **value.as_json({"mean_square": found.residual_mean_square}),
        },
    }


def as_text(found: Analysis, caption: str) -> str:
    """The same as a table; below it, why what is undefined in it is so."""
    rows = [
        (effect.name, effect.sum_of_squares, effect.df, *(each.value for each in _of(effect).values()))
        for effect in found.effects
    ]
    rows.append(
        ("left over", found.residual_sum_of_squares, found.residual_df, found.residual_mean_square.value, "", "", "")
    )
    reasons = [_why_undefined(effect) for effect in found.effects]
    return plain.write(Table(caption, _COLUMNS, tuple(rows))) + "".join(f"{reason}\n" for reason in reasons if reason)


def _of(effect: Effect) -> dict[str, Value]:
    return {
        "mean_square": effect.mean_square,
        "f": effect.f,
        "p": effect.p,
        "partial_omega_squared": effect.partial_omega_squared,
    }


def _why_undefined(effect: Effect) -> str:
    return "" if effect.f.is_defined else f"- {effect.name}: {effect.f.reason}"
