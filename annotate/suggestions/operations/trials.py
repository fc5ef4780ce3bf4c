"""One pair asked now, to see what a prompt makes of it before it is kept: nothing of it is stored."""

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial

from annotate.grades.holes import HOLE
from annotate.llm import answers, capabilities, providers
from annotate.llm.answers import Answer
from annotate.llm.capabilities import Capabilities, plan_call, with_room
from annotate.llm.concurrent_requests import ConcurrentRequests
from annotate.llm.messages import Reply, Request, Stop, Tokens
from annotate.llm.providers import Fault
from annotate.models import Backstory, Collection, Pair
from annotate.suggestions.purposes.grades import GradesPlan
from annotate.suggestions.purposes.grading import Messages
from annotate.suggestions.purposes.purpose import BadPlan, CannotAsk

MOST_ATTEMPTS = 2
SECONDS = 60  # somebody waits at the page


@dataclass(frozen=True)
class Trial:
    """What was asked of which pair, and what came back: a reply with what it comes to, or the service's fault. `tokens`
    and `cost` (None where the price is not known) are of all answers, `adapted` what the model does not take."""

    pair: Pair
    request: Request
    reply: Reply | None
    answer: Answer | None
    fault: str
    tokens: Tokens
    cost: Decimal | None
    adapted: tuple[str, ...]


def find_pair(collection: Collection, query_id: str = "", passage_id: str = "") -> Pair:
    """The pair of these ids; without them the first hole that has a text, else the first pooled pair. Raises
    CannotAsk."""
    readable = collection.pairs.filter(passage_text__isnull=False, is_withdrawn=False).order_by("pk")
    pairs = readable.select_related("topic", "passage_text")
    if not query_id and not passage_id:
        found = pairs.filter(HOLE).first() or pairs.filter(is_pooled=True).first()
        if found is None:
            raise CannotAsk("There is no pair to ask about: build the pool and import passages first.")
        return found
    if not (query_id and passage_id):
        raise BadPlan("Name the topic and the passage of the pair, or neither for the first hole.")
    if (named := pairs.filter(topic__query_id=query_id, passage_id=passage_id).first()) is None:
        raise CannotAsk(f"Topic {query_id} and passage {passage_id} are no pair of this collection with a text.")
    return named


def ask(*, collection: Collection, plan: GradesPlan, pair: Pair) -> Trial:
    """Put the pair to the model of the plan, whose prompt need not be stored. Raises CannotAsk."""
    plan.check()
    plan.check_service()
    backstory = Backstory.objects.filter(topic=pair.topic_id, is_current=True).first()
    messages = Messages(collection, plan.grading(collection), plan.prompt)
    try:
        request = messages.about(pair, backstory)
    except ValueError:
        raise CannotAsk(f"Topic {pair.topic.query_id} has no backstory to grade against.") from None
    replies, fault, known = _ask(plan, request)
    price = providers.find_price(plan.service, plan.model)
    costs = [capabilities.bound_cost(price, reply.tokens, is_batch=False) for reply in replies] if price else []
    last = replies[-1] if replies and not fault else None
    return Trial(
        pair=pair,
        request=request,
        reply=last,
        answer=answers.read_answer(last, collection.scale, messages.place) if last else None,
        fault=fault,
        tokens=sum((reply.tokens for reply in replies), Tokens()),
        cost=sum(costs, Decimal(0)) if price else None,
        adapted=plan_call(request, known).notes,
    )


def _ask(plan: GradesPlan, request: Request) -> tuple[list[Reply], str, Capabilities]:
    """The replies (two where the first was cut, and asked again with more room), and the fault of the last call."""
    provider = providers.find_provider(plan.service)
    open_client = partial(provider.open_client, plan.timeout or SECONDS)
    known = provider.capabilities(plan.model)
    replies: list[Reply] = []
    with ConcurrentRequests(open_client, known, model=plan.model, most_attempts=MOST_ATTEMPTS) as requests:
        while True:
            requests.submit(len(replies), request)
            while not (results := requests.drain(1.0)):
                pass
            outcome = results[0].outcome
            if results[0].is_adapted:
                continue  # asked again without what was refused
            if isinstance(outcome, Fault):
                return replies, providers.storable(str(outcome)), requests.capabilities
            replies.append(replace(outcome, text=providers.storable(outcome.text)))
            if outcome.stop is not Stop.LENGTH or len(replies) == MOST_ATTEMPTS:
                return replies, "", requests.capabilities
            requests.capabilities = with_room(requests.capabilities)
