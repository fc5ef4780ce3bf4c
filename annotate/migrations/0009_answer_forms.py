from django.db import migrations, models

USUAL = {"DIRECT": "number", "RATIONALE": "mark: Final grade | Final score", "DECOMPOSED": "mark: Final grade | Final score"}


def say_answer_forms(apps, schema_editor):
    """Prompts of earlier versions say by their form where their answers hold the grade."""
    prompts = apps.get_model("annotate", "Prompt").objects
    for form, answer_form in USUAL.items():
        prompts.filter(form=form).update(answer_form=answer_form)


class Migration(migrations.Migration):
    dependencies = [("annotate", "0008_models_of_today")]

    operations = [
        migrations.AddField(
            model_name="prompt",
            name="answer_form",
            field=models.CharField(
                blank=True, help_text="of a prompt that grades: where its answers hold the grade", max_length=200
            ),
        ),
        migrations.AddField(
            model_name="prompt",
            name="example",
            field=models.TextField(blank=True, help_text="how a worked example is shown; empty: as Lacuna shows it"),
        ),
        migrations.RunPython(say_answer_forms, migrations.RunPython.noop),
    ]
