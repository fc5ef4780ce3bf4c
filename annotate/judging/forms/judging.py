"""The answer to one pair as the judging page sends it."""

from datetime import datetime

from django import forms

from annotate.formats.scale import GradeScale
from annotate.judging.operations.judgments import Answer
from annotate.models import Judgment

MOST_MILLISECONDS = 2**31 - 1
OTHER = "OTHER"


class AnswerForm(forms.Form):
    """A grade of the scale, or a reason why there is none; a reason stands above a grade that was selected before.

    `reason` is the value of the button that was pressed; OTHER takes the words of `other_reason`. Without a scale
    any whole number is a grade: the operation that stores it refuses one that the collection does not have.
    """

    token = forms.UUIDField(required=False)
    key = forms.UUIDField()
    grade = forms.IntegerField(required=False)
    reason = forms.CharField(required=False, max_length=200)
    other_reason = forms.CharField(required=False, max_length=200)
    is_unsure = forms.BooleanField(required=False)
    comment = forms.CharField(required=False, max_length=5000)
    visible_ms = forms.CharField(required=False)
    wall_ms = forms.CharField(required=False)
    shown_at = forms.CharField(required=False)
    is_cut = forms.BooleanField(required=False)
    shows_whole = forms.BooleanField(required=False)

    def __init__(self, *args: object, scale: GradeScale | None = None, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.scale = scale

    @classmethod
    def of_judgment(cls, judgment: Judgment, scale: GradeScale) -> "AnswerForm":
        """What the person said before, to be changed."""
        said = {"grade": judgment.grade, "is_unsure": judgment.is_unsure, "comment": judgment.comment}
        return cls(initial={**said, "other_reason": judgment.reason}, scale=scale)

    def clean_visible_ms(self) -> int | None:
        return _milliseconds(self.cleaned_data["visible_ms"])

    def clean_wall_ms(self) -> int | None:
        return _milliseconds(self.cleaned_data["wall_ms"])

    def clean_shown_at(self) -> datetime | None:
        return _time(self.cleaned_data["shown_at"])

    def clean(self) -> dict[str, object]:
        said = super().clean()
        if said.get("reason") == OTHER:
            said["reason"] = said.get("other_reason", "")
            if not said["reason"]:
                self.add_error("other_reason", "Say in a few words why this pair cannot be judged.")
        elif not said.get("reason"):
            self._check_grade(said.get("grade"))
        return said

    def _check_grade(self, grade: int | None) -> None:
        if grade is None and "grade" not in self.errors:
            self.add_error("grade", "Choose a grade, or say that you cannot judge this pair.")
        elif self.scale and (grade is None or grade not in self.scale):
            self.errors.pop("grade", None)
            self.add_error("grade", f"Choose a grade from {self.scale.low} to {self.scale.high}.")

    def answer(self) -> Answer:
        said = self.cleaned_data
        return Answer(
            grade=None if said["reason"] else said["grade"],
            reason=said["reason"],
            is_unsure=said["is_unsure"],
            comment=said["comment"],
            visible_ms=said["visible_ms"],
            wall_ms=said["wall_ms"],
            was_cut=said["is_cut"] and not said["shows_whole"],
            shown_at=said["shown_at"],
        )


class DecisionForm(forms.Form):
    grade = forms.IntegerField()


class ClaimForm(forms.Form):
    token = forms.UUIDField()


def _milliseconds(text: str) -> int | None:
    """A time that cannot be read is left out: it must not cost a judgment."""
    if not (text.isascii() and text.isdigit()):
        return None
    return MOST_MILLISECONDS if len(text) > len(str(MOST_MILLISECONDS)) else min(int(text), MOST_MILLISECONDS)


def _time(text: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at if at.tzinfo else None
