"""The page on which pairs people judge."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.draws.operations import draws
from annotate.models import Collection, Pair, PairDraw
from annotate.rules import drawing
from annotate.work import engine
from tests import factories, visitors


@pytest.fixture
def collection(db):
    """Two topics of three pooled passages each; d1.1 has grade 2."""
    made = factories.make_holes(factories.make_collection(), topics=2, passages=3)
    factories.import_qrels(made, "q1 0 d1.1 2\n")
    return made


@pytest.fixture
def visitor(collection):
    return visitors.researcher(collection)


@pytest.fixture
def send(visitor, collection):
    """`send(name, **fields)`: post to an address of the page; the answer's status and words."""

    def post(name, **fields):
        answer = visitor.post(reverse(name, args=[collection.slug]), fields, follow=True)
        collection.refresh_from_db()
        return answer.status_code, visitors.words(answer)

    return post


def sample(**changes):
    return {"unit": "pair", "share": "", "number": "2", "depth": "10", "seed": "1", **changes}


def test_without_a_draw_every_hole_is_judged_and_the_page_says_so(visitor, collection):
    page = visitors.words(visitor.get(reverse("pairs", args=[collection.slug])))
    assert "5 pairs asked about" in page
    assert "People judge every hole, topic by topic" in page
    assert "All draws" not in page


@pytest.mark.postgresql
def test_an_empty_collection_says_what_to_do_first(db):
    collection = factories.make_collection()
    page = visitors.words(visitors.researcher(collection).get(reverse("pairs", args=[collection.slug])))
    assert "Pairs come with the pool: build it first" in page


@pytest.mark.postgresql
def test_a_preview_says_what_would_be_drawn_and_draws_nothing(send):
    status, page = send("draw_sample", **sample(preview="1"))
    assert status == 200
    assert "would draw 4 pairs, from a frame of 5 that the reference left open (1 are graded)" in page
    assert "q1 2 2 q2 3 2" in page
    assert not PairDraw.objects.exists()


def test_a_sample_is_drawn_shown_and_ended(send, collection):
    status, page = send("draw_sample", **sample())
    assert "Drawn: people judge 4 pairs, and no others" in page
    assert "a random sample : 4 of the 5 pairs that the reference left open in the top 10 of 1 run" in page
    assert "Random sample 4 0 1 1" in page
    assert collection.pairs_wanted == 4
    _, page = send("end_draw")
    assert "People judge every hole, topic by topic" in page
    assert "UTC in force" not in page
    assert collection.pairs_wanted == 5
    assert draws.NOTHING_IN_FORCE in send("end_draw")[1]


def test_whole_topics_are_drawn(send):
    _, page = send("draw_sample", **sample(unit="topic"))
    assert "whole topics drawn at random : the 5 open pairs of 2 of 2 topics" in page


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"number": "", "share": ""}, "Give either a share or a number"),
        ({"number": "2", "share": "0.5"}, "Give either a share or a number"),
        ({"number": "1"}, "greater than or equal to 2"),
        ({"number": "", "share": "nan"}, "Enter a number"),
        ({"unit": "passage"}, "Select a valid choice"),
        ({"model": "999"}, "Select a valid choice"),
        ({"unit": "topic", "number": "3"}, "between 2 and all 2 topics can be sampled, not 3"),
        ({"depth": "5000"}, "less than or equal to 1000"),
    ],
)
@pytest.mark.parametrize("preview", [{}, {"preview": "1"}])
def test_a_sample_that_is_none_is_refused(send, wrong, sentence, preview):
    status, page = send("draw_sample", **sample(**wrong, **preview))
    assert status == 422
    assert sentence in page
    assert not PairDraw.objects.exists()


def test_a_list_is_drawn_from_text_or_from_a_file(send, collection):
    _, page = send("draw_list", pairs="q2 d2.1\nq1 d1.2\n")
    assert "People judge the list of 2 pairs, and no others" in page
    assert "a fixed list of 2 pairs, in its order" in page
    file = SimpleUploadedFile("list.txt", b"q2 d2.1\r\n")
    assert "the list of 1 pair, and no others" in send("draw_list", file=file)[1]
    assert collection.pairs_wanted == 1


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"pairs": "q1\nq9 d1.1\n"}, "Line 1: expected 2 columns (query_id passage_id), found 1."),
        ({"pairs": "q1 d1.2\nq9 d1.1\n"}, "Line 2: topic 'q9' is not in the collection."),
        ({"pairs": "q1 d1.1\n"}, "Line 1: the reference graded passage 'd1.1'"),
        ({"pairs": " \n"}, "No pair is named."),
        ({"pairs": "q1 d\0"}, "Null characters are not allowed"),
        ({"pairs": "q1 d1.2", "file": SimpleUploadedFile("l", b"q1 d1.2")}, "Give lines or a file, not both."),
        ({"pairs": "".join(f"q1 none{n}\n" for n in range(30))}, "And 20 more; nothing was changed."),
    ],
)
def test_a_list_that_is_none_is_refused_by_its_lines(send, said, sentence):
    status, page = send("draw_list", **said)
    assert status == 422
    assert sentence in page
    assert not PairDraw.objects.exists()


@pytest.mark.postgresql
def test_reference_pairs_are_mixed_in_and_taken_out(send, collection):
    _, page = send("draw_calibration", number="5", seed="1")
    assert "Mixed in: 1 pair of the reference" in page
    assert "In force: 1 pair, up to 5 of each grade (seed 1)" in page
    assert collection.pairs_wanted == 6
    assert "no more reference pairs are asked about" in send("end_calibration")[1]
    assert collection.pairs_wanted == 5
    assert draws.NONE_MIXED_IN in send("end_calibration")[1]
    assert send("draw_calibration", number="0", seed="1")[0] == 422


def test_where_everything_is_shown_first_it_says_that_reference_pairs_stand_out(visitor, collection):
    for shares, stands_out in (((0, 100, 0), True), ((0, 50, 50), False), ((50, 50, 0), False)):
        changes = dict(zip(("share_hidden", "share_shown", "share_reveal"), shares, strict=True))
        Collection.objects.filter(pk=collection.pk).update(**changes)
        page = visitors.words(visitor.get(reverse("pairs", args=[collection.slug])))
        assert ("people can tell the reference pairs by its absence" in page) == stands_out


def test_the_page_is_marked_among_the_pages_of_the_collection_and_so_are_those_below_it(visitor, collection):
    for name, marked in (("pairs", "Pairs"), ("near_duplicates", "Pairs"), ("assessor_statistics", "People")):
        page = visitor.get(reverse(name, args=[collection.slug])).content.decode()
        assert re.findall(r'aria-current="page">(\w+)</a>', page) == [marked]


def test_pairs_are_added_withdrawn_and_restored(send, collection):
    factories.import_text(collection, "PASSAGES", "d9\tnine\n")
    assert "New in the pool: 1; there already: 1." in send("add_pairs", pairs="q1 d9\nq2 d2.1")[1]
    _, page = send("withdraw_pairs", pairs="q1 d9", reason="<b>torn</b>")
    assert "Withdrawn: 1; withdrawn before: 0." in page
    assert "q1 d9 <b>torn</b>" in page.split("Withdrawn pairs")[1]
    assert Pair.objects.get(passage_id="d9").withdrawn_reason == "<b>torn</b>"
    assert "Restored: 1; were not withdrawn: 1." in send("restore_pairs", pairs="q1 d9\nq2 d2.1")[1]


def test_withdrawing_a_sampled_pair_says_that_the_sample_lacks_it(send, collection):
    send("draw_sample", **sample(number="3"))
    _, page = send("withdraw_pairs", pairs="q1 d1.2", reason="torn")
    assert "In the draw in force: 1, which it now lacks (nonresponse)" in page


def test_withdrawing_without_a_reason_is_refused(send):
    status, page = send("withdraw_pairs", pairs="q1 d1.2", reason=" ")
    assert status == 422
    assert not Pair.objects.filter(is_withdrawn=True).exists()


def test_near_duplicates_are_looked_for_and_shown_side_by_side(send, visitor, collection):
    factories.import_text(
        collection, "PASSAGES", "t1\tone two three four five six seven\nt2\tOne two three four five six\n"
    )
    send("add_pairs", pairs="q1 t1\nq1 t2")
    assert "near-duplicate passages: waiting" in send("find_near_duplicates")[1]
    engine.run_waiting()
    assert "1 pair follows another. Look at them" in visitors.words(
        visitor.get(reverse("pairs", args=[collection.slug]))
    )
    answer = visitor.get(reverse("near_duplicates", args=[collection.slug]))
    assert "1 pair follows another of the same topic. Each is judged for itself" in visitors.words(answer)
    assert "<mark>one</mark> two three four five six<mark> seven</mark>" in answer.content.decode()


@pytest.mark.postgresql
def test_of_many_near_duplicates_of_one_passage_the_first_are_shown_and_the_others_counted(db):
    collection = factories.make_holes(factories.make_collection(), topics=1, passages=24)
    factories.build_pool(collection, depth=24)
    first, *others = collection.pairs.order_by("pk")
    collection.pairs.filter(pk__in=[pair.pk for pair in others]).update(duplicate_of=first)
    answer = visitors.researcher(collection).get(reverse("near_duplicates", args=[collection.slug]))

    assert answer.content.count(b'class="twins"') == 20
    assert f"And 3 more near-duplicates of {first.passage_id}." in visitors.words(answer)


def test_without_near_duplicates_the_page_says_so(send, visitor, collection):
    assert "None is known" in visitors.words(visitor.get(reverse("near_duplicates", args=[collection.slug])))
    send("find_near_duplicates")
    engine.run_waiting()
    assert "None was found" in visitors.words(visitor.get(reverse("pairs", args=[collection.slug])))


@pytest.mark.postgresql
def test_an_order_by_influence_says_which_analyses_it_excludes(visitor, collection):
    steps = draws.set_order_keys(
        collection=collection, keys=drawing.order_by_value({("q1", "d1.2"): 1.0}), design={}, by=None, now=factories.NOW
    )
    list(steps)
    page = visitors.words(visitor.get(reverse("pairs", args=[collection.slug])))
    assert "those that move the ranking of systems most first" in page
    assert "This order is adaptive" in page
    assert "are refused" in page
