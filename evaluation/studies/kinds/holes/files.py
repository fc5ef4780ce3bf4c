"""The files that fillers of a hole study name: `model:F`, `learned:PASSAGES,TOPICS`, `calibrated:F,PASSAGES,TOPICS`."""

from annotate.formats import texts
from annotate.formats.records import Qrels
from annotate.formats.scale import GradeScale
from evaluation.agreement import pairing
from evaluation.agreement.pairing import Pair
from evaluation.engine import grade_files
from evaluation.studies.design.plan import PlanRefused
from evaluation.studies.kinds.holes import strategies
from evaluation.studies.kinds.holes.inputs import Texts
from evaluation.studies.kinds.holes.strategies import Filler

_FILES = {
    strategies.MODEL: ("F",),
    strategies.LEARNED: ("PASSAGES", "TOPICS"),
    strategies.CALIBRATED: ("F", "PASSAGES", "TOPICS"),
}


def read_models(asked: list[Filler], scale: GradeScale) -> dict[str, Qrels]:
    """The grades of models, by the text of the filler. Raises FileRefused, PlanRefused for too few or many files."""
    return {
        text: qrels
        for text, qrels in _graded(asked, scale).items()
        if strategies.parse_filler(text).kind == strategies.MODEL
    }


def read_model_labels(asked: list[Filler], scale: GradeScale) -> dict[str, dict[Pair, int]]:
    """The grades of models that are calibrated, by the text of the filler; raises as `models`."""
    return {
        text: pairing.grades_by_pair(qrels)
        for text, qrels in _graded(asked, scale).items()
        if strategies.parse_filler(text).kind == strategies.CALIBRATED
    }


def read_texts(asked: list[Filler]) -> dict[str, Texts]:
    """What judges read, by the text of the filler; files that several name are read once."""
    named = [(filler.text, _files(filler)[-2:]) for filler in asked if filler.is_fitted]
    read = {files: _texts(*files) for files in {files for _, files in named}}
    return {text: read[files] for text, files in named}


def _graded(asked: list[Filler], scale: GradeScale) -> dict[str, Qrels]:
    """Each file once, by the text of each filler that names it."""
    kinds = (strategies.MODEL, strategies.CALIBRATED)
    named = {filler.text: _files(filler)[0] for filler in asked if filler.kind in kinds}
    read = {file: grade_files.read_grades(file, scale).qrels for file in sorted(set(named.values()))}
    return {text: read[file] for text, file in named.items()}


def _files(filler: Filler) -> tuple[str, ...]:
    wanted = _FILES[filler.kind]
    # The name of a model's file may hold commas: a lone file is taken as it is.
    files = (filler.name,) if len(wanted) == 1 else tuple(filler.name.split(","))
    if len(files) != len(wanted) or not all(files):
        raise PlanRefused(f"{filler.text} should be {filler.kind}:{','.join(wanted)}")
    return files


def _texts(of_passages: str, of_topics: str) -> Texts:
    return Texts(
        topics={topic.query_id: (topic.text, topic.backstory) for topic in texts.read_topics(of_topics)},
        passages={
            passage.passage_id: f"{passage.title}\n{passage.text}" if passage.title else passage.text
            for passage in texts.read_passages(of_passages)
        },
    )
