"""The kinds of files that a collection takes in; one module each."""

from annotate.imports.kinds.file_kind import Kind as Kind
from annotate.imports.kinds.grades import Grades
from annotate.imports.kinds.passages import Passages
from annotate.imports.kinds.qrels import QrelsFile
from annotate.imports.kinds.runs import Runs
from annotate.imports.kinds.topics import Topics
from annotate.imports.kinds.variants import Variants
from annotate.models import ImportedFile

KINDS: dict[str, Kind] = {
    ImportedFile.Kind.TOPICS: Topics(),
    ImportedFile.Kind.PASSAGES: Passages(),
    ImportedFile.Kind.QRELS: QrelsFile(),
    ImportedFile.Kind.RUN: Runs(),
    ImportedFile.Kind.GRADES: Grades(),
    ImportedFile.Kind.VARIANTS: Variants(),
}
