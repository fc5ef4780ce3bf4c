import csv
import hashlib
import io
import json

import pytest
from django.urls import reverse

from annotate.models import Export, Rater
from tests import factories, visitors

RULE = {"source_1": "reference", "source_2": "people", "source_3": "", "consensus": "MAJORITY"}


@pytest.fixture
def collection(db):
    """Six pooled pairs: d1.1 has reference grade 2, one other pair a person's grade 3."""
    made = factories.make_holes(factories.make_collection("dl"), topics=2, passages=3)
    factories.import_qrels(made, "q1 0 d1.1 2\n")
    factories.judge(factories.make_assessor(made), grade=3, comment='=HYPERLINK("http://x")')
    return made


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


@pytest.fixture
def where(collection):
    return reverse("exports", args=[collection.slug])


def fetch(visitor, number, name, slug="dl"):
    return visitor.get(reverse("export_file", args=[slug, number, name]))


def test_counts_by_source_and_grade_come_before_freezing(visitor, where):
    answer = visitor.get(where, RULE)

    preview = answer.context["preview"]
    assert [(row.source, row.by_grade, row.total) for row in preview.sources] == [
        ("reference", [0, 0, 1, 0], 1),
        ("people", [0, 0, 0, 1], 1),
    ]
    assert (preview.lines, preview.by_grade, preview.holes_left) == (2, [0, 0, 1, 1], 4)
    assert "2 lines over" in visitors.words(answer)
    assert not Export.objects.exists()


def test_the_usual_rule_takes_the_reference_then_decisions_then_people_then_the_model_that_suggests(
    visitor, collection, where
):
    factories.make_suggestions(collection, rater="model-a")
    preview = visitor.get(where).context["preview"]

    assert [(row.source, row.total) for row in preview.sources] == [
        ("reference", 1),
        ("adjudicated", 0),
        ("people", 1),
        ("model:model-a", 4),
    ]
    assert preview.holes_left == 0


def test_a_judge_that_doubts_its_grades_warns_where_it_fills_holes(visitor, collection, where):
    factories.make_suggestions(collection, rater="model-a")
    Rater.objects.filter(name="model-a").update(judge="learned", parameters={"warning": "the holes <differ>"})

    answer = visitor.get(where)
    assert ": the holes <differ>." in visitors.words(answer)
    assert b"<differ>" not in answer.content
    assert "differ" not in visitors.words(visitor.get(where, RULE))


def test_a_version_is_frozen_listed_with_its_digest_and_fetched_as_it_was(visitor, where):
    page = visitors.words(visitor.post(where, RULE, follow=True))
    frozen = Export.objects.get()
    answer = fetch(visitor, 1, "qrels.txt")
    content = answer.getvalue()

    assert hashlib.sha256(content).hexdigest() == frozen.digest
    assert frozen.digest in page
    assert "Cite as:" in page
    assert b"q1 0 d1.1 2\n" in content
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="dl-1-qrels.txt"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_provenance_and_manifest_are_fetched_too(visitor, where):
    visitor.post(where, RULE)
    records = [json.loads(line) for line in fetch(visitor, 1, "provenance.jsonl").getvalue().splitlines()]
    manifest = json.loads(fetch(visitor, 1, "manifest.json").getvalue())

    assert {record["source"] for record in records} == {"reference", "people"}
    assert manifest["lines"] == 2


@pytest.mark.postgresql
def test_the_table_for_people_has_a_line_a_judgment_and_no_cell_that_computes(visitor, where):
    visitor.post(where, RULE)
    answer = fetch(visitor, 1, "provenance.csv")
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))

    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    by_source = {row["source"]: row for row in rows}
    assert by_source["people"]["judgment_comment"] == '\'=HYPERLINK("http://x")'
    assert by_source["people"]["judgment_grade"] == "3"
    assert by_source["reference"]["judgment_assessor"] == ""


def test_freezing_the_same_facts_again_gives_the_same_version(visitor, where):
    visitor.post(where, RULE)
    visitor.post(where, RULE)

    assert Export.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"source_2": "reference"}, "a source stands twice in the rule"),
        ({"source_1": ""}, "This field is required"),
        ({"source_2": "model:nobody"}, "model:nobody is not one of the available choices"),
        ({"consensus": "LOUDEST"}, "LOUDEST is not one of the available choices"),
    ],
)
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_rule_that_is_none_is_said(visitor, where, method, wrong, sentence):
    answer = getattr(visitor, method)(where, {**RULE, **wrong})

    assert answer.status_code == 422
    assert sentence in visitors.words(answer)
    assert not Export.objects.exists()


def test_a_rule_that_leaves_nothing_says_what_there_is(db):
    collection = factories.make_holes(factories.make_collection())
    visitor, where = visitors.researcher(collection), reverse("exports", args=[collection.slug])

    assert "This rule leaves no line. There are 0 reference grades in force, 0 judgments" in visitors.words(
        visitor.get(where)
    )
    refused = visitor.post(where, RULE)
    assert refused.status_code == 422
    assert "Nothing was written" in visitors.words(refused)


@pytest.mark.parametrize("name", ["other.txt", "..%2Fmanifest.json", "..", ".qrels.txt.part"])
def test_no_other_file_is_served(visitor, where, name):
    visitor.post(where, RULE)

    assert visitor.get(f"{where}1/{name}").status_code == 404


def test_a_version_of_another_collection_is_not_served(visitor, where):
    visitor.post(where, RULE)
    other = factories.make_collection("other")

    assert fetch(visitors.researcher(other), 1, "qrels.txt", slug="other").status_code == 404
