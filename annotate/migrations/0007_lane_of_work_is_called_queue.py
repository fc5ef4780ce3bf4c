from django.db import migrations, models


class Migration(migrations.Migration):
    """In the code alone: the column keeps its name."""

    dependencies = [("annotate", "0006_answers_of_services")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint(model_name="work", name="work_one_running_a_lane"),
                migrations.RenameField(model_name="work", old_name="lane", new_name="queue"),
                migrations.AlterField(
                    model_name="work",
                    name="queue",
                    field=models.CharField(
                        db_column="lane",
                        help_text="of a collection's work in one queue one piece runs at a time",
                        max_length=20,
                    ),
                ),
                migrations.AddConstraint(
                    model_name="work",
                    constraint=models.UniqueConstraint(
                        condition=models.Q(("state", "RUNNING")),
                        fields=("collection", "queue"),
                        name="work_one_running_a_lane",
                    ),
                ),
            ]
        )
    ]
