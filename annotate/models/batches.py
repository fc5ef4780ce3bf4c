"""Batches of questions to a judge or a model, and what was answered to each."""

from django.db import models
from django.db.models import Q

from annotate.models.raters import OWN_JUDGES
from annotate.rules.perturbations import Perturbation


class Batch(models.Model):
    """One request to a judge or a model: for grades, backstories or query variants, and what it has cost so far."""

    class Purpose(models.TextChoices):
        GRADES = "GRADES", "suggested grades"
        BACKSTORIES = "BACKSTORIES", "backstories"
        VARIANTS = "VARIANTS", "query variants"
        PROBE = "PROBE", "a test of how the judge is fooled"

    collection = models.ForeignKey("annotate.Collection", models.CASCADE, related_name="batches")
    purpose = models.CharField(max_length=11, choices=Purpose, default=Purpose.GRADES)
    rater = models.ForeignKey(
        "annotate.Rater", models.PROTECT, null=True, related_name="batches", help_text="of a batch of grades"
    )
    judge = models.CharField(max_length=40, help_text="learned, or the service that is asked")
    prompt = models.ForeignKey("annotate.Prompt", models.PROTECT, null=True, related_name="batches")
    parameters = models.JSONField(default=dict)
    pairs = models.PositiveIntegerField(default=0)
    samples = models.PositiveSmallIntegerField(default=1, help_text="answers asked for each pair")
    is_batched = models.BooleanField(default=False, help_text="by the service's own batches, at a lower price")
    budget = models.DecimalField(max_digits=10, decimal_places=2, null=True, help_text="US dollars, never passed")
    most_handed_in = models.PositiveIntegerField(
        default=0, help_text="requests that the service's batches have room for; 0 while that is not known"
    )
    budget_tokens = models.PositiveBigIntegerField(null=True, help_text="read and written, never passed")
    calls = models.PositiveIntegerField(default=0, help_text="answers that were paid")
    tokens_fresh = models.PositiveBigIntegerField(default=0)
    tokens_cached = models.PositiveBigIntegerField(default=0)
    tokens_written = models.PositiveBigIntegerField(default=0)
    tokens_given = models.PositiveBigIntegerField(default=0)
    tokens_thought = models.PositiveBigIntegerField(default=0, help_text="those of tokens_given spent on thinking")
    capabilities = models.JSONField(default=dict, help_text="what the model takes, without what its service refused")
    messages = models.JSONField(default=dict, help_text="by cause: how often, and the service's words")
    lost_calls = models.PositiveIntegerField(default=0, help_text="sent, and no answer came: possibly billed")
    lost_read = models.PositiveBigIntegerField(default=0, help_text="a bound on the tokens that these read")
    lost_given = models.PositiveBigIntegerField(default=0, help_text="a bound on the tokens that these were given")
    held_calls = models.PositiveIntegerField(default=0, help_text="under way, or lost with the worker that made them")
    held_read = models.PositiveBigIntegerField(default=0, help_text="a bound on the tokens that these read")
    held_given = models.PositiveBigIntegerField(default=0, help_text="a bound on the tokens that these are given")
    model_versions = models.JSONField(default=list, help_text="that answered, in the service's words")
    away_since = models.DateTimeField(null=True, help_text="since when the service has answered nothing")
    away_tries = models.PositiveSmallIntegerField(default=0, help_text="waits for it so far, each longer")
    away_cause = models.CharField(max_length=60, blank=True)
    price = models.JSONField(null=True, help_text="of a million tokens when it was asked; none where it is not known")
    surcharge = models.DecimalField(
        max_digits=20, decimal_places=10, default=0, help_text="US dollars that long prompts cost beyond the price"
    )
    note = models.TextField(blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("annotate.User", models.PROTECT, null=True, related_name="+")
    finished_at = models.DateTimeField(null=True)
    cancelled_at = models.DateTimeField(null=True)
    work = models.ForeignKey("annotate.Work", models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="batch_of_grades_has_its_rater",
                condition=Q(purpose="GRADES", rater__isnull=False) | (~Q(purpose="GRADES") & Q(rater__isnull=True)),
            ),
            models.CheckConstraint(name="batch_asks_once_or_more", condition=Q(samples__gte=1)),
        ]


class ServiceBatch(models.Model):
    """Requests that were handed to a service's own batch: its id, and when to look at it again.

    The row is there before they are handed in; `service_id` is empty until the service has told it. `token` ends the
    ids of its requests, by which it is found again in the service's list where that answer is lost.
    """

    batch = models.ForeignKey("annotate.Batch", models.CASCADE, related_name="service_batches")
    service_id = models.CharField(max_length=200, blank=True)
    token = models.CharField(max_length=32, blank=True)
    was_refused = models.BooleanField(default=False, help_text="the service said that it failed to take them")
    requests = models.PositiveIntegerField()
    submitted_at = models.DateTimeField()
    looks = models.PositiveIntegerField(default=0)
    missing = models.PositiveSmallIntegerField(default=0, help_text="looks in a row at which the service knew it not")
    next_look_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, help_text="when all its results were stored")

    class Meta:
        constraints = [models.UniqueConstraint(name="service_batch_once", fields=["batch", "service_id"])]


class Answer(models.Model):
    """What a judge or a service answers to one question of a batch. Only DONE has what was asked for."""

    class State(models.TextChoices):
        QUEUED = "QUEUED", "queued"
        SUBMITTED = "SUBMITTED", "submitted"
        DONE = "DONE", "done"
        REFUSED = "REFUSED", "refused"
        EMPTY = "EMPTY", "empty"
        UNPARSED = "UNPARSED", "not parsed"
        TRUNCATED = "TRUNCATED", "cut off"
        FILTERED = "FILTERED", "filtered"
        FAILED = "FAILED", "failed"
        CANCELLED = "CANCELLED", "cancelled"

    state = models.CharField(max_length=10, choices=State)
    cause = models.CharField(max_length=60, blank=True, help_text="why there is no answer")
    stop_reason = models.CharField(max_length=40, blank=True, help_text="in the service's words")
    request_id = models.CharField(max_length=100, blank=True)
    tokens = models.JSONField(
        null=True, help_text="[fresh, cached, written, given, thought] as the service counts them"
    )
    milliseconds = models.PositiveIntegerField(null=True)
    model_version = models.CharField(max_length=100, blank=True, help_text="that answered, in the service's words")
    attempts = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField()

    class Meta:
        abstract = True


class GradedAnswer(Answer):
    """An answer that is to be a grade."""

    grade = models.SmallIntegerField(null=True)
    probabilities = models.JSONField(null=True, help_text="over the scale, from the lowest grade up")
    reason = models.TextField(blank=True)
    answer = models.TextField(blank=True, help_text="the raw text of the answer")

    class Meta:
        abstract = True


class Suggestions(models.QuerySet["Suggestion"]):
    def visible(self) -> "Suggestions":
        """What a page, a figure or an export may rest on: of a batch, or of an imported file once it is published."""
        return self.filter(Q(batch__isnull=False) | Q(source__state="PUBLISHED"))


class Suggestion(GradedAnswer):
    """What a model said of a pair. Only DONE has a grade; it never becomes a person's judgment."""

    rater = models.ForeignKey("annotate.Rater", models.PROTECT, related_name="suggestions")
    pair = models.ForeignKey("annotate.Pair", models.PROTECT, related_name="suggestions")
    batch = models.ForeignKey("annotate.Batch", models.PROTECT, null=True, related_name="suggestions")
    source = models.ForeignKey("annotate.ImportedFile", models.PROTECT, null=True, related_name="suggestions")
    draw = models.PositiveSmallIntegerField(default=0, help_text="number of the answer where several were asked for")
    for_scoring = models.JSONField(null=True, help_text="as probabilities, where a gain rests on others than the grade")
    votes = models.JSONField(null=True, help_text="over the scale: the shares of several answers, on the first of them")
    service_batch = models.ForeignKey("annotate.ServiceBatch", models.SET_NULL, null=True, related_name="suggestions")
    backstory = models.ForeignKey("annotate.Backstory", models.PROTECT, null=True, related_name="+")

    blind_reason = models.TextField(blank=True, help_text="of the reason what tells nobody's grade; of own judges")

    objects = Suggestions.as_manager()

    class Meta:
        indexes = [
            models.Index(
                name="suggestion_to_ask", fields=["batch", "id"], condition=Q(state__in=["QUEUED", "SUBMITTED"])
            ),
            # What a page counts of a batch, so that it reads no row with its texts.
            models.Index(name="suggestion_counts", fields=["batch", "state", "cause", "draw", "grade"]),
        ]
        constraints = [
            models.UniqueConstraint(name="suggestion_once", fields=["rater", "pair", "draw"]),
            models.CheckConstraint(
                name="suggestion_grade_only_when_done",
                condition=Q(state="DONE", grade__isnull=False) | (~Q(state="DONE") & Q(grade__isnull=True)),
            ),
            models.CheckConstraint(
                name="suggestion_comes_from_a_batch_or_a_file",
                condition=Q(batch__isnull=False, source__isnull=True) | Q(batch__isnull=True, source__isnull=False),
            ),
        ]

    @property
    def reason_for_assessors(self) -> str:
        """Of a model that learned from judged pairs, or was shown some, only what quotes no grade of them: a reader may
        still have to judge them blind."""
        if self.rater.judge in OWN_JUDGES:
            return self.blind_reason
        return "" if self.rater.parameters.get("examples") else self.reason


class Generation(Answer):
    """One text that a model is asked to write: a topic's backstory, or a profile's query variants of a topic.

    Only DONE has given a text that is in use. Where it was asked several times, tokens and milliseconds are of all its
    answers, stop reason and request of the last one.
    """

    batch = models.ForeignKey("annotate.Batch", models.PROTECT, related_name="generations")
    topic = models.ForeignKey("annotate.Topic", models.PROTECT, related_name="generations")
    profile = models.ForeignKey("annotate.Profile", models.PROTECT, null=True, related_name="generations")
    service_batch = models.ForeignKey("annotate.ServiceBatch", models.SET_NULL, null=True, related_name="generations")
    texts = models.JSONField(default=list, help_text="what was taken from the answers")
    answers = models.JSONField(default=list, help_text="the raw text of every answer")
    rounds = models.PositiveSmallIntegerField(default=0, help_text="answers that were read since it was asked anew")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="generation_once_a_topic", fields=["batch", "topic"], condition=Q(profile__isnull=True)
            ),
            models.UniqueConstraint(
                name="generation_once_a_profile",
                fields=["batch", "topic", "profile"],
                condition=Q(profile__isnull=False),
            ),
        ]
        indexes = [
            models.Index(
                name="generation_to_ask", fields=["batch", "id"], condition=Q(state__in=["QUEUED", "SUBMITTED"])
            )
        ]


class ProbeAnswer(GradedAnswer):
    """What a judge says of a passage of another topic in a disguise: it measures the judge, and is no suggestion."""

    batch = models.ForeignKey("annotate.Batch", models.CASCADE, related_name="probe_answers")
    topic = models.ForeignKey("annotate.Topic", models.CASCADE, related_name="+")
    passage = models.ForeignKey("annotate.Passage", models.CASCADE, related_name="+")
    backstory = models.ForeignKey("annotate.Backstory", models.RESTRICT, null=True, related_name="+")
    disguise = models.CharField(max_length=5, choices=[(one.value, one.value.lower()) for one in Perturbation])

    class Meta:
        constraints = [
            models.UniqueConstraint(name="probe_answer_once", fields=["batch", "topic", "passage", "disguise"]),
            models.CheckConstraint(
                name="probe_answer_grade_only_when_done",
                condition=Q(state="DONE", grade__isnull=False) | (~Q(state="DONE") & Q(grade__isnull=True)),
            ),
        ]
