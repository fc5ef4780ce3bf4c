import pytest

from annotate.models import raters


@pytest.mark.parametrize("name", ["nist", "gpt-4o mini", "umbrela:v2", "学生", "assessor", "learned"])
def test_a_plain_name_is_taken_as_it_is(name):
    assert raters.check_rater_name(name) == name


@pytest.mark.parametrize("name", ["", " nist", "a,b", "a\nb", "x\0y", "n" * 101])
def test_a_name_that_a_rule_could_not_tell_is_refused(name):
    with pytest.raises(raters.BadName, match="without a comma"):
        raters.check_rater_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "reference",
        "original",
        "people",
        "dropped",
        "adjudicated",
        "assessor-1",
        "adjudicator-2",
        "learned-3",
        "calibrated-1",
        "x:blind",
    ],
)
def test_the_collections_own_sources_keep_their_names(name):
    with pytest.raises(raters.BadName, match="another name"):
        raters.check_rater_name(name)
