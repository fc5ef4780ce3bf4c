"""Prompts and profiles as rows: one of Lacuna's own when it is first used, a researcher's when it is written."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import urlencode

from django.db import transaction
from django.db.models import QuerySet

from annotate.llm import prompts
from annotate.llm.answers import FINAL_GRADE, NUMBER, GradePlace, PlaceRefused
from annotate.llm.messages import Request
from annotate.llm.prompts import ProfileText
from annotate.models import Collection, Profile, Prompt, User
from annotate.suggestions.purposes import backstories, grades, variants

PURPOSES = {
    Prompt.Purpose.JUDGING: prompts.JUDGING,
    Prompt.Purpose.BACKSTORY: prompts.BACKSTORY,
    Prompt.Purpose.VARIANTS: prompts.VARIANTS,
}


@dataclass(frozen=True)
class Kept:
    """What a version of a prompt is made of. Two of one digest and otherwise the same ask the same and are read alike.

    `answer_form` and `example` are those of a prompt that grades, as GradePlace and prompts.EXAMPLE have them.
    """

    purpose: Prompt.Purpose
    template: prompts.Template
    form: str = ""
    answer_form: str = ""
    example: str = ""
    is_fenced: bool = True

    @classmethod
    def grading(
        cls, template: prompts.Template, answer_form: str, example: str = "", *, is_fenced: bool = True
    ) -> "Kept":
        """Of a prompt that grades. Raises prompts.BadPrompt for an answer form that is none."""
        try:
            place = GradePlace.parse(answer_form)
        except PlaceRefused as reason:
            raise prompts.BadPrompt(str(reason)) from None
        form = Prompt.Form.DIRECT if place == NUMBER else Prompt.Form.RATIONALE
        return cls(Prompt.Purpose.JUDGING, template, form, str(place), example, is_fenced)

    def check(self) -> None:
        """Raises prompts.BadPrompt."""
        prompts.check_template(self.template, PURPOSES[self.purpose])
        if self.example:
            prompts.check_template(prompts.Template("", self.example), prompts.EXAMPLE)

    @property
    def columns(self) -> dict[str, object]:
        return {
            "purpose": self.purpose,
            "form": self.form,
            "answer_form": self.answer_form,
            "example": self.example,
            "digest": self.template.digest,
            "is_fenced": self.is_fenced,
        }

    def draft(self, collection: Collection) -> Prompt:
        """The prompt, not stored."""
        return Prompt(collection=collection, fixed=self.template.fixed, text=self.template.text, **self.columns)


@dataclass(frozen=True)
class BuiltIn:
    """One of Lacuna's own prompts. `source`: what it has its structure from, if from elsewhere; `settings`: what the
    authors asked with, by the names of the form's fields."""

    purpose: Prompt.Purpose
    form: str = ""
    answer_form: str = ""
    source: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        """The settings as a query of the form's page."""
        return urlencode(self.settings)


BUILT_IN = {
    "direct": BuiltIn(Prompt.Purpose.JUDGING, Prompt.Form.DIRECT, str(NUMBER)),
    "rationale": BuiltIn(Prompt.Purpose.JUDGING, Prompt.Form.RATIONALE, str(FINAL_GRADE)),
    "decomposed": BuiltIn(Prompt.Purpose.JUDGING, Prompt.Form.DECOMPOSED, str(FINAL_GRADE)),
    "umbrela": BuiltIn(
        Prompt.Purpose.JUDGING,
        Prompt.Form.RATIONALE,
        "mark: final score",
        "the structure of UMBRELA (Upadhyay et al. 2024, arXiv:2406.06519), after Thomas et al. (2024)",
        {"temperature": "0", "sampling": "top_p=1 frequency_penalty=0.5 presence_penalty=0"},
    ),
    "basic": BuiltIn(
        Prompt.Purpose.JUDGING,
        Prompt.Form.DIRECT,
        str(NUMBER),
        "the structure of the Basic prompt of Alaofi et al. (2024, arXiv:2501.17969)",
        {"temperature": "0"},
    ),
    "basic-rationale": BuiltIn(
        Prompt.Purpose.JUDGING,
        Prompt.Form.RATIONALE,
        "mark: Relevance Category",
        "the structure of the Rationale prompt of Alaofi et al. (2024, arXiv:2501.17969)",
        {"temperature": "0"},
    ),
    "utility": BuiltIn(
        Prompt.Purpose.JUDGING,
        Prompt.Form.RATIONALE,
        "json: O",
        "the structure of the Utility prompt of Alaofi et al. (2024), after Thomas et al. (2024, arXiv:2309.10621)",
        {"temperature": "0"},
    ),
    "backstory": BuiltIn(Prompt.Purpose.BACKSTORY),
    "variants": BuiltIn(Prompt.Purpose.VARIANTS),
}
BUILT_IN_CHOICE = "built-in:"
PREVIEWS: dict[str, Callable[[Collection, Prompt], Request | None]] = {
    Prompt.Purpose.JUDGING: grades.preview,
    Prompt.Purpose.BACKSTORY: backstories.preview,
    Prompt.Purpose.VARIANTS: variants.preview,
}


class NoSuchPrompt(ValueError):
    """There is no prompt of that name; the message has those that there are."""


def list_built_in_prompts(purpose: str) -> list[str]:
    """The names of Lacuna's own for a purpose, the usual one first."""
    return [name for name, prompt in BUILT_IN.items() if prompt.purpose == purpose]


def list_own_prompts(collection: Collection, purpose: str) -> QuerySet[Prompt]:
    """What researchers wrote for a purpose, every version, the newest of each name first."""
    return Prompt.objects.filter(collection=collection, purpose=purpose, is_own=True).order_by("name", "-version")


def find_prompt(*, collection: Collection, purpose: str, name: str, now: datetime) -> Prompt:
    """One of Lacuna's as it is worded today, else the newest version of a researcher's. Raises NoSuchPrompt."""
    if name in list_built_in_prompts(purpose):
        return use_built_in_prompt(collection=collection, name=name, now=now)
    mine = list_own_prompts(collection, purpose)
    if found := mine.filter(name=name).first():
        return found
    known = ", ".join([*list_built_in_prompts(purpose), *sorted(set(mine.values_list("name", flat=True)))])
    raise NoSuchPrompt(f"There is no prompt {name}. There are: {known}.")


@transaction.atomic
def use_built_in_prompt(*, collection: Collection, name: str, now: datetime) -> Prompt:
    """The row of one of Lacuna's prompts as it is worded today; a wording that was used stays beside it for ever.

    Raises KeyError for a name that is none.
    """
    return _ensure_prompt(collection, name, load_built_in_prompt(name), is_own=False, by=None, now=now)


def load_built_in_prompt(name: str) -> Kept:
    """One of Lacuna's prompts as it is worded today. Raises KeyError for a name that is none."""
    prompt = BUILT_IN[name]
    template = prompts.load_template(name, PURPOSES[prompt.purpose])
    return Kept(prompt.purpose, template, prompt.form, prompt.answer_form)


def list_choices(collection: Collection, purpose: str) -> list[tuple[str, str]]:
    """For a form: Lacuna's first, then every version of what researchers wrote for the purpose, each with its answer
    form where it grades."""
    ours = [(f"{BUILT_IN_CHOICE}{name}", name, BUILT_IN[name].answer_form) for name in list_built_in_prompts(purpose)]
    own = [(str(mine.pk), str(mine), mine.answer_form) for mine in list_own_prompts(collection, purpose)]
    return [(value, f"{name} ({form})" if form else name) for value, name, form in [*ours, *own]]


def find_choice(collection: Collection, purpose: str, name: str) -> str:
    """The choice of such a form for a name: one of Lacuna's, else the newest version of a researcher's. The name itself
    where it is none."""
    if name in list_built_in_prompts(purpose):
        return f"{BUILT_IN_CHOICE}{name}"
    mine = list_own_prompts(collection, purpose).filter(name=name).first()
    return str(mine.pk) if mine else name


def find_chosen_prompt(*, collection: Collection, choice: str, now: datetime) -> Prompt:
    """The prompt behind such a choice."""
    if choice.startswith(BUILT_IN_CHOICE):
        return use_built_in_prompt(collection=collection, name=choice.removeprefix(BUILT_IN_CHOICE), now=now)
    return Prompt.objects.get(collection=collection, pk=int(choice))


def preview_prompt(collection: Collection, prompt: Prompt) -> Request | None:
    """What a prompt, stored or not, would ask; None where there is nothing yet to show it on."""
    return PREVIEWS[prompt.purpose](collection, prompt)


@transaction.atomic
def write_prompt(*, collection: Collection, name: str, kept: Kept, by: User | None, now: datetime) -> Prompt:
    """A researcher's prompt, or a new version of it; the same words with the same answer form again make none.

    Raises prompts.BadPrompt for a placeholder that is unknown or missing, and for a name that is Lacuna's or that of a
    prompt for something else.
    """
    if name in BUILT_IN:
        raise prompts.BadPrompt(f"{name} is one of Lacuna's own prompts; give yours another name.")
    if other := Prompt.objects.filter(collection=collection, name=name).exclude(purpose=kept.purpose).first():
        raise prompts.BadPrompt(f"{name} is a prompt that {other.get_purpose_display()}; give this one another name.")
    kept.check()
    return _ensure_prompt(collection, name, kept, is_own=True, by=by, now=now)


def _ensure_prompt(
    collection: Collection, name: str, kept: Kept, *, is_own: bool, by: User | None, now: datetime
) -> Prompt:
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    versions = Prompt.objects.filter(collection=collection, name=name).order_by("version")
    if there := versions.filter(**kept.columns).last():
        return there
    newest = versions.last()
    return Prompt.objects.create(
        collection=collection,
        name=name,
        version=newest.version + 1 if newest else 1,
        fixed=kept.template.fixed,
        text=kept.template.text,
        is_own=is_own,
        created_at=now,
        created_by=by,
        **kept.columns,
    )


ALL_PROFILES = "all"  # stands for Lacuna's own
MOST_IN_PROFILE_NAME = 60
_PROFILE_NAME = re.compile(rf"\w[\w .-]{{0,{MOST_IN_PROFILE_NAME - 1}}}")


class BadProfile(ValueError):
    """Why a profile cannot be kept; the sentence that the person reads."""


@transaction.atomic
def use_built_in_profile(*, collection: Collection, name: str, now: datetime) -> Profile:
    """The row of one of Lacuna's profiles as it is worded today. Raises KeyError for a name that is none."""
    return _ensure_profile(collection, prompts.built_in_profiles()[name], is_own=False, by=None, now=now)


@transaction.atomic
def write_profile(*, collection: Collection, profile: ProfileText, by: User | None, now: datetime) -> Profile:
    """A researcher's profile, or a new version of it; the same words again make none. Raises BadProfile."""
    _check_profile_name(profile.name)
    if profile.name in prompts.built_in_profiles():
        raise BadProfile(f"{profile.name} is one of Lacuna's own profiles; give yours another name.")
    if profile.group not in Profile.Group.values:
        raise BadProfile("Choose a group.")
    if not profile.background.strip():
        raise BadProfile("Say who they are, or what is done to the query.")
    return _ensure_profile(collection, profile, is_own=True, by=by, now=now)


@transaction.atomic
def ensure_profile(*, collection: Collection, name: str, by: User | None, now: datetime) -> Profile:
    """The current profile of a name that a file brings; made where there is none, with nothing known of it but the
    name. Raises BadProfile."""
    Collection.objects.select_for_update(no_key=True).get(pk=collection.pk)
    if there := Profile.objects.filter(collection=collection, name=name, is_current=True).first():
        return there
    if name in prompts.built_in_profiles():
        return use_built_in_profile(collection=collection, name=name, now=now)
    if not 0 < len(name) <= MOST_IN_PROFILE_NAME:
        raise BadProfile(
            f"The profile {name[:20]!r} has {len(name)} characters; a name has 1 to {MOST_IN_PROFILE_NAME}."
        )
    return _ensure_profile(collection, ProfileText(name, Profile.Group.OTHER, "", ""), is_own=True, by=by, now=now)


def choose_profiles(*, collection: Collection, names: list[str], now: datetime) -> list[Profile]:
    """Current rows of these profiles, each once; `all` stands for Lacuna's own. Raises BadProfile for an unknown one.

    A profile of which nothing but its name is known cannot be written for.
    """
    wanted = dict.fromkeys(
        one for name in names for one in (prompts.built_in_profiles() if name == ALL_PROFILES else [name])
    )
    return [_find_profile(collection, name, now) for name in wanted]


def _find_profile(collection: Collection, name: str, now: datetime) -> Profile:
    if name in prompts.built_in_profiles():
        return use_built_in_profile(collection=collection, name=name, now=now)
    own = Profile.objects.filter(collection=collection, is_current=True, is_own=True).exclude(background="")
    if (there := own.filter(name=name).first()) is None:
        known = ", ".join([*prompts.built_in_profiles(), *own.order_by("name").values_list("name", flat=True)])
        raise BadProfile(f"There is no profile {name} to write for. There are: {known}.")
    return there


def _check_profile_name(name: str) -> None:
    if not _PROFILE_NAME.fullmatch(name) or name == ALL_PROFILES:
        raise BadProfile(
            f"A profile's name begins with a letter or digit and has at most {MOST_IN_PROFILE_NAME} letters, digits, "
            f"spaces, dots and hyphens; {ALL_PROFILES} is none, it stands for all of Lacuna's own."
        )


def _ensure_profile(
    collection: Collection, profile: ProfileText, *, is_own: bool, by: User | None, now: datetime
) -> Profile:
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
