"""What is asked or answered amiss: a sentence, or a state, and never a fault of the work."""

from collections import Counter

import pytest

from annotate.models import Work
from annotate.suggestions.purposes.purpose import CannotAsk

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("service", ["anthropic", "openai"])
def test_an_answer_that_no_database_takes_is_kept_with_its_signs_replaced(serve, collection, ask, service):
    serve(share=1.0, faults=("unstorable",))
    batch = ask(collection, service=service)
    assert batch.work.state == Work.State.DONE
    assert Counter(batch.suggestions.values_list("state", "answer")) == {
        ("UNPARSED", "half of an emoji \ufffd and a \ufffd"): 10
    }


@pytest.mark.parametrize(
    ("plan", "word"),
    [
        ({"model": " "}, "Name the model"),
        ({"samples": 0}, "1 to 50 answers"),
        ({"concurrency": 129}, "1 and 128 calls"),
        ({"limit": 0}, "at least one pair"),
        ({"examples": -1}, "from 0 on"),
        ({"per_minute": -1}, "from 0 on"),
        ({"temperature": float("nan")}, "from 0 to 2"),
        ({"temperature": 2.5}, "from 0 to 2"),
        ({"model": "vicuna-7b", "budget": 1}, "not known, so a budget cannot be kept"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_with_a_sentence(serve, collection, ask, plan, word):
    server = serve()
    with pytest.raises(CannotAsk, match=word):
        ask(collection, **plan)
    assert server.script.asked == []
