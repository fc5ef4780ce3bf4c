from django import forms

from annotate.models import Membership


class PersonForm(forms.Form):
    username = forms.CharField(
        label="User name",
        max_length=150,
        help_text="Somebody new gets an account with a first password, which you see once.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    role = forms.ChoiceField(
        choices=[
            (Membership.Role.ASSESSOR, "assessor: judges pairs"),
            (Membership.Role.ADJUDICATOR, "adjudicator: decides pairs that people disagree about"),
            (Membership.Role.RESEARCHER, "researcher: sets up, sees and exports everything"),
        ],
        initial=Membership.Role.ASSESSOR,
        widget=forms.RadioSelect,
    )
