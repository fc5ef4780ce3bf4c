from benchmarks import judging_clients

FORM = """
<form class="other"><input type="hidden" name="other" value="1"></form>
<form id="judgment" method="post" hx-post="/c/bench/judge/save/?a=1&amp;b=2">
  <input type="hidden" name="csrfmiddlewaretoken" value="secret">
  <input type="hidden" name="key" value="k&quot;1"><input type="hidden" name="token" value="t1">
  <input type="hidden" name="visible_ms"><input name="grade" type="radio" value="1">
</form>
"""


def test_what_the_form_of_a_card_sends_is_read_from_it_alone():
    card = judging_clients.card(FORM)
    assert card is not None and not card.is_reveal
    assert card.address == "/c/bench/judge/save/?a=1&b=2"
    assert card.fields == {"csrfmiddlewaretoken": "secret", "key": 'k"1', "token": "t1"}


def test_a_decision_after_a_reveal_has_no_key():
    card = judging_clients.card('<form id="judgment" hx-post="/decide/1/"></form>')
    assert card is not None and card.is_reveal


def test_without_a_form_nothing_is_left_to_judge():
    assert judging_clients.card("<section>All judged.</section>") is None
