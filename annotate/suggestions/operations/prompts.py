"""Prompts as rows: one of Lacuna's own when it is first used, a researcher's when it is written."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotate.llm import prompts
from annotate.models import Collection, Prompt, User

PURPOSES = {
    Prompt.Purpose.JUDGING: prompts.JUDGING,
    Prompt.Purpose.BACKSTORY: prompts.BACKSTORY,
    Prompt.Purpose.VARIANTS: prompts.VARIANTS,
}
# Lacuna's own: name, purpose, form of the answer.
BUILT_IN = {
    "direct": (Prompt.Purpose.JUDGING, Prompt.Form.DIRECT),
    "rationale": (Prompt.Purpose.JUDGING, Prompt.Form.RATIONALE),
    "decomposed": (Prompt.Purpose.JUDGING, Prompt.Form.DECOMPOSED),
    "backstory": (Prompt.Purpose.BACKSTORY, ""),
    "variants": (Prompt.Purpose.VARIANTS, ""),
}


class NoSuchPrompt(ValueError):
    """There is no prompt of that name; the message has those that there are."""


def list_built_in(purpose: str) -> list[str]:
    """The names of Lacuna's own for a purpose, the usual one first."""
    return [name for name, (of, _) in BUILT_IN.items() if of == purpose]


def list_own(collection: Collection, purpose: str) -> QuerySet[Prompt]:
    """What researchers wrote for a purpose, every version, the newest of each name first."""
    return Prompt.objects.filter(collection=collection, purpose=purpose, is_own=True).order_by("name", "-version")


def find_prompt(*, collection: Collection, purpose: str, name: str, now: datetime) -> Prompt:
    """One of Lacuna's as it is worded today, else the newest version of a researcher's. Raises NoSuchPrompt."""
    if name in list_built_in(purpose):
        return use_built_in(collection=collection, name=name, now=now)
    mine = list_own(collection, purpose)
    if found := mine.filter(name=name).first():
        return found
    known = ", ".join([*list_built_in(purpose), *sorted(set(mine.values_list("name", flat=True)))])
    raise NoSuchPrompt(f"There is no prompt {name}. There are: {known}.")


@transaction.atomic
def use_built_in(*, collection: Collection, name: str, now: datetime) -> Prompt:
    """The row of one of Lacuna's prompts as it is worded today; a wording that was used stays beside it for ever.

    Raises KeyError for a name that is none.
    """
    purpose, form = BUILT_IN[name]
    template = prompts.load_template(name, PURPOSES[purpose])
    return _version(collection, name, purpose, form, template, is_fenced=True, is_own=False, by=None, now=now)


@transaction.atomic
def write(
    *,
    collection: Collection,
    name: str,
    purpose: str,
    form: str,
    template: prompts.Template,
    is_fenced: bool,
    by: User | None,
    now: datetime,
) -> Prompt:
    """A researcher's prompt, or a new version of it; the same words again make none.

    Raises prompts.BadPrompt for a placeholder that is unknown or missing, and for a name that is Lacuna's or that of a
    prompt for something else.
    """
    if name in BUILT_IN:
        raise prompts.BadPrompt(f"{name} is one of Lacuna's own prompts; give yours another name.")
    if other := Prompt.objects.filter(collection=collection, name=name).exclude(purpose=purpose).first():
        raise prompts.BadPrompt(f"{name} is a prompt that {other.get_purpose_display()}; give this one another name.")
    prompts.check_template(template, PURPOSES[Prompt.Purpose(purpose)])
    return _version(collection, name, purpose, form, template, is_fenced=is_fenced, is_own=True, by=by, now=now)


def _version(
    collection: Collection,
    name: str,
    purpose: str,
    form: str,
    template: prompts.Template,
    *,
    is_fenced: bool,
    is_own: bool,
    by: User | None,
    now: datetime,
) -> Prompt:
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    versions = Prompt.objects.filter(collection=collection, name=name).order_by("version")
    same = {"digest": template.digest, "purpose": purpose, "form": form, "is_fenced": is_fenced}
    if there := versions.filter(**same).last():
        return there
    newest = versions.last()
    return Prompt.objects.create(
        collection=collection,
        name=name,
        version=newest.version + 1 if newest else 1,
        fixed=template.fixed,
        text=template.text,
        is_own=is_own,
        created_at=now,
        created_by=by,
        **same,
    )
