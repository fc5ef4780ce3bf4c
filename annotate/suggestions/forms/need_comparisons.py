"""One prompt and model that grades against the query, the backstory and both."""

from annotate.models import Collection, Prompt
from annotate.suggestions.forms.asking import AskForm
from annotate.suggestions.operations.asking import Wish

LEFT_OUT = ("against", "samples", "examples", "examples_from", "is_batched", "is_structured")


class CompareNeedsForm(AskForm):
    """As for one batch, without what would only blur the comparison."""

    def __init__(self, collection: Collection, *args: object, **kwargs: object) -> None:
        super().__init__(collection, *args, **kwargs)
        for name in LEFT_OUT:
            del self.fields[name]
        self.fields["budget"].help_text = "For the three batches together: each gets a third."

    def wish(self, prompt: Prompt) -> Wish:
        said = {name: value for name, value in self.cleaned_data.items() if name != "prompt"}
        return Wish(prompt=prompt, **said)
