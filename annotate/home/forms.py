from django import forms
from django.contrib.auth.forms import PasswordChangeForm

from annotate.models import User


class PasswordForm(PasswordChangeForm):
    """Django's; but the new password is another one, or a first password would stay known to who gave it."""

    def clean(self) -> dict[str, object]:
        super().clean()
        cleaned = self.cleaned_data
        if cleaned.get("new_password1") and cleaned["new_password1"] == cleaned.get("old_password"):
            self.add_error("new_password1", "This is your present password: choose another one.")
        return cleaned


class ThemeForm(forms.Form):
    theme = forms.ChoiceField(choices=User.Theme.choices)


class ShortcutsForm(forms.ModelForm):  # type: ignore[type-arg]  # generic in the stubs only
    class Meta:
        model = User
        fields = ["has_single_key_shortcuts", "confirms_with_enter"]


class TokenForm(forms.Form):
    """Which token is meant; its beginning names it."""

    key = forms.CharField(max_length=64)
