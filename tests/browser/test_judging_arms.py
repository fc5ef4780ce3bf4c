"""What an assessor sees of a suggestion, and of text that comes from outside."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.templatetags.static import static
from playwright.sync_api import expect

from annotate.collections.operations import collections
from annotate.models import BackstoryFlag, Claim, Collection, Judgment
from annotate.texts import operations as backstories_operations
from tests import factories

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
HOSTILE = "</form><script>alert(1)</script><b>x AT&amp;T & <3 >2\n\n\ttabbed"


def arm(**shares: int) -> Collection:
    collection = factories.make_collection("arms")
    Collection.objects.update(share_hidden=0, **shares)
    collection.refresh_from_db()
    factories.make_holes(collection, topics=1, passages=3)
    factories.make_suggestions(collection, grade=1, reason="names the thing")
    return collection


def open_page(page, sign_in, collection: Collection):
    sign_in(page, factories.make_assessor(collection).user)
    page.goto("/c/arms/judge/")


def test_after_a_reveal_enter_keeps_the_grade(page, sign_in, press):
    open_page(page, sign_in, arm(share_reveal=1))
    expect(page.get_by_text("names the thing")).to_have_count(0)
    press(page, "2")
    expect(page.get_by_text("names the thing")).to_be_visible()
    press(page, "Enter")
    judgment = Judgment.objects.get()
    assert (judgment.first_grade, judgment.grade, judgment.decided_at is not None) == (2, 2, True)
    expect(page.locator("[name=comment]")).to_be_visible()


def test_after_a_reveal_a_digit_changes_the_final_grade_only(page, sign_in, press):
    open_page(page, sign_in, arm(share_reveal=1))
    press(page, "2")
    page.reload()
    expect(page.get_by_text("names the thing")).to_be_visible()
    press(page, "1")
    judgment = Judgment.objects.get()
    assert (judgment.first_grade, judgment.grade) == (2, 1)


def test_a_decision_that_fails_is_kept_and_sent_again(page, sign_in, press):
    open_page(page, sign_in, arm(share_reveal=1))
    press(page, "2")
    page.route("**/decide/**", lambda route: route.abort())
    press(page, "3")
    page.unroute("**/decide/**")
    press(page, "Enter")
    expect(page.get_by_text("Not saved")).to_have_count(0)
    assert Judgment.objects.get().grade == 3


def test_a_suggestion_shown_first_is_beside_the_pair_and_selects_nothing(page, sign_in, press):
    open_page(page, sign_in, arm(share_shown=1))
    expect(page.get_by_label("Suggestion of a model")).to_contain_text("names the thing")
    assert page.locator("[name=grade]:checked").count() == 0
    press(page, "0")
    assert Judgment.objects.get().is_suggestion_seen


def test_hostile_text_is_shown_as_written_and_can_be_graded(page, sign_in, press):
    collection = factories.make_holes(factories.make_collection("arms"), topics=1, passages=1)
    collection.passages.update(text=HOSTILE, title="<i>title</i>")
    words = [
        {**word, "description": "<script>alert(2)</script>"} for word in collections.usual_grade_words(collection.scale)
    ]
    collections.add_guidelines(
        collection=collection,
        text="<script>alert(3)</script> [x](javascript:alert(4))",
        grade_words=words,
        by=None,
        now=factories.NOW,
    )
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    open_page(page, sign_in, collection)
    assert page.locator(".passage-text").text_content() == HOSTILE
    assert page.locator(".passage-text").inner_text() == HOSTILE  # as it is laid out: blank lines and tabs are kept
    expect(page.locator(".passage-text")).to_have_css("white-space", "pre-wrap")
    assert page.locator("a[href^=javascript]").count() == 0
    press(page, "3")
    assert Judgment.objects.get().grade == 3


def test_a_long_passage_is_cut_until_it_is_asked_for_and_the_cut_is_stored(page, sign_in, press):
    collection = factories.make_holes(factories.make_collection("arms"), topics=1, passages=2)
    collection.passages.update(text="a long line of words\n" * 300)
    open_page(page, sign_in, collection)
    text = page.locator(".passage-text")
    cut = text.bounding_box()["height"]
    press(page, "1")
    press(page, "m")
    assert text.bounding_box()["height"] > 2 * cut
    press(page, "1")
    assert list(Judgment.objects.order_by("pk").values_list("was_cut", flat=True)) == [True, False]


def test_a_backstory_is_said_to_look_wrong_and_the_card_stays_as_it_is(page, sign_in, press, wait_for_htmx):
    collection = factories.make_holes(factories.make_collection("arms"), topics=1, passages=1)
    topic = collection.topics.get()
    backstories_operations.add_version(topic=topic, text="in need", origin="WRITTEN", by=None, now=factories.NOW)
    open_page(page, sign_in, collection)
    page.get_by_label("Comment").fill("half a thought")
    press(page, "Escape")
    press(page, "f")
    press(page, "b")
    page.get_by_text("This backstory looks wrong").click()
    page.get_by_label("What is wrong").fill("3 of it")
    page.get_by_role("button", name="Tell the researcher").click()
    expect(page.get_by_text("Told: a researcher will look at this backstory.")).to_be_visible()
    wait_for_htmx(page)
    expect(page.locator("#said")).to_have_text("Told: this backstory looks wrong. Go on with the pair.")
    expect(page.locator("#passage-heading")).to_be_focused()
    assert BackstoryFlag.objects.get().comment == "3 of it"
    press(page, "2")
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.comment, judgment.is_unsure) == (2, "half a thought", True)


def test_a_flag_that_does_not_reach_the_server_says_so_and_keeps_what_was_written(page, sign_in):
    collection = factories.make_holes(factories.make_collection("arms"), topics=1, passages=1)
    topic = collection.topics.get()
    backstories_operations.add_version(topic=topic, text="in need", origin="WRITTEN", by=None, now=factories.NOW)
    open_page(page, sign_in, collection)
    page.route("**/wrong/", lambda route: route.abort())
    page.get_by_text("This backstory looks wrong").click()
    page.get_by_label("What is wrong").fill("all of it")
    page.get_by_role("button", name="Tell the researcher").click()
    expect(page.get_by_text("nothing was changed")).to_be_visible()
    expect(page.get_by_label("What is wrong")).to_have_value("all of it")


def test_the_time_in_view_leaves_out_what_passed_in_another_tab_or_idly(page, sign_in):
    open_page(page, sign_in, arm(share_shown=1))
    times = page.evaluate(
        """async (module) => {
            const { Clock } = await import(module);
            const clock = new Clock(60_000, true, 0);
            clock.act(30_000);            // 30 s
            clock.act(600_000);           // then 60 s until idle, and lunch
            clock.turn(false, 610_000);   // 10 s
            clock.turn(true, 1_210_000);  // ten minutes in another tab
            return clock.read(1_215_000); // 5 s
        }""",
        static("js/judging_clock.js"),
    )
    assert times == {"visible_ms": 105_000, "wall_ms": 1_215_000}


def test_the_time_of_a_judgment_is_stored(page, sign_in, press):
    open_page(page, sign_in, arm(share_shown=1))
    press(page, "1")
    judgment = Judgment.objects.get()
    assert 250 <= judgment.visible_ms <= judgment.wall_ms < 60_000


def test_a_pair_in_view_stays_claimed_by_a_small_request_every_five_minutes(page, sign_in):
    page.clock.install()
    open_page(page, sign_in, arm(share_shown=1))
    before = Claim.objects.get().expires_at
    with page.expect_response("**/judge/renew/") as renewed:
        page.clock.fast_forward("06:00")
    assert renewed.value.status == 204
    assert Claim.objects.get().expires_at > before


def test_without_scripts_the_page_judges_skips_and_decides(new_page, sign_in):
    page = new_page(java_script_enabled=False)
    open_page(page, sign_in, arm(share_reveal=1))
    page.get_by_role("button", name="Skip").click()
    page.get_by_label("highly relevant").check(force=True)
    page.get_by_label("Comment").fill("by hand")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Keep 2").click()
    judgment = Judgment.objects.get()
    assert (judgment.grade, judgment.comment, judgment.decided_at is not None) == (2, "by hand", True)
    page.get_by_text("Cannot judge").click()
    page.get_by_role("button", name="The need is not clear").click()
    assert Judgment.objects.filter(outcome="CANNOT").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_pages_of_judging(new_page, sign_in, press, scheme):
    page = new_page(color_scheme=scheme)
    collection = arm(share_shown=1, share_reveal=1)
    collections.add_guidelines(
        collection=collection,
        text="# Grades\n\n- **3** answers it",
        grade_words=collections.usual_grade_words(collection.scale),
        by=None,
        now=factories.NOW,
    )
    open_page(page, sign_in, collection)
    seen = set()
    for _ in range(7):
        seen.add(page.locator("#judging").get_attribute("aria-label"))
        assert faults_of(page) == []
        press(page, "2")
    assert seen == {"Pair to judge", "Suggestion to decide on", "Nothing to judge"}
    for address in ("/", "/account/", "/account/password/", "/c/arms/judge/history/", "/nowhere/"):
        page.goto(address)
        assert faults_of(page) == [], address
    page.context.clear_cookies()
    page.goto("/sign-in/")
    assert faults_of(page) == []


def faults_of(page) -> list[str]:
    page.wait_for_timeout(150)  # colours of buttons change gently
    return [f"{fault['id']}: {fault['nodes'][0]['html']}" for fault in Axe().run(page).response["violations"]]
