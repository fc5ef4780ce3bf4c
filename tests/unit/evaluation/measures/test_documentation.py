import re
from pathlib import Path

from evaluation.measures import registry
from evaluation.measures.definition import Cutoff
from evaluation.measures.registry import UNJUDGED_PARAMETER

PAGE = Path(__file__).resolve().parents[4] / "docs" / "measures.md"
CUTOFFS = {Cutoff.REQUIRED: "needed", Cutoff.OPTIONAL: "optional", Cutoff.NONE: "none"}


def test_the_page_on_measures_lists_each_with_its_parameters_and_cut_off_and_no_other():
    table = PAGE.read_text(encoding="utf-8").partition("| name | what it is | parameters |")[2].partition("\n\n")[0]
    documented = {}
    for line in table.splitlines()[2:]:
        _, name, _, parameters, cutoff, *_ = (cell.strip() for cell in line.split("|"))
        values_left_out = re.sub(r"\(.*?\)", "", parameters)
        documented[name.strip("`")] = (set(re.findall(r"`(\w+)`", values_left_out)), cutoff)
    assert documented == {
        name: (
            {*measure.parameters, *([UNJUDGED_PARAMETER] if measure.is_treating_holes else [])},
            CUTOFFS[measure.cutoff],
        )
        for name, measure in registry.definitions().items()
    }
