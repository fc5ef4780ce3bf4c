from django.db import migrations, models

STATES = [
    ("QUEUED", "queued"),
    ("SUBMITTED", "submitted"),
    ("DONE", "done"),
    ("REFUSED", "refused"),
    ("EMPTY", "empty"),
    ("UNPARSED", "not parsed"),
    ("TRUNCATED", "cut off"),
    ("FILTERED", "filtered"),
    ("FAILED", "failed"),
    ("CANCELLED", "cancelled"),
]


class Migration(migrations.Migration):
    """Suggestions, generations and probe answers describe the columns that they share in the same words.

    The tables stay as they are.
    """

    dependencies = [("annotate", "0005_judges_and_writers")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="generation",
                    name="cause",
                    field=models.CharField(blank=True, help_text="why there is no answer", max_length=60),
                ),
                migrations.AlterField(
                    model_name="generation",
                    name="milliseconds",
                    field=models.PositiveIntegerField(null=True),
                ),
                migrations.AlterField(
                    model_name="generation",
                    name="request_id",
                    field=models.CharField(blank=True, max_length=100),
                ),
                migrations.AlterField(
                    model_name="generation",
                    name="stop_reason",
                    field=models.CharField(blank=True, help_text="in the service's words", max_length=40),
                ),
                migrations.AlterField(
                    model_name="generation",
                    name="tokens",
                    field=models.JSONField(
                        help_text="[fresh, cached, written, given] as the service counts them", null=True
                    ),
                ),
                migrations.AlterField(
                    model_name="probeanswer",
                    name="state",
                    field=models.CharField(choices=STATES, max_length=10),
                ),
            ],
        ),
    ]
