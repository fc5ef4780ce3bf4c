"""SQL statements of a save and the next pair: `python -m benchmarks.judging_statements SLUG TIMES`, printed as JSON.

Works in the installation that LACUNA_DATA_DIR names, in this process, where each statement can be seen. Transaction
control is not counted.
"""

import json
import re
import sys

import django

from benchmarks import judging_clients

django.setup()

from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402

from annotate.models import Membership  # noqa: E402

_CONTROL = re.compile("BEGIN|SAVEPOINT|RELEASE|COMMIT|ROLLBACK")
_HOST = {"host": "localhost"}


def counts(slug: str, times: int) -> list[int]:
    """Of each of so many requests of the collection's first assessor, from the save to the next card."""
    assessor = Membership.objects.filter(collection__slug=slug, role="ASSESSOR").earliest("pk")
    client = Client()
    client.force_login(assessor.user)
    page = client.get(f"/c/{slug}/judge/", headers=_HOST)
    card = judging_clients.card(page.content.decode())
    result: list[int] = []
    while card and len(result) < times:
        with CaptureQueriesContext(connection) as captured:
            answer = client.post(card.address, {**card.fields, "grade": "1"}, headers={**_HOST, "HX-Request": "true"})
        assert answer.status_code == 200, answer.content
        result.append(sum(not _CONTROL.match(query["sql"]) for query in captured))
        card = judging_clients.card(answer.content.decode())
    return result


if __name__ == "__main__":
    print(json.dumps(counts(sys.argv[1], int(sys.argv[2]))))
