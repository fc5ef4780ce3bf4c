from django import forms
from django.contrib.auth.forms import UserCreationForm

from annotate.models import User


class InvitationForm(forms.Form):
    places = forms.IntegerField(
        label="People", initial=1, min_value=1, max_value=500, help_text="How many may come by it."
    )
    days = forms.IntegerField(label="Days", initial=14, min_value=1, max_value=365, help_text="Then it ends by itself.")


class AccountForm(UserCreationForm):
    """Name and password of somebody new."""

    class Meta:
        model = User
        fields = ["username"]
