"""Query variants as a table with measures, people's checks of them, their files, and the turn of who checks.

Lines of files are in the order of the bytes of the ids, so the same variants give the same bytes. Nothing of what
others answered is in a turn."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Avg, Count, F, FloatField, OrderBy, Q, QuerySet
from django.db.models.fields.json import KT
from django.db.models.functions import Cast

from annotate.formats import jsonl, records, texts
from annotate.formats.records import Variant
from annotate.grades import rankings
from annotate.models import Backstory, Collection, Membership, Profile, QueryVariant, Topic, VariantCheck
from annotate.rules import drawing
from annotate.texts import rules
from annotate.texts.rules import EDITION, MannWhitney

PAGE = 100
MEASURES = ("jaccard", "jaccard_words", "words", "grade", "unknown_words")
COLUMNS = ("topic", "profile", "text", *MEASURES)


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation (with n - 1) over `n` variants; None where they are too few for one."""

    n: int
    mean: float | None
    sd: float | None


@dataclass(frozen=True)
class ProfileLine:
    """A version of a profile with its variants; `spreads` in the order of MEASURES, each with how it compares with the
    neutral control, where there is one (None for itself). `diversity` of its words."""

    profile: Profile
    variants: int
    spreads: list[tuple[Spread, MannWhitney | None]]
    diversity: float | None


def list_variants(
    collection: Collection, *, profile: str = "", topic: str = "", sort: str = "", number: str | int = 1
) -> "Page[QueryVariant]":
    """A hundred variants, perhaps of one profile or topic, in the order of a column of COLUMNS (`-` before it:
    downwards); by topic, profile and number where none is named. What was not measured comes last."""
    rows = _published_variants(collection)
    if profile:
        rows = rows.filter(profile__name=profile)
    if topic:
        rows = rows.filter(topic__query_id=topic)
    return Paginator(rows.order_by(*_order(sort), "topic", "profile", "number"), PAGE).get_page(number)


def summarize_profiles(collection: Collection) -> list[ProfileLine]:
    """Every profile that has variants, in the order in which profiles came."""
    figures: dict[str, Any] = {"variants": Count("pk")}
    for name in MEASURES:
        figures |= {
            f"{name}_n": Count(_measure(name)),
            f"{name}_mean": Avg(_measure(name)),
            f"{name}_squares": Avg(_measure(name) * _measure(name)),
        }
    rows = _published_variants(collection).order_by().values("profile").annotate(**figures)
    by_profile: dict[int, dict[str, Any]] = {row["profile"]: dict(row) for row in rows}
    profiles = list(Profile.objects.filter(pk__in=by_profile).order_by("pk"))
    texts_of, values_of = _read_measured(collection)
    control = next((one.pk for one in reversed(profiles) if one.group == Profile.Group.CONTROL), None)

    def compare(one: Profile, name: str) -> MannWhitney | None:
        is_compared = control is not None and one.pk != control
        return rules.mann_whitney(values_of[one.pk, name], values_of[control, name]) if is_compared else None

    return [
        ProfileLine(
            one,
            by_profile[one.pk]["variants"],
            [(_read_spread(by_profile[one.pk], name), compare(one, name)) for name in MEASURES],
            rules.lexical_diversity(texts_of[one.pk]),
        )
        for one in profiles
    ]


def _read_measured(collection: Collection) -> tuple[dict[int, list[str]], dict[tuple[int | None, str], list[float]]]:
    """By profile the texts, and by profile and measure the values."""
    texts_of: dict[int, list[str]] = defaultdict(list)
    values_of: dict[tuple[int | None, str], list[float]] = defaultdict(list)
    rows = _published_variants(collection).order_by("pk").values_list("profile", "text", "measured")
    for profile, text, measured in rows.iterator():
        texts_of[profile].append(text)
        for name in MEASURES:
            if measured and name in measured:
                values_of[profile, name].append(measured[name])
    return texts_of, values_of


def count_unmeasured(collection: Collection) -> int:
    """Those without measures, or with those of an earlier edition, which lack some."""
    is_of_today = Q(measured__edition=EDITION)
    measured = _published_variants(collection).filter(is_of_today).count()
    return _published_variants(collection).exclude(text="").count() - measured


def _published_variants(collection: Collection) -> QuerySet[QueryVariant]:
    rows = QueryVariant.objects.published().filter(collection=collection)
    return rows.select_related("topic", "profile")


def _read_spread(row: dict[str, Any], name: str) -> Spread:
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


RIGHT, OTHER, EITHER = "right", "other", "equally likely"


@dataclass(frozen=True)
class CheckLine:
    """Of a profile's variants: how many answers, in how many the meaning is the same, and of those that were asked who
    wrote it how many named the right profile, the other one, or either."""

    profile: Profile
    variants: int
    answers: int
    same: int
    asked: int
    right: int
    other: int
    either: int


@dataclass(frozen=True)
class CheckProgress:
    """`wanted` answers and those `given` of them; `variants` are chosen for people."""

    variants: int
    wanted: int
    given: int


def summarize_checks(collection: Collection) -> list[CheckLine]:
    """Profiles with answers, in the order in which profiles came."""
    by_profile: dict[int, list[VariantCheck]] = {}
    for check in _published_checks(collection):
        by_profile.setdefault(check.variant.profile_id, []).append(check)
    profiles = Profile.objects.filter(pk__in=by_profile).order_by("pk")
    return [_summarize_profile(profile, by_profile[profile.pk]) for profile in profiles]


def count_progress(collection: Collection) -> CheckProgress:
    rows = QueryVariant.objects.filter(collection=collection, checks_wanted__gt=0)
    wanted = dict(rows.values_list("pk", "checks_wanted"))
    given = dict.fromkeys(wanted, 0)
    for variant in VariantCheck.objects.filter(variant__in=rows, gold_topic=None).values_list("variant_id", flat=True):
        given[variant] += 1
    return CheckProgress(len(wanted), sum(wanted.values()), sum(min(given[one], wanted[one]) for one in wanted))


@dataclass(frozen=True)
class GoldLine:
    """How many gold questions a person has answered, and how many rightly: that the meaning is another."""

    person: str
    answers: int
    right: int


def summarize_gold(collection: Collection) -> list[GoldLine]:
    rows = VariantCheck.objects.filter(variant__collection=collection, gold_topic__isnull=False).order_by()
    is_right = Count("pk", filter=Q(has_same_meaning=False))
    counts = rows.values_list("member__pseudonym").annotate(answers=Count("pk"), right=is_right)
    return [GoldLine(*line) for line in sorted(counts)]


def list_meanings(collection: Collection) -> dict[str, dict[str, int]]:
    """By person and variant id: 1 where the meaning is the same, else 0."""
    return _code_by_person(collection, lambda check: int(check.has_same_meaning))


def list_writers(collection: Collection) -> dict[str, dict[str, int]]:
    """By person and variant id: 0 for the right profile, 1 for the other one, 2 for either."""
    codes = [RIGHT, OTHER, EITHER]
    return _code_by_person(collection, lambda check: codes.index(find_named_writer(check)) if check.writer else None)


def find_named_writer(check: VariantCheck) -> str:
    """Whom the person named, whatever the order in which the two stood."""
    if check.writer == VariantCheck.Writer.EITHER:
        return EITHER
    chosen = check.first_id if check.writer == VariantCheck.Writer.FIRST else check.second_id
    return RIGHT if chosen == check.variant.profile_id else OTHER


def _code_by_person(collection: Collection, code_of: Callable[[VariantCheck], int | None]) -> dict[str, dict[str, int]]:
    by_person: dict[str, dict[str, int]] = {}
    for check in _published_checks(collection):
        if (code := code_of(check)) is not None:
            by_person.setdefault(check.member.pseudonym, {})[check.variant.variant_id] = code
    return by_person


def _published_checks(collection: Collection) -> QuerySet[VariantCheck]:
    is_published = Q(variant__source=None) | Q(variant__source__state="PUBLISHED")
    rows = VariantCheck.objects.filter(is_published, variant__collection=collection, gold_topic=None)
    return rows.select_related("variant", "member").order_by("pk")


def _summarize_profile(profile: Profile, checks: list[VariantCheck]) -> CheckLine:
    names = [find_named_writer(check) for check in checks if check.writer]
    return CheckLine(
        profile=profile,
        variants=len({check.variant_id for check in checks}),
        answers=len(checks),
        same=sum(check.has_same_meaning for check in checks),
        asked=len(names),
        right=names.count(RIGHT),
        other=names.count(OTHER),
        either=names.count(EITHER),
    )


_LINES_AT_ONCE = 1000


def read_file_lines(collection: Collection, name: str) -> Iterator[bytes]:
    """The bytes of one of `FILES`, some lines at once. Raises KeyError for another name."""
    line = FILES[name]
    written = (line(variant) for variant in rankings.variant_records(collection))
    return map(b"".join, records.split(written, _LINES_AT_ONCE))


def _tsv(variant: Variant) -> bytes:
    """White space in a text becomes single spaces: a tab or line break would make other columns or lines of it."""
    return f"{variant.variant_id}\t{' '.join(variant.text.split())}\n".encode() if variant.text else b""


def _jsonl(variant: Variant) -> bytes:
    return jsonl.dump({"query_id": variant.variant_id, "text": variant.text}) if variant.text else b""


FILES: dict[str, Callable[[Variant], bytes]] = {
    "variants.tsv": _tsv,
    "variants.jsonl": _jsonl,
    "mapping.tsv": texts.variant_line,
    "mapping.jsonl": texts.variant_object,
}
"""By name: topics (id and text; a variant without a text has no line), and the mapping, as JSON with the texts too."""


@dataclass(frozen=True)
class Turn:
    """A variant beside the query it stands for, or as a gold question beside another one (`topic`), and the backstory
    in force. `writers`: two profiles, or nothing where there is but one. `done` and `left` are the person's own.
    `answer`: the person's earlier one."""

    variant: QueryVariant
    topic: Topic
    backstory: Backstory | None
    writers: tuple[Profile, Profile] | None
    done: int
    left: int
    answer: VariantCheck | None = None

    @property
    def meaning(self) -> str:
        """The earlier answer, as the form says it."""
        return "" if self.answer is None else "yes" if self.answer.has_same_meaning else "no"


_ASKED = Q(checks_wanted__gt=0) | Q(gold_topic__isnull=False)


def list_waiting(member: Membership) -> QuerySet[QueryVariant]:
    """Variants that lack answers, and gold questions, that have none of this person."""
    rows = QueryVariant.objects.published().filter(_ASKED, collection=member.collection_id)
    counted = rows.annotate(answers=Count("checks", filter=Q(checks__gold_topic=None)))
    rows = counted.filter(Q(answers__lt=F("checks_wanted")) | Q(gold_topic__isnull=False))
    return rows.exclude(Q(pk__in=VariantCheck.objects.filter(member=member).values("variant")))


def find_next_turn(member: Membership) -> Turn | None:
    """The waiting variant that comes first in an order of the person's own; None where none waits."""
    waiting = list(list_waiting(member).values_list("pk", "variant_id"))
    if not waiting:
        return None
    seed = member.collection.seed
    pk, _ = min(waiting, key=lambda row: drawing.seeded_number(seed, "turn", str(member.pk), row[1]))
    return _build_turn(member, _variant_rows().get(pk=pk), len(waiting))


def find_turn(member: Membership, pk: int) -> Turn | None:
    """A variant that the person was asked about, by its row id; None where there is none."""
    variant = _variant_rows().filter(_ASKED, pk=pk, collection=member.collection_id).first()
    return _build_turn(member, variant, list_waiting(member).count()) if variant else None


def find_last_turn(member: Membership) -> Turn | None:
    """The variant that the person answered last, to change it."""
    checks = VariantCheck.objects.filter(member=member).order_by("created_at", "pk")
    if (check := checks.select_related("first", "second", "gold_topic").last()) is None:
        return None
    return _build_turn(member, _variant_rows().get(pk=check.variant_id), list_waiting(member).count(), check)


def _variant_rows() -> QuerySet[QueryVariant]:
    return QueryVariant.objects.select_related("topic", "gold_topic", "profile", "collection")


def offer_writers(variant: QueryVariant, member: Membership) -> tuple[Profile, Profile] | None:
    """The profile that wrote the variant and another one that has variants in its collection, in the person's order.

    Who the other is depends on the variant alone, so that answers of several people can be compared.
    """
    others = Profile.objects.filter(variants__collection=variant.collection).exclude(name=variant.profile.name)
    rows = sorted(others.distinct(), key=lambda one: (one.name, one.version))
    if not rows:
        return None
    seed, name = variant.collection.seed, variant.variant_id
    other = rows[drawing.seeded_number(seed, "other writer", name) % len(rows)]
    is_first = drawing.seeded_number(seed, "order of writers", name, str(member.pk), bits=1)
    return (variant.profile, other) if is_first else (other, variant.profile)


def _build_turn(member: Membership, variant: QueryVariant, left: int, answer: VariantCheck | None = None) -> Turn:
    done = VariantCheck.objects.filter(member=member, variant__collection=member.collection_id).count()
    writers = (
        (answer.first, answer.second) if answer and answer.first and answer.second else offer_writers(variant, member)
    )
    topic = (answer.gold_topic if answer else variant.gold_topic) or variant.topic
    backstory = Backstory.objects.filter(topic=topic, is_current=True).first()
    return Turn(variant, topic, backstory, writers, done, left, answer)
