import sys

from annotate.sample import documentation


def test_every_module_is_named_once_and_belongs_to_the_standard_library() -> None:
    assert len(set(documentation.MODULES)) == len(documentation.MODULES)
    assert {name.split(".")[0] for name in documentation.MODULES} <= sys.stdlib_module_names


def test_modules_read_with_methods_are_among_the_modules() -> None:
    assert set(documentation.MODULES) >= documentation.WITH_METHODS


def test_modules_that_act_when_imported_are_left_out() -> None:
    assert not {"antigravity", "this", "idlelib", "tkinter", "turtle", "readline", "pdb"} & set(documentation.MODULES)
