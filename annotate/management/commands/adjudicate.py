import uuid
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from annotate.adjudication import operations as adjudication_operations
from annotate.adjudication import queries as adjudication_queries
from annotate.judging.operations import judgments
from annotate.management import command_line
from annotate.models import Collection, Membership, Pair
from annotate.rules import permissions

MOST_LISTED = 50


class Command(BaseCommand):
    help = "List the pairs that wait for an adjudicator, or decide one of them as an adjudicator or researcher."

    def add_arguments(self, parser: CommandParser) -> None:
        command_line.add_example(
            parser,
            "adjudicate --collection dl19 --by ann --query-id 19335 --passage-id 1017759 --grade 2 "
            '--reason "The guidelines say so."',
        )
        command_line.add_collection(parser)
        parser.add_argument("--by", required=True, metavar="USER", help="who adjudicates: a user name")
        parser.add_argument("--show", choices=adjudication_queries.KINDS, help="list only these (default: all)")
        parser.add_argument("--query-id", metavar="ID", help="decide this pair; without it, what waits is listed")
        parser.add_argument("--passage-id", metavar="ID")
        decision = parser.add_mutually_exclusive_group()
        decision.add_argument("--grade", type=int)
        decision.add_argument("--nobody", action="store_true", help="nobody can judge the pair: it stays a hole")
        parser.add_argument("--reason", default="", help="why it is decided so")

    def handle(self, *, by: str, query_id: str | None, **options: Any) -> None:
        collection = command_line.find_collection(options["collection"])
        adjudicator = _adjudicator(collection, by)
        if query_id is None:
            self._list(adjudicator, options["show"] or adjudication_queries.ALL, options["json"])
        else:
            self._decide(adjudicator, _pair(collection, query_id, options["passage_id"]), **options)

    def _list(self, adjudicator: Membership, show: str, as_json: bool) -> None:
        pairs = adjudication_queries.list_waiting(adjudicator, show).select_related("topic")
        rows = [
            {"query_id": pair.topic.query_id, "passage_id": pair.passage_id, "spread": pair.spread} for pair in pairs
        ]
        if not rows:
            command_line.refuse("No pair waits for a decision.")
        lines = [f"{row['query_id']}\t{row['passage_id']}\tspread {row['spread']}" for row in rows[:MOST_LISTED]]
        more = [f"and {len(rows) - MOST_LISTED:,} more"] if len(rows) > MOST_LISTED else []
        sentence = "\n".join([f"{len(rows):,} pairs wait, the widest spread of grades first:", *lines, *more])
        command_line.answer(self, as_json, {"waiting": rows}, sentence)

    def _decide(
        self, adjudicator: Membership, pair: Pair, *, grade: int | None, nobody: bool, reason: str, json: bool, **_: Any
    ) -> None:
        if grade is None and not nobody:
            command_line.wrong("Say --grade or --nobody.")
        if not reason.strip():
            command_line.wrong("Say --reason: a decision has one.")
        now = timezone.now()
        try:
            made = adjudication_operations.decide(
                adjudicator=adjudicator,
                pair_id=pair.pk,
                key=uuid.uuid4(),
                shown=adjudication_queries.build_card(adjudicator, pair.pk, now).shown,
                decision=adjudication_operations.Decision(grade, reason),
                now=now,
            )
        except judgments.NotOnScale as refusal:
            command_line.wrong(str(refusal))
        except (permissions.NotAllowed, adjudication_operations.NothingToDecide) as refusal:
            command_line.refuse(str(refusal))
        result = {"grade": made.grade, "version": made.version, "judgments": made.judgments}
        words = "nobody can judge it, it stays a hole" if made.grade is None else f"grade {made.grade}"
        command_line.answer(
            self, json, result, f"Decided: {words} (version {made.version}, {made.judgments} judgments)."
        )


def _adjudicator(collection: Collection, username: str) -> Membership:
    roles = {
        row.role: row
        for row in Membership.objects.filter(
            collection=collection, user__username=username, is_active=True
        ).select_related("collection")
    }
    found = roles.get(Membership.Role.RESEARCHER) or roles.get(Membership.Role.ADJUDICATOR)
    if found is None:
        command_line.wrong(f"{username} is no adjudicator or researcher of {collection.slug}.")
    return found


def _pair(collection: Collection, query_id: str, passage_id: str | None) -> Pair:
    found = Pair.objects.filter(collection=collection, topic__query_id=query_id, passage_id=passage_id).first()
    if found is None:
        command_line.wrong(f"There is no pair of topic {query_id} and passage {passage_id} in {collection.slug}.")
    return found
