"""Profiles as rows: one of Lacuna's own when it is first used, a researcher's when it is written."""

import re
from datetime import datetime

from django.db import transaction

from annotate.llm import prompts
from annotate.llm.prompts import ProfileText
from annotate.models import Collection, Profile, User

ALL = "all"  # stands for Lacuna's own
MOST_IN_NAME = 60
_NAME = re.compile(rf"\w[\w .-]{{0,{MOST_IN_NAME - 1}}}")


class BadProfile(ValueError):
    """Why a profile cannot be kept; the sentence that the person reads."""


@transaction.atomic
def use_built_in(*, collection: Collection, name: str, now: datetime) -> Profile:
    """The row of one of Lacuna's profiles as it is worded today. Raises KeyError for a name that is none."""
    return _version(collection, prompts.built_in_profiles()[name], is_own=False, by=None, now=now)


@transaction.atomic
def write(*, collection: Collection, profile: ProfileText, by: User | None, now: datetime) -> Profile:
    """A researcher's profile, or a new version of it; the same words again make none. Raises BadProfile."""
    _check_name(profile.name)
    if profile.name in prompts.built_in_profiles():
        raise BadProfile(f"{profile.name} is one of Lacuna's own profiles; give yours another name.")
    if profile.group not in Profile.Group.values:
        raise BadProfile("Choose a group.")
    if not profile.background.strip():
        raise BadProfile("Say who they are, or what is done to the query.")
    return _version(collection, profile, is_own=True, by=by, now=now)


@transaction.atomic
def named(*, collection: Collection, name: str, by: User | None, now: datetime) -> Profile:
    """The current profile of a name that a file brings; made where there is none, with nothing known of it but the
    name. Raises BadProfile."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if there := Profile.objects.filter(collection=collection, name=name, is_current=True).first():
        return there
    if name in prompts.built_in_profiles():
        return use_built_in(collection=collection, name=name, now=now)
    if not 0 < len(name) <= MOST_IN_NAME:
        raise BadProfile(f"The profile {name[:20]!r} has {len(name)} characters; a name has 1 to {MOST_IN_NAME}.")
    return _version(collection, ProfileText(name, Profile.Group.OTHER, "", ""), is_own=True, by=by, now=now)


def choose(*, collection: Collection, names: list[str], now: datetime) -> list[Profile]:
    """Current rows of these profiles, each once; `all` stands for Lacuna's own. Raises BadProfile for an unknown one.

    A profile of which nothing but its name is known cannot be written for.
    """
    wanted = dict.fromkeys(one for name in names for one in (prompts.built_in_profiles() if name == ALL else [name]))
    return [_usable(collection, name, now) for name in wanted]


def _usable(collection: Collection, name: str, now: datetime) -> Profile:
    if name in prompts.built_in_profiles():
        return use_built_in(collection=collection, name=name, now=now)
    own = Profile.objects.filter(collection=collection, is_current=True, is_own=True).exclude(background="")
    if (there := own.filter(name=name).first()) is None:
        known = ", ".join([*prompts.built_in_profiles(), *own.order_by("name").values_list("name", flat=True)])
        raise BadProfile(f"There is no profile {name} to write for. There are: {known}.")
    return there


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or name == ALL:
        raise BadProfile(
            f"A profile's name begins with a letter or digit and has at most {MOST_IN_NAME} letters, digits, spaces, "
            f"dots and hyphens; {ALL} is none, it stands for all of Lacuna's own."
        )


def _version(collection: Collection, profile: ProfileText, *, is_own: bool, by: User | None, now: datetime) -> Profile:
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    versions = Profile.objects.filter(collection=collection, name=profile.name).order_by("version")
    if same := versions.filter(digest=profile.digest).last():
        _make_current(same)
        return same
    newest = versions.last()
    versions.update(is_current=False)
    return Profile.objects.create(
        collection=collection,
        name=profile.name,
        version=newest.version + 1 if newest else 1,
        group=profile.group,
        background=profile.background,
        factors=profile.factors,
        digest=profile.digest,
        is_own=is_own,
        created_at=now,
        created_by=by,
    )


def _make_current(profile: Profile) -> None:
    """Going back to words that were used before makes their version the current one again."""
    if profile.is_current:
        return
    Profile.objects.filter(collection=profile.collection, name=profile.name).update(is_current=False)
    Profile.objects.filter(pk=profile.pk).update(is_current=True)
    profile.is_current = True
