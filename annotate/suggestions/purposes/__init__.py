"""The purposes of batches: grades, probes of judges, backstories, query variants; one module each.

A purpose says what it asks about, the message, what an answer comes to, how rows end, and what the page shows.
"""

from typing import cast

from annotate.llm.messages import Request
from annotate.models import Answer, Batch, Collection, Prompt
from annotate.rules.rater_names import OWN_JUDGES
from annotate.suggestions.purposes import backstories, grading, variants
from annotate.suggestions.purposes.backstories import Backstories
from annotate.suggestions.purposes.grades import Grades, OwnGrades, ReceivedGrades
from annotate.suggestions.purposes.probe import OwnProbe, Probe
from annotate.suggestions.purposes.purpose import Purpose
from annotate.suggestions.purposes.variants import Variants

OF_SERVICES = {
    Batch.Purpose.GRADES: Grades,
    Batch.Purpose.PROBE: Probe,
    Batch.Purpose.BACKSTORIES: Backstories,
    Batch.Purpose.VARIANTS: Variants,
}
OF_OWN_JUDGES = {Batch.Purpose.GRADES: OwnGrades, Batch.Purpose.PROBE: OwnProbe}


def find_purpose(batch: Batch) -> Purpose[Answer]:
    """What is particular of a batch, stored or drafted."""
    kinds = OF_OWN_JUDGES if batch.judge in OWN_JUDGES else OF_SERVICES
    is_received = kinds is OF_SERVICES and batch.prompt is None
    kind = ReceivedGrades if is_received else kinds[Batch.Purpose(batch.purpose)]
    # Whoever is handed this hands it no rows but its own.
    return cast("Purpose[Answer]", kind(batch))


PREVIEWS = {
    Prompt.Purpose.JUDGING: grading.preview,
    Prompt.Purpose.BACKSTORY: backstories.preview,
    Prompt.Purpose.VARIANTS: variants.preview,
}


def preview_message(collection: Collection, prompt: Prompt) -> Request | None:
    """What a prompt, stored or not, would ask; None where there is nothing yet to show it on."""
    return PREVIEWS[Prompt.Purpose(prompt.purpose)](collection, prompt)
