"""Files of model grades: what each format says, and what no format may make of a bad one."""

import gzip
import json

import pytest

from annotate.formats import model_grades
from annotate.formats.faults import Faults, FileRefused
from annotate.formats.model_grades import ModelGrade
from annotate.formats.records import GradeScale
from tests import shared_data

SCALE = GradeScale(0, 3)
COLUMNS = "collection,qid,query,docid,passage,nist,gpt|basic,llama 3|basic\n"
CHANCES = "topic_id,doc_id,annotation,prob_0,prob_1,prob_2,prob_3\n"


@pytest.fixture
def read(tmp_path):
    """The records of a text by line, and the sentences on what is wrong with it."""

    def of(text, name="grades.txt", form="", scale=SCALE):
        path, faults = tmp_path / "kept", Faults(name)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        try:
            found = list(model_grades.read_model_grades(path, faults, scale, form))
            faults.raise_if_any()
        except FileRefused as refused:
            return [], [f"{fault.line}: {fault.reason}" for fault in refused.faults]
        return found, []

    return of


def judged(**fields):
    return json.dumps({"query_id": "007", "docid": "D1", "judgment": 2, "model": "gpt-4o", **fields}) + "\n"


def test_qrels_are_told_by_their_four_columns(read):
    assert read("q1 0 d,1 2\nq1 0 d2 7\n") == (
        [(1, ModelGrade("q1", "d,1", 2, "2")), (2, ModelGrade("q1", "d2", None, "7"))],
        [],
    )


def test_a_line_of_umbrela_is_a_grade_with_the_words_it_was_found_in(read):
    [(line, said)], _ = read(judged(result_status=1, prediction="##final score: 2", prompt="bing"), "j.jsonl")
    assert (line, said) == (1, ModelGrade("007", "D1", 2, "##final score: 2", "gpt-4o", "bing"))


@pytest.mark.parametrize("prediction", ["I cannot tell.", ""])
def test_a_stopgap_of_umbrela_is_no_grade(read, prediction):
    [(_, said)], _ = read(judged(judgment=0, result_status=0, prediction=prediction), "j.jsonl")
    assert (said.grade, said.answer) == (None, prediction)


@pytest.mark.parametrize(
    ("judgment", "grade"), [(7, None), (-1, None), (None, None), ("x", None), (2.0, 2), (True, None)]
)
def test_a_judgment_that_is_no_grade_of_the_scale_is_none(read, judgment, grade):
    [(_, said)], wrong = read(judged(judgment=judgment), "j.jsonl")
    assert (said.grade, wrong) == (grade, [])


def test_the_words_that_were_sent_are_no_name_of_a_prompt(read):
    [(_, said)], _ = read(judged(prompt="Grade this.\nQuery: x\nPassage: y"), "j.jsonl")
    assert said.prompt == ""


def test_a_pair_can_be_named_by_its_texts_or_by_a_query_with_its_id(read):
    texts = {"query": "why", "passage": "since", "judgment": 1}
    ids = {"query": {"qid": "007", "text": "why"}, "docid": "D1", "judgment": 1}
    found, _ = read(json.dumps(texts) + "\n" + json.dumps(ids) + "\n", "j.jsonl")
    assert [said for _, said in found] == [
        ModelGrade("", "", 1, "1", query="why", passage="since"),
        ModelGrade("007", "D1", 1, "1"),
    ]


def test_what_a_model_says_is_never_a_fault_of_the_file(read):
    [(_, said)], wrong = read(judged(prediction="half \ud83d and \0"), "j.jsonl")
    assert (said.answer, wrong) == ("half \ufffd and \ufffd", [])


def test_a_column_is_a_model_with_a_prompt_and_an_empty_cell_no_grade(read):
    found, _ = read(COLUMNS + 'dl21,007,q,D1,"a, b\nc",3,2,\ndl21,007,q,D2,p,3,2.0,2.5\n')
    assert found == [
        (2, ModelGrade("007", "D1", 2, "2", "gpt", "basic")),
        (2, ModelGrade("007", "D1", None, "", "llama 3", "basic")),
        (4, ModelGrade("007", "D2", 2, "2.0", "gpt", "basic")),
        (4, ModelGrade("007", "D2", None, "2.5", "llama 3", "basic")),
    ]


def test_chances_become_the_likeliest_grade_and_the_annotation_is_passed_over(read):
    found, _ = read(CHANCES + "q,a,3,0.1,0.6,0.2,0.1\nq,b,3,0.4,0.4,0,0\nq,c,3,,,,\nq,d,3,0,0,0,0\nq,e,3,nan,1,0,0\n")
    assert [(said.grade, said.probabilities) for _, said in found] == [
        (1, (0.1, 0.6, 0.2, 0.1)),
        (0, (0.5, 0.5, 0, 0)),
        (None, None),
        (None, None),
        (None, None),
    ]


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("one line\n", "x.txt", "1: this is neither qrels"),
        ("q 0 d 1\nq 0 d 2\n", "x.txt", "2: passage 'd' of topic 'q' is on line 1 already"),
        (COLUMNS + "c,q,t,d,p,1,2,2\nc,q,t,d,p,1,2,2\n", "x.csv", "3: passage 'd' of topic 'q' is on line 2 already"),
        (COLUMNS + "c,q,t,d,p,1,2\n", "x.csv", "2: has 7 cells for 8 columns"),
        (COLUMNS + 'c,q,t,d,"never closed,1,2,2\n', "x.csv", "2: not CSV: unexpected end of data"),
        (
            "qid,text,gpt|basic\n",
            "x.csv",
            "1: the first line must name a column passage_id, docid, doc_id, docno or pid",
        ),
        ("qid,docid,gpt|a,gpt|a\n", "x.csv", "1: the column 'gpt|a' is there twice"),
        ("qid,docid,gpt|a,gpt | a\nq1,d1,2,1\n", "x.csv", "1: the column 'gpt | a' is there twice, but for its blanks"),
        (
            judged(model="gpt|a") + judged(model="gpt", prompt="a", judgment=1),
            "x.jsonl",
            "2: passage 'D1' of topic '007' is on line 1 already of gpt|a",
        ),
        (CHANCES.replace(",prob_3", ""), "x.csv", "1: the first line must name these columns"),
        (CHANCES + "q 1,d,1,1,0,0,0\n", "x.csv", "2: id 'q 1' has white space in it (U+0020)"),
        ("[]\n", "x.jsonl", "1: a list instead of a JSON object"),
        ('{"query_id": "q", "docid": "d"}\n', "x.jsonl", "1: lacks judgment"),
        ('{"query_id": 7, "docid": "d", "judgment": 1}\n', "x.jsonl", "1: query_id is the number 7"),
        ('{"docid": "d", "judgment": 1}\n', "x.jsonl", "1: names no query"),
        (judged() + judged(), "x.jsonl", "2: passage 'D1' of topic '007' is on line 1 already of gpt-4o"),
    ],
)
def test_what_is_wrong_is_named_by_its_line(read, text, name, sentence):
    found, [wrong] = read(text, name)
    assert wrong.startswith(sentence)


def test_a_format_that_is_named_is_not_guessed(read):
    assert read("qid,docid,gpt\n", form="columns")[1] == ["1: no column is headed model|prompt, such as gpt-4o|basic"]


@pytest.mark.parametrize("judgment", ["\ud800", "2\0"])
def test_a_judgment_that_no_database_takes_is_told_in_signs_that_it_takes(read, judgment):
    [(_, said)], _ = read(judged(judgment=judgment), "j.jsonl")
    assert (said.grade, said.answer[-1]) == (None, "\N{REPLACEMENT CHARACTER}")


@pytest.mark.parametrize("form", model_grades.FORMATS)
def test_an_empty_file_says_nothing(read, form):
    assert read("", form=form) == ([], [])


def test_a_compressed_table_with_a_byte_order_mark_is_read(read):
    found, _ = read(gzip.compress(b"\xef\xbb\xbf" + COLUMNS.encode() + b"c,q,t,d,p,1,2,3\r\n"), "x.csv.gz")
    assert [said.grade for _, said in found] == [2, 3]


def test_the_27_columns_of_a_published_table_are_27_models(read):
    path = shared_data.path("pairs", "alaofi_dl21_dl22_human_vs_llm.csv.gz")
    found = [said for _, said in model_grades.read_model_grades(path, Faults("pairs.csv"), SCALE)]
    assert len(found) == 27 * 4222
    assert len({(said.model, said.prompt) for said in found}) == 27
    assert sum(said.grade is None for said in found) == 261
