"""Imports: a file with errors changes nothing, the same file twice adds nothing, a dead reading goes on."""

import gzip

import pytest

from annotate.imports.kinds import file_kind
from annotate.imports.operations import uploads
from annotate.models import Backstory, ImportedFile, Pair, Passage, Rater, ReferenceGrade, Run, Suggestion, Topic, Work
from annotate.work import engine, queue
from tests import factories
from tests.factories import NOW, import_qrels, import_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def collection():
    return factories.make_collection()


@pytest.fixture
def with_topics(collection):
    import_text(collection, "TOPICS", "q1\tfirst\nq2\tsecond\n")
    return collection


def test_topics_come_in_with_their_backstories(collection):
    imported = import_text(
        collection, "TOPICS", '{"query_id": "007", "text": "spies", "backstory": "After a film ..."}\n', "t.jsonl"
    )
    topic = Topic.objects.get(collection=collection)
    assert (imported.state, imported.added, topic.query_id) == ("PUBLISHED", 1, "007")
    told = topic.backstories.get()
    assert (told.version, told.origin, told.text) == (1, "IMPORTED", "After a film ...")


def test_another_backstory_for_a_topic_is_its_next_version(collection):
    for number, text in enumerate(("one", "one", "two")):
        line = f'{{"query_id": "q", "text": "x", "backstory": "{text}", "file": {number}}}\n'
        import_text(collection, "TOPICS", line, "t.jsonl")
    told = Backstory.objects.order_by("version").values_list("version", "text", "is_current")
    assert list(told) == [(1, "one", False), (2, "two", True)]


def test_the_same_file_twice_adds_nothing_and_says_so(with_topics):
    with pytest.raises(uploads.AlreadyImported, match="nothing was added"):
        import_text(with_topics, "TOPICS", "q1\tfirst\nq2\tsecond\n")
    assert Topic.objects.count() == 2


def test_records_that_are_there_already_are_counted_as_unchanged(with_topics):
    imported = import_text(with_topics, "TOPICS", "q2\tsecond\nq3\tthird\n")
    assert (imported.added, imported.unchanged) == (1, 1)


def test_a_topic_with_other_words_refuses_the_file(with_topics):
    imported = import_text(with_topics, "TOPICS", "q3\tthird\nq2\tother words\n", "other.tsv")
    assert imported.state == "REFUSED"
    assert imported.faults == ["other.tsv, line 2: topic 'q2' is in the collection with other words"]
    assert Topic.objects.count() == 2


def test_a_file_with_errors_names_each_and_changes_nothing(with_topics):
    imported = import_qrels(with_topics, "q1 0 d1 2\nq1 0 d1 0\nq1 0 d2 7\nq1 d3 1\n")
    assert imported.state == "REFUSED"
    assert [fault.split(": ")[0].split(", ")[1] for fault in imported.faults] == ["line 2", "line 3", "line 4"]
    assert "line 1" in imported.faults[0]
    assert not Pair.objects.exists()
    assert not Rater.objects.exists()


def test_at_most_a_hundred_faults_are_listed(with_topics):
    imported = import_qrels(with_topics, "".join(f"q1 0 d{n} 9\n" for n in range(500)))
    assert len(imported.faults) == 101
    assert "more faults" in imported.faults[-1]


def test_an_empty_file_is_refused(with_topics):
    imported = import_qrels(with_topics, "")
    assert imported.state == "REFUSED"
    assert "no lines" in imported.faults[0]


def test_qrels_become_a_named_rater_and_the_first_reference_closes_holes(with_topics):
    import_qrels(with_topics, "q1 0 d1 2\n")
    import_qrels(with_topics, "q1 0 d1 0\n", rater="second opinion")
    assert with_topics.reference_rater.name == "nist"
    assert Pair.objects.get().is_reference_closed
    assert ReferenceGrade.objects.count() == 2


def test_negative_grades_are_kept(with_topics):
    import_qrels(with_topics, "q1 0 d1 -1\nq1 0 d2 -2\n")
    assert list(ReferenceGrade.objects.order_by("grade").values_list("grade", flat=True)) == [-2, -1]


def test_a_grade_of_a_model_off_the_scale_is_a_row_without_a_grade(with_topics):
    imported = import_qrels(with_topics, "q1 0 d1 5\nq1 0 d2 1\nq1 0 d3 -1\n", rater="m", kind="MODEL")
    states = Suggestion.objects.order_by("pair__passage_id").values_list("state", "grade", "answer")
    assert list(states) == [("UNPARSED", None, "5"), ("DONE", 1, "1"), ("UNPARSED", None, "-1")]
    assert imported.note.startswith("2 grades are off the scale")
    assert with_topics.reference_rater is None


def test_a_models_grades_close_no_hole_and_touch_no_judgment(db):
    collection = factories.make_holes(factories.make_collection())
    assessor = factories.make_assessor(collection)
    judgment = factories.judge(assessor, 3)
    factories.make_suggestions(collection, grade=0)
    judgment.refresh_from_db()
    assert judgment.grade == 3
    assert not Pair.objects.filter(is_reference_closed=True).exists()
    collection.refresh_from_db()
    assert (collection.pairs_wanted, collection.pairs_open) == (6, 5)


def test_qrels_of_unknown_topics_are_refused_with_what_to_do(with_topics):
    imported = import_qrels(with_topics, "q1 0 d1 1\nq9 0 d1 1\n")
    assert "'q9' is not in the collection; import the topics first" in imported.faults[0]


def test_a_rater_does_not_change_a_grade_by_another_file(with_topics):
    import_qrels(with_topics, "q1 0 d1 2\n")
    imported = import_qrels(with_topics, "q1 0 d1 1\nq1 0 d2 1\n")
    assert "graded passage 'd1' of topic 'q1' 2 before, here it is 1" in imported.faults[0]
    assert ReferenceGrade.objects.get().grade == 2


def test_a_name_is_a_reference_or_a_model_not_both(with_topics):
    import_qrels(with_topics, "q1 0 d1 2\n")
    with pytest.raises(uploads.WrongOptions, match="already"):
        import_qrels(with_topics, "q1 0 d2 2\n", kind="MODEL")


def test_a_run_is_kept_as_an_array_file_and_one_row(with_topics):
    text = gzip.compress(b"q1 Q0 d1 1 2.5 sys\nq2 Q0 d1 1 1 sys\nq7 Q0 d1 1 1 sys\n")
    imported = import_text(with_topics, "RUN", text, "sys.run.gz", group="g", model_family="f", is_pooled=False)
    run = Run.objects.get()
    assert (run.tag, run.topics, run.ranks, run.group, run.model_family, run.is_pooled) == (
        "sys",
        2,
        3,
        "g",
        "f",
        False,
    )
    assert "2 of its 3 topics" in imported.note


def test_a_tag_that_is_taken_refuses_the_run(with_topics):
    import_text(with_topics, "RUN", "q1 Q0 d1 1 2.5 sys\n", "one.run")
    imported = import_text(with_topics, "RUN", "q1 Q0 d2 1 2.5 sys\n", "two.run")
    assert imported.faults == ["two.run, line 1: the run 'sys' is in the collection already, from one.run"]


def test_ids_are_kept_byte_for_byte(collection):
    names = ["A1", "a1", "0012", "caf\u00e9", "cafe\u0301", "D1.2/a:b"]
    import_text(collection, "TOPICS", "".join(f"{name}\ttext\n" for name in names))
    assert sorted(Topic.objects.values_list("query_id", flat=True)) == sorted(names)


@pytest.mark.postgresql
def test_passages_join_the_pairs_that_waited_for_them(with_topics):
    import_text(with_topics, "RUN", "q1 Q0 d1 1 2.5 sys\n")
    factories.build_pool(with_topics)
    assert with_topics.pairs_wanted == 0
    import_text(with_topics, "PASSAGES", "d1\thello\n")
    with_topics.refresh_from_db()
    assert (with_topics.pairs_wanted, Pair.objects.get().passage_text.text) == (1, "hello")


def test_line_ends_byte_order_marks_and_gzip_give_the_same_rows(db):
    plain = b"q1\tone\nq2\ttwo\n"
    variants = [plain, plain.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + plain, plain.rstrip(), gzip.compress(plain)]
    for content in variants:
        collection = factories.make_collection()
        import_text(collection, "TOPICS", content)
        assert list(collection.topics.order_by("query_id").values_list("query_id", "text")) == [
            ("q1", "one"),
            ("q2", "two"),
        ]


def test_staged_rows_are_invisible_until_their_file_is_published(collection):
    import_text(collection, "TOPICS", "q1\tone\n")
    ImportedFile.objects.update(state="STAGING")
    assert not Topic.objects.published().exists()


def test_a_reading_that_died_goes_on_where_it_was(collection, monkeypatch):
    """The worker dies after the second batch of three: the lease runs out, another one takes it up."""
    monkeypatch.setattr(file_kind, "BATCH", 2)
    imported = uploads.receive(
        collection=collection,
        kind="PASSAGES",
        name="p.tsv",
        chunks=[b"".join(b"d%d\ttext\n" % n for n in range(5))],
        options={},
        by=None,
        now=NOW,
    )
    leased = engine.claim(work_id=imported.work_id)
    steps = uploads.run(leased)
    for step in steps:
        engine._move(leased, step)
        if step.cursor == 4:
            break
    assert Passage.objects.count() == 4
    Work.objects.filter(pk=leased.pk).update(lease_until=NOW)
    engine.run(engine.claim(work_id=imported.work_id))
    imported.refresh_from_db()
    assert (imported.state, imported.added, Passage.objects.count()) == ("PUBLISHED", 5, 5)


def test_a_rater_counts_what_it_said_before_as_unchanged(with_topics):
    for kind in ("REFERENCE", "MODEL"):
        import_qrels(with_topics, "q1 0 d1 2\n", rater=kind, kind=kind)
        imported = import_qrels(with_topics, "q1 0 d1 2\nq1 0 d2 1\n", rater=kind, kind=kind)
        assert (imported.added, imported.unchanged) == (1, 1)


def test_the_check_tells_how_far_it_is_and_can_be_stopped(with_topics, monkeypatch):
    monkeypatch.setattr(file_kind, "BATCH", 2)
    imported = received(with_topics, "PASSAGES", b"d1\tx\nd2\tx\nd3\tx\n")
    seen = []

    def stop(running):
        seen.append((running.done, running.note))
        queue.stop(work=running)

    engine.run(engine.claim(work_id=imported.work_id), on_step=stop)
    imported.work.refresh_from_db()
    assert (seen, imported.work.state) == ([(2, "checking")], "STOPPED")
    assert not Passage.objects.exists()


@pytest.mark.postgresql
def test_a_file_that_cannot_go_on_after_a_stop_leaves_nothing_behind(with_topics, monkeypatch):
    """Its topics are gone since: it is refused, and the rows that were stored before the stop go too."""
    imported = received(with_topics, "QRELS", b"q1 0 d1 1\nq2 0 d2 1\n", rater="nist", rater_kind="REFERENCE")
    stopped_while_storing(imported)
    assert ReferenceGrade.objects.count() == 2
    ImportedFile.objects.filter(kind="TOPICS").update(state="WITHDRAWN")
    queue.resume(work=imported.work)
    engine.run_waiting()
    imported.refresh_from_db()
    assert (imported.state, ReferenceGrade.objects.count()) == ("REFUSED", 0)


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("TOPICS", "q8\tx\nq9\ty\n", "q9\ty\nq10\tz\n"),
        ("PASSAGES", "d1\tx\nd2\ty\n", "d2\ty\nd3\tz\n"),
        ("QRELS", "q1 0 d1 1\nq1 0 d2 2\n", "q1 0 d2 2\nq1 0 d3 1\n"),
        ("RUN", "q1 Q0 d1 1 2 sys\n", "q1 Q0 d2 1 2 sys\n"),
    ],
)
def test_what_a_file_shares_with_one_that_is_half_way_refuses_it_by_that_name(with_topics, kind, first, second):
    options = {"rater": "nist", "rater_kind": "REFERENCE"} if kind == "QRELS" else {}
    half = received(with_topics, kind, first.encode(), **options)
    stopped_while_storing(half)
    imported = import_text(with_topics, kind, second, **options)
    assert imported.state == "REFUSED"
    assert half.name in imported.faults[0]
    queue.resume(work=half.work)
    engine.run_waiting()
    half.refresh_from_db()
    assert half.state == "PUBLISHED"


def test_what_a_file_shares_with_nothing_that_is_half_way_is_imported(with_topics):
    """The same topics and passages, but not the same pairs."""
    options = {"rater": "nist", "rater_kind": "REFERENCE"}
    stopped_while_storing(received(with_topics, "QRELS", b"q1 0 d1 1\nq2 0 d2 1\n", **options))
    assert import_qrels(with_topics, "q1 0 d2 1\nq2 0 d1 1\n").state == "PUBLISHED"


@pytest.mark.postgresql
def test_a_file_that_was_stopped_is_said_to_be_when_it_comes_again(with_topics):
    half = received(with_topics, "PASSAGES", b"d1\tx\n")
    stopped_while_storing(half)
    with pytest.raises(uploads.AlreadyImported, match="was stopped half-way"):
        received(with_topics, "PASSAGES", b"d1\tx\n")


@pytest.mark.parametrize(
    ("kind", "name", "options", "sentence"),
    [
        ("TOPICS", "t" * 256, {}, "file's name has 256 characters; it may have 255"),
        ("RUN", "x.run", {"group": "g" * 101}, "group has 101 characters; it may have 100"),
        ("RUN", "x.run", {"model_family": "g" * 101}, "model family has 101 characters; it may have 100"),
    ],
)
def test_what_no_row_can_hold_is_refused_before_the_file_is_kept(collection, kind, name, options, sentence):
    with pytest.raises(uploads.WrongOptions, match=sentence):
        received(collection, kind, b"x", name=name, **options)
    assert not ImportedFile.objects.exists()


def test_a_run_tag_that_no_row_can_hold_refuses_the_run(with_topics):
    imported = import_text(with_topics, "RUN", f"q1 Q0 d1 1 2.5 {'s' * 201}\n")
    assert "has 201 characters; it may have 200" in imported.faults[0]
    assert import_text(with_topics, "RUN", f"q1 Q0 d1 1 2.5 {'s' * 200}\n").state == "PUBLISHED"


def test_a_grade_that_no_row_can_hold_refuses_the_qrels(with_topics):
    imported = import_qrels(with_topics, "q1 0 d1 -32769\n")
    assert "line 1: the grade -32769 is below -32768" in imported.faults[0]
    assert import_qrels(with_topics, "q1 0 d1 -32769\n", rater="m", kind="MODEL").state == "PUBLISHED"


def received(collection, kind, content, name="f.txt", **options):
    return uploads.receive(
        collection=collection, kind=kind, name=name, chunks=[content], options=options, by=None, now=NOW
    )


def stopped_while_storing(imported):
    """Ask it to stop while its only batch is checked: it does so once that is stored, before it is published."""

    def stop(running):
        if running.note == "checking":
            queue.stop(work=running)

    engine.run(engine.claim(work_id=imported.work_id), on_step=stop)
    imported.refresh_from_db()
    assert (imported.state, imported.work.state) == ("STAGING", "STOPPED")


def test_faults_of_the_file_and_against_the_collection_come_together_by_line(with_topics):
    """Nobody mends one only to be told of the next."""
    import_qrels(with_topics, "q1 0 d1 2\n")
    lines = ["q1 0 d1 1", "q1 0 d2 1", "q9 0 d1 1", "q1 0 d3 x", "q1 0 d2 1", "q8 0 d1 1"]
    imported = import_qrels(with_topics, "\n".join(lines), rater="nist")
    assert [fault.split(": ")[0].rpartition("line ")[2] for fault in imported.faults] == ["1", "3", "4", "5", "6"]
    assert "2 before, here it is 1" in imported.faults[0]
    assert "'q9' is not in the collection" in imported.faults[1]
    assert "'x' is not a whole number" in imported.faults[2]


def test_more_than_a_hundred_missing_topics_are_said_to_be_more(with_topics):
    imported = import_qrels(with_topics, "".join(f"t{n} 0 d1 1\n" for n in range(300)))
    assert len(imported.faults) == 101
    assert "more faults" in imported.faults[-1]
