"""One form a kind of file, each with what must be said about such a file."""

from collections.abc import Mapping

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.models import ImportedFile, Rater


class ManyFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """Several files, each cleaned by itself. An empty one is let through: its import refuses it by name."""

    def clean(self, data: object, initial: object = None) -> list[UploadedFile]:
        chosen = data if isinstance(data, list) else [data]
        return [super(ManyFilesField, self).clean(file, initial) for file in chosen or [None]]


class FilesForm(forms.Form):
    """Topics or passages: nothing is to be said but which files."""

    files = ManyFilesField(widget=ManyFilesInput(), allow_empty_file=True)

    def options(self) -> dict[str, object]:
        return {name: value for name, value in self.cleaned_data.items() if name != "files"}


class QrelsForm(FilesForm):
    rater = forms.CharField(
        label="Name of the rater",
        max_length=100,
        help_text="Whose grades these are, for instance nist or umbrela-gpt4o. More files of one rater add to it.",
    )
    rater_kind = forms.ChoiceField(
        label="Kind of rater",
        choices=[
            (Rater.Kind.REFERENCE, "reference: people's grades, which close holes"),
            (Rater.Kind.MODEL, "model: suggestions, which never close a hole"),
        ],
        initial=Rater.Kind.REFERENCE,
        widget=forms.RadioSelect,
    )
    field_order = ["rater", "rater_kind", "files"]


class RunForm(FilesForm):
    group = forms.CharField(max_length=100, required=False, help_text="Who sent the run, if you compare groups.")
    model_family = forms.CharField(
        max_length=100, required=False, help_text="For instance bert or gpt: tells a judge from its relatives."
    )
    is_pooled = forms.BooleanField(
        label="Pooled", required=False, initial=True, help_text="Its top passages go into the pool."
    )
    field_order = ["group", "model_family", "is_pooled", "files"]


FORMS: Mapping[str, type[FilesForm]] = {
    ImportedFile.Kind.TOPICS: FilesForm,
    ImportedFile.Kind.PASSAGES: FilesForm,
    ImportedFile.Kind.QRELS: QrelsForm,
    ImportedFile.Kind.RUN: RunForm,
}
