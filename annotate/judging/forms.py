"""The answer to one pair as the judging page sends it, and the settings by which pairs are judged."""

from datetime import datetime

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from annotate.formats.records import GradeScale
from annotate.judging.operations.judgments import Answer
from annotate.models import Collection, Judgment, Rater
from annotate.rules import drawing
from annotate.web.views import Data, Initial, set_choices, set_rows

MOST_MILLISECONDS = 2**31 - 1
OTHER = "OTHER"
SHARES = ("share_hidden", "share_shown", "share_reveal")
ARMS = (*SHARES, "arm_unit", "seed")
BOUNDS = {
    **dict.fromkeys(SHARES, (0, 100)),
    "target": (1, 100),
    "share_several": (0, 100),
    "target_several": (2, 100),
    "share_repeated": (0, 100),
    "repeat_distance": (1, 1000),
    "claim_minutes": (1, 1440),
    "idle_seconds": (5, 3600),
}
STORED = "Judgments are stored: the arms, what fixes them and the seed stay as they are."
ORDERED = "A draw of pairs is in force: it is started and ended on the page Pairs."
DRAWN = "Synthetic holes are drawn from this rater: take the draw back before you choose another."


class GradeField(forms.RegexField):
    """A whole number in ASCII digits as a key or a button sends it: no sign, no point, no space, no leading zero."""

    def __init__(self, required: bool = True) -> None:
        super().__init__(r"\A(0|[1-9][0-9]?)\Z", required=required, strip=False, empty_value=None)
        self.error_messages["invalid"] = "A grade is a whole number such as 2."

    def clean(self, value: object) -> int | None:
        text = super().clean(value)
        return None if text is None else int(text)


class AnswerForm(forms.Form):
    """A grade of the scale, or a reason why there is none; a reason stands above a grade that was selected before.

    `reason` is the value of the button that was pressed; OTHER takes the words of `other_reason`. Without a scale
    any whole number is a grade: the operation that stores it refuses one that the collection does not have. `judgment`
    is the version that a reopened card showed.
    """

    token = forms.UUIDField(required=False)
    key = forms.UUIDField()
    grade = GradeField(required=False)
    judgment = forms.IntegerField(required=False)
    reason = forms.CharField(required=False, max_length=200)
    other_reason = forms.CharField(required=False, max_length=200)
    is_unsure = forms.BooleanField(required=False)
    comment = forms.CharField(required=False, max_length=5000)
    visible_ms = forms.CharField(required=False)
    wall_ms = forms.CharField(required=False)
    shown_at = forms.CharField(required=False)
    is_cut = forms.BooleanField(required=False)
    shows_whole = forms.BooleanField(required=False)

    def __init__(self, data: Data = None, *, scale: GradeScale | None = None, initial: Initial = None) -> None:
        super().__init__(data, initial=initial)
        self.scale = scale

    @classmethod
    def of_judgment(cls, judgment: Judgment, scale: GradeScale) -> "AnswerForm":
        """The earlier answer, to be changed."""
        answer = {"grade": judgment.grade, "is_unsure": judgment.is_unsure, "comment": judgment.comment}
        return cls(initial={**answer, "other_reason": judgment.reason}, scale=scale)

    def clean_visible_ms(self) -> int | None:
        return _milliseconds(self.cleaned_data["visible_ms"])

    def clean_wall_ms(self) -> int | None:
        return _milliseconds(self.cleaned_data["wall_ms"])

    def clean_shown_at(self) -> datetime | None:
        return _time(self.cleaned_data["shown_at"])

    def clean(self) -> dict[str, object]:
        super().clean()
        data = self.cleaned_data
        if data.get("reason") == OTHER:
            data["reason"] = data.get("other_reason", "")
            if not data["reason"]:
                self.add_error("other_reason", "Say in a few words why this pair cannot be judged.")
        elif not data.get("reason"):
            self._check_grade(data.get("grade"))
        return data

    def _check_grade(self, grade: int | None) -> None:
        if grade is None and "grade" not in self.errors:
            self.add_error("grade", "Choose a grade, or say that you cannot judge this pair.")
        elif self.scale and (grade is None or grade not in self.scale):
            self.errors.pop("grade", None)
            self.add_error("grade", f"Choose a grade from {self.scale.low} to {self.scale.high}.")

    def answer(self) -> Answer:
        data = self.cleaned_data
        return Answer(
            grade=None if data["reason"] else data["grade"],
            reason=data["reason"],
            is_unsure=data["is_unsure"],
            comment=data["comment"],
            visible_ms=data["visible_ms"],
            wall_ms=data["wall_ms"],
            was_cut=data["is_cut"] and not data["shows_whole"],
            shown_at=data["shown_at"],
        )


class DecisionForm(forms.Form):
    grade = GradeField()


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


class JudgingForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    """How the holes are judged. What can no longer change is disabled, with the reason as its help."""

    class Meta:
        model = Collection
        fields = [
            "share_hidden",
            "share_shown",
            "share_reveal",
            "arm_unit",
            "seed",
            "order",
            "target",
            "share_several",
            "target_several",
            "share_repeated",
            "repeat_distance",
            "propagates_duplicates",
            "consensus",
            "claim_minutes",
            "idle_seconds",
            "reference_rater",
        ]
        labels = {
            "share_hidden": "Hidden, in percent",
            "share_shown": "Shown first, in percent",
            "share_reveal": "Revealed, in percent",
            "arm_unit": "The arm is fixed",
            "order": "Order of the pairs",
            "target": "Judgments for each hole",
            "share_several": "Pairs judged by several, in percent",
            "target_several": "Judgments for each of these",
            "share_repeated": "Judgments asked for again, in percent",
            "repeat_distance": "Judgments between the two, at least",
            "propagates_duplicates": "Near-duplicates are judged once",
            "consensus": "Consensus of people",
            "claim_minutes": "Minutes a pair is held",
            "idle_seconds": "Seconds until a person counts as idle",
            "reference_rater": "Reference rater",
        }
        help_texts = {
            "share_hidden": "The assessor never sees a suggestion.",
            "share_shown": "The suggestion stands beside the pair from the start.",
            "share_reveal": "The suggestion comes after the grade is stored, which then is kept or changed.",
            "arm_unit": "By pair mixes arms within a person's work: what somebody sees on one pair can spill over to "
            "the blind pairs that follow. By topic keeps arms apart; by assessor keeps people apart.",
            "seed": "Fixes the arms and the order.",
            "order": "Topic by topic: a person finishes a topic before the next; fully random mixes all topics. A "
            "random sample, a fixed list and an order by influence are started on the page Pairs.",
            "target": "How many people are asked about each hole.",
            "share_several": "A random share, fixed by the seed, that more people judge: the agreement of people at "
            "less cost than with several judgments of every hole.",
            "target_several": "More than for the other holes.",
            "share_repeated": "So many of a person's own judgments come again, unannounced and without a suggestion: "
            "how far people agree with themselves. They fill no hole and change no grade; a pair whose suggestion the "
            "person saw never comes again.",
            "repeat_distance": "Too few, and people remember what they said.",
            "propagates_duplicates": "Of the near-duplicates of a passage in a topic, which the page Pairs shows, "
            "people judge one; the others take its grade, and exports say so.",
            "consensus": "How several grades become one. Where the rule gives none, the pair stays a hole until an "
            "adjudicator decides. Adjudicated only: nothing but such a decision fills a hole.",
            "claim_minutes": "Renewed while the pair is on the screen; then it goes to somebody else.",
            "idle_seconds": "Time without a key, click or scroll after which visible time is no longer counted.",
            "reference_rater": "Only its grades, and people's consensus, close holes.",
        }

    def __init__(self, data: Data = None, *, instance: Collection, has_judgments: bool, has_draw: bool) -> None:
        super().__init__(data, instance=instance)
        references = Rater.objects.filter(collection=self.instance, kind=Rater.Kind.REFERENCE).order_by("pk")
        set_rows(self.fields["reference_rater"], references, empty_label="none")
        for name, (lowest, highest) in BOUNDS.items():
            self.fields[name].validators += [MinValueValidator(lowest), MaxValueValidator(highest)]
            self.fields[name].widget.attrs.update(min=lowest, max=highest)
        self._offer_orders()
        if has_judgments:
            self._lock(ARMS, STORED)
        if has_draw:
            self._lock(["reference_rater"], DRAWN)

    def _offer_orders(self) -> None:
        """The orders that need no draw; one that a draw gave stays as it is."""
        in_force = self.instance.order
        set_choices(
            self.fields["order"],
            [choice for choice in Collection.Order.choices if choice[0] == in_force or choice[0] not in drawing.DRAWN],
        )
        if in_force in drawing.DRAWN:
            self._lock(["order"], ORDERED)

    def clean(self) -> dict[str, object]:
        shares = [self.cleaned_data.get(name, 0) for name in SHARES]
        if not self.fields["share_hidden"].disabled and sum(shares) != 100:
            self.add_error("share_hidden", f"The three shares add up to {sum(shares)}, not to 100.")
        return self.cleaned_data

    def _lock(self, names: list[str] | tuple[str, ...], reason: str) -> None:
        for name in names:
            self.fields[name].disabled = True
            self.fields[name].help_text = reason
