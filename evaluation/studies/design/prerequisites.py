"""What a collection must have for a study. Each rule is a pair: `check` raises with the sentence, `may` asks it."""

from dataclasses import dataclass

KINDS = HOLES, PROFILES, SOURCES, MIXED = ("HOLES", "PROFILES", "SOURCES", "MIXED")


class PrerequisiteMissing(Exception):
    """The sentence that people read."""


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


def check_prerequisites(kind: str, facts: Contents) -> None:
    """Raises Lacking with what is missing and how to come by it."""
    _RULES[kind](facts)


def meets_prerequisites(kind: str, facts: Contents) -> bool:
    try:
        check_prerequisites(kind, facts)
    except PrerequisiteMissing:
        return False
    return True


def _check_holes(facts: Contents) -> None:
    _check_systems(facts)
    if not facts.references and not facts.has_judged:
        raise PrerequisiteMissing(
            "It takes grades away, so it needs some: import reference qrels, or let people judge."
        )


def _check_profiles(facts: Contents) -> None:
    if not facts.variants:
        raise PrerequisiteMissing("It needs query variants: import or generate them first.")
    if not facts.variant_runs:
        raise PrerequisiteMissing(
            "It needs what systems retrieve for the query variants: import such runs, or retrieve them."
        )
    if not facts.references and not facts.has_judged and not facts.models:
        raise PrerequisiteMissing(
            "It scores systems, so it needs grades: import qrels, let people judge or ask a model."
        )


def _check_sources(facts: Contents) -> None:
    _check_systems(facts)
    if not facts.references and not facts.has_judged:
        raise PrerequisiteMissing("A model's labels stand beside others: import reference qrels, or let people judge.")
    if not facts.models:
        raise PrerequisiteMissing(
            "It needs the grades of a model: start the learned judge, ask a model or import its qrels."
        )


def _check_mixed(facts: Contents) -> None:
    if not facts.samples:
        raise PrerequisiteMissing(
            "Intervals need a random sample that was recorded before people judged it: draw one on the page of pairs."
        )


def _check_systems(facts: Contents) -> None:
    if facts.runs < 2:
        raise PrerequisiteMissing("It compares systems, so it needs two runs at least: import them.")


_RULES = {HOLES: _check_holes, PROFILES: _check_profiles, SOURCES: _check_sources, MIXED: _check_mixed}
