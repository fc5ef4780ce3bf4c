from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator

from annotate.models import Collection, Rater
from annotate.rules import ordering

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


class JudgingForm(forms.ModelForm):
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

    def __init__(self, *args: object, has_judgments: bool, has_draw: bool, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        references = Rater.objects.filter(collection=self.instance, kind=Rater.Kind.REFERENCE).order_by("pk")
        self.fields["reference_rater"].queryset = references
        self.fields["reference_rater"].empty_label = "none"
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
        self.fields["order"].choices = [
            choice for choice in Collection.Order.choices if choice[0] == in_force or choice[0] not in ordering.DRAWN
        ]
        if in_force in ordering.DRAWN:
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
