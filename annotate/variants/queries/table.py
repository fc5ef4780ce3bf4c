"""Query variants with what was measured of them, one by one and by profile."""

import math
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Avg, Count, F, FloatField, OrderBy, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from annotate.models import Collection, Profile, QueryVariant

PAGE = 100
MEASURES = ("jaccard", "words", "grade", "unknown_words")
COLUMNS = ("topic", "profile", "text", *MEASURES)


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation (with n - 1) over `n` variants; None where they are too few for one."""

    n: int
    mean: float | None
    sd: float | None


@dataclass(frozen=True)
class ProfileLine:
    """A version of a profile with its variants; `spreads` in the order of MEASURES."""

    profile: Profile
    variants: int
    spreads: list[Spread]


def page(collection: Collection, *, profile: str = "", topic: str = "", sort: str = "", number: str | int = 1) -> Page:
    """A hundred variants, perhaps of one profile or topic, in the order of a column of COLUMNS (`-` before it:
    downwards); by topic, profile and number where none is named. What was not measured comes last."""
    rows = _variants(collection)
    if profile:
        rows = rows.filter(profile__name=profile)
    if topic:
        rows = rows.filter(topic__query_id=topic)
    return Paginator(rows.order_by(*_order(sort), "topic", "profile", "number"), PAGE).get_page(number)


def by_profile(collection: Collection) -> list[ProfileLine]:
    """Every profile that has variants, in the order in which profiles came."""
    figures: dict[str, Any] = {"variants": Count("pk")}
    for name in MEASURES:
        figures |= {
            f"{name}_n": Count(_measure(name)),
            f"{name}_mean": Avg(_measure(name)),
            f"{name}_squares": Avg(_measure(name) * _measure(name)),
        }
    rows = _variants(collection).order_by().values("profile").annotate(**figures)
    found = {row["profile"]: row for row in rows}
    return [
        ProfileLine(one, found[one.pk]["variants"], [_spread(found[one.pk], name) for name in MEASURES])
        for one in Profile.objects.filter(pk__in=found).order_by("pk")
    ]


def unmeasured(collection: Collection) -> int:
    return _variants(collection).filter(Q(measured__isnull=True) & ~Q(text="")).count()


def _variants(collection: Collection) -> QuerySet[QueryVariant]:
    rows = QueryVariant.objects.published().filter(collection=collection)
    return rows.select_related("topic", "profile")


def _spread(row: dict[str, Any], name: str) -> Spread:
    n = row[f"{name}_n"]
    if not n:
        return Spread(0, None, None)
    mean = row[f"{name}_mean"]
    variance = max(0.0, row[f"{name}_squares"] - mean**2)
    return Spread(n, mean, math.sqrt(variance * n / (n - 1)) if n > 1 else None)


def _measure(name: str) -> Cast:
    return Cast(KT(f"measured__{name}"), FloatField())


def _order(sort: str) -> list[OrderBy]:
    name = sort.removeprefix("-")
    if name not in COLUMNS:
        return []
    named = {"topic": F("topic__query_id"), "profile": F("profile__name"), "text": F("text")}
    column = named[name] if name in named else _measure(name)
    return [OrderBy(column, descending=sort.startswith("-"), nulls_last=True)]
