import pytest

from config.static_files import CannotBundle, bundle


def of(**modules: str) -> str:
    return bundle("js/a.js", {f"js/{name}.js": text for name, text in modules.items()}.__getitem__)


def test_a_module_runs_before_the_one_that_imports_it_and_once():
    script = of(a='import "./b.js";\nimport "./c.js";\nrunA();', b='import "./c.js";\nrunB();', c="// first\nrunC();")

    assert script.count("runC();") == 1
    assert script.index("runC();") < script.index("runB();") < script.index("runA();")
    assert "import" not in script


def test_names_whole_modules_and_other_names_are_taken_over():
    script = of(
        a='import { one, two as second } from "./b.js";\nimport * as b from "./b.js"; // all of it\none(b);',
        b="export function one() {}\nexport const two = 2;\nexport class Three {}\nexport async function four() {}\n",
    )

    assert "const { one, two: second } = $js_b_js;" in script
    assert "const b = $js_b_js;" in script
    assert "return { one, two, Three, four };" in script
    assert "export" not in script


def test_a_list_of_names_may_go_over_lines():
    assert "= $js_b_js;" in of(a='import {\n  one,\n  two,\n} from "./b.js";', b="export const one = 1, two = 2;")


@pytest.mark.parametrize(
    "line",
    [
        "export default 3;",
        "export let changing = 1;",
        "export { one };",
        'import one from "./b.js";',
        'import { one } from "elsewhere";',
        'const late = import("./b.js");',
    ],
)
def test_what_a_bundle_would_do_otherwise_is_refused_with_its_place(line):
    with pytest.raises(CannotBundle, match=r"js/a\.js: "):
        of(a=f"run();\n{line}", b="")


def test_modules_that_import_each_other_are_refused():
    with pytest.raises(CannotBundle, match="js/a.js imports itself, by way of js/b.js"):
        of(a='import "./b.js";', b='import "./a.js";')
