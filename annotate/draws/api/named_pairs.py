"""Pairs as they are named in a body, and what stands in the way of what is asked for them."""

from collections.abc import Iterator
from contextlib import contextmanager

from rest_framework import serializers

from annotate.draws.operations.additions import TooMany
from annotate.draws.operations.withdrawals import NoReason
from annotate.formats import named_pairs
from annotate.formats.faults import FileRefused
from annotate.formats.named_pairs import NamedPair
from annotate.rules import drawing
from annotate.web.api import errors


class PairInput(serializers.Serializer):
    query_id = serializers.CharField(trim_whitespace=False)
    passage_id = serializers.CharField(trim_whitespace=False)


class PairsInput(serializers.Serializer):
    pairs = PairInput(many=True, allow_empty=False)


def of(sent: dict) -> list[NamedPair]:
    """The pairs in the order in which they were sent. Raises FileRefused."""
    return named_pairs.of_list((pair["query_id"], pair["passage_id"]) for pair in sent["pairs"])


@contextmanager
def refusals() -> Iterator[None]:
    """Inside, bad values and pairs are answered with 400, what does not fit what is stored with 409."""
    try:
        yield
    except FileRefused as refused:
        raise errors.of_file(refused) from None
    except (drawing.BadValue, NoReason, TooMany) as reason:
        raise errors.Refused(400, str(reason)) from None
    except drawing.CannotDraw as reason:
        raise errors.Refused(409, str(reason)) from None
