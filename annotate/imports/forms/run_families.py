from django import forms

from annotate.models import Run


class RunFamiliesForm(forms.Form):
    model_family = forms.CharField(
        label="Model families",
        max_length=Run._meta.get_field("model_family").max_length,
        required=False,
        help_text="For instance bert or gpt, with commas between several: tells a judge from its relatives.",
    )
