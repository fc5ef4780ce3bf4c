from django import forms


class FlagForm(forms.Form):
    """What looks wrong, if the person says so."""

    flag_comment = forms.CharField(required=False, max_length=2000)


class BackstoryForm(forms.Form):
    text = forms.CharField(
        label="New version", max_length=20_000, widget=forms.Textarea(attrs={"rows": 5, "dir": "auto"})
    )
