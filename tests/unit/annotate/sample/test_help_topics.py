from annotate.sample import documentation

PROSE = "A sentence about names. " * 10


def parts(text: str) -> list[tuple[str, str]]:
    return [(passage.passage_id, passage.title) for passage in documentation.split_topic("naming", text)]


def test_a_topic_is_cut_at_its_headings_which_become_titles() -> None:
    text = "Naming\n******\n\nNames refer to objects.\n\n\nBinding\n=======\n\nThese bind names.\n"
    assert parts(text) == [
        ("topics/naming#naming-names-refer-to-objects", "Naming"),
        ("topics/naming#binding-these-bind-names", "Binding"),
    ]


def test_a_long_section_is_cut_between_paragraphs() -> None:
    text = "\n\n".join(["Naming\n******", *(f"Paragraph {number}. {PROSE}" for number in range(9))])
    passages = list(documentation.split_topic("naming", text))
    assert "\n\n".join(passage.text for passage in passages) == text
    assert len(passages) == 2
    assert all(len(passage.text) <= documentation.MAX_CHARACTERS for passage in passages)
    assert {passage.title for passage in passages} == {"Naming"}


def test_an_indented_paragraph_stays_with_the_one_above_it() -> None:
    text = "\n\n".join([f"str.zfill(width)\n{PROSE * 5}", f"   Pads. {PROSE * 3}", "str.title()"])
    texts = [passage.text for passage in documentation.split_topic("methods", text)]
    assert len(texts) == 2
    assert texts[1] == "str.title()"


def test_parts_that_begin_with_the_same_words_get_different_ids() -> None:
    text = "\n\n".join(f"The same seven words begin each paragraph. {PROSE * 6}" for _ in range(3))
    name = "topics/naming#the-same-seven-words-begin-each-paragraph"
    assert [passage_id for passage_id, _ in parts(text)] == [name, f"{name}-2", f"{name}-3"]


def test_a_part_without_words_still_has_an_id() -> None:
    assert parts("+---+---+") == [("topics/naming#part", "naming")]


def test_a_topic_named_for_a_statement_comes_before_the_long_one_that_repeats_it() -> None:
    topics = [passage.passage_id.split("#")[0] for passage in documentation.read_help_topics()]
    assert topics.index("topics/with") < topics.index("topics/compound")
