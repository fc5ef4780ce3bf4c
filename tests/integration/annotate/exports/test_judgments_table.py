"""Every judgment of people in one table: the same from the page, the API and the command."""

import csv
import io
import json
import uuid

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from annotate.exports import queries
from annotate.judging.operations import judgments, turns
from annotate.models import Judgment
from tests import factories, visitors

pytestmark = pytest.mark.django_db
COMMENT = '=1+1, a "second" look\r\nand a line'


@pytest.fixture
def collection():
    """Two people give 2 and 2 to one pair, 3 and 1 to another; the second cannot judge the third, the first has changed
    a grade, and was asked once more."""
    made, _ = factories.make_judged([2, 3, 0], [2, 1, None], slug="dl")
    changed = Judgment.objects.order_by("pk").first()
    turns.change(
        assessor=changed.assessor,
        judgment_id=changed.pk,
        key=uuid.uuid4(),
        answer=judgments.Answer(grade=3, comment=COMMENT, is_unsure=True),
        now=factories.NOW,
        claims_next=False,
    )
    Judgment.objects.filter(pk=changed.pk + 1).update(round=2)
    return made


def jsonl(content: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in content.splitlines()]


def test_no_judgment_is_missing(collection):
    told = jsonl(visitors.researcher(collection).get(reverse("judgments_file", args=["dl", "jsonl"])).getvalue())
    stored = Judgment.objects.order_by("pk").values_list("grade", "outcome", "round", "version", "is_current")
    names = ("grade", "outcome", "round", "version", "is_current")
    assert [tuple(record[name] for name in names) for record in told] == list(stored)
    assert [record["grade"] for record in told] == [2, 3, 0, 2, 1, None, 3]
    assert told[0]["is_current"] is False
    assert told[1]["round"] == 2
    assert (told[5]["outcome"], told[5]["reason"]) == ("CANNOT", "not readable")
    assert (told[6]["comment"], told[6]["is_unsure"], told[6]["version"]) == (COMMENT, True, 2)
    assert len({record["assessor"] for record in told}) == 2
    assert all(record["judged_at"].endswith("Z") and record["claimed_at"].endswith("Z") for record in told)


def test_page_api_and_command_give_the_same_bytes(collection, tmp_path):
    visitor = visitors.researcher(collection)
    for kind in queries.JUDGMENT_FILES:
        page = visitor.get(reverse("judgments_file", args=["dl", kind]))
        api = visitor.get(reverse("api_export_judgments", args=["dl"]), {"as": kind})
        call_command("export_judgments", collection="dl", out=str(tmp_path / f"all.{kind}"), stdout=io.StringIO())
        written = (tmp_path / f"all.{kind}").read_bytes()
        assert page.getvalue() == api.getvalue() == written
        assert page["Content-Type"] == api["Content-Type"]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all.csv").read_bytes().decode(), newline="")))
    assert list(rows[0]) == list(queries.TABLE)
    assert [row["grade"] for row in rows] == ["2", "3", "0", "2", "1", "", "3"]
    assert rows[6]["comment"] == f"'{COMMENT}"  # what a spreadsheet would compute is text


def test_a_collection_without_judgments_has_a_head_and_says_so(db):
    made = factories.make_holes(factories.make_collection("new"))
    visitor = visitors.researcher(made)
    answer = visitor.get(reverse("judgments_file", args=["new", "csv"]))
    assert answer.getvalue().decode() == ",".join(queries.TABLE) + "\r\n"
    assert "No pair has been judged yet" in visitors.words(visitor.get(reverse("exports", args=["new"])))


def test_other_kinds_are_refused_in_words(collection, tmp_path):
    visitor = visitors.researcher(collection)
    assert visitor.get(reverse("judgments_file", args=["dl", "xlsx"])).status_code == 404
    refused = visitor.get(reverse("api_export_judgments", args=["dl"]), {"as": "xlsx"})
    assert (refused.status_code, refused.json()["faults"][0]["place"]) == (400, "as")
    with pytest.raises(CommandError, match="Rename the file") as caught:
        call_command("export_judgments", collection="dl", out=str(tmp_path / "all.xlsx"))
    assert caught.value.returncode == 2
    assert not list(tmp_path.iterdir())


def test_assessors_do_not_see_what_others_judged(collection):
    visitor = visitors.of(Judgment.objects.first().assessor.user)
    for where in (reverse("judgments_file", args=["dl", "csv"]), reverse("api_export_judgments", args=["dl"])):
        assert visitor.get(where).status_code == 403


def test_another_collections_judgments_stay_out(collection):
    other, _ = factories.make_judged([1], slug="other")
    told = jsonl(visitors.researcher(other).get(reverse("api_export_judgments", args=["other"])).getvalue())
    assert [record["grade"] for record in told] == [1]
