import pytest

from evaluation.agreement.value import Value, undefined
from evaluation.statistics.bootstrap import Interval, Resampling
from evaluation.templatetags import findings

NOTHING = undefined('one "grade" only')


def test_a_number_has_its_places_and_what_is_undefined_its_reason():
    assert findings.figure(Value(0.12345), 4) == "0.1235"
    assert findings.figure(NOTHING, 4) == '<span class="undefined">undefined: one &quot;grade&quot; only</span>'


def test_in_a_narrow_cell_the_reason_stands_behind():
    assert findings.short(Value(-0.5)) == "-0.500"
    assert findings.short(NOTHING) == '<span class="undefined" title="one &quot;grade&quot; only">undefined</span>'
    assert findings.short_share(NOTHING).endswith(">none</span>")


@pytest.mark.parametrize(("number", "words"), [(0.0, "0 %"), (2 / 3, "67 %"), (1.0, "100 %")])
def test_a_share_is_in_whole_percent(number, words):
    assert findings.share(Value(number)) == findings.short_share(Value(number)) == words


def test_an_interval_is_told_alike_fresh_and_stored():
    found = Interval(0.25, 0.75, 9, 0, Resampling())
    assert (
        findings.interval(found) == findings.interval(found.as_json()) == '<span class="interval">0.250 – 0.750</span>'
    )


def test_an_interval_that_there_is_not_says_why():
    found = Interval(None, None, 1, 0, Resampling(), "too few")
    assert (
        findings.interval(found)
        == findings.interval(found.as_json())
        == ('<span class="undefined" title="too few">none</span>')
    )
    assert findings.interval(None) == '<span class="undefined">none</span>'
