import gzip

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotate.models import ImportedFile, Passage, Rater, Run, Topic, Work
from annotate.work import engine
from tests import factories, visitors


@pytest.fixture
def collection(db):
    return factories.make_collection()


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


def send(visitor, collection, kind, *files, follow=True, **said):
    """Send (name, text) pairs as the form does."""
    sent = [
        SimpleUploadedFile(name, content if isinstance(content, bytes) else content.encode()) for name, content in files
    ]
    where = f"{reverse('imports', args=[collection.slug])}?kind={kind}"
    return visitor.post(where, {"files": sent, **said}, follow=follow)


def test_several_files_are_each_taken_or_refused_by_name(visitor, collection):
    send(visitor, collection, "TOPICS", ("a.tsv", "q1\tone\n"), ("b.tsv", "q2\ttwo\n"), ("bad.tsv", "no tab here\n"))
    engine.run_waiting()
    page = visitors.words(visitor.get(reverse("imports", args=[collection.slug])))

    assert set(Topic.objects.published().values_list("query_id", flat=True)) == {"q1", "q2"}
    assert dict(ImportedFile.objects.values_list("name", "state")) == {
        "a.tsv": "PUBLISHED",
        "b.tsv": "PUBLISHED",
        "bad.tsv": "REFUSED",
    }
    assert "refused 1 fault" in page


def test_the_same_file_twice_adds_nothing_and_says_so_beside_a_new_one(visitor, collection):
    send(visitor, collection, "TOPICS", ("a.tsv", "q1\tone\n"))
    page = visitors.words(send(visitor, collection, "TOPICS", ("a.tsv", "q1\tone\n"), ("b.tsv", "q2\ttwo\n")))

    assert "a.tsv: the same file is being imported" in page
    assert "b.tsv: taken in" in page
    assert ImportedFile.objects.count() == 2


def test_a_compressed_file_is_read(visitor, collection):
    send(visitor, collection, "PASSAGES", ("p.tsv.gz", gzip.compress(b"d1\ta text\n")))
    engine.run_waiting()

    assert Passage.objects.published().get().text == "a text"


def test_an_empty_file_is_refused_by_its_name_and_not_the_whole_form(visitor, collection):
    send(visitor, collection, "TOPICS", ("empty.tsv", ""), ("good.tsv", "q1\tone\n"))
    engine.run_waiting()

    assert dict(ImportedFile.objects.values_list("name", "state")) == {"empty.tsv": "REFUSED", "good.tsv": "PUBLISHED"}


def test_qrels_become_a_named_rater_of_a_kind(visitor, collection):
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    send(visitor, collection, "QRELS", ("m.qrels", "q1 0 d1 2\n"), rater="gpt", rater_kind="MODEL")
    engine.run_waiting()

    assert Rater.objects.get().name == "gpt"
    assert Rater.objects.get().kind == "MODEL"
    assert "grades of gpt (model)" in visitors.words(visitor.get(reverse("imports", args=[collection.slug])))


def test_qrels_without_a_rater_are_refused_in_the_form(visitor, collection):
    answer = send(visitor, collection, "QRELS", ("m.qrels", "q1 0 d1 2\n"), rater="", rater_kind="MODEL")

    assert answer.status_code == 422
    assert "This field is required" in visitors.words(answer)
    assert not ImportedFile.objects.exists()


def test_a_rater_name_with_a_comma_is_refused_by_file(visitor, collection):
    answer = send(visitor, collection, "QRELS", ("m.qrels", "q1 0 d1 2\n"), rater="a,b", rater_kind="MODEL")

    assert "m.qrels: Give the rater a name of up to 100 characters, without a comma" in visitors.words(answer)
    assert not ImportedFile.objects.exists()


def test_a_run_carries_its_group_family_and_whether_it_is_pooled(visitor, collection):
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    send(visitor, collection, "RUN", ("r.run", "q1 Q0 d1 1 2.5 tag\n"), group="lab", model_family="bert")
    engine.run_waiting()

    run = Run.objects.get()
    assert (run.group, run.model_family, run.is_pooled) == ("lab", "bert", False)
    page = visitors.words(visitor.get(reverse("imports", args=[collection.slug])))
    assert "group lab, model family bert, not pooled" in page


def test_no_file_chosen_is_said(visitor, collection):
    answer = visitor.post(f"{reverse('imports', args=[collection.slug])}?kind=TOPICS", {"files": ""})

    assert answer.status_code == 422
    assert not ImportedFile.objects.exists()


def test_the_limit_is_told_before_and_after_it_is_passed(visitor, collection, settings):
    settings.UPLOAD_LIMIT_MB = 1
    assert "1 MB together" in visitors.words(visitor.get(reverse("imports", args=[collection.slug])))

    answer = send(visitor, collection, "TOPICS", ("big.tsv", b"q1\t" + b"x" * 1_100_000))

    assert answer.status_code == 413
    assert "at most 1 MB" in visitors.words(answer)
    assert not ImportedFile.objects.exists()


def test_a_stranger_gets_404_even_with_too_large_a_file(collection, settings):
    settings.UPLOAD_LIMIT_MB = 0
    assert send(visitors.stranger(), collection, "TOPICS", ("a.tsv", "q1\tone\n")).status_code == 404


def test_an_upload_without_the_token_of_the_page_is_refused(collection):
    visitor = Client(enforce_csrf_checks=True)
    visitor.force_login(collection.created_by)

    assert send(visitor, collection, "TOPICS", ("a.tsv", "q1\tone\n")).status_code == 403
    assert not ImportedFile.objects.exists()


def test_the_form_offers_the_kind_that_is_missing(visitor, collection):
    where = reverse("imports", args=[collection.slug])
    assert visitor.get(where).context["kind"] == "TOPICS"
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    assert visitor.get(where).context["kind"] == "PASSAGES"
    assert visitor.get(where + "?kind=RUN").context["kind"] == "RUN"
    assert visitor.get(where + "?kind=NONSENSE").context["kind"] == "PASSAGES"


def test_for_htmx_the_list_comes_alone_and_asks_again_only_while_something_is_on_its_way(visitor, collection):
    where = reverse("imports", args=[collection.slug])
    send(visitor, collection, "TOPICS", ("a.tsv", "q1\tone\n"))
    live = visitor.get(where, headers={"HX-Request": "true"})
    engine.run_waiting()
    over = visitor.get(where, headers={"HX-Request": "true"})

    assert "HX-Request" in live.headers["Vary"]
    assert "<html" not in live.content.decode()
    assert 'hx-trigger="every 1s"' in live.content.decode()
    assert "hx-trigger" not in over.content.decode()
    assert "imported" in visitors.words(over)


def test_a_hostile_file_name_is_text(visitor, collection):
    send(visitor, collection, "TOPICS", ("<img src=x onerror=alert(1)>.tsv", "q1\tone\n"))
    page = visitor.get(reverse("imports", args=[collection.slug])).content.decode()

    assert "<img" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;.tsv" in page


def test_the_page_of_a_refused_file_lists_its_faults_with_their_lines(visitor, collection):
    refused = factories.import_text(collection, "TOPICS", "q1\tone\nbad line\nq1\tagain\n", name="t.tsv")
    page = visitors.words(visitor.get(reverse("import_detail", args=[collection.slug, refused.pk])))

    assert "Nothing of this file was taken in" in page
    for fault in refused.faults:
        assert fault in page
    assert len(refused.faults) == 2


@pytest.mark.postgresql
def test_an_import_is_withdrawn_and_can_come_again(visitor, collection):
    imported = factories.import_text(collection, "TOPICS", "q1\tone\n", name="t.tsv")
    where = reverse("withdraw_import", args=[collection.slug, imported.pk])

    assert "no longer seen" in visitors.words(visitor.post(where, follow=True))
    engine.run_waiting()

    imported.refresh_from_db()
    assert imported.state == "WITHDRAWN"
    assert not Topic.objects.exists()


def test_a_withdrawal_is_refused_with_its_reason_where_something_rests_on_the_file(visitor, collection):
    imported = factories.import_text(collection, "TOPICS", "q1\tone\n", name="t.tsv")
    factories.import_qrels(collection, "q1 0 d1 2\n")
    answer = visitor.post(reverse("withdraw_import", args=[collection.slug, imported.pk]), follow=True)

    imported.refresh_from_db()
    assert "rest on the topics of t.tsv" in visitors.words(answer)
    assert imported.state == "PUBLISHED"


@pytest.mark.postgresql
def test_a_stopped_import_is_taken_up_again_from_its_page(visitor, collection):
    send(visitor, collection, "TOPICS", ("a.tsv", "q1\tone\n"))
    imported = ImportedFile.objects.get()
    visitor.post(reverse("stop_work", args=[collection.slug, imported.work_id]))
    assert engine.run_waiting() == 0
    assert "Take it up again" in visitors.words(
        visitor.get(reverse("import_detail", args=[collection.slug, imported.pk]))
    )

    visitor.post(reverse("resume_work", args=[collection.slug, imported.work_id]))
    engine.run_waiting()

    imported.refresh_from_db()
    assert imported.state == "PUBLISHED"
    assert Work.objects.get().state == "DONE"


@pytest.mark.postgresql
def test_a_stopped_import_is_withdrawn_from_its_page(visitor, collection):
    send(visitor, collection, "TOPICS", ("a.tsv", "q1\tone\n"))
    imported = ImportedFile.objects.get()
    page = reverse("import_detail", args=[collection.slug, imported.pk])
    assert "Withdraw a.tsv" not in visitors.words(visitor.get(page))
    visitor.post(reverse("stop_work", args=[collection.slug, imported.work_id]))

    assert "Withdraw a.tsv" in visitors.words(visitor.get(page))
    visitor.post(reverse("withdraw_import", args=[collection.slug, imported.pk]))
    engine.run_waiting()

    imported.refresh_from_db()
    assert imported.state == "WITHDRAWN"


def test_grades_of_models_come_in_by_the_page_each_under_its_name(visitor, collection):
    factories.import_text(collection, "TOPICS", "q1\tone\n")
    factories.import_text(collection, "PASSAGES", "d1\ta text\n")
    send(visitor, collection, "GRADES", ("t.csv", "qid,docid,gpt|basic\nq1,d1,2\nq1,d9,1\n"), rater="", format="")
    engine.run_waiting()
    page = visitors.words(visitor.get(reverse("imports", args=[collection.slug])))
    assert Rater.objects.get().name == "gpt|basic"
    assert "1 left out: of pairs that the collection lacks." in page
    detail = reverse("import_detail", args=[collection.slug, ImportedFile.objects.get(kind="GRADES").pk])
    assert "Left out 1" in visitors.words(visitor.get(detail))


def test_a_wrong_format_of_grades_is_refused_in_the_form(visitor, collection):
    answer = send(visitor, collection, "GRADES", ("t.csv", "x"), rater="", format="xml")
    assert answer.status_code == 422
    assert not ImportedFile.objects.exists()
