"""The adjudication pages: what waits, one pair after the other, and what of people and models is in the bytes."""

import html
import re
import uuid

import pytest
from django.test import Client
from django.urls import reverse

from annotate.adjudication import operations as adjudication_operations
from annotate.adjudication import queries as adjudication_queries
from annotate.collections.operations import people
from annotate.judging.operations import judgments, turns
from annotate.models import Adjudication, Collection, Judgment, Pair
from tests import factories, visitors

HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def collection(db) -> Collection:
    """Five pairs with spread 0 (all alike), 1, 3, 0 (nobody could judge), 1 and three people behind each."""
    made, _ = factories.make_judged(
        [1, 1, 0, None, 2], [1, 1, 3, None, 2], [1, 2, 0, None, 1], slug="here", shows_names_to_adjudicators=False
    )
    return made


@pytest.fixture
def adjudicator(collection):
    return factories.make_adjudicator(collection, "ada")


@pytest.fixture
def visitor(adjudicator) -> Client:
    return visitors.of(adjudicator.user)


def at(name: str, *args: object) -> str:
    return reverse(name, args=["here", *args])


def fields(answer) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', answer.content.decode())
    return {name: html.unescape(value) for name, value in found if name != "csrfmiddlewaretoken"}


def shown_pair(answer) -> Pair:
    return answer.context["card"].pair


def decide(visitor: Client, page, **said: object):
    """Answer the pair of a page, with htmx."""
    return visitor.post(at("decide_pair", shown_pair(page).pk), {**fields(page), **said}, **HTMX)


def grades(pair: Pair) -> list[int | None]:
    return list(Judgment.objects.filter(pair=pair).order_by("pk").values_list("grade", flat=True))


def test_pairs_come_by_spread_and_those_that_nobody_could_judge_too(visitor):
    page, seen = visitor.get(at("adjudicate")), []
    while page.context.get("card"):
        seen.append(grades(shown_pair(page)))
        page = decide(visitor, page, grade="1", preset="The majority is right.")

    assert [max(given) - min(given) if None not in given else None for given in seen] == [3, 1, 1, None]
    assert "Nothing waits for a decision" in visitors.words(page)
    assert set(Adjudication.objects.values_list("grade", "reason")) == {(1, "The majority is right.")}


def test_one_request_stores_the_decision_and_brings_the_next_pair(visitor):
    first = visitor.get(at("adjudicate"))
    answer = decide(visitor, first, grade="0", preset="The majority is right.", reason="Two of three.")

    assert b"<html" not in answer.content
    assert Adjudication.objects.get().reason == "The majority is right. Two of three."
    assert shown_pair(answer) != shown_pair(first)
    assert answer["HX-Replace-Url"] == at("adjudicate_pair", shown_pair(answer).pk)
    assert "3 wait" in visitors.words(answer)
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.postgresql
def test_without_htmx_a_decision_leads_to_the_next_pair(visitor):
    first = visitor.get(at("adjudicate"))
    said = {**fields(first), "grade": "none", "reason": "It is cut off."}
    answer = visitor.post(at("decide_pair", shown_pair(first).pk), said, follow=True)

    assert Adjudication.objects.get().grade is None
    assert shown_pair(answer) != shown_pair(first)
    assert "The decision is stored." in visitors.words(answer)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ({"grade": "2"}, "Say why"),
        ({"reason": "so"}, "Choose a grade from 0 to 3, or say that nobody can judge"),
        ({"grade": "7", "reason": "so"}, "Choose a grade from 0 to 3"),
        ({"grade": "²", "reason": "so"}, "Choose a grade from 0 to 3"),
        ({"grade": "2", "reason": "so", "shown": "abc"}, "open the pair again"),
        ({"grade": "2", "preset": "Because."}, "not one of the available choices"),
    ],
)
def test_half_a_decision_is_asked_for_again_with_what_was_said(visitor, said, sentence):
    answer = decide(visitor, visitor.get(at("adjudicate")), **said)

    assert answer.status_code == 422
    assert sentence in visitors.words(answer)
    assert said.get("reason", "") in answer.content.decode()
    assert not Adjudication.objects.exists()


def test_what_was_shown_of_another_pair_decides_nothing(visitor):
    page = visitor.get(at("adjudicate"))
    other = Pair.objects.filter(is_disputed=True).exclude(pk=shown_pair(page).pk).first()
    answer = visitor.post(at("decide_pair", other.pk), {**fields(page), "grade": "1", "reason": "so"}, **HTMX)

    assert answer.status_code == 422
    assert not Adjudication.objects.exists()


def test_next_passes_by_without_deciding_and_the_end_tells_what_was_passed_by(visitor):
    page, seen = visitor.get(at("adjudicate")), []
    while page.context.get("card"):
        seen.append(shown_pair(page).pk)
        page = visitor.get(page.context["onward"], **HTMX)

    assert len(set(seen)) == 4
    assert "4 pairs that you passed by still wait" in visitors.words(page)
    assert shown_pair(visitor.get(at("adjudicate"))).pk == seen[0]


def test_the_last_decision_is_reopened_and_changed_with_its_history(visitor):
    first = visitor.get(at("adjudicate"))
    second = decide(visitor, first, grade="0", reason="first thought")
    assert f'href="{at("adjudicate_pair", shown_pair(first).pk)}' in second.content.decode()
    again = visitor.get(at("adjudicate_pair", shown_pair(first).pk))
    decide(visitor, again, grade="3", reason="second thought")

    page = visitors.words(visitor.get(at("adjudicate_pair", shown_pair(first).pk)))
    assert "first thought" in page and "second thought" in page and "no longer in force" in page
    assert Adjudication.objects.get(is_current=True).grade == 3


def test_a_decision_of_another_person_meanwhile_is_shown_and_what_was_said_is_kept(visitor, collection):
    page = visitor.get(at("adjudicate"))
    factories.adjudicate(factories.make_adjudicator(collection), shown_pair(page), 3, reason="theirs")
    answer = decide(visitor, page, grade="0", reason="mine")

    assert answer.status_code == 422
    assert adjudication_operations.DECIDED_MEANWHILE in visitors.words(answer)
    assert "theirs" in visitors.words(answer) and "mine" in answer.content.decode()
    assert Adjudication.objects.get().reason == "theirs"
    assert decide(visitor, answer, grade="0", reason="mine").status_code == 200
    assert Adjudication.objects.get(is_current=True).reason == "mine"


def test_everything_people_said_is_shown_under_letters(collection, visitor):
    pair = Pair.objects.get(spread=3)
    Judgment.objects.filter(pair=pair, grade=3).update(is_unsure=True, comment="<b>odd</b>")
    page = visitor.get(at("adjudicate_pair", pair.pk))

    assert [(said.letter, said.grade, said.is_unsure, said.comment) for said in page.context["dispute"].answers] == [
        ("A", 0, False, ""),
        ("B", 3, True, "<b>odd</b>"),
        ("C", 0, False, ""),
    ]
    assert "&lt;b&gt;odd&lt;/b&gt;" in page.content.decode()


def test_letters_stay_when_somebody_judges_later(collection, visitor, adjudicator):
    pair = Pair.objects.get(spread=3)
    first = Judgment.objects.filter(pair=pair).order_by("pk").first()
    factories.adjudicate(adjudicator, pair, 0)
    factories.judge_once_more(pair, 2)

    turns.change(
        assessor=first.assessor,
        judgment_id=first.pk,
        key=uuid.uuid4(),
        answer=judgments.Answer(grade=1),
        now=factories.NOW,
        claims_next=False,
    )

    page = visitor.get(at("adjudicate_pair", pair.pk))
    assert [(said.letter, said.grade) for said in page.context["dispute"].answers] == [
        ("A", 1),
        ("B", 3),
        ("C", 0),
        ("D", 2),
    ]
    assert "Somebody judged this pair since it was decided" in visitors.words(page)


@pytest.mark.parametrize("shows", [False, True])
def test_names_and_the_suggestion_are_in_the_bytes_only_where_the_collection_says(collection, visitor, shows):
    factories.make_suggestions(collection, grade=2, rater="secret-model", reason="because of this")
    Collection.objects.filter(pk=collection.pk).update(
        shows_names_to_adjudicators=shows, shows_suggestions_to_adjudicators=shows
    )
    names = {judgment.assessor.user.username for judgment in Judgment.objects.select_related("assessor__user")}
    pair = Pair.objects.get(spread=3)
    page = visitor.get(at("adjudicate_pair", pair.pk))
    content = page.content.decode() + visitor.get(at("adjudication")).content.decode()

    for word in [*names, "secret-model", "because of this"]:
        assert (word in content) == shows, word
    if not shows:
        assert "assessor-" not in content and "uggestion" not in content
    decide(visitor, page, grade="0", reason="so")
    made = Adjudication.objects.get()
    assert (made.names_shown, made.suggestion is not None) == (shows, shows)


def test_what_was_in_view_is_stored_although_the_settings_change_meanwhile(collection, visitor):
    page = visitor.get(at("adjudicate"))
    Collection.objects.filter(pk=collection.pk).update(shows_names_to_adjudicators=True)
    decide(visitor, page, grade="0", reason="so")

    assert not Adjudication.objects.get().names_shown


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("show", "count"), [("", 4), ("unresolved", 1), ("different", 3), ("flagged", 0), ("decided", 0), ("nonsense", 4)]
)
def test_the_kinds_are_counted_and_listed(visitor, show, count):
    page = visitor.get(at("adjudication"), {"show": show})

    assert len(page.context["listing"].page) == count
    counts = page.context["listing"].counts
    assert (counts.waiting, counts.unresolved, counts.different, counts.flagged) == (4, 1, 3, 0)


@pytest.mark.postgresql
def test_what_was_decided_is_listed_with_reason_and_author(visitor, adjudicator):
    factories.adjudicate(adjudicator, Pair.objects.get(spread=3), None, reason="cut off in the middle")
    page = visitors.words(visitor.get(at("adjudication"), {"show": "decided"}))

    assert "cut off in the middle" in page
    assert adjudicator.pseudonym in page


@pytest.mark.postgresql
def test_going_through_one_kind_stays_within_it(visitor):
    page = visitor.get(at("adjudicate"), {"show": "unresolved"})
    assert grades(shown_pair(page)) == [None, None, None]
    answer = decide(visitor, page, grade="none", reason="cut off")

    assert "You have gone through all of them" in visitors.words(answer)


@pytest.mark.postgresql
def test_who_still_judges_is_not_shown_what_others_said(collection):
    assessor = factories.make_assessor(collection)
    mine = visitors.of(assessor.user)
    people.add_member(collection=collection, user=assessor.user, role="ADJUDICATOR", now=factories.NOW)
    pair = Pair.objects.get(spread=3)
    Pair.objects.filter(pk=pair.pk).update(target=4, places_open=1)

    refused = mine.get(at("adjudicate_pair", pair.pk))
    assert refused.status_code == 403
    assert "left to other adjudicators" in visitors.words(refused)
    page = mine.get(at("adjudication"))
    assert pair not in [row.pair for row in page.context["listing"].waiting]
    assert "1 more pair waits for other adjudicators" in visitors.words(page)


@pytest.mark.postgresql
def test_a_pair_that_the_same_person_claims_at_this_moment_is_passed_by(collection, monkeypatch):
    researcher = visitors.of(collection.created_by)
    first = shown_pair(researcher.get(at("adjudicate")))
    mine = people.add_member(collection=collection, user=collection.created_by, role="ASSESSOR", now=factories.NOW)
    find = adjudication_queries.find_next

    def claimed_in_between(*asked):
        found = find(*asked)
        if found == first:
            Pair.objects.filter(pk=first.pk).update(target=4, places_open=1)
            assert factories.claim(mine).pair_id == first.pk
        return found

    monkeypatch.setattr(adjudication_queries, "find_next", claimed_in_between)
    answer = researcher.get(at("adjudicate"))
    assert (answer.status_code, shown_pair(answer) == first) == (200, False)


def test_a_researcher_who_judged_the_pair_is_warned(collection):
    judgment = Judgment.objects.filter(pair__spread=3).first()
    people.add_member(collection=collection, user=judgment.assessor.user, role="RESEARCHER", now=factories.NOW)
    page = visitors.of(judgment.assessor.user).get(at("adjudicate_pair", judgment.pair_id))

    assert "You judged this pair yourself" in visitors.words(page)


@pytest.mark.postgresql
def test_only_a_researcher_chooses_what_adjudicators_see(collection, visitor):
    said = {"shows_names_to_adjudicators": "on"}
    assert visitor.post(at("adjudication_settings"), said).status_code == 403
    assert "shows_names" not in visitor.get(at("adjudication")).content.decode()

    researcher = visitors.researcher(collection)
    assert "shows_names" in researcher.get(at("adjudication")).content.decode()
    assert researcher.post(at("adjudication_settings"), said).url == at("adjudication")
    collection.refresh_from_db()
    assert (collection.shows_names_to_adjudicators, collection.shows_suggestions_to_adjudicators) == (True, False)


PAGES = [("get", "adjudication", False), ("get", "adjudicate", False), ("get", "adjudicate_pair", True)]


@pytest.mark.parametrize(("method", "name", "has_pair"), [*PAGES, ("post", "decide_pair", True)])
def test_the_pages_are_for_adjudicators_and_researchers(collection, adjudicator, method, name, has_pair, client):
    where = at(name, *([Pair.objects.get(spread=3).pk] if has_pair else []))

    def status(visitor: Client) -> int:
        return getattr(visitor, method)(where).status_code

    assert status(visitors.of(adjudicator.user)) in (200, 422)
    assert status(visitors.researcher(collection)) in (200, 422)
    assert status(visitors.assessor(collection)) == 403
    assert status(visitors.stranger()) == 404
    assert status(client) == 302
    wrong = {"get": "post", "post": "get"}[method]
    assert getattr(visitors.of(adjudicator.user), wrong)(where).status_code == 405


def test_a_pair_of_another_collection_is_not_reached_by_its_id(collection):
    elsewhere = factories.make_adjudicator(factories.make_collection("elsewhere"))
    where = reverse("adjudicate_pair", args=["elsewhere", Pair.objects.get(spread=3).pk])

    assert visitors.of(elsewhere.user).get(where).status_code == 404


def test_an_adjudicator_finds_what_waits_at_home_and_nothing_to_judge(visitor, collection):
    home, page = visitor.get(reverse("home")), visitor.get(reverse("collection", args=["here"]))

    assert "4 pairs wait for a decision" in visitors.words(home)
    assert "4 pairs wait for a decision: 1 unresolved, 3 with different grades" in visitors.words(page)
    assert reverse("judge", args=["here"]) not in page.content.decode()
    assert visitor.get(reverse("judge", args=["here"])).status_code == 403
    assert visitor.get(reverse("guidelines", args=["here"])).status_code == 200


def test_the_number_of_statements_does_not_grow_with_the_queue(visitor, django_assert_max_num_queries):
    with django_assert_max_num_queries(30):
        assert visitor.get(at("adjudication")).status_code == 200
    page = visitor.get(at("adjudicate"))
    with django_assert_max_num_queries(50):
        decide(visitor, page, grade="0", reason="so")


def test_a_researcher_adds_an_adjudicator_and_sees_at_home_what_is_open(collection):
    researcher = visitors.researcher(collection)
    assert "4 to adjudicate" in visitors.words(researcher.get(reverse("home")))
    added = researcher.post(reverse("people", args=["here"]), {"username": "eva", "role": "ADJUDICATOR"})

    assert "eva" in visitors.words(added)
    assert collection.memberships.get(user__username="eva").role == "ADJUDICATOR"
