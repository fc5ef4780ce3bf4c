from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from annotate.models import Collection, Rater

SHARES = ("share_hidden", "share_shown", "share_reveal")
ARMS = (*SHARES, "arm_unit", "seed")
BOUNDS = {
    **dict.fromkeys(SHARES, (0, 100)),
    "target": (1, 100),
    "claim_minutes": (1, 1440),
    "idle_seconds": (5, 3600),
}
STORED = "Judgments are stored: the arms, what fixes them and the seed stay as they are."
DRAWN = "Synthetic holes are drawn from this rater: take the draw back before you choose another."


class JudgingForm(forms.ModelForm):
    """How the holes are judged. What can no longer change is disabled, with the reason as its help."""

    class Meta:
        model = Collection
        fields = [
            "is_paused",
            "share_hidden",
            "share_shown",
            "share_reveal",
            "arm_unit",
            "seed",
            "order",
            "target",
            "consensus",
            "claim_minutes",
            "idle_seconds",
            "reference_rater",
        ]
        labels = {
            "is_paused": "Judging is paused",
            "share_hidden": "Hidden, in percent",
            "share_shown": "Shown first, in percent",
            "share_reveal": "Revealed, in percent",
            "arm_unit": "The arm is fixed",
            "order": "Order of the pairs",
            "target": "Judgments for each hole",
            "consensus": "Consensus of people",
            "claim_minutes": "Minutes a pair is held",
            "idle_seconds": "Seconds until a person counts as idle",
            "reference_rater": "Reference rater",
        }
        help_texts = {
            "is_paused": "Nobody gets a pair; what was judged is kept.",
            "share_hidden": "The assessor never sees a suggestion.",
            "share_shown": "The suggestion stands beside the pair from the start.",
            "share_reveal": "The suggestion comes after the grade is stored, which then is kept or changed.",
            "arm_unit": "By pair mixes arms within a person's work: what somebody sees on one pair can spill over to "
            "the blind pairs that follow. By topic keeps arms apart; by assessor keeps people apart.",
            "seed": "Fixes the arms and the order.",
            "order": "",
            "target": "How many people are asked about each hole.",
            "consensus": "How several grades become one. Where the rule gives none, the pair stays a hole.",
            "claim_minutes": "Renewed while the pair is on the screen; then it goes to somebody else.",
            "idle_seconds": "Time without a key, click or scroll after which visible time is no longer counted.",
            "reference_rater": "Only its grades, and people's consensus, close holes.",
        }

    def __init__(self, *args: object, has_judgments: bool, has_draw: bool, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        references = Rater.objects.filter(collection=self.instance, kind=Rater.Kind.REFERENCE).order_by("pk")
        self.fields["reference_rater"].queryset = references
        self.fields["reference_rater"].empty_label = "none"
        for name, (lowest, highest) in BOUNDS.items():
            self.fields[name].validators += [MinValueValidator(lowest), MaxValueValidator(highest)]
            self.fields[name].widget.attrs.update(min=lowest, max=highest)
        if has_judgments:
            self._lock(ARMS, STORED)
        if has_draw:
            self._lock(["reference_rater"], DRAWN)

    def clean(self) -> dict[str, object]:
        shares = [self.cleaned_data.get(name, 0) for name in SHARES]
        if not self.fields["share_hidden"].disabled and sum(shares) != 100:
            self.add_error("share_hidden", f"The three shares add up to {sum(shares)}, not to 100.")
        return self.cleaned_data

    def _lock(self, names: list[str] | tuple[str, ...], reason: str) -> None:
        for name in names:
            self.fields[name].disabled = True
            self.fields[name].help_text = reason
