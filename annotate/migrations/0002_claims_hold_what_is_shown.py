"""A claim keeps what stands beside its pair; claims from before get what they were judged with, or what holds now."""

import django.db.models.deletion
from django.db import migrations, models

from annotate.rules import assignment

BATCH = 500


def fill(apps, schema_editor):
    claims = apps.get_model("annotate", "Claim").objects.order_by("pk")
    last = 0
    while batch := list(claims.filter(pk__gt=last).select_related("pair__topic", "assessor", "collection")[:BATCH]):
        last = batch[-1].pk
        firsts = {said.claim_id: said for said in _judgments(apps).filter(claim__in=batch, version=1)}
        for claim in batch:
            _fill(apps, claim, firsts.get(claim.pk))
        claims.bulk_update(batch, ["arm", "suggestion", "backstory", "guidelines"])
    # PostgreSQL alters no table whose new foreign keys wait for the end of the transaction to be checked.
    schema_editor.connection.check_constraints()


def _fill(apps, claim, said):
    claim.arm = said.arm if said else _arm(claim)
    if said:
        claim.suggestion_id = said.suggestion_id if said.arm == assignment.SHOWN else None
        claim.backstory_id, claim.guidelines_id = said.backstory_id, said.guidelines_id
        return
    if claim.arm == assignment.SHOWN:
        claim.suggestion = _suggestion(apps, claim)
    backstories = apps.get_model("annotate", "Backstory").objects
    claim.backstory = backstories.filter(topic=claim.pair.topic_id, is_current=True).first()
    guidelines = apps.get_model("annotate", "Guidelines").objects
    claim.guidelines = guidelines.filter(collection=claim.collection_id).latest("version")


def _judgments(apps):
    return apps.get_model("annotate", "Judgment").objects


def _suggestion(apps, claim):
    suggestions = apps.get_model("annotate", "Suggestion").objects.exclude(rater=None)
    chosen = suggestions.filter(rater=claim.collection.suggesting_rater_id, pair=claim.pair_id, state="DONE")
    return chosen.order_by("draw").first()


def _arm(claim):
    collection = claim.collection
    shares = {
        assignment.HIDDEN: collection.share_hidden,
        assignment.SHOWN: collection.share_shown,
        assignment.REVEAL: collection.share_reveal,
    }
    return assignment.assign_arm(
        shares,
        collection.arm_unit,
        collection.seed,
        query_id=claim.pair.topic.query_id,
        passage_id=claim.pair.passage_id,
        assessor=claim.assessor.pseudonym,
    )


def _link(to, **options):
    return models.ForeignKey(
        to=f"annotate.{to}", on_delete=django.db.models.deletion.PROTECT, related_name="+", **options
    )


ARM = {
    "max_length": 6,
    "choices": [
        ("HIDDEN", "suggestion hidden"),
        ("SHOWN", "suggestion shown first"),
        ("REVEAL", "suggestion revealed after the save"),
    ],
}


class Migration(migrations.Migration):
    dependencies = [("annotate", "0001_initial")]

    operations = [
        migrations.AddField("claim", "arm", models.CharField(null=True, **ARM)),
        migrations.AddField(
            "claim", "suggestion", _link("Suggestion", null=True, help_text="in view before the grade")
        ),
        migrations.AddField("claim", "backstory", _link("Backstory", null=True)),
        migrations.AddField("claim", "guidelines", _link("Guidelines", null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField("claim", "arm", models.CharField(**ARM)),
        migrations.AlterField("claim", "guidelines", _link("Guidelines")),
        migrations.AddConstraint(
            "claim",
            models.CheckConstraint(
                name="claim_suggestion_only_where_shown",
                condition=models.Q(suggestion__isnull=True) | models.Q(arm="SHOWN"),
            ),
        ),
        migrations.AddIndex(
            "judgment",
            models.Index(
                name="judgment_undecided",
                fields=["assessor", "decided_at", "-created_at"],
                condition=models.Q(is_current=True, revealed_at__isnull=False, decided_at__isnull=True),
            ),
        ),
    ]
