from django.db import migrations, models


def rename_sitting(model_name: str) -> list[migrations.operations.base.Operation]:
    """In the code alone: the columns keep their names."""
    default = {"default": 0} if model_name == "membership" else {}
    help_text = {"help_text": "a pause of half an hour starts a new one"} if default else {}
    number = models.PositiveIntegerField(db_column="sitting", **default, **help_text)
    position = models.PositiveIntegerField(db_column="sitting_position", **default)
    return [
        migrations.RenameField(model_name, "sitting", "session"),
        migrations.AlterField(model_name, "session", number),
        migrations.RenameField(model_name, "sitting_position", "session_position"),
        migrations.AlterField(model_name, "session_position", position),
    ]


class Migration(migrations.Migration):
    dependencies = [("annotate", "0013_calls_possibly_billed")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[*rename_sitting("judgment"), *rename_sitting("membership")]
        ),
        migrations.RemoveIndex("work", "work_waiting"),
        migrations.AddIndex(
            "work",
            models.Index(
                name="work_waiting", fields=["collection", "queue", "created_at"], condition=models.Q(state="QUEUED")
            ),
        ),
    ]
