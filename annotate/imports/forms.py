"""One form for each kind of file, with what must be known of such a file, and the model families of a run."""

from collections.abc import Iterable, Mapping

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.formats import model_grades
from annotate.models import ImportedFile, Rater, Run


class ManyFilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class ManyFilesField(forms.FileField):
    """Several files, each cleaned by itself. An empty one is let through: its import refuses it by name."""

    def clean(self, data: object, initial: object = None) -> "list[UploadedFile[bytes]]":
        chosen = data if isinstance(data, list) else [data]
        return [super(ManyFilesField, self).clean(file, initial) for file in chosen or [None]]


class FilesForm(forms.Form):
    """Topics or passages: nothing is to be said but which files."""

    files = ManyFilesField(  # type: ignore[assignment]  # declared: the class keeps its own `files` all the same
        widget=ManyFilesInput(), allow_empty_file=True
    )

    def options(self) -> dict[str, object]:
        return {name: value for name, value in self.cleaned_data.items() if name not in ("files", "texts")}

    def texts(self) -> tuple[str, Iterable[bytes]] | None:
        """Name and bytes of the file that has the texts of query variants, where one came along."""
        file = self.cleaned_data.get("texts")
        return (file.name, file.chunks()) if file else None


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


class GradesForm(FilesForm):
    rater = forms.CharField(
        label="Name of the rater", max_length=100, required=False,
        help_text="Empty: as the file names its models, else the file's own name.",
    )  # fmt: skip
    format = forms.ChoiceField(
        required=False,
        choices=[
            ("", "told by its first line"),
            (model_grades.QRELS, "qrels"),
            (model_grades.UMBRELA, "JSON lines of UMBRELA"),
            (model_grades.COLUMNS, "CSV with a column for each model and prompt"),
            (model_grades.PROBABILITIES, "CSV with the probability of each grade"),
        ],
    )
    field_order = ["rater", "format", "files"]


class RunForm(FilesForm):
    group = forms.CharField(max_length=100, required=False, help_text="Who sent the run, if you compare groups.")
    model_family = forms.CharField(
        max_length=100, required=False, help_text="For instance bert or gpt: tells a judge from its relatives."
    )
    is_pooled = forms.BooleanField(
        label="Pooled", required=False, initial=True, help_text="Its top passages go into the pool."
    )
    ranks_variants = forms.BooleanField(
        label="Run of query variants",
        required=False,
        help_text="Its query ids are those of query variants, not of topics. Several files may share a run tag.",
    )
    field_order = ["group", "model_family", "is_pooled", "ranks_variants", "files"]


class VariantsForm(FilesForm):
    texts = forms.FileField(  # type: ignore[assignment]  # declared: the class keeps its method all the same
        required=False,
        allow_empty_file=True,
        help_text="Their texts as a topics file, where the mapping does not have them.",
    )
    field_order = ["files", "texts"]


FORMS: Mapping[str, type[FilesForm]] = {
    ImportedFile.Kind.TOPICS: FilesForm,
    ImportedFile.Kind.PASSAGES: FilesForm,
    ImportedFile.Kind.QRELS: QrelsForm,
    ImportedFile.Kind.RUN: RunForm,
    ImportedFile.Kind.GRADES: GradesForm,
    ImportedFile.Kind.VARIANTS: VariantsForm,
}


class RunFamiliesForm(forms.Form):
    model_family = forms.CharField(
        label="Model families",
        max_length=Run._meta.get_field("model_family").max_length,
        required=False,
        help_text="For instance bert or gpt, with commas between several: tells a judge from its relatives.",
    )
