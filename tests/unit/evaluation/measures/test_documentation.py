from pathlib import Path

from evaluation.measures import registry

PAGE = Path(__file__).resolve().parents[4] / "docs" / "measures.md"


def test_the_page_on_measures_lists_each_with_all_its_parameters():
    rows = [line.split("|") for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    documented = {row[1].strip(" `"): row for row in rows}
    for name, definition in registry.definitions().items():
        for parameter in definition.parameters:
            assert f"`{parameter}`" in "|".join(documented[name]), (name, parameter)
