"""Query variants come in as data: what each stands for, and its text from the mapping or from a file beside it."""

import json

import pytest

from annotate.formats.records import Variant
from annotate.grades import rankings
from annotate.imports.kinds import file_kind
from annotate.imports.kinds.variants import Variants
from annotate.imports.operations import uploads, withdrawals
from annotate.models import ImportedFile, Profile, QueryVariant, VariantCheck, Work
from annotate.texts import operations as variants_operations
from annotate.work import engine
from annotate.work.queue import CannotGoOn
from tests import factories

pytestmark = pytest.mark.django_db

MAPPING = "w9\tq1\tchild\t1\nw2\tq1\tchild\t2\nw5\tq2\tbirdwatcher\t1\n"
TEXTS = "w5\tsmall brown bird\nw9\twhy is sky blue\nw2\tsky blue why\n"


@pytest.fixture
def collection():
    collection = factories.make_collection()
    factories.import_text(collection, "TOPICS", "q1\tsky colour\nq2\tbird\n")
    return collection


def import_variants(collection, mapping, texts=None, name="mapping.tsv"):
    imported = uploads.receive(
        collection=collection,
        kind="VARIANTS",
        name=name,
        chunks=[mapping.encode()],
        options={},
        by=None,
        now=factories.NOW,
        texts=("texts.tsv", [texts.encode()]) if texts is not None else None,
    )
    engine.run(engine.claim(work_id=imported.work_id))
    imported.refresh_from_db()
    return imported


def records(collection):
    return list(rankings.variant_records(collection))


def test_the_texts_come_from_the_file_beside_the_mapping(collection):
    imported = import_variants(collection, MAPPING, TEXTS)
    assert (imported.state, imported.added, imported.note) == ("PUBLISHED", 3, "")
    assert records(collection) == [
        Variant("w2", "q1", "child", 2, "sky blue why"),
        Variant("w5", "q2", "birdwatcher", 1, "small brown bird"),
        Variant("w9", "q1", "child", 1, "why is sky blue"),
    ]


def test_json_lines_have_their_texts_themselves(collection):
    line = {"variant_id": "w", "query_id": "q1", "profile": "child", "number": 1, "text": "why <b>blue</b>\n"}
    import_variants(collection, json.dumps(line), name="variants.jsonl")
    assert records(collection) == [Variant("w", "q1", "child", 1, "why <b>blue</b>\n")]


def test_variants_without_a_text_are_counted(collection):
    imported = import_variants(collection, MAPPING)
    assert imported.note == "3 without a text: their runs can be imported, but people and the built-in systems need it."


def test_imported_variants_are_measured_by_themselves_and_once(collection):
    import_variants(collection, MAPPING, TEXTS)
    import_variants(collection, "w6\tq2\tchild\t1\n", "w6\tbird for a child\n")
    assert Work.objects.filter(kind=variants_operations.MEASURE).count() == 1
    engine.run_waiting()
    assert dict(QueryVariant.objects.values_list("variant_id", "measured__words")) == {
        "w2": 3,
        "w5": 3,
        "w6": 4,
        "w9": 4,
    }


def test_an_unknown_profile_becomes_a_row_that_knows_only_its_name(collection):
    import_variants(collection, MAPPING, TEXTS)
    unknown = Profile.objects.get(name="birdwatcher")
    assert (unknown.background, unknown.is_own, unknown.group) == ("", True, "OTHER")


def test_the_same_variants_in_another_file_are_unchanged(collection):
    import_variants(collection, MAPPING, TEXTS)
    again = import_variants(collection, MAPPING + "w6\tq2\tbirdwatcher\t2\n")
    assert (again.state, again.added, again.unchanged) == ("PUBLISHED", 1, 3)


def test_the_same_files_again_add_nothing(collection):
    import_variants(collection, MAPPING, TEXTS)
    with pytest.raises(uploads.AlreadyImported):
        import_variants(collection, MAPPING, TEXTS)


@pytest.mark.parametrize(
    ("mapping", "fault"),
    [
        ("v\tq9\tchild\t1\n", "line 1: topic 'q9' is not in the collection; import the topics first"),
        ("q2\tq1\tchild\t7\n", "line 1: 'q2' is the id of a topic: a run could not tell the two apart"),
        ("v\tq1\tchild\t2\n", "line 1: variant 2 of topic 'q1' as 'child' is 'w2' already"),
        ("w2\tq1\tchild\t3\n", "line 1: variant 'w2' is in the collection as number 2 of topic 'q1' as 'child'"),
        (f"v\tq1\t{'x' * 61}\t1\n", "line 1: the profile's name has 61 characters; it may have 60"),
        ("v\tq1\tchild\t7\nv\tq1\tchild\t8\n", "line 2: id 'v' is on line 1 already"),
    ],
)
def test_a_fault_is_named_with_its_line_and_nothing_is_added(collection, mapping, fault):
    import_variants(collection, MAPPING, TEXTS)
    before = records(collection)
    refused = import_variants(collection, mapping, name="other.tsv")
    assert (refused.state, refused.faults) == ("REFUSED", [f"other.tsv, {fault}"])
    assert records(collection) == before


@pytest.mark.parametrize(
    ("texts", "faults"),
    [
        ("w9\ta\nw2\tb\n", ["mapping.tsv, line 3: variant 'w5' has no text in texts.tsv"]),
        (TEXTS + "w7\tmore\n", ["texts.tsv, line 4: variant 'w7' is not in mapping.tsv"]),
        (TEXTS + "w9\tagain\n", ["texts.tsv, line 4: id 'w9' is on line 2 already"]),
        ("", ["texts.tsv: the file has no lines"]),
    ],
)
def test_a_texts_file_fits_the_mapping_or_both_are_refused(collection, texts, faults):
    refused = import_variants(collection, MAPPING, texts)
    assert (refused.state, refused.faults) == ("REFUSED", faults)
    assert not QueryVariant.objects.exists()


def test_two_texts_for_one_variant_are_refused(collection):
    line = {"variant_id": "w", "query_id": "q1", "profile": "child", "number": 1, "text": "blue"}
    refused = import_variants(collection, json.dumps(line), "w\tgreen\n", name="mapping.jsonl")
    assert refused.faults == ["mapping.jsonl, line 1: variant 'w' has another text in texts.tsv"]


def test_another_text_for_a_known_variant_is_refused(collection):
    import_variants(collection, MAPPING, TEXTS)
    other = import_variants(collection, MAPPING, TEXTS.replace("bird", "fish"))
    assert other.faults == ["mapping.tsv, line 3: variant 'w5' is in the collection with another text"]


def test_staged_variants_are_invisible_until_their_file_is_published(collection):
    imported = import_variants(collection, MAPPING, TEXTS)
    ImportedFile.objects.filter(pk=imported.pk).update(state="STAGING")
    assert records(collection) == []


@pytest.mark.postgresql
def test_withdrawn_variants_are_gone(collection):
    imported = import_variants(collection, MAPPING, TEXTS)
    queued = withdrawals.request_withdrawal(imported=imported, by=None, now=factories.NOW)
    assert records(collection) == []
    engine.run(engine.claim(work_id=queued.pk))
    assert not QueryVariant.objects.exists()


def test_what_a_later_file_repeats_is_withdrawn_after_it(collection):
    first = import_variants(collection, MAPPING, TEXTS)
    import_variants(collection, MAPPING + "w6\tq2\tbirdwatcher\t2\n", name="later.tsv")
    with pytest.raises(withdrawals.CannotWithdraw, match="repeats 3 of what was there: withdraw later.tsv first"):
        withdrawals.request_withdrawal(imported=first, by=None, now=factories.NOW)


def test_variants_that_people_checked_stay(collection):
    imported = import_variants(collection, MAPPING, TEXTS)
    variant = QueryVariant.objects.first()
    member = factories.make_assessor(collection)
    VariantCheck.objects.create(variant=variant, member=member, has_same_meaning=True, created_at=factories.NOW)
    with pytest.raises(withdrawals.CannotWithdraw, match="they must stay"):
        withdrawals.request_withdrawal(imported=imported, by=None, now=factories.NOW)


def test_topics_with_variants_stay(collection):
    import_variants(collection, MAPPING, TEXTS)
    topics = ImportedFile.objects.get(kind="TOPICS")
    with pytest.raises(withdrawals.CannotWithdraw, match="Query variants rest on the topics"):
        withdrawals.request_withdrawal(imported=topics, by=None, now=factories.NOW)


def test_written_variants_go_on_from_imported_numbers(collection):
    import_variants(collection, MAPPING, TEXTS)
    topic, profile = collection.topics.get(query_id="q1"), Profile.objects.get(name="child", is_current=True)
    [written] = variants_operations.add_variants(
        collection=collection, topic=topic, profile=profile, texts=["blue"], now=factories.NOW
    )
    assert written.number == 3
    assert written.variant_id in {record.variant_id for record in records(collection)}


def test_a_number_taken_while_the_file_is_read_ends_the_import_with_the_reason(collection):
    imported = uploads.receive(
        collection=collection, kind="VARIANTS", name="m.tsv", chunks=[MAPPING.encode()], options={}, by=None,
        now=factories.NOW,
    )  # fmt: skip
    steps = uploads.run(imported.work)
    next(steps)
    import_variants(collection, "other\tq1\tchild\t1\n", name="quicker.tsv")
    with pytest.raises(CannotGoOn, match="variant 1 of topic 'q1' as 'child' is 'other' already"):
        list(steps)


def test_an_import_that_died_goes_on_where_it_was(collection, monkeypatch):
    monkeypatch.setattr(file_kind, "BATCH", 1)
    imported = uploads.receive(
        collection=collection, kind="VARIANTS", name="m.tsv", chunks=[MAPPING.encode()], options={}, by=None,
        now=factories.NOW,
    )  # fmt: skip
    steps = uploads.run(imported.work)
    cursor = next(step.cursor for step in steps if step.cursor == 2)
    steps.close()
    imported.work.cursor = cursor
    list(uploads.run(imported.work))
    assert [record.variant_id for record in records(collection)] == ["w2", "w5", "w9"]


@pytest.mark.postgresql
def test_a_check_against_the_collection_reads_a_batch_with_few_statements(collection, django_assert_max_num_queries):
    imported = import_variants(collection, MAPPING)
    batch = [(line, Variant(f"x{line}", "q1", "many", line)) for line in range(1, 500)]
    with django_assert_max_num_queries(6):
        Variants().check_batch(imported, batch, None)
