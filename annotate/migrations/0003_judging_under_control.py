"""Samples, repeats, near-duplicates, adjudication, invitations; what is stored already gets the columns it implies."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import F, Max, Min, OuterRef, Q, Subquery


def fill(apps, schema_editor):
    _claims(apps)
    _guidelines(apps)
    _pairs(apps)
    # PostgreSQL alters no table whose foreign keys wait for the end of the transaction to be checked.
    schema_editor.connection.check_constraints()


def _claims(apps):
    """A judged claim was drawn as its first judgment says, any other as the settings say now."""
    claims = apps.get_model("annotate", "Claim").objects
    pairs = apps.get_model("annotate", "Pair").objects.filter(pk=OuterRef("pair"))
    now = {"order": "collection__order", "order_seed": "collection__seed", "order_key": "order_key"}
    claims.update(**{name: Subquery(pairs.values(source)[:1]) for name, source in now.items()})
    said = apps.get_model("annotate", "Judgment").objects.filter(claim=OuterRef("pk")).order_by("version")
    claims.filter(judgments__isnull=False).update(**{name: Subquery(said.values(name)[:1]) for name in now})


def _guidelines(apps):
    versions = apps.get_model("annotate", "Guidelines").objects
    newest = versions.values("collection").annotate(newest=Max("version")).filter(collection=OuterRef("collection"))
    versions.exclude(version=Subquery(newest.values("newest"))).update(is_current=False)


def _pairs(apps):
    pairs = apps.get_model("annotate", "Pair").objects
    grades = apps.get_model("annotate", "Judgment").objects.filter(round=1, is_current=True, grade__isnull=False)
    spread = grades.filter(pair=OuterRef("pk")).order_by().values("pair").annotate(s=Max("grade") - Min("grade"))
    pairs.filter(pk__in=grades.values("pair")).update(spread=Subquery(spread.values("s")))
    is_met = Q(target__gt=0, counted__gte=F("target"))
    pairs.filter(is_met, Q(consensus_grade=None) | Q(spread__gt=0)).update(is_disputed=True)


class Migration(migrations.Migration):
    dependencies = [
        ("annotate", "0002_claims_hold_what_is_shown"),
    ]

    operations = [
        migrations.CreateModel(
            name="Adjudication",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveSmallIntegerField(default=1)),
                ("is_current", models.BooleanField(default=True)),
                ("key", models.UUIDField(help_text="idempotency key: a repeated save finds its row", unique=True)),
                (
                    "grade",
                    models.SmallIntegerField(help_text="none: nobody can judge this pair, it stays a hole", null=True),
                ),
                ("reason", models.TextField()),
                (
                    "judgments",
                    models.PositiveSmallIntegerField(help_text="of people that were there when it was decided"),
                ),
                ("has_new_evidence", models.BooleanField(default=False, help_text="somebody judged the pair since")),
                ("names_shown", models.BooleanField(default=False)),
                (
                    "has_judged",
                    models.BooleanField(default=False, help_text="the adjudicator had judged the pair too"),
                ),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="BackstoryFlag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("comment", models.TextField(blank=True)),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("secret_hash", models.CharField(max_length=64, unique=True)),
                ("places", models.PositiveSmallIntegerField(help_text="people who may come by it")),
                ("used", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(help_text="when a researcher took it back", null=True)),
            ],
        ),
        migrations.CreateModel(
            name="PairDraw",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("SAMPLE", "random sample"),
                            ("LIST", "fixed list"),
                            ("INFLUENCE", "order by influence"),
                            ("CALIBRATION", "reference pairs mixed in"),
                        ],
                        max_length=11,
                    ),
                ),
                ("seed", models.BigIntegerField(null=True)),
                ("size", models.PositiveIntegerField(help_text="pairs")),
                (
                    "frame_version",
                    models.PositiveIntegerField(help_text="of the frame of pairs that it was drawn from"),
                ),
                ("design", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="claim",
            name="is_calibration",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="claim",
            name="order",
            field=models.CharField(default="TOPIC", max_length=10),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="claim",
            name="order_key",
            field=models.BigIntegerField(default=0, help_text="place in the permutation"),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="claim",
            name="order_seed",
            field=models.BigIntegerField(default=0),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="collection",
            name="propagates_duplicates",
            field=models.BooleanField(
                default=False,
                help_text="near-duplicates of a passage get its people's grade and are not judged themselves",
            ),
        ),
        migrations.AddField(
            model_name="collection",
            name="repeat_distance",
            field=models.PositiveSmallIntegerField(default=20, help_text="judgments between the two, at least"),
        ),
        migrations.AddField(
            model_name="collection",
            name="share_repeated",
            field=models.PositiveSmallIntegerField(
                default=0, help_text="percent of a person's judgments asked again, hidden"
            ),
        ),
        migrations.AddField(
            model_name="collection",
            name="share_several",
            field=models.PositiveSmallIntegerField(default=0, help_text="percent of the pairs judged by several"),
        ),
        migrations.AddField(
            model_name="collection",
            name="shows_names_to_adjudicators",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="collection",
            name="shows_suggestions_to_adjudicators",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="collection",
            name="target_several",
            field=models.PositiveSmallIntegerField(default=2, help_text="judgments wanted for each of those"),
        ),
        migrations.AddField(
            model_name="guidelines",
            name="is_current",
            field=models.BooleanField(default=True),
        ),
        migrations.AddField(
            model_name="judgment",
            name="is_calibration",
            field=models.BooleanField(
                default=False, help_text="of a pair that the reference graded, put in front of people to measure drift"
            ),
        ),
        migrations.AddField(
            model_name="judgment",
            name="repeat_from",
            field=models.PositiveIntegerField(
                help_text="once its author has judged so many, the pair comes again as a hidden repeat", null=True
            ),
        ),
        migrations.AddField(
            model_name="membership",
            name="repeated",
            field=models.PositiveIntegerField(default=0, help_text="hidden repeats answered"),
        ),
        migrations.AddField(
            model_name="pair",
            name="duplicate_of",
            field=models.ForeignKey(
                help_text="the pair of the topic whose passage says nearly the same; never a duplicate itself",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="duplicates",
                to="annotate.pair",
            ),
        ),
        migrations.AddField(
            model_name="pair",
            name="is_added",
            field=models.BooleanField(default=False, help_text="put into the pool by hand, whatever the runs retrieve"),
        ),
        migrations.AddField(
            model_name="pair",
            name="is_calibration",
            field=models.BooleanField(
                default=False,
                help_text="shown to people though the reference graded it, to measure their drift from it",
            ),
        ),
        migrations.AddField(
            model_name="pair",
            name="is_disputed",
            field=models.BooleanField(default=False, help_text="waits for an adjudicator"),
        ),
        migrations.AddField(
            model_name="pair",
            name="is_drawn",
            field=models.BooleanField(
                default=False, help_text="in the sample or list that the collection's order names"
            ),
        ),
        migrations.AddField(
            model_name="pair",
            name="withdrawn_reason",
            field=models.TextField(blank=True, default=""),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="pair",
            name="spread",
            field=models.PositiveSmallIntegerField(default=0, help_text="highest minus lowest of people's grades"),
        ),
        migrations.AlterField(
            model_name="collection",
            name="consensus",
            field=models.CharField(
                choices=[
                    ("MAJORITY", "strict majority"),
                    ("MEDIAN", "median (lower of two)"),
                    ("MAXIMUM", "maximum"),
                    ("UNANIMOUS", "unanimous"),
                    ("ADJUDICATED", "adjudicated only"),
                ],
                default="MAJORITY",
                max_length=11,
            ),
        ),
        migrations.AlterField(
            model_name="collection",
            name="order",
            field=models.CharField(
                choices=[
                    ("TOPIC", "topic by topic"),
                    ("RANDOM", "fully random"),
                    ("SAMPLE", "a recorded random sample"),
                    ("LIST", "a fixed list"),
                    ("INFLUENCE", "by influence on the ranking of systems"),
                ],
                default="TOPIC",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="membership",
            name="role",
            field=models.CharField(
                choices=[("RESEARCHER", "researcher"), ("ASSESSOR", "assessor"), ("ADJUDICATOR", "adjudicator")],
                max_length=11,
            ),
        ),
        migrations.AlterField(
            model_name="pair",
            name="consensus_grade",
            field=models.SmallIntegerField(help_text="an adjudicator's, else the consensus of people", null=True),
        ),
        migrations.AddIndex(
            model_name="pair",
            index=models.Index(
                condition=models.Q(("is_disputed", True)),
                fields=["collection", "-spread", "counted"],
                name="pair_disputes",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="guidelines",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_current", True)), fields=("collection",), name="guidelines_one_current"
            ),
        ),
        migrations.AddField(
            model_name="adjudication",
            name="adjudicator",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="adjudications", to="annotate.membership"
            ),
        ),
        migrations.AddField(
            model_name="adjudication",
            name="guidelines",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotate.guidelines"
            ),
        ),
        migrations.AddField(
            model_name="adjudication",
            name="pair",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="adjudications", to="annotate.pair"
            ),
        ),
        migrations.AddField(
            model_name="adjudication",
            name="suggestion",
            field=models.ForeignKey(
                help_text="in view when it was decided",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotate.suggestion",
            ),
        ),
        migrations.AddField(
            model_name="backstoryflag",
            name="assessor",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotate.membership"
            ),
        ),
        migrations.AddField(
            model_name="backstoryflag",
            name="backstory",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="flags", to="annotate.backstory"
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="collection",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="annotate.collection"
            ),
        ),
        migrations.AddField(
            model_name="invitation",
            name="created_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="pairdraw",
            name="collection",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="pair_draws", to="annotate.collection"
            ),
        ),
        migrations.AddField(
            model_name="pairdraw",
            name="created_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="claim",
            name="pair_draw",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotate.pairdraw"
            ),
        ),
        migrations.AddField(
            model_name="collection",
            name="pair_draw",
            field=models.ForeignKey(
                blank=True,
                help_text="where the order is a sample, a list or by influence: which one",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="annotate.pairdraw",
            ),
        ),
        migrations.AddField(
            model_name="judgment",
            name="pair_draw",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="annotate.pairdraw"
            ),
        ),
        migrations.AddIndex(
            model_name="judgment",
            index=models.Index(
                condition=models.Q(("is_current", True), ("repeat_from__isnull", False)),
                fields=["assessor", "repeat_from"],
                name="judgment_repeats",
            ),
        ),
        migrations.AddConstraint(
            model_name="pair",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("is_withdrawn", False), ("withdrawn_reason", "")),
                    models.Q(("is_withdrawn", True), models.Q(("withdrawn_reason", ""), _negated=True)),
                    _connector="OR",
                ),
                name="pair_withdrawn_for_a_reason",
            ),
        ),
        migrations.AddConstraint(
            model_name="collection",
            constraint=models.CheckConstraint(
                condition=models.Q(("share_several__lte", 100), ("target_several__gte", 2)),
                name="collection_several_are_two_or_more",
            ),
        ),
        migrations.AddConstraint(
            model_name="collection",
            constraint=models.CheckConstraint(
                condition=models.Q(("repeat_distance__gte", 1), ("share_repeated__lte", 100)),
                name="collection_repeats_keep_a_distance",
            ),
        ),
        migrations.AddConstraint(
            model_name="collection",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("order__in", ["TOPIC", "RANDOM"]), ("pair_draw__isnull", True)),
                    models.Q(models.Q(("order__in", ["TOPIC", "RANDOM"]), _negated=True), ("pair_draw__isnull", False)),
                    _connector="OR",
                ),
                name="collection_drawn_order_has_its_draw",
            ),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_current", True)), fields=("pair",), name="adjudication_one_current"
            ),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.UniqueConstraint(fields=("pair", "version"), name="adjudication_version_once"),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason", ""), _negated=True), name="adjudication_has_a_reason"
            ),
        ),
        migrations.AddConstraint(
            model_name="adjudication",
            constraint=models.CheckConstraint(
                condition=models.Q(("grade__isnull", True), ("grade__gte", 0), _connector="OR"),
                name="adjudication_grade_is_not_negative",
            ),
        ),
        migrations.AddConstraint(
            model_name="backstoryflag",
            constraint=models.UniqueConstraint(fields=("backstory", "assessor"), name="backstory_flag_once"),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("places__gte", 1)), name="invitation_for_one_or_more"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.CheckConstraint(
                condition=models.Q(("used__lte", models.F("places"))), name="invitation_used_within_places"
            ),
        ),
    ]
