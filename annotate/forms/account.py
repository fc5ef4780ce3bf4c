from django import forms

from annotate.models import User


class ThemeForm(forms.Form):
    theme = forms.ChoiceField(choices=User.Theme.choices)


class ShortcutsForm(forms.ModelForm):
    class Meta:
        model = User
        fields = ["has_single_key_shortcuts", "confirms_with_enter"]


class TokenForm(forms.Form):
    """Which token is meant; its beginning names it."""

    key = forms.CharField(max_length=64)
