"""What a collection must have for a study; each kind has its rule."""

from dataclasses import dataclass


class PrerequisiteMissing(Exception):
    """The sentence that people read: what is missing, and how to come by it."""


@dataclass(frozen=True)
class Contents:
    """`runs` rank topics, `variant_runs` rank query variants. `references` and `models` are raters with grades,
    `has_judged`: people have. `samples` are recorded draws of pairs or topics."""

    runs: int = 0
    variant_runs: int = 0
    variants: int = 0
    references: int = 0
    models: int = 0
    has_judged: bool = False
    samples: int = 0

    @property
    def has_grades(self) -> bool:
        """Whether anybody but a model gave some."""
        return self.references > 0 or self.has_judged


def check_systems(contents: Contents) -> None:
    if contents.runs < 2:
        raise PrerequisiteMissing("It compares systems, so it needs two runs at least: import them.")
