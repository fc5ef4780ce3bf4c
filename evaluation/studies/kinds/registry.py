"""The kinds of studies. A module here freezes the inputs of its kind in a collection and thaws them again:

    freeze(*, collection, plan)     -> dict, every input with its name and digest; raises CannotStudy
    thaw(manifest)                  -> Inputs, from the manifest alone

What is frozen and found is kept as JSON, whose objects come back with their keys in order of the alphabet: what has an
order of its own is a list.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from evaluation.models import Study
from evaluation.studies.design.reporting import Report


class CannotStudy(ValueError):
    """Why a study cannot be made of what the collection has; the message is what people read."""


class BadPlan(CannotStudy):
    """What cannot be read as a plan of its kind, whatever the collection has."""


@dataclass(frozen=True)
class Kind:
    """What `evaluation.studies` computes of a plan and inputs, and how inputs are kept.

    `read` raises ValueError with the sentence that people read; `parts` are names of pieces that `run_part` computes
    alone and `gather` puts together.
    """

    read: Callable[[Mapping[str, object]], Any]
    freeze: Callable[..., dict[str, Any]]
    thaw: Callable[[Mapping[str, Any]], Any]
    parts: Callable[[Any, Any], list[str]]
    run_part: Callable[[Any, Any, str], dict[str, Any]]
    gather: Callable[[Any, Any, Mapping[str, Any]], dict[str, Any]]
    report: Callable[[Any, Mapping[str, Any]], Report]


def get_kind(kind: str) -> Kind:
    """The first time it loads what the kind computes with, numpy and scipy among it."""
    return {
        Study.Kind.HOLES: _holes,
        Study.Kind.PROFILES: _profiles,
        Study.Kind.SOURCES: _sources,
        Study.Kind.MIXED: _mixed,
    }[Study.Kind(kind)]()


def _holes() -> Kind:
    from evaluation.studies.kinds.holes import freeze as holes_freezing
    from evaluation.studies.kinds.holes import parts as holes_parts
    from evaluation.studies.kinds.holes import plan
    from evaluation.studies.kinds.holes import report as holes_report

    return _kind(plan.read, holes_parts, holes_report.report, holes_freezing)


def _profiles() -> Kind:
    from evaluation.studies.kinds.profiles import freeze as profiles_freezing
    from evaluation.studies.kinds.profiles import parts as profiles_parts
    from evaluation.studies.kinds.profiles import plan as profiles_plan
    from evaluation.studies.kinds.profiles import report as profiles_report

    return _kind(profiles_plan.Plan.read, profiles_parts, profiles_report.report, profiles_freezing)


def _sources() -> Kind:
    from evaluation.studies.kinds.sources import freeze as sources_freezing
    from evaluation.studies.kinds.sources import parts as sources_parts
    from evaluation.studies.kinds.sources import plan as sources_plan
    from evaluation.studies.kinds.sources import report as sources_report

    return _kind(sources_plan.Plan.read, sources_parts, sources_report.report, sources_freezing)


def _mixed() -> Kind:
    from evaluation.studies.kinds.mixed import freeze as mixed_freezing
    from evaluation.studies.kinds.mixed import parts as mixed_parts
    from evaluation.studies.kinds.mixed import plan as mixed_plan
    from evaluation.studies.kinds.mixed import report

    return _kind(mixed_plan.read_plan, mixed_parts, report.report, mixed_freezing)


def _kind(read: Callable[[Mapping[str, object]], Any], study: Any, report: Callable[..., Report], kept: Any) -> Kind:
    return Kind(read, kept.freeze, kept.thaw, study.parts, study.run_part, study.gather, report)
